import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { EventStream } from "../../../src/domain/upstream/EventStream.ts"
import type { FrameHead } from "../../../src/domain/wire/Frame.ts"

interface Read {
  readonly events: ReadonlyArray<readonly [type: string, data: string]>
  readonly oversized: ReadonlyArray<{ readonly head: FrameHead | undefined; readonly bytes: number }>
  readonly lastEventId: string | undefined
  readonly retryMs: number | undefined
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (data: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(data)

const read = (chunks: ReadonlyArray<Uint8Array>, maxBytes = 1_000_000): Read => {
  const events: Array<readonly [string, string]> = []
  const oversized: Array<{ head: FrameHead | undefined; bytes: number }> = []
  const stream = new EventStream(
    {
      event: (type, data) => events.push([type, text(data)]),
      oversized: (head, length) => void oversized.push({ head, bytes: length })
    },
    maxBytes
  )
  for (const chunk of chunks) stream.push(chunk)
  return { events, oversized, lastEventId: stream.lastEventId, retryMs: stream.retryMs }
}

const readText = (stream: string, maxBytes?: number): Read => read([bytes(stream)], maxBytes)

const cut = (whole: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const edges = [0, ...cuts.map((at) => Math.min(at, whole.length)).sort((a, b) => a - b), whole.length]
  return edges.slice(1).map((edge, index) => whole.slice(edges[index], edge))
}

describe("EventStream", () => {
  it("reads the examples of the specification", () => {
    assert.deepStrictEqual(readText("data: YHOO\ndata: +2\ndata: 10\n\n").events, [["message", "YHOO\n+2\n10"]])
    const four = readText(
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
    )
    assert.deepStrictEqual(
      four.events.map(([, data]) => data),
      ["first event", "second event", " third event"]
    )
    assert.isUndefined(four.lastEventId)
    assert.deepStrictEqual(readText("data:test\n\ndata: test\n\n").events, [
      ["message", "test"],
      ["message", "test"]
    ])
  })

  it("takes every line end and a byte order mark at the start", () => {
    const stream = "\u{feff}event: add\r\ndata: 1\r\n\r\nevent: add\rdata: 2\r\rdata: 3\n\ndata: \u{feff}4\n\n"
    assert.deepStrictEqual(readText(stream).events, [
      ["add", "1"],
      ["add", "2"],
      ["message", "3"],
      ["message", "\u{feff}4"]
    ])
  })

  it("knows where to take up again, and when", () => {
    const priming = readText("id: a7\nretry: 250\ndata: \n\n")
    assert.deepStrictEqual(priming, { events: [], oversized: [], lastEventId: "a7", retryMs: 250 })
    assert.strictEqual(readText("id: 1\ndata: x\n\nid: 2\ndata: not whole\n").lastEventId, "1")
    assert.strictEqual(readText("id: 1\n\nid: 2\0\n\nretry: 5s\n\n").lastEventId, "1")
    assert.isUndefined(readText("retry: 5s\n\n").retryMs)
  })

  it("discards an event that has no end", () => {
    assert.isEmpty(readText('data: {"a":1}\n').events)
  })

  it("does not depend on where the chunks are cut", () => {
    const line = fc.constantFrom(
      "data: é{}",
      "data:",
      "data",
      ": c",
      "event: x",
      "id: 9",
      "",
      "",
      "odd",
      "data: \u{1f600}"
    )
    const end = fc.constantFrom("\n", "\r", "\r\n")
    const lines = fc.array(fc.tuple(line, end), { maxLength: 20 })
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200), { maxLength: 12 }), (all, cuts) => {
        const whole = bytes(all.flat().join(""))
        assert.deepStrictEqual(read(cut(whole, cuts)), read([whole]))
        assert.deepStrictEqual(read(Array.from(whole, (byte) => Uint8Array.of(byte))), read([whole]))
      })
    )
  })

  it("does not copy data that lies in one line of one chunk", () => {
    const chunk = bytes("data: {}\n\n")
    let data: Uint8Array | undefined
    new EventStream({ event: (_type, found) => (data = found), oversized: () => undefined }, 100).push(chunk)
    assert.strictEqual(data?.buffer, chunk.buffer)
  })

  it("leaves out an event that is too large, in one line or several, and reads on", () => {
    const large = `{"result": "${"x".repeat(50_000)}" , "id":1,"more":[{"id":2}]}`
    const split = large.indexOf(" , ") + 1
    const cuts = Array.from({ length: 40 }, (_, index) => index * 1500)
    for (const stream of [
      `data: ${large}\n\ndata: after\n\n`,
      `event: message\ndata:${large.slice(0, split)}\r\ndata: ${large.slice(split)}\nid: ${"9".repeat(20)}\n\ndata: after\n\n`,
      `data: ${large.slice(0, 11)}\ndata: ${large.slice(11)}\n\ndata: after\n\n`,
      `\u{feff}data: ${large}\n: a comment of some length\n\ndata: after\n\n`
    ]) {
      const lines = stream.startsWith("\u{feff}") || stream.startsWith(`data: ${large}`) ? 1 : 2
      for (const chunks of [
        [bytes(stream)],
        cut(bytes(stream), cuts),
        Array.from(bytes(stream), (b) => Uint8Array.of(b))
      ]) {
        const { events, lastEventId, oversized } = read(chunks, 20_000)
        assert.deepStrictEqual(events, [["message", "after"]])
        assert.deepStrictEqual(oversized, [{ head: { kind: "response", id: "1" }, bytes: large.length + lines - 1 }])
        assert.strictEqual(lastEventId, stream.includes("id: 9") ? "9".repeat(20) : undefined)
      }
    }
  })

  it("reads the lines of an event that is too large as lines", () => {
    const lines = [`{"result":"${"x".repeat(200)}","id":`, "1", "2}"]
    const headOf = (lines: ReadonlyArray<string>) =>
      readText(`${lines.map((line) => `data: ${line}\n`).join("")}\n`, 100).oversized[0]?.head
    assert.isUndefined(headOf(lines))
    assert.deepStrictEqual(headOf([lines[0] ?? "", "12", "}"]), { kind: "response", id: "12" })
  })

  it("keeps an event that is as large as it may be, and a comment that is larger harms nothing", () => {
    assert.deepStrictEqual(readText(`data: ${"x".repeat(94)}\n\n`, 100).events, [["message", "x".repeat(94)]])
    assert.deepStrictEqual(readText(`data: ${"x".repeat(93)}\ndata: y\n\n`, 100).oversized, [
      { head: undefined, bytes: 95 }
    ])
    assert.deepStrictEqual(readText(`: ${"c".repeat(500)}\ndata: x\n\n`, 100), {
      events: [["message", "x"]],
      oversized: [],
      lastEventId: undefined,
      retryMs: undefined
    })
  })

  it("copies a long line once, however many chunks it comes in", () => {
    let copied = 0
    const concat = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
      copied += length
      return Buffer.concat(pieces, length)
    }
    let found = 0
    const listener = { event: (_type: string, data: Uint8Array) => (found = data.length), oversized: () => undefined }
    const stream = new EventStream(listener, 1e9, concat)
    const chunk = bytes("x".repeat(65_536))
    stream.push(bytes("data: "))
    for (let sent = 0; sent < 480; sent += 1) stream.push(chunk)
    stream.push(bytes("\n\n"))
    assert.strictEqual(found, 480 * 65_536)
    assert.strictEqual(copied, found + "data: ".length)
  })

  it("keeps lines and pieces of a byte in little more memory than they have bytes", () => {
    const joined: Array<number> = []
    const events: Array<number> = []
    const stream = new EventStream(
      { event: (_, data) => void events.push(data.length), oversized: () => undefined },
      10_000_000,
      (pieces, length) => {
        joined.push(pieces.length)
        return Buffer.concat(pieces, length)
      }
    )
    stream.push(bytes("data:x\n".repeat(500_000)))
    stream.push(bytes("\n"))
    stream.push(bytes("data:"))
    for (let piece = 0; piece < 500_000; piece += 1) stream.push(bytes("x"))
    stream.push(bytes("\n\n"))
    assert.deepStrictEqual(events, [999_999, 500_000])
    for (const pieces of joined) assert.isBelow(pieces, 100)
  })
})
