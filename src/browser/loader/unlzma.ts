/** Parameters that the packer writes into its header: literals know three bits of the byte before. */
const [LITERAL_BITS, POSITION_BITS] = [3, 2]

/** Chances of bits to be zero, in 65,536ths. Of each: the chance, what a quick and a slow learner say, and its readings. */
export type Model = Float64Array

/** The next bit of a stream, with the chance that the model has at this index; without a model, half of them are zeros. */
export type Decide = (model?: Model, index?: number) => number

/** A learner forgets what came before so many readings. */
const [QUICK, SLOW] = [16, 160]

/** LZMA itself has one learner, which forgets after 32 readings from the start: that takes 600 bytes more for the runtime. */
const learn = (model: Model, index: number, isOne: number): void => {
  // One by one: taking them apart as a list takes ten times as long.
  const at = index * 4
  const aim = isOne === 0 ? 65_500 : 36
  const quick = model[at + 1] ?? 0
  const slow = model[at + 2] ?? 0
  const times = (model[at + 3] = (model[at + 3] ?? 0) + 1)
  model[at + 1] = quick + (aim - quick) / Math.min(times + 2, QUICK)
  model[at + 2] = slow + (aim - slow) / Math.min(times + 2, SLOW)
  model[at] = Math.floor(((model[at + 1] ?? 0) + (model[at + 2] ?? 0)) / 2)
}

const chances = (count: number): Model => new Float64Array(count * 4).map((_, at) => (at % 4 === 3 ? 0 : 32_768))

/** How often each length after a match was used: one to choose among short, middle and long, then their trees. */
const lengthChances = (): Model => chances(2 + 4 * 8 * 2 + 256)

/**
 * Unpacks `size` bytes that LZMA (of the LZMA SDK) has packed. Written by hand, because no browser unpacks it, and every
 * other way to pack makes each document a tenth larger. It takes some milliseconds for the runtime. The stream is not
 * checked here, because the build makes sure that it unpacks.
 */
export const unlzma = (size: number, decide: Decide): Uint8Array => {
  const out = new Uint8Array(size)
  let end = 0

  const bit = (model: Model, index: number): number => {
    const isOne = decide(model, index)
    learn(model, index, isOne)
    return isOne
  }
  /** A number of `bits` bits, the highest first. */
  const tree = (model: Model, base: number, bits: number): number => {
    let read = 1
    while (read < 1 << bits) read = read * 2 + bit(model, base + read)
    return read - (1 << bits)
  }
  /** The same, the lowest bit first. */
  const reverse = (model: Model, base: number, bits: number): number => {
    let read = 1
    let value = 0
    for (let place = 0; place < bits; place++) {
      const one = bit(model, base + read)
      read = read * 2 + one
      value |= one << place
    }
    return value
  }
  /** Bits that are as often one as zero. */
  const plain = (bits: number): number => {
    let value = 0
    for (let left = bits; left > 0; left--) value = value * 2 + decide()
    return value
  }

  const isMatch = chances(192)
  const isRepeat = chances(12)
  const isOlder = [chances(12), chances(12), chances(12)] as const
  const isLonger = chances(192)
  const literals = chances(768 << LITERAL_BITS)
  const slots = chances(256)
  const middle = chances(128)
  const low = chances(16)
  const [matchLengths, repeatLengths] = [lengthChances(), lengthChances()]
  const lengthOf = (model: Model, position: number): number => {
    if (bit(model, 0) === 0) return tree(model, 2 + position * 8, 3) + 2
    if (bit(model, 1) === 0) return tree(model, 34 + position * 8, 3) + 10
    return tree(model, 66, 8) + 18
  }
  const distanceOf = (length: number): number => {
    const slot = tree(slots, Math.min(length - 2, 3) * 64, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) << bits
    return base + (slot < 14 ? reverse(middle, base - slot, bits) : plain(bits - 4) * 16 + reverse(low, 0, 4))
  }
  const literal = (state: number, distance: number): number => {
    const base = 768 * ((out[end - 1] ?? 0) >> (8 - LITERAL_BITS))
    let read = 1
    if (state > 6) {
      // After a match, the byte that the match would go on with tells what comes.
      for (let expected = out[end - distance - 1] ?? 0; read < 256; expected <<= 1) {
        const told = (expected >> 7) & 1
        const one = bit(literals, base + ((1 + told) << 8) + read)
        read = read * 2 + one
        if (told !== one) break
      }
    }
    while (read < 256) read = read * 2 + bit(literals, base + read)
    return read
  }

  /** What came before: 0 to 6 after a literal, 7 to 11 after a match. */
  let state = 0
  /** The last four distances, the newest first. */
  const distances = [0, 0, 0, 0]
  while (end < size) {
    const position = end & ((1 << POSITION_BITS) - 1)
    let length = 1
    if (bit(isMatch, state * 16 + position) === 0) {
      out[end] = literal(state, distances[0] ?? 0)
      end++
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
      continue
    }
    if (bit(isRepeat, state) === 0) {
      length = lengthOf(matchLengths, position)
      distances.unshift(distanceOf(length))
      distances.pop()
      state = state < 7 ? 7 : 10
    } else {
      let which = 0
      while (which < 3 && bit(isOlder[which as 0 | 1 | 2], state) === 1) which++
      if (which > 0) distances.unshift(...distances.splice(which, 1))
      if (which === 0 && bit(isLonger, state * 16 + position) === 0) state = state < 7 ? 9 : 11
      else {
        length = lengthOf(repeatLengths, position)
        state = state < 7 ? 8 : 11
      }
    }
    for (const from = (distances[0] ?? 0) + 1; length > 0; length--, end++) out[end] = out[end - from] ?? 0
  }
  return out
}
