import { assert, describe, it } from "@effect/vitest"
import { progressFrame, progressTokenOf } from "../../../src/domain/session/ProgressToken.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const requestWith = (token: string): Uint8Array =>
  encoder.encode(
    `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":{"progressToken":${token}},"uri":"ui://a"}}`
  )

describe("a progress token", () => {
  it("is kept as it is written", () => {
    for (const token of ['"abc"', '"\\u00e9\\""', "0", "-1", "12345678901234567890", "1.50"]) {
      assert.strictEqual(progressTokenOf(requestWith(token)), token)
      const frame = decoder.decode(progressFrame(token, 3, 'half "way"'))
      assert.strictEqual(
        frame,
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":3,"message":"half \\"way\\""}}`
      )
    }
  })

  it("is a string or a number", () => {
    for (const token of ["null", "true", "{}", '["a"]']) assert.isUndefined(progressTokenOf(requestWith(token)))
    assert.isUndefined(progressTokenOf(encoder.encode('{"jsonrpc":"2.0","id":1,"method":"ping"}')))
  })
})
