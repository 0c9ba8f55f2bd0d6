/** What the bits of a canonical Huffman code stand for: at the bits themselves, behind a leading 1, is the symbol and one. */
const codeOf = (lengths: ReadonlyArray<number>): Uint16Array => {
  const code = new Uint16Array(65_536)
  let at = 2
  for (let length = 1; length < 16; length++) {
    lengths.forEach((other, symbol) => {
      if (other === length) code[at++] = symbol + 1
    })
    at *= 2
  }
  return code
}

/** The order in which the code lengths for code lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const END = 256

/**
 * Unpacks a raw deflate stream (RFC 1951) of `size` bytes. Written by hand, because a browser inflates only
 * asynchronously. Small rather than fast: it is in every document, unpacked, and takes some milliseconds for the
 * runtime. The stream is not checked here, because the build makes sure that it unpacks. All its blocks bring their own
 * codes, as every larger block does that can be packed at all.
 */
export const inflate = (bytes: Uint8Array, size: number): Uint8Array => {
  const out = new Uint8Array(size)
  let end = 0
  let at = 0
  let held = 0
  let count = 0

  const bits = (wanted: number): number => {
    for (; count < wanted; count += 8) held |= (bytes[at++] ?? 0) << count
    const value = held & ((1 << wanted) - 1)
    held >>>= wanted
    count -= wanted
    return value
  }

  const symbolOf = (code: Uint16Array): number => {
    let read = 1
    let symbol: number | undefined = 0
    while (symbol === 0) symbol = code[(read = read * 2 + bits(1))]
    return (symbol ?? 0) - 1
  }

  const ownCodes = (): readonly [Uint16Array, Uint16Array] => {
    const literals = bits(5) + 257
    const all = literals + bits(5) + 1
    const used = bits(4) + 4
    const own: Array<number> = []
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

  const copy = (symbol: number, distances: Uint16Array): void => {
    const more = (symbol - 261) >> 2
    const length =
      symbol < 265 ? symbol - 254 : symbol === 285 ? 258 : ((4 + ((symbol - 265) & 3)) << more) + 3 + bits(more)
    const far = symbolOf(distances)
    const extra = (far >> 1) - 1
    const distance = far < 4 ? far + 1 : ((2 + (far & 1)) << extra) + 1 + bits(extra)
    for (let left = length; left > 0; left--) out[end] = out[end++ - distance] ?? 0
  }

  while (end < size) {
    bits(3)
    const [literals, distances] = ownCodes()
    for (let symbol = symbolOf(literals); symbol !== END; symbol = symbolOf(literals)) {
      if (symbol < END) out[end++] = symbol
      else copy(symbol, distances)
    }
  }
  return out
}
