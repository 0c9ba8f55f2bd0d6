/** How many bytes are no character of ASCII. */
const MOST = 128

/**
 * Source code with its most frequent words as one byte each, and these words in a line before it: what the packer finds again
 * costs it two bytes and more for where it stood. The page's loader reads it with `wordsBack`.
 */
export const shortWords = (code: string): Buffer => {
  if (/[^\0-~]/.test(code)) throw new Error("the runtime is not written in ASCII")
  const counts = new Map<string, number>()
  for (const [word] of code.matchAll(/[a-z_$][\w$]{2,}/gi)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, MOST)
    .map(([word]) => word)
  const short = words.reduce((text, word, index) => text.replaceAll(word, String.fromCharCode(128 + index)), code)
  return Buffer.from(`${words.join(" ")}\n${short}`, "latin1")
}
