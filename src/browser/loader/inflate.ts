/** A canonical Huffman code: how many codes there are of each length, and what they stand for, in order. */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

const codeOf = (lengths: ReadonlyArray<number>): Code => {
  const counts = Array.from({ length: 16 }, (_, length) => lengths.filter((other) => other === length).length)
  const symbols = counts.flatMap((_, length) =>
    length === 0 ? [] : lengths.flatMap((other, symbol) => (other === length ? [symbol] : []))
  )
  return { counts: Uint16Array.from(counts), symbols: Uint16Array.from(symbols) }
}

/** The order in which the lengths of the code for lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const END = 256

const fixedCodes = (): readonly [Code, Code] => [
  codeOf(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))),
  codeOf(Array.from({ length: 30 }, () => 5))
]

const tooShort = (): never => {
  throw new RangeError("The stream ends too early")
}

/**
 * The bytes of a raw deflate stream (RFC 1951). Small rather than fast: it stands unpacked in front of every document,
 * and takes some milliseconds for the runtime. A stream that ends too early throws.
 */
export const inflate = (bytes: Uint8Array): Uint8Array => {
  let out = new Uint8Array(bytes.length * 4 + 16)
  let size = 0
  let at = 0
  let held = 0
  let count = 0

  const bits = (wanted: number): number => {
    for (; count < wanted; count += 8) {
      held |= (bytes[at++] ?? tooShort()) << count
    }
    const value = held & ((1 << wanted) - 1)
    held >>>= wanted
    count -= wanted
    return value
  }

  const symbolOf = ({ counts, symbols }: Code): number => {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length++) {
      if (count-- === 0) {
        held = bytes[at++] ?? tooShort()
        count = 7
      }
      code |= held & 1
      held >>>= 1
      const here = counts[length] ?? 0
      if (code - first < here) return symbols[index + code - first] ?? 0
      index += here
      first = (first + here) << 1
      code <<= 1
    }
    throw new RangeError("The stream has an unknown code")
  }

  const put = (byte: number): void => {
    if (size === out.length) {
      const larger = new Uint8Array(size * 2)
      larger.set(out)
      out = larger
    }
    out[size++] = byte
  }

  const ownCodes = (): readonly [Code, Code] => {
    const literals = bits(5) + 257
    const all = literals + bits(5) + 1
    const used = bits(4) + 4
    const own = Array.from({ length: 19 }, () => 0)
    for (const place of ORDER.slice(0, used)) own[place] = bits(3)
    const code = codeOf(own)
    const lengths: Array<number> = []
    while (lengths.length < all) {
      const next = symbolOf(code)
      const length = next === 16 ? (lengths.at(-1) ?? 0) : next < 16 ? next : 0
      let times = next < 16 ? 1 : next === 16 ? bits(2) + 3 : next === 17 ? bits(3) + 3 : bits(7) + 11
      while (times-- > 0) lengths.push(length)
    }
    return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals))]
  }

  const copy = (symbol: number, distances: Code): void => {
    const more = (symbol - 261) >> 2
    const length =
      symbol < 265 ? symbol - 254 : symbol === 285 ? 258 : ((4 + ((symbol - 265) & 3)) << more) + 3 + bits(more)
    const far = symbolOf(distances)
    const extra = (far >> 1) - 1
    const distance = far < 4 ? far + 1 : ((2 + (far & 1)) << extra) + 1 + bits(extra)
    for (let left = length; left > 0; left--) put(out[size - distance] ?? 0)
  }

  let isLast = false
  while (!isLast) {
    isLast = bits(1) === 1
    const kind = bits(2)
    if (kind === 0) {
      bits(count % 8)
      let length = bits(16)
      bits(16)
      while (length-- > 0) put(bits(8))
      continue
    }
    const [literals, distances] = kind === 1 ? fixedCodes() : ownCodes()
    for (let symbol = symbolOf(literals); symbol !== END; symbol = symbolOf(literals)) {
      if (symbol < END) put(symbol)
      else copy(symbol, distances)
    }
  }
  return out.subarray(0, size)
}
