const LOOKED_AT = 20_000
const LONGEST_WORD = 4000

/**
 * The part of a text that redaction looks at. It ends with a word, and never inside a known secret: half of one would not be
 * recognized.
 */
export const lookedAt = (text: string, secrets: ReadonlyArray<string>): string => {
  if (text.length <= LOOKED_AT) return text
  const last = text.slice(LOOKED_AT - LONGEST_WORD, LOOKED_AT)
  let end = LOOKED_AT - (/(?<![^\s"'])[^\s"']*$/.exec(last)?.[0] ?? last).length
  for (let before = Number.POSITIVE_INFINITY; end < before;) {
    before = end
    for (const secret of secrets) {
      const around = Math.max(0, end - secret.length + 1)
      const at = text.slice(around, end + secret.length - 1).indexOf(secret)
      if (at !== -1) end = around + at
    }
  }
  return text.slice(0, end)
}
