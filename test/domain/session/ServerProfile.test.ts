import { assert, describe, it } from "@effect/vitest"
import { ServerProfile } from "../../../src/domain/session/ServerProfile.ts"

const greeting = (answer: string): Uint8Array => new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,${answer}}`)

describe("ServerProfile", () => {
  it("knows nothing of a server that has not said anything, or refused", () => {
    const server = new ServerProfile()
    assert.isUndefined(server.offers("tools"))
    server.onGreeting(greeting('"error":{"code":-32601,"message":"what?"}'))
    assert.isUndefined(server.offers("tools"))
    server.onGreeting(greeting('"result":{"capabilities":null}'))
    assert.isUndefined(server.offers("tools"))
  })

  it("tells what it offers, as of its last greeting", () => {
    const server = new ServerProfile()
    server.onGreeting(greeting('"result":{"capabilities":{"tools":{},"prompts":null}}'))
    assert.deepStrictEqual(
      ["tools", "prompts", "resources"].map((name) => server.offers(name)),
      [true, false, false]
    )
    server.onGreeting(greeting('"result":{"capabilities":{"resources":{}}}'))
    assert.deepStrictEqual(
      ["tools", "resources"].map((name) => server.offers(name)),
      [false, true]
    )
  })
})
