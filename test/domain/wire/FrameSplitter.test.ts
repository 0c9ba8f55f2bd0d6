import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { FrameHead } from "../../../src/domain/wire/Frame.ts"
import { LONG_BYTES, type LongFrame } from "../../../src/domain/wire/LongFrame.ts"
import { concatPieces } from "../../../src/domain/wire/Pieces.ts"
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

  it("offers a long frame in its pieces, and joins it where nobody takes it so", () => {
    const text = (length: number) => JSON.stringify({ id: 7, result: "x".repeat(length) })
    const lines = [text(100), text(LONG_BYTES + 70_000), text(LONG_BYTES + 80_000), text(5), text(2 * LONG_BYTES)]
    const all = bytes(lines.map((line) => `${line}\n`).join(""))
    /** Without printing megabytes where it fails. */
    const isSame = (given: ReadonlyArray<string>, expected: ReadonlyArray<string | undefined>) =>
      given.length === expected.length && given.every((line, index) => line === expected[index])
    const chunks = Array.from({ length: Math.ceil(all.length / 65_536) }, (_, index) =>
      all.slice(index * 65_536, (index + 1) * 65_536)
    )
    for (const takes of [true, false]) {
      const offered: Array<string> = []
      const joined = split(chunks, {
        onLong: ({ head, isOneLine, length, pieces }) => {
          const whole = decoder.decode(concatPieces(pieces, length))
          assert.deepStrictEqual(head, { kind: "response", id: "7" })
          assert.isTrue(isOneLine)
          offered.push(whole)
          return takes
        }
      })
      assert.isTrue(isSame(offered, [lines[1], lines[2], lines[4]]))
      assert.isTrue(isSame(joined, takes ? [lines[0], lines[3]] : lines))
    }
  })

  it("says of a long frame whether it is one line and a message", () => {
    const body = "x".repeat(LONG_BYTES)
    const told = (text: string) => {
      let seen: Pick<LongFrame, "head" | "isOneLine"> | undefined
      const onLong = ({ head, isOneLine }: LongFrame) => {
        seen = { head, isOneLine }
        return true
      }
      split([bytes(text.slice(0, -9)), bytes(text.slice(-9)), bytes("\n")], { onLong })
      return seen
    }
    const head = { kind: "response", id: "1" } as const
    assert.deepStrictEqual(told(`{"id":1,"result":"${body}"}`), { head, isOneLine: true })
    assert.deepStrictEqual(told(`{"id":1,"result":\r"${body}"}`), { head, isOneLine: false })
    assert.deepStrictEqual(told(`{"id":1,"result":"${body}"} and more`), { head: undefined, isOneLine: true })
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
