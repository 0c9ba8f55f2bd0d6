import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { FrameSplitter } from "../../../src/domain/wire/FrameSplitter.ts"

const split = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<string> => {
  const frames: Array<string> = []
  const splitter = new FrameSplitter((frame) => frames.push(new TextDecoder().decode(frame)))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return frames
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("FrameSplitter", () => {
  it("gives frames without newline, carriage return and blank lines", () => {
    assert.deepStrictEqual(split([bytes('{"a":1}\r\n\n  \n{"b":2}\n')]), ['{"a":1}', '{"b":2}'])
  })

  it("gives out a last frame that has no newline", () => {
    assert.deepStrictEqual(split([bytes('{"a":1}\n{"b"'), bytes(":2}")]), ['{"a":1}', '{"b":2}'])
  })

  it("does not depend on where the chunks are cut", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => JSON.stringify({ text }))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(400), { maxLength: 12 }), (lines, cuts) => {
        const all = bytes(lines.map((text) => `${text}\n`).join(""))
        const edges = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length]
        const chunks = edges.slice(1).map((edge, index) => all.slice(edges[index], edge))
        assert.deepStrictEqual(split(chunks), lines)
      })
    )
  })
})
