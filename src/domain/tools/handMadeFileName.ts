/** Names that Windows keeps for devices, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const SUFFIX = ".html"
/** Of the 255 bytes that most file systems allow, some are left for what is put behind a name while it is written. */
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
 * The name of the file with a UI of a tool, made by hand or exported: the tool's name and `.html`. Letters, digits, `_`, `-`
 * and inner dots stand for themselves, everything else is percent-encoded (UTF-8): no name leaves the folder. One that
 * would be longer than 200 bytes is its start, `~` and a hash with 16 digits.
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
