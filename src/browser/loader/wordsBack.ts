/** A text whose first line has words: each byte from 128 on in the others is one of these. */
export const wordsBack = (bytes: Uint8Array): string => {
  const decoder = new TextDecoder("latin1")
  const text = decoder.decode(bytes)
  const end = text.indexOf("\n")
  const words = text.slice(0, end).split(" ")
  // What the decoder makes of bytes from 128 to 159 differs.
  const symbols = decoder.decode(Uint8Array.from(words, (_, index) => 128 + index))
  return text.slice(end + 1).replaceAll(/[\u0080-\uffff]/g, (symbol) => words[symbols.indexOf(symbol)] ?? "")
}
