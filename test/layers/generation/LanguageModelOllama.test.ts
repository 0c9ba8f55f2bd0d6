import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { DEFAULT_MODEL, layer, ollamaBaseUrl } from "../../../src/layers/generation/LanguageModelOllama.ts"
import { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import { modelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"

describe("ollamaBaseUrl", () => {
  const cases: ReadonlyArray<readonly [string | undefined, string]> = [
    [undefined, "http://127.0.0.1:11434"],
    ["", "http://127.0.0.1:11434"],
    ["  ", "http://127.0.0.1:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:8080", "http://127.0.0.1:8080"],
    [":8080", "http://127.0.0.1:8080"],
    ["[::]:8080", "http://[::1]:8080"],
    ["[fe80::1]", "http://[fe80::1]:11434"],
    ["gpu-box", "http://gpu-box:11434"],
    ["gpu-box:9000", "http://gpu-box:9000"],
    ["http://gpu-box:9000", "http://gpu-box:9000"],
    ["http://0.0.0.0:11434/", "http://127.0.0.1:11434"],
    ["http://gpu-box", "http://gpu-box"],
    ["https://ollama.example.com", "https://ollama.example.com"],
    ["https://ollama.example.com/v1/", "https://ollama.example.com"],
    ["https://example.com/ollama", "https://example.com/ollama"],
    ["https://user:secret@example.com", "https://user:secret@example.com"],
    ["not a host", "not a host"]
  ]
  it.each(cases)("makes of %j %s", (host, expected) => {
    assert.strictEqual(ollamaBaseUrl(host), expected)
  })
})

const request = { system: "s", prompt: "p", maxOutputTokens: 10, requestId: "-" }

describe("layer", () => {
  itLive("turns thinking off and names its own default model", function* () {
    const server = yield* modelStandIn("<p>ok</p>")
    const host = server.url.replace("http://127.0.0.1", "0.0.0.0")
    const answering = Effect.gen(function* () {
      const model = yield* LanguageModel
      assert.strictEqual(model.provider, "ollama")
      assert.strictEqual(model.model, DEFAULT_MODEL)
      return yield* Stream.runCollect(model.stream(request))
    })
    const parts = yield* Effect.provide(answering, layer({ baseUrl: host }))
    assert.deepStrictEqual(parts[0], { type: "text", text: "<p>ok</p>" })
    assert.strictEqual(server.requests[0]?.model, DEFAULT_MODEL)
    assert.strictEqual(server.requests[0]?.path, "/api/chat")
    assert.strictEqual(server.requests[0]?.body.think, false)
  })

  const lengths: ReadonlyArray<readonly [characters: number, maxOutputTokens: number, length: number]> = [
    [100, 10, 16_384],
    [30_000, 8000, 16_384],
    [45_000, 8000, 32_768],
    [100_000, 8000, 65_536]
  ]
  it.live.each(lengths)("asks for a context that holds %d characters and %d tokens", ([characters, limit, length]) =>
    Effect.gen(function* () {
      const server = yield* modelStandIn("ok")
      const long = { ...request, prompt: "x".repeat(characters), maxOutputTokens: limit }
      const asking = Effect.flatMap(LanguageModel, (model) => Stream.runDrain(model.stream(long)))
      yield* Effect.provide(asking, layer({ baseUrl: server.url, temperature: 0 }))
      assert.deepStrictEqual(server.requests[0]?.body.options, {
        num_ctx: length,
        num_predict: limit,
        temperature: 0
      })
    })
  )

  itEffect("fails INVALID_REQUEST when the host makes no URL", function* () {
    const asking = Effect.flatMap(LanguageModel, (model) => Stream.runDrain(model.stream(request)))
    const failure = yield* asking.pipe(Effect.provide(layer({ baseUrl: "not a host" })), Effect.flip)
    assert.strictEqual(failure.code, "INVALID_REQUEST")
    assert.include(failure.detail, "URL")
  })
})
