import { assert, describe, it } from "@effect/vitest"
import { LegacyHandshake } from "../../../src/domain/session/LegacyHandshake.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const say = (handshake: LegacyHandshake, method: string, params: string): void =>
  handshake.onRequest(method, encoder.encode(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`))

const stepsOf = (handshake: LegacyHandshake) =>
  handshake
    .steps()
    .map((step) => (step.kind === "request" ? `${step.method} ${step.params}` : decoder.decode(step.frame)))

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

describe("LegacyHandshake", () => {
  it("has nothing to repeat before the server answered initialize", () => {
    const handshake = new LegacyHandshake()
    assert.deepStrictEqual(stepsOf(handshake), [])
    say(handshake, "initialize", '{"a":1}')
    assert.deepStrictEqual(stepsOf(handshake), [])
  })

  it("repeats what the host said as it stands, in the order that the protocol asks for", () => {
    const handshake = new LegacyHandshake()
    say(handshake, "initialize", '{ "n": 1e400, "n": 12345678901234567890 }')
    handshake.onAnswered()
    assert.deepStrictEqual(stepsOf(handshake), ['initialize { "n": 1e400, "n": 12345678901234567890 }'])
    handshake.onInitialized()
    say(handshake, "resources/subscribe", '{"uri":"a"}')
    say(handshake, "logging/setLevel", '{"level":"debug"}')
    say(handshake, "logging/setLevel", '{"level":"error"}')
    say(handshake, "resources/subscribe", '{"uri":"b"}')
    say(handshake, "resources/unsubscribe", '{"uri":"a"}')
    say(handshake, "tools/call", '{"name":"x"}')
    assert.deepStrictEqual(stepsOf(handshake), [
      'initialize { "n": 1e400, "n": 12345678901234567890 }',
      INITIALIZED,
      'logging/setLevel {"level":"error"}',
      'resources/subscribe {"uri":"b"}'
    ])
  })

  it("starts over when the host initializes again, once the server takes that", () => {
    const handshake = new LegacyHandshake()
    say(handshake, "initialize", "{}")
    handshake.onAnswered()
    handshake.onInitialized()
    say(handshake, "logging/setLevel", '{"level":"debug"}')
    say(handshake, "initialize", '{"again":true}')
    assert.deepStrictEqual(stepsOf(handshake), ["initialize {}", INITIALIZED, 'logging/setLevel {"level":"debug"}'])
    handshake.onAnswered()
    assert.deepStrictEqual(stepsOf(handshake), ['initialize {"again":true}'])
  })

  it("remembers a bounded number of subscriptions", () => {
    const handshake = new LegacyHandshake()
    say(handshake, "initialize", "{}")
    handshake.onAnswered()
    for (let index = 0; index < 5000; index += 1) say(handshake, "resources/subscribe", `{"uri":"${index}"}`)
    assert.strictEqual(handshake.steps().length, 1001)
  })
})
