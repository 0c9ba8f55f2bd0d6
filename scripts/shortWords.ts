/** How many bytes are no character of ASCII. */
const MOST = 128

const mostFrequent = (code: string): string | undefined => {
  const counts = new Map<string, number>()
  for (const [word] of code.matchAll(/[a-z_$][\w$]{2,}/gi)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].reduce<readonly [word: string | undefined, count: number]>(
    (best, found) => (found[1] > best[1] ? found : best),
    [undefined, 0]
  )[0]
}

const backwards = (word: string): string => [...word].toReversed().join("")

/**
 * Source code with its most frequent words as one byte each, and these words in a line before it: what the packer finds again
 * costs it two bytes and more for where it stood. The page's loader reads it with `wordsBack`.
 */
export const shortWords = (code: string): Buffer => {
  if (/[^\0-~]/.test(code)) throw new Error("the runtime is not written in ASCII")
  const words: Array<string> = []
  for (let left = code; words.length < MOST; left = left.replaceAll(words.at(-1) ?? "", "\0")) {
    const word = mostFrequent(left)
    if (word === undefined) break
    words.push(word)
  }
  // Those that end alike stand beside each other, and a word is found before the words inside of it.
  const listed = words.toSorted((one, other) => (backwards(one) < backwards(other) ? -1 : 1))
  const short = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, String.fromCharCode(128 + listed.indexOf(word))), code)
  return Buffer.from(`${listed.join(" ")}\n${short}`, "latin1")
}
