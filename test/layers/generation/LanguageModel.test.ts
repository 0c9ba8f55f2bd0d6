import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted, Stream } from "effect"
import type { Layer } from "effect"
import * as Anthropic from "../../../src/layers/generation/LanguageModelAnthropic.ts"
import * as None from "../../../src/layers/generation/LanguageModelNone.ts"
import * as Ollama from "../../../src/layers/generation/LanguageModelOllama.ts"
import * as OpenAi from "../../../src/layers/generation/LanguageModelOpenAi.ts"
import { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import type { ModelFailed, ModelRequest } from "../../../src/services/generation/LanguageModel.ts"
import { modelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import type { Answer, ModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"

const KEY = "key-of-the-tests-7Yq2"
const apiKey = Redacted.make(KEY)

const request: ModelRequest = {
  system: "You write pages.",
  prompt: "A page for get_forecast.",
  maxOutputTokens: 777,
  requestId: "1f0e3dad-99ba-4c6c-8a2e-6a4b1a8f0c11"
}

const TEXT = `<!-- rich -->\n<h1>Grüße, 世界 🌦️</h1>\n${"<p>forecast</p>\n".repeat(40)}`

const dialects: ReadonlyArray<{
  readonly name: string
  readonly path: string
  readonly layer: (url: string) => Layer.Layer<LanguageModel>
}> = [
  {
    name: "Anthropic Messages",
    path: "/v1/messages",
    layer: (baseUrl) => Anthropic.layer({ apiKey, baseUrl })
  },
  {
    name: "OpenAI Responses",
    path: "/v1/responses",
    layer: (baseUrl) => OpenAi.layer({ apiKey, baseUrl, api: "responses" })
  },
  {
    name: "OpenAI Chat Completions",
    path: "/v1/chat/completions",
    layer: (baseUrl) => OpenAi.layer({ apiKey, baseUrl, model: "some-model" })
  },
  {
    name: "Ollama",
    path: "/api/chat",
    layer: (baseUrl) => Ollama.layer({ apiKey, baseUrl })
  }
]

const once = (answer: Answer) => modelStandIn(() => answer)

const stream = Stream.unwrap(Effect.map(LanguageModel, (model) => model.stream(request)))

const collect = Effect.map(Stream.runCollect(stream), (parts) => ({
  text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  pieces: parts.filter((part) => part.type === "text").length,
  end: parts.at(-1)
}))

const failureFor = (layer: Layer.Layer<LanguageModel>): Effect.Effect<ModelFailed> =>
  collect.pipe(Effect.provide(layer), Effect.flip, Effect.orDie)

const theRequest = (server: ModelStandIn) => {
  assert.strictEqual(server.requests.length, 1)
  const [only] = server.requests
  assert.isDefined(only)
  return only
}

describe.each(dialects)("$name", ({ layer, name, path }) => {
  itLive("streams the text in pieces, then the end with its usage", function* () {
    const server = yield* once({ text: TEXT, chunkSize: 37, usage: { inputTokens: 1234, outputTokens: 321 } })
    const answer = yield* Effect.provide(collect, layer(server.url))
    assert.strictEqual(answer.text, TEXT)
    assert.strictEqual(answer.pieces, Math.ceil(TEXT.length / 37))
    assert.deepStrictEqual(answer.end, {
      type: "end",
      truncated: false,
      usage: { inputTokens: 1234, outputTokens: 321 }
    })
  })

  itLive("sends system prompt, prompt, limit, key and request id where the API wants them", function* () {
    const server = yield* once({ text: "ok" })
    yield* Effect.provide(collect, layer(server.url))
    const seen = theRequest(server)
    assert.strictEqual(seen.path, path)
    assert.strictEqual(seen.system, request.system)
    assert.strictEqual(seen.prompt, request.prompt)
    assert.strictEqual(seen.body.stream, true)
    const limits = { ...seen.body, ...(typeof seen.body.options === "object" ? seen.body.options : {}) }
    assert.deepInclude(Object.entries(limits), [
      { "/v1/responses": "max_output_tokens", "/api/chat": "num_predict" }[path] ?? "max_tokens",
      777
    ])
    assert.notProperty(seen.body, "temperature")
    assert.strictEqual(seen.headers["x-client-request-id"], request.requestId)
    assert.include([seen.headers.authorization, seen.headers["x-api-key"]].join(" "), KEY)
  })

  // Ollama's API says neither how much it had kept nor that it refused.
  const hosted = name === "Ollama" ? [] : [name]

  it.live.each(hosted)("%s says how much of the prompt came from the provider's cache", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 1234, outputTokens: 321, cachedInputTokens: 1000 }
      const server = yield* once({ text: TEXT, usage })
      const { end } = yield* Effect.provide(collect, layer(server.url))
      assert.deepStrictEqual(end, { type: "end", truncated: false, usage })
    })
  )

  itLive("says that an answer was cut off by the output limit", function* () {
    const server = yield* once({ text: "<p>half", stop: "length" })
    const answer = yield* Effect.provide(collect, layer(server.url))
    assert.strictEqual(answer.text, "<p>half")
    assert.isTrue(answer.end?.type === "end" && answer.end.truncated)
  })

  itLive("does not fill memory with an answer, or an error, that does not end", function* () {
    const long = "x".repeat(20_000_000)
    for (const answer of [{ text: long, chunkSize: long.length }, { error: { status: 500, body: long } }]) {
      const server = yield* once(answer)
      const failure = yield* failureFor(layer(server.url))
      assert.strictEqual(failure.code, "SERVER_ERROR")
      assert.match(failure.detail, /more than 16777216 bytes|does not end/)
    }
  })

  itLive("takes an empty answer for an answer", function* () {
    const server = yield* once({ text: "" })
    const answer = yield* Effect.provide(collect, layer(server.url))
    assert.strictEqual(answer.text, "")
    assert.strictEqual(answer.end?.type, "end")
  })

  it.live.each(hosted)("%s fails CONTENT_FILTERED when the model refuses", () =>
    Effect.gen(function* () {
      const server = yield* once({ text: "", stop: "refusal" })
      const failure = yield* failureFor(layer(server.url))
      assert.strictEqual(failure.code, "CONTENT_FILTERED")
      assert.include(failure.detail, "not this one")
      assert.isFalse(failure.retryable)
    })
  )

  const statuses: ReadonlyArray<readonly [number, ModelFailed["code"], boolean]> = [
    [400, "INVALID_REQUEST", false],
    [401, "AUTH", false],
    [403, "AUTH", false],
    [404, "INVALID_REQUEST", false],
    [408, "TIMEOUT", true],
    [429, "RATE_LIMIT", true],
    [500, "SERVER_ERROR", true],
    [503, "SERVER_ERROR", true],
    [529, "SERVER_ERROR", true]
  ]
  it.live.each(statuses)("maps HTTP %i to %s and asks only once", ([status, code, retryable]) =>
    Effect.gen(function* () {
      const server = yield* once({ error: { status, type: "some_error", message: "what went wrong" } })
      const failure = yield* failureFor(layer(server.url))
      assert.strictEqual(failure.code, code)
      assert.strictEqual(failure.status, status)
      assert.strictEqual(failure.retryable, retryable)
      assert.strictEqual(failure.retryAfterMs, null)
      assert.strictEqual(failure.detail, "what went wrong")
      assert.strictEqual(server.requests.length, 1)
    })
  )

  itLive("hands on what Retry-After asks for", function* () {
    const server = yield* once({ error: { status: 429, headers: { "retry-after": "7" } } })
    const failure = yield* failureFor(layer(server.url))
    assert.strictEqual(failure.code, "RATE_LIMIT")
    assert.strictEqual(failure.retryAfterMs, 7000)
  })

  itLive("keeps the key out of an error that repeats it", function* () {
    const message = `Incorrect API key provided: ${KEY}, also known as sk-proj-abc***xyz, sent as Bearer ${KEY}`
    const server = yield* once({ error: { status: 401, message } })
    const failure = yield* failureFor(layer(server.url))
    assert.strictEqual(failure.code, "AUTH")
    assert.include(failure.detail, "Incorrect API key provided")
    assert.notInclude(failure.message, KEY)
    assert.notInclude(failure.message, "abc***xyz")
  })

  itLive("shortens a page of HTML from a gateway to a line", function* () {
    const body = `<html>\n<h1>502 Bad Gateway</h1>\n${"<p>nginx</p>\n".repeat(500)}</html>`
    const server = yield* once({ error: { status: 502, headers: { "content-type": "text/html" }, body } })
    const failure = yield* failureFor(layer(server.url))
    assert.strictEqual(failure.code, "SERVER_ERROR")
    assert.include(failure.detail, "502")
    assert.isBelow(failure.detail.length, 500)
    assert.notInclude(failure.detail, "\n")
  })

  const faults: ReadonlyArray<readonly [NonNullable<Answer["fault"]>, ModelFailed["code"]]> = [
    ["reset", "NETWORK_ERROR"],
    ["cut-off", "NETWORK_ERROR"],
    ["malformed", "SERVER_ERROR"],
    ["error-event", "SERVER_ERROR"]
  ]
  it.live.each(faults)("maps the fault %s in the middle of an answer to %s", ([fault, code]) =>
    Effect.gen(function* () {
      const begun = Promise.withResolvers<void>()
      const pace = (index: number) => (index === 0 ? Promise.resolve() : begun.promise)
      const server = yield* once({ text: "<p>half of it", fault, pace })
      const reading = Stream.runForEach(stream, () => Effect.sync(begun.resolve))
      const failure = yield* reading.pipe(Effect.provide(layer(server.url)), Effect.flip)
      assert.strictEqual(failure.code, code)
      assert.isTrue(failure.retryable)
    })
  )

  itLive("fails NETWORK_ERROR and names the address's trouble when nothing listens", function* () {
    const server = yield* Effect.promise(() => startModelStandIn({ answer: "" }))
    yield* Effect.promise(server.close)
    const failure = yield* failureFor(layer(server.url))
    assert.strictEqual(failure.code, "NETWORK_ERROR")
    assert.include(failure.detail, "ECONNREFUSED")
  })

  itLive("closes the socket when interrupted before the headers", function* () {
    const asked = yield* Deferred.make<void>()
    const server = yield* modelStandIn(() => {
      Deferred.doneUnsafe(asked, Effect.void)
      return { fault: "hang-before-headers" }
    })
    const fiber = yield* Effect.forkChild(Effect.provide(collect, layer(server.url)))
    yield* Deferred.await(asked)
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(yield* Effect.promise(() => theRequest(server).over), "closed")
  })

  itLive("closes the socket when interrupted in the middle of an answer that hangs", function* () {
    const server = yield* once({ text: "<p>half", fault: "hang" })
    const begun = yield* Deferred.make<void>()
    const reading = stream.pipe(Stream.runForEach(() => Deferred.succeed(begun, undefined)))
    const fiber = yield* Effect.forkChild(Effect.provide(reading, layer(server.url)))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(yield* Effect.promise(() => theRequest(server).over), "closed")
  })

  itLive("closes the socket when the reader has seen enough", function* () {
    const server = yield* once({ text: "<p>half", fault: "hang" })
    const first = yield* stream.pipe(Stream.take(1), Stream.runCollect, Effect.provide(layer(server.url)))
    assert.deepStrictEqual(first, [{ type: "text", text: "<p>half" }])
    assert.strictEqual(yield* Effect.promise(() => theRequest(server).over), "closed")
  })

  itLive("asks again on a second use, without a second client", function* () {
    const server = yield* modelStandIn((_, index) => ({ text: `answer ${index}` }))
    const both = Effect.all([collect, collect])
    const [first, second] = yield* Effect.provide(both, layer(server.url))
    assert.strictEqual(first.text, "answer 0")
    assert.strictEqual(second.text, "answer 1")
  })
})

describe("none", () => {
  itEffect("fails at once, without a retry", function* () {
    const failure = yield* failureFor(None.layer)
    assert.strictEqual(failure.code, "INVALID_REQUEST")
    assert.isFalse(failure.retryable)
    const model = yield* Effect.provide(LanguageModel, None.layer)
    assert.strictEqual(model.provider, "none")
    assert.strictEqual(model.model, null)
  })
})
