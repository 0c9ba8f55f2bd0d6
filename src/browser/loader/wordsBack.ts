/** A text whose first line has words: each byte from 128 on in the others is one of these. */
export const wordsBack = (bytes: Uint8Array): string => {
  const text = new TextDecoder("latin1").decode(bytes)
  const end = text.indexOf("\n")
  const words = text.slice(0, end).split(" ")
  // What the decoder makes of bytes from 128 to 159 differs.
  return text.replaceAll(/[^\0-\x7f]/g, (_, at: number) => words[(bytes[at] ?? 0) - 128] ?? "").slice(end + 1)
}
