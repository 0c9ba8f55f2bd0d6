import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { FrameHead } from "../../../src/domain/wire/Frame.ts"
import { FrameSplitter, type FrameSplitterOptions } from "../../../src/domain/wire/FrameSplitter.ts"

const decoder = new TextDecoder()

const split = (chunks: ReadonlyArray<Uint8Array>, options?: FrameSplitterOptions): ReadonlyArray<string> => {
  const frames: Array<string> = []
  const splitter = new FrameSplitter((frame) => frames.push(decoder.decode(frame)), options)
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return frames
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const cutAt = (all: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const edges = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length]
  return edges.slice(1).map((edge, index) => all.slice(edges[index], edge))
}

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
        assert.deepStrictEqual(split(cutAt(all, cuts)), lines)
      })
    )
  })

  it("keeps a message that comes in many small pieces", () => {
    const line = JSON.stringify({ text: "x".repeat(200_000) })
    const all = bytes(`{"first":1}\n${line}\n{"last":1}\n`)
    const chunks = Array.from(all, (_, index) => all.slice(index, index + 1))
    assert.deepStrictEqual(split(chunks), ['{"first":1}', line, '{"last":1}'])
  })

  it("leaves out a line that the end of the stream cut, and says so", () => {
    const cut: Array<string> = []
    const frames = split([bytes('{"a":1}\n{"b":"')], { onCut: (line) => cut.push(decoder.decode(line)) })
    assert.deepStrictEqual(frames, ['{"a":1}'])
    assert.deepStrictEqual(cut, ['{"b":"'])
  })

  it("gives the head and the length of a line that is too long, wherever the chunks are cut", () => {
    const maxBytes = 20_000
    const long = (length: number) => {
      const empty = `{"id":${length},"params":{"v":""},"method":"m","x":[]}`
      return empty.replace('""', `"${"v".repeat(Math.max(0, length - empty.length))}"`)
    }
    const lengths = fc.constantFrom(0, maxBytes - 1, maxBytes, maxBytes + 1, maxBytes + 2, 32_768, 70_000)
    fc.assert(
      fc.property(
        fc.array(lengths, { maxLength: 4 }),
        fc.array(fc.nat(150_000), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        (lengths, cuts, newline) => {
          const lines = lengths.map(long)
          const found: Array<readonly [FrameHead | undefined, number]> = []
          const whole = bytes(lines.map((line) => line + newline).join(""))
          const frames = split(cutAt(whole, cuts), { maxBytes, onOversized: (...told) => found.push(told) })
          assert.deepStrictEqual(
            frames,
            lines.filter((line) => line.length <= maxBytes)
          )
          assert.deepStrictEqual(
            found,
            lines
              .filter((line) => line.length > maxBytes)
              .map(({ length }) => [{ kind: "request", id: String(length), method: "m" }, length] as const)
          )
        }
      ),
      { numRuns: 60 }
    )
  })

  it("tells of a line that is too long and no message, or has no end", () => {
    const found: Array<readonly [FrameHead | undefined, number]> = []
    const onOversized = (...told: readonly [FrameHead | undefined, number]) => void found.push(told)
    split([bytes(`${"log ".repeat(50)}\n`), bytes(`{"id":1,"result":"${"x".repeat(200)}`)], {
      maxBytes: 100,
      onOversized
    })
    assert.deepStrictEqual(found, [
      [undefined, 200],
      [{ kind: "response", id: "1" }, 218]
    ])
  })

  it("does not keep what is too long", () => {
    setFlagsFromString("--expose-gc")
    const collectGarbage = runInNewContext("gc") as () => void
    const chunk = new Uint8Array(1_048_576).fill(0x78)
    let told = 0
    const splitter = new FrameSplitter(() => undefined, {
      maxBytes: 2_000_000,
      onOversized: (_head, length) => {
        told = length
      }
    })
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let index = 0; index < 200; index += 1) {
      splitter.push(chunk.slice())
      if (index % 20 === 0) {
        collectGarbage()
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      }
    }
    splitter.push(bytes("\n"))
    assert.strictEqual(told, 200 * 1_048_576)
    assert.isBelow(most, 60_000_000)
  })
})
