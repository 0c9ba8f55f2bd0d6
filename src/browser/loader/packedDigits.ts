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

/** What a range coder works with: `range` has six digits or seven, which a number holds exactly. */
export const [SIX_DIGITS, SEVEN_DIGITS] = [BASE ** 6, BASE ** 7]

/** Reads the bits that the build has packed. */
export const decisionsOf = (text: string): Decide => {
  const held: Array<number> = []
  let at = 0
  let code = 0
  let range = 1
  const hold = (): void => {
    const char = text.charCodeAt(at++)
    let value =
      char < TWO_FROM
        ? char - 32 - Number(char > 34) - Number(char > 92)
        : char < THREE_FROM
          ? char - TWO_FROM + TWO * BASE
          : char - THREE_FROM + THREE * BASE * BASE
    for (; value >= BASE; value = Math.floor(value / BASE)) held.push(value % BASE)
    held.push(value)
  }
  return (model, index = 0) => {
    for (; range < SIX_DIGITS; range *= BASE) {
      if (held.length === 0) hold()
      code = code * BASE + (held.pop() ?? 0)
    }
    const zeros = Math.floor(range / 65_536) * (model?.[4 * index] ?? 32_768)
    if (code < zeros) {
      range = zeros
      return 0
    }
    range -= zeros
    code -= zeros
    return 1
  }
}
