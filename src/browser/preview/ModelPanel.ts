import type { ContentBlock } from "@modelcontextprotocol/client"
import { byId, element } from "./element.ts"

/** What a view tells the model with `ui/update-model-context`; each update takes the place of the last one. */
export interface ModelContext {
  readonly content?: ReadonlyArray<ContentBlock> | undefined
  readonly structuredContent?: unknown
}

const mostMessages = 50
const longestText = 20_000

const blockText = (block: ContentBlock): string => (block.type === "text" ? block.text : JSON.stringify(block))

const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}\n… ${text.length - longestText} more characters` : text

const block = (title: string, text: string): HTMLElement =>
  element("div", {}, element("h3", {}, title), element("pre", { tabindex: 0 }, shortened(text)))

const clock = (): string => new Date().toLocaleTimeString()

/** What the model of a real host would know of the view: its context, and the messages that it put into the chat. */
export class ModelPanel {
  readonly #context = byId("model-context", HTMLElement)
  readonly #messages = byId("model-messages", HTMLElement)

  constructor() {
    this.clear()
  }

  update({ content = [], structuredContent }: ModelContext): void {
    const parts = content.map((given) => block("Text", blockText(given)))
    if (structuredContent !== undefined) {
      parts.push(block("Structured content", JSON.stringify(structuredContent, undefined, 2)))
    }
    this.#context.replaceChildren(
      ...(parts.length === 0
        ? [element("p", { class: "quiet" }, "The view has taken its context back.")]
        : [element("p", { class: "quiet" }, `As of ${clock()}; the model gets it with the next message.`), ...parts])
    )
  }

  message(content: ReadonlyArray<ContentBlock>): void {
    this.#messages.querySelector(".quiet")?.remove()
    this.#messages.prepend(block(clock(), content.map(blockText).join("\n")))
    while (this.#messages.childElementCount > mostMessages) this.#messages.lastElementChild?.remove()
  }

  clear(): void {
    this.#context.replaceChildren(element("p", { class: "quiet" }, "The view has told nothing yet."))
    this.#messages.replaceChildren(element("p", { class: "quiet" }, "None yet."))
  }
}
