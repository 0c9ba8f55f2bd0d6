const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text for the inside of an element or of a quoted attribute (HTML, "Serializing HTML fragments"). */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => HTML_ESCAPES[character] ?? character)

const hexEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * JSON for the inside of a `<script type="application/json">` or of a classic script: still JSON with the same
 * value, but free of `<`, `>`, `&` and the two line ends that older JavaScript refuses in strings. A value that
 * JSON has no text for (`undefined`, a function) becomes `null`.
 */
export const escapeJson = (value: unknown): string =>
  (JSON.stringify(value) ?? "null").replaceAll(/[<>&\u2028\u2029]/gu, hexEscape)
