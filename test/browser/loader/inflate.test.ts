import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { constants, deflateRawSync } from "node:zlib"
import { inflate } from "../../../src/browser/loader/inflate.ts"

const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE]

const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 400 })))
  .map((parts) => Buffer.concat(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes))))

describe("inflate", () => {
  it("gives back what zlib has deflated, at every level and by every strategy", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 2000 }), repetitive),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(...STRATEGIES),
        (bytes, level, strategy) => {
          const packed = deflateRawSync(bytes, { level, strategy })
          assert.isTrue(Buffer.from(inflate(packed, bytes.length)).equals(Buffer.from(bytes)))
        }
      ),
      { numRuns: 300 }
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
