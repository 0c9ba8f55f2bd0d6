import { createRequire } from "node:module"
import { BASE, SEVEN_DIGITS, SIX_DIGITS, THREE, THREE_FROM, TWO, TWO_FROM } from "../src/browser/loader/packedDigits.ts"
import { type Decide, type Model, unlzma } from "../src/browser/loader/unlzma.ts"

/** What the package says of itself: it has no types. */
interface LzmaWorker {
  readonly LZMA: { readonly compress: (bytes: Uint8Array, level: number) => ReadonlyArray<number> }
}

const worker = createRequire(import.meta.url)("lzma/src/lzma_worker.js") as LzmaWorker

/** The bytes before the stream: parameters and sizes. */
const HEADER_BYTES = 13

/** Reads the bits of a `.lzma` stream, as its packer wrote them: in bytes. */
const decisionsIn = (stream: ReadonlyArray<number>): Decide => {
  // The first byte of a stream is always 0.
  let at = HEADER_BYTES + 1
  let code = 0
  let range = 0xffffffff
  const next = (): void => {
    code = ((code << 8) | ((stream[at++] ?? 0) & 255)) >>> 0
  }
  for (let count = 0; count < 4; count++) next()
  const chances = new Map<Model, Uint16Array>()
  return (model, index = 0) => {
    const known = model && (chances.get(model) ?? new Uint16Array(model.length / 4).fill(1024))
    if (model && known) chances.set(model, known)
    const chance = known?.[index]
    const zeros = chance === undefined ? range >>> 1 : (range >>> 11) * chance
    const isOne = code >= zeros
    range = isOne && chance !== undefined ? range - zeros : zeros
    if (isOne) code -= zeros
    if (known && chance !== undefined) known[index] = chance + (isOne ? -(chance >> 5) : (2048 - chance) >> 5)
    if (range < 0x1000000) {
      range = (range << 8) >>> 0
      next()
    }
    return Number(isOne)
  }
}

/** Writes bits, so that {@link decisionsOf} reads them: `isOne` with the chance of a zero. */
const digitsOf = (bits: Iterable<readonly [isOne: number, chance: number]>): ReadonlyArray<number> => {
  const digits: Array<number> = []
  let low = 0
  let range = SIX_DIGITS
  const put = (): void => {
    digits.push(Math.floor(low / SIX_DIGITS))
    low = (low % SIX_DIGITS) * BASE
  }
  const add = (more: number): void => {
    low += more
    if (low < SEVEN_DIGITS) return
    low -= SEVEN_DIGITS
    let carry = digits.length - 1
    for (; digits[carry] === BASE - 1; carry--) digits[carry] = 0
    digits[carry] = (digits[carry] ?? 0) + 1
  }
  for (const [isOne, chance] of bits) {
    for (; range < SIX_DIGITS; range *= BASE) put()
    const zeros = Math.floor(range / 65_536) * chance
    if (isOne === 1) add(zeros)
    range = isOne === 1 ? range - zeros : zeros
  }
  for (let count = 0; count < 7; count++) put()
  // The first is always 0.
  return digits.slice(1)
}

const textOf = (digits: ReadonlyArray<number>): string => {
  let text = ""
  for (let at = 0; at < digits.length;) {
    const [first = 0, second = 0, third = 0] = digits.slice(at, at + 3)
    at += first < TWO ? 1 : first < THREE ? 2 : 3
    text += String.fromCharCode(
      first < TWO
        ? first + 32 + Number(first > 1) + Number(first > 58)
        : first < THREE
          ? TWO_FROM + (first - TWO) * BASE + second
          : THREE_FROM + ((first - THREE) * BASE + second) * BASE + third
    )
  }
  return text
}

/** Packs bytes as text for the page's loader: what LZMA finds, written in digits of a larger base. */
export const packText = (bytes: Uint8Array): string => {
  const read = decisionsIn(worker.LZMA.compress(bytes, 9))
  const bits: Array<readonly [number, number]> = []
  unlzma(bytes.length, (model, index = 0) => {
    const isOne = read(model, index)
    bits.push([isOne, model?.[4 * index] ?? 32_768])
    return isOne
  })
  return textOf(digitsOf(bits))
}
