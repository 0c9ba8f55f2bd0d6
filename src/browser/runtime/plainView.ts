const { apply } = Reflect
const { createElement } = Document.prototype
const { appendChild } = Node.prototype
const { stringify } = JSON
const setText = Object.getOwnPropertyDescriptor(Node.prototype, "textContent")?.set ?? (() => undefined)
const setStyle = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "style")?.set ?? (() => undefined)

const MAX_LENGTH = 100_000

const textOf = (value: unknown): string => {
  try {
    const text = typeof value === "string" ? value : value instanceof Error ? value.message : stringify(value, null, 2)
    return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
  } catch {
    return "This cannot be shown as text."
  }
}

/**
 * The last level: the tool's name, what went wrong and the data, as text. It uses only functions that were taken before
 * any code of a view ran, and it never throws.
 */
export const showPlainView = (toolName: string, error: unknown, data: unknown): void => {
  try {
    const line = (tag: string, text: string): Node => {
      const element = apply(createElement, document, [tag]) as HTMLElement
      apply(setText, element, [text])
      return element
    }
    const root = document.documentElement
    const body = line("body", "")
    apply(setStyle, body, ["display:block;margin:12px;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere"])
    const pre = line("pre", data === undefined ? "There is no result yet." : textOf(data))
    apply(setStyle, pre, ["white-space:pre-wrap"])
    const main = line("main", "")
    const parts = [line("h1", toolName), line("p", `The view cannot be shown: ${textOf(error)}`), pre]
    for (let at = 0; at < parts.length; at++) apply(appendChild, main, [parts[at]])
    apply(appendChild, body, [main])
    apply(setText, root, [""])
    apply(appendChild, root, [body])
  } catch {
    // Nothing is left that could show the error.
  }
}
