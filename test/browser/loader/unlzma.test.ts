import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { unlzma } from "../../../src/browser/loader/unlzma.ts"
import { lzma } from "../../../scripts/lzma.ts"

const WORDS =
  "const readonly undefined => ( ) { } [ ] === \n return if else value length map 0 1 2 31 à 界 mg-stack".split(" ")

const source = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 800, size: "max" }).map((words) => Buffer.from(words.join(" "))),
  fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes))
)

describe("unlzma", () => {
  it("gives back what was packed", () => {
    fc.assert(
      fc.property(source, (bytes) => {
        assert.isTrue(Buffer.from(unlzma(lzma(bytes), bytes.length)).equals(bytes))
      }),
      { numRuns: 60 }
    )
  })

  it("does so with a large text, with bytes too many, and with long distances", () => {
    const text = readFileSync(new URL("../../../src/browser/runtime/Bridge.ts", import.meta.url))
    const noise = Buffer.from(Array.from({ length: 32_000 }, (_, at) => (at * 7919) % 251))
    const bytes = Buffer.concat([text, noise, text, noise.toReversed(), text])
    assert.isTrue(Buffer.from(unlzma(Buffer.concat([lzma(bytes), Buffer.from([0, 7])]), bytes.length)).equals(bytes))
  })
})
