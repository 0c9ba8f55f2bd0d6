import type { Decide } from "./unlzma.ts"

/**
 * A packed stream as text, in digits of {@link BASE}. Its low digits are the printable characters of ASCII without the
 * quote and the backslash, one byte each. Of two digits with a high one first, one character of two bytes is made, which
 * starts at U+00A0. A byte of UTF-8 so holds 6.78 bits, where base64 holds 6. No character is special in a JavaScript
 * string or in JSON.
 */
export const BASE = 110
export const LOW_DIGITS = 93
export const FIRST_HIGH = 160

/** What a range coder works with: `range` has six digits or seven, which a number holds exactly. */
export const [SIX_DIGITS, SEVEN_DIGITS] = [BASE ** 6, BASE ** 7]

/** Reads the bits that the build has packed. */
export const decisionsOf = (text: string): Decide => {
  let at = 0
  let second: number | undefined
  let code = 0
  let range = 1
  const digit = (): number => {
    const held = second
    second = undefined
    if (held !== undefined) return held
    const char = text.charCodeAt(at++)
    if (char < FIRST_HIGH) return char - 32 - Number(char > 34) - Number(char > 92)
    second = (char - FIRST_HIGH) % BASE
    return LOW_DIGITS + Math.floor((char - FIRST_HIGH) / BASE)
  }
  return (chance = 1024) => {
    for (; range < SIX_DIGITS; range *= BASE) code = code * BASE + digit()
    const zeros = Math.floor(range / 2048) * chance
    if (code < zeros) {
      range = zeros
      return 0
    }
    range -= zeros
    code -= zeros
    return 1
  }
}
