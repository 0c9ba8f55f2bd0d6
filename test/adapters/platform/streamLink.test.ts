import { assert, describe, it } from "@effect/vitest"
import { Buffer } from "node:buffer"
import { PassThrough, Writable } from "node:stream"
import * as fc from "fast-check"
import { makeStreamLink } from "../../../src/adapters/platform/streamLink.ts"

const MEGABYTE = 1_048_576

/** Takes writes one at a time, when it is told to. */
const heldWritable = () => {
  const taken: Array<Buffer> = []
  let next: (() => void) | undefined
  const writable = new Writable({
    write: (chunk: Buffer, _encoding, callback) => {
      taken.push(Buffer.from(chunk))
      next = callback
    }
  })
  const takeOne = async (): Promise<boolean> => {
    const take = next
    next = undefined
    take?.()
    await new Promise(setImmediate)
    return take !== undefined
  }
  /** Takes everything, write by write, each in a turn of its own. */
  const takeAll = async (): Promise<void> => {
    let isTaking = true
    while (isTaking) isTaking = await takeOne()
  }
  return { writable, takeOne, takeAll, text: () => Buffer.concat(taken).toString(), writes: () => taken.length }
}

const heard = { frame: () => undefined, drained: () => undefined, ended: () => undefined }

describe("makeStreamLink", () => {
  it("writes the pieces of a long frame in their place between others", async () => {
    const { takeAll, text, writable } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    link.send(Buffer.from("before"))
    const pieces = ["a".repeat(70_000), "b", "c".repeat(70_000)]
    link.sendLong?.({
      pieces: pieces.map((piece) => Buffer.from(piece)),
      length: 140_001,
      head: undefined,
      isOneLine: true
    })
    link.send(Buffer.from("after"))
    await takeAll()
    assert.strictEqual(text(), `before\n${pieces.join("")}\nafter\n`)
  })

  it("writes every frame once and in order, however the peer takes them", async () => {
    const sizes = fc.array(
      fc.oneof(fc.nat(200), fc.constantFrom(16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 100_000)),
      { minLength: 1, maxLength: 30 }
    )
    const turns = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(sizes, turns, async (sizes, turns) => {
        const { takeAll, text, writable } = heldWritable()
        const link = makeStreamLink(new PassThrough(), writable)
        link.listen(heard)
        let expected = ""
        for (const [index, size] of sizes.entries()) {
          const frame = `${index}:${"x".repeat(size)}`
          expected += `${frame}\n`
          link.send(Buffer.from(frame))
          if (turns[index] === true) await takeAll()
        }
        await takeAll()
        assert.isTrue(text() === expected)
      }),
      { numRuns: 40 }
    )
  })

  it("keeps small frames together while the peer does not take them", async () => {
    const { takeAll, text, writable, writes } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    link.send(Buffer.from('{"first":true}'))
    for (let n = 0; n < 1000; n += 1) {
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
      link.send(Buffer.from(`{"n":${n}}`))
    }
    await takeAll()
    assert.lengthOf(text().trimEnd().split("\n"), 1001)
    assert.strictEqual(writes(), 2)
  })

  it("writes the small frames of one turn of the event loop at once, in order with large ones", async () => {
    const { takeAll, text, writable, writes } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    for (let n = 0; n < 10; n += 1) link.send(Buffer.from(`{"n":${n}}`))
    await takeAll()
    assert.strictEqual(writes(), 1)
    const large = `"${"x".repeat(20_000)}"`
    for (const frame of ["1", large, "2"]) link.send(Buffer.from(frame))
    link.end()
    await takeAll()
    assert.isTrue(text().endsWith(`{"n":9}\n1\n${large}\n2\n`))
  })

  it("writes frames that fill a block to its last byte", async () => {
    const { takeAll, text, writable } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    const frames = [1, 16_383, 16_383, 16_383, 16_384, 5].map((length) => "x".repeat(length))
    for (const frame of frames) link.send(Buffer.from(frame))
    await takeAll()
    assert.isTrue(text() === frames.map((frame) => `${frame}\n`).join(""))
  })

  it("answers false from 16 MB on until all of it is taken, and says drained once", async () => {
    const { takeAll, takeOne, writable } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    let drained = 0
    link.listen({
      ...heard,
      drained: () => {
        drained += 1
      }
    })
    const answers = Array.from({ length: 18 }, () => link.send(new Uint8Array(MEGABYTE - 1)))
    assert.deepStrictEqual(answers, [...Array.from({ length: 15 }, () => true), false, false, false])
    for (let write = 0; write < 10; write += 1) await takeOne()
    assert.isFalse(link.send(Buffer.from("{}")))
    assert.strictEqual(drained, 0)
    await takeAll()
    assert.strictEqual(drained, 1)
    assert.isTrue(link.send(new Uint8Array(100_000)))
    await takeAll()
    assert.strictEqual(drained, 1)
  })

  it("counts small frames too", () => {
    const { writable } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    const frame = new Uint8Array(1023)
    let sent = 0
    while (sent < 20_000 && link.send(frame)) sent += 1
    assert.strictEqual(sent, 16 * 1024 - 1)
  })

  it("ends after all frames that were sent", async () => {
    const { takeAll, text, writable } = heldWritable()
    const link = makeStreamLink(new PassThrough(), writable)
    link.listen(heard)
    for (const frame of ["1", "2", "3"]) link.send(Buffer.from(frame))
    link.end()
    link.send(Buffer.from("4"))
    const finished = new Promise((resolve) => writable.once("finish", resolve))
    await takeAll()
    await finished
    assert.strictEqual(text(), "1\n2\n3\n")
  })

  it("is ended once by whichever stream ends or fails first, and takes frames without harm after that", async () => {
    const readable = new PassThrough()
    const writable = new PassThrough()
    const link = makeStreamLink(readable, writable)
    let ended = 0
    await new Promise<void>((resolve) => {
      link.listen({
        ...heard,
        ended: () => {
          ended += 1
          resolve()
        }
      })
      writable.destroy(new Error("EPIPE"))
    })
    assert.isTrue(link.send(Buffer.from("{}")))
    const closed = new Promise((resolve) => readable.once("close", resolve))
    readable.destroy()
    await closed
    assert.strictEqual(ended, 1)
  })
})
