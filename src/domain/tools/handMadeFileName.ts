/** Names that Windows keeps for devices, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * The name of the file with a UI of a tool, made by hand or exported: the tool's name and `.html`. Letters, digits, `_`, `-`
 * and inner dots stand for themselves, everything else is percent-encoded (UTF-8): no name leaves the folder.
 */
export const handMadeFileName = (toolName: string): string => {
  const encoded = [...toolName.toWellFormed()]
    .map((character, index) =>
      /[A-Za-z0-9_-]/.test(character) || (character === "." && index > 0)
        ? character
        : [...new TextEncoder().encode(character)]
            .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
            .join("")
    )
    .join("")
  const safe = RESERVED.test(encoded)
    ? `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
    : encoded
  return `${safe}.html`
}
