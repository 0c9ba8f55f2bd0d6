import { assert, describe, it } from "@effect/vitest"
import { EventStream } from "../../../src/domain/upstream/EventStream.ts"
import { messageEvent, primingEvent } from "../../../src/domain/host/ServerSentEvent.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What a client reads of these events. */
const readBack = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<string> => {
  const read: Array<string> = []
  const decoder = new TextDecoder()
  const stream = new EventStream(
    {
      event: (type, data) => void read.push(`${type} ${decoder.decode(data)}`),
      oversized: () => assert.fail("oversized")
    },
    10_000_000
  )
  for (const piece of pieces) stream.push(piece)
  return stream.lastEventId === undefined ? read : [...read, stream.lastEventId]
}

describe("messageEvent", () => {
  it("keeps a message on one line, small or large", () => {
    for (const length of [1, 100_000]) {
      const text = "é".repeat(length)
      assert.deepStrictEqual(readBack(messageEvent(bytes(`{"a":\r\n"${text}\\n",\r"b":1}\n`), "k_1")), [
        `message {"a":  "${text}\\n", "b":1} `,
        "k_1"
      ])
    }
    assert.deepStrictEqual(readBack(messageEvent(bytes("\uFEFF{}"))), ["message {}"])
  })

  it("has an id without data to begin with", () => {
    assert.deepStrictEqual(readBack([primingEvent("k_0", 5)]), ["k_0"])
  })
})
