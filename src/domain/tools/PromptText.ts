/** Control and invisible characters: direction marks, zero width, tags, variation selectors. */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const HIDDEN_BUT_LINES = new RegExp(`(?![\\n\\t])${HIDDEN.source}`, "gu")
/** In JSON outside strings, only white space is among these; U+2028 and U+2029 end lines elsewhere. */
const HIDDEN_IN_JSON = new RegExp(`(?![\\n\\r\\t])${HIDDEN.source}|[\\u2028\\u2029]`, "gu")

/** Cuts text to at most `max` characters, including a visible note, never inside a surrogate pair. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const note = ` … (${text.length} characters in all)`
  let end = Math.max(0, max - note.length)
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end--
  return (text.slice(0, end) + note).slice(0, max)
}

/** Puts text on one line and removes invisible characters; line ends become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").replaceAll(HIDDEN, "").trim()

/** Text of several lines without invisible characters. Line ends of any kind become `\n`. */
export const visibleText = (text: string): string =>
  text.replaceAll(/\r\n?|[\u2028\u2029]/gu, "\n").replaceAll(HIDDEN_BUT_LINES, "")

/** JSON text with invisible characters escaped, so that its value stays the same. */
export const visibleJson = (json: string): string =>
  json.replaceAll(HIDDEN_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join("")
  )

/** Text without the space around it; `null` if nothing is left. */
export const textOrNull = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
