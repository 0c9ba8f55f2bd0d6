import { assert, describe, it } from "@effect/vitest"
import { ASKED_TOKEN, cancelledFrame, ID, SUBSCRIPTION, withReplaced } from "../../../src/domain/wire/RequestIds.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (frame: Uint8Array): string => new TextDecoder().decode(frame)

describe("RequestIds", () => {
  it("replaces ids and tokens where they stand, and nothing else", () => {
    const frame =
      '{ "params":{"id":1,"_meta":{"progressToken" : 1e400,"x":{"progressToken":1}},"n":-0,"n":1.0}, "id" : 12345678901234567890 ,"jsonrpc":"2.0"}'
    assert.strictEqual(
      textOf(
        withReplaced(bytes(frame), [
          { path: ID, text: '"a"' },
          { path: ASKED_TOKEN, text: '"b"' }
        ])
      ),
      '{ "params":{"id":1,"_meta":{"progressToken" : "b","x":{"progressToken":1}},"n":-0,"n":1.0}, "id" : "a" ,"jsonrpc":"2.0"}'
    )
  })

  it("replaces all of duplicate keys, also when they are escaped", () => {
    const frame = String.raw`{"id":1,"\u0069d":2,"params":{"_meta":{"progressToken":3}},"params":{"_meta":{"progressToken":4,"progressToken":5}}}`
    const replaced = withReplaced(bytes(frame), [
      { path: ID, text: "9" },
      { path: ASKED_TOKEN, text: "8" }
    ])
    assert.strictEqual(
      textOf(replaced),
      String.raw`{"id":9,"\u0069d":9,"params":{"_meta":{"progressToken":8}},"params":{"_meta":{"progressToken":8,"progressToken":8}}}`
    )
  })

  it("leaves a frame alone that has nothing there", () => {
    const frame = bytes('{"jsonrpc":"2.0","method":"x","params":[{"_meta":{}}]}')
    assert.strictEqual(withReplaced(frame, [{ path: SUBSCRIPTION, text: "1" }]), frame)
  })

  it("says who cancels, as the request did", () => {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", progressToken: 1 }
    assert.strictEqual(
      textOf(cancelledFrame("12345678901234567890", "gone", meta)),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678901234567890,"reason":"gone","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'
    )
  })
})
