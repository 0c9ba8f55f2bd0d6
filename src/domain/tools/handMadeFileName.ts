/** Names that Windows keeps for devices, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const SUFFIX = ".html"
export const DECLARED_SUFFIX = ".view.json"
/** File systems mostly allow 255 bytes; the rest is for suffixes while a file is written. */
const LONGEST = 200

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`

const encoded = (character: string, index: number): string =>
  /[A-Za-z0-9_-]/.test(character) || (character === "." && index > 0)
    ? character
    : [...new TextEncoder().encode(character)].map(percent).join("")

/** FNV-1a with 64 bits, over UTF-8: the same in Node and in a browser, without waiting. */
const hashOf = (text: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, "0")
}

/**
 * The file name of a tool's UI, made by hand or exported: the tool's name and `.html`. Letters, digits, `_`, `-` and
 * inner dots stay, everything else is percent-encoded (UTF-8), so no name leaves the folder. A name over 200 bytes
 * becomes its start, `~` and a hash with 16 digits.
 */
export const handMadeFileName = (toolName: string): string => {
  const name = toolName.toWellFormed()
  const characters = [...name].map(encoded)
  const [first = ""] = characters
  if (RESERVED.test(characters.join(""))) characters[0] = percent(first.charCodeAt(0))
  const whole = characters.join("")
  if (whole.length + SUFFIX.length <= LONGEST) return `${whole}${SUFFIX}`
  const end = `~${hashOf(name)}${SUFFIX}`
  let start = ""
  for (const character of characters) {
    if (start.length + character.length + end.length > LONGEST) break
    start += character
  }
  return `${start}${end}`
}

/** The file beside it that declares what the page needs: the name and `.json`. */
export const declarationFileName = (toolName: string): string =>
  `${handMadeFileName(toolName).slice(0, -SUFFIX.length)}.json`

/** The file name of a tool's declared view, made in the same way: the name and `.view.json`. */
export const declaredFileName = (toolName: string): string =>
  `${handMadeFileName(toolName).slice(0, -SUFFIX.length)}${DECLARED_SUFFIX}`
