import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { constants, deflateRawSync } from "node:zlib"
import { inflate } from "../../../src/browser/loader/inflate.ts"

const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY, constants.Z_RLE]

const WORDS =
  "const readonly undefined => ( ) { } [ ] === \n return if else value length map 0 1 2 31 à 界 mg-stack".split(" ")

/** Long enough for a code of its own, short enough for one block. */
const source = fc
  .array(fc.constantFrom(...WORDS), { minLength: 700, maxLength: 1500, size: "max" })
  .map((words) => Buffer.from(words.join(" ")))

describe("inflate", () => {
  it("gives back what zlib has deflated, at every level and by every strategy", () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 9 }), fc.constantFrom(...STRATEGIES), (bytes, level, strategy) => {
        const packed = deflateRawSync(bytes, { level, strategy })
        assert.isTrue(Buffer.from(inflate(packed, bytes.length)).equals(bytes))
      }),
      { numRuns: 100 }
    )
  })

  it("does so with a large text, with a byte too many, and with long distances", () => {
    const text = readFileSync(new URL("../../../src/browser/runtime/Bridge.ts", import.meta.url))
    const noise = Buffer.from(Array.from({ length: 32_000 }, (_, at) => (at * 7919) % 251))
    const bytes = Buffer.concat([text, noise, text, noise.toReversed(), text])
    const packed = deflateRawSync(bytes, { level: 9 })
    assert.isTrue(Buffer.from(inflate(Buffer.concat([packed, Buffer.from([0])]), bytes.length)).equals(bytes))
  })
})
