import type { Decide } from "./unlzma.ts"

/**
 * A packed stream as text, in digits of {@link BASE}. A low digit is a printable character of ASCII other than the quote and
 * the backslash: one byte. Two digits of which the first is higher are one character of two bytes, from U+00A0 on; three
 * are one of three bytes, from U+0800 on, if the first is one of the highest. A byte of UTF-8 so holds 6.8 bits, where base64
 * holds 6. No character is special in a JavaScript string or in JSON.
 */
export const BASE = 113
/** Of one, two and three digits: the lowest first digit, and the first character. */
export const [TWO, TWO_FROM] = [93, 0xa0]
export const [THREE, THREE_FROM] = [109, 0x800]

/** What a range coder works with: `range` has three digits or four, a small integer, which takes an engine no memory. */
export const [THREE_DIGITS, FOUR_DIGITS] = [BASE ** 3, BASE ** 4]

/** Reads the bits that the build has packed. */
export const decisionsOf = (text: string): Decide => {
  const digits = new Uint8Array(3 * text.length)
  let end = 0
  const write = (value: number): void => {
    if (value >= BASE) write(Math.floor(value / BASE))
    digits[end++] = value % BASE
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    write(
      char < TWO_FROM
        ? char - 32 - Number(char > 34) - Number(char > 92)
        : char < THREE_FROM
          ? char - TWO_FROM + TWO * BASE
          : char - THREE_FROM + THREE * BASE * BASE
    )
  }
  let at = 0
  let code = 0
  let range = 1
  return (chance = 1024) => {
    for (; range < THREE_DIGITS; range *= BASE) code = code * BASE + (digits[at++] ?? 0)
    const zeros = (range >> 11) * chance
    if (code < zeros) {
      range = zeros
      return 0
    }
    range -= zeros
    code -= zeros
    return 1
  }
}
