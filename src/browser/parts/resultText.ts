import { textKind, type TextKind } from "../../domain/results/ResultText.ts"
import { h } from "./dom.ts"
import { disclosure } from "./layout.ts"
import { markdown, plainText } from "./markdown.ts"
import { bounded, code, image } from "./media.ts"
import type { ResultContext } from "./resultContext.ts"
import { htmlNodes } from "./resultHtml.ts"

const languages: Partial<Record<TextKind, string>> = { diff: "diff", log: "log" }

const languageIn = (mimeType: string): string =>
  /\/(?:x-)?(css|javascript|typescript|python|yaml|toml|sql|sh)/.exec(mimeType)?.[1] ?? ""

/** Shows a text as Markdown, diff, log, drawing, HTML, XML, code or prose. `mimeType` helps where it is known. */
export const textView = (text: string, context: ResultContext, mimeType = ""): Node => {
  const { maxBytes } = context
  const kind = textKind(text, mimeType)
  const withSource = (shown: Node, language: string): Node =>
    h(
      "div",
      { class: "mg-stack" },
      shown,
      disclosure("Source", () => code(text, { language, wrap: true, maxBytes }))
    )
  if (kind === "svg") return withSource(image(text, { alt: `Drawing from ${context.toolTitle}` }), "SVG")
  if (kind === "markdown") return bounded(text, maxBytes, markdown)
  if (kind === "html") {
    // Read the beginning only once: nested tables take the browser a while.
    let read = htmlNodes(text.slice(0, maxBytes))
    if (read !== undefined) {
      const draw = (part: string): Node => {
        const node = read ?? htmlNodes(part) ?? plainText(part)
        read = undefined
        return node
      }
      return withSource(bounded(text, maxBytes, draw), "HTML")
    }
  }
  if (kind === "prose" || kind === "blank") return bounded(text, maxBytes, plainText)
  // Drop a fence around a diff.
  const inner = kind === "diff" ? text.replace(/^\s*```\w*\n([^]*?)\n```\s*$/, "$1") : text
  const language =
    languages[kind] ??
    (kind === "html" || kind === "xml"
      ? /^\s*<\?xml/.test(text)
        ? "XML"
        : kind === "html"
          ? "HTML"
          : "Markup"
      : languageIn(mimeType))
  return code(inner, { language, wrap: kind === "html" || kind === "xml", maxBytes })
}
