import { assert, describe, it } from "@effect/vitest"
import { readPosted } from "../../../src/domain/host/HttpMessages.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string, version?: string) => readPosted(bytes(text), version)
const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

describe("readPosted", () => {
  it("finds the era in the body", () => {
    assert.strictEqual(read(`{"jsonrpc":"2.0","id":1,"method":"x","params":{${META}}}`, "2026-07-28").kind, "modern")
    // Without its header it is of the modern era all the same, and refused by whoever looks at headers.
    assert.strictEqual(read(`{"jsonrpc":"2.0","id":1,"method":"x","params":{${META}}}`).kind, "modern")
    assert.strictEqual(read('{"jsonrpc":"2.0","id":1,"method":"x"}', "2025-11-25").kind, "legacy")
    assert.strictEqual(read('{"jsonrpc":"2.0","method":"notifications/x"}', "2026-07-28").kind, "modern")
    assert.strictEqual(read('{"jsonrpc":"2.0","id":1,"result":{}}', "2026-07-28").kind, "legacy")
  })

  it("does not take invalid JSON for a message, small or large", () => {
    const large = "x".repeat(100_000)
    for (const text of [
      "",
      " ",
      "{",
      '{"jsonrpc":"2.0","id":1,"method":"x",}',
      '{"jsonrpc":"2.0","id":1,"method":"x"} {}',
      `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${large}"}`,
      `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${large}}}`
    ]) {
      const posted = read(text)
      assert.deepInclude(
        posted.kind === "refused" ? posted.refusal : {},
        { status: 400, code: -32700 },
        text.slice(0, 60)
      )
    }
  })

  it("reads a message whatever its size, with the id as it stands", () => {
    for (const length of [1, 20_000, 100_000]) {
      const posted = read(`{"jsonrpc":"2.0","params":{"a":"${"x".repeat(length)}"},"method":"m","id":1.0}`)
      assert.deepStrictEqual(posted.kind === "legacy" ? posted.messages[0]?.head : posted, {
        kind: "request",
        id: "1.0",
        method: "m"
      })
    }
  })

  it("bounds batches", () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert.strictEqual(read(`[${Array.from({ length: 100 }, () => ping).join(",")}]`).kind, "legacy")
    assert.strictEqual(read(`[${Array.from({ length: 101 }, () => ping).join(",")}]`).kind, "refused")
    assert.strictEqual(read(`[${ping},1]`).kind, "refused")
    assert.strictEqual(read(`[${ping},{"jsonrpc":"2.0","id":2,"method":"initialize"}]`).kind, "refused")
  })
})
