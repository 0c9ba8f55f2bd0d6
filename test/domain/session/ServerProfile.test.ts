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

  it.each([
    ['"content":[{"type":"text","text":"a"}]', false],
    ['"content":[{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/html","text":""}}]', false],
    ['"content":[{"type":"resource","resource":{"uri":"ui://a","mimeType":"application/json","text":""}}]', false],
    ['"content":{"type":"resource","resource":{"uri":"ui://a"}}', false],
    [
      '"content":[{"type":"resource","resource":{"uri":"ui://a","mimeType":"text/html;profile=mcp-app","text":""}}]',
      true
    ],
    [String.raw`"content":[7,{"type":"resource","resource":{"uri":"ui:\/\/a","mimeType":"text\/uri-list"}}]`, true]
  ])("knows from its results whether it sends views of mcp-ui: %s", (members, expected) => {
    const server = new ServerProfile()
    server.onResult(greeting(`"result":{${members}}`))
    assert.strictEqual(server.sendsMcpUi, expected)
    server.onResult(greeting('"result":{"content":[]}'))
    assert.strictEqual(server.sendsMcpUi, expected)
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
