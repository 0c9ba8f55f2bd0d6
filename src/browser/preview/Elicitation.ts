import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client"
import { byId, press } from "./element.ts"
import { SchemaInput } from "./SchemaInput.ts"

/** What the server asks the person, in front of the page. Escape answers that they did not. */
export class Elicitation {
  readonly #dialog = byId("elicitation", HTMLDialogElement)
  readonly #message = byId("elicitation-message", HTMLElement)
  readonly #place = byId("elicitation-form", HTMLElement)
  #answer: (result: ElicitResult) => void = () => undefined
  #form: SchemaInput | undefined
  /** One question after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor() {
    press("elicitation-send", () => (this.#form === undefined ? this.#end({ action: "accept" }) : this.#form.submit()))
    press("elicitation-decline", () => this.#end({ action: "decline" }))
    this.#dialog.addEventListener("close", () => this.#answer({ action: "cancel" }))
  }

  ask(params: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult> {
    const asked = this.#queue.then(() => this.#ask(params, signal))
    this.#queue = asked
    return asked
  }

  #ask(params: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult> {
    this.#message.textContent = params.message
    this.#form = undefined
    if ("requestedSchema" in params) {
      const tool = { name: "answer", title: "Send", inputSchema: params.requestedSchema }
      const content = (args: Readonly<Record<string, unknown>>) => args as NonNullable<ElicitResult["content"]>
      const form = new SchemaInput(tool, (args) => this.#end({ action: "accept", content: content(args) }))
      this.#form = form
      this.#place.replaceChildren(form.element)
    } else this.#place.replaceChildren(...("url" in params ? [String(params.url)] : []))
    this.#dialog.showModal()
    return new Promise((resolve) => {
      this.#answer = resolve
      signal.addEventListener("abort", () => this.#end({ action: "cancel" }))
    })
  }

  #end(result: ElicitResult): void {
    this.#answer(result)
    this.#dialog.close()
  }
}
