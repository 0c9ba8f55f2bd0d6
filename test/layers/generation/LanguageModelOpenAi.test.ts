import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { DEFAULT_MODEL, layer } from "../../../src/layers/generation/LanguageModelOpenAi.ts"
import type { OpenAiOptions } from "../../../src/layers/generation/LanguageModelOpenAi.ts"
import { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import { modelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const request = { system: "s", prompt: "p", maxOutputTokens: 10, requestId: "-" }

const ask = (options: OpenAiOptions) =>
  Effect.flatMap(LanguageModel, (model) => Stream.runCollect(model.stream(request))).pipe(
    Effect.provide(layer(options))
  )

/** The request that a set of options makes, sent to a stand-in below `path`. */
const sent = (options: OpenAiOptions, path = "") =>
  Effect.gen(function* () {
    const server = yield* modelStandIn("ok")
    yield* ask({ ...options, baseUrl: `${server.url}${path}` })
    const [only] = server.requests
    assert.isDefined(only)
    return only
  })

describe("address", () => {
  const paths: ReadonlyArray<readonly [string, string]> = [
    ["", "/v1/chat/completions"],
    ["/", "/v1/chat/completions"],
    ["/v1", "/v1/chat/completions"],
    ["/v1/", "/v1/chat/completions"],
    ["/api/v1", "/api/v1/chat/completions"],
    ["/v1beta/openai/", "/v1beta/openai/chat/completions"]
  ]
  it.live.each(paths)("with path %j is asked at %s", ([path, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sent({}, path)).path, expected)
    })
  )
})

describe("request", () => {
  it.live("goes by the layer's options, whatever the SDK would read from the environment", () =>
    Effect.gen(function* () {
      vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")
      vi.stubEnv("OPENAI_API_KEY", "sk-of-the-environment")
      vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-of-the-environment")
      vi.stubEnv("OPENAI_ORG_ID", "org-of-the-environment")
      vi.stubEnv("OPENAI_PROJECT_ID", "proj-of-the-environment")
      const { headers } = yield* sent({ apiKey: Redacted.make("sk-test-0123456789") })
      assert.strictEqual(headers.authorization, "Bearer sk-test-0123456789")
      assert.notInclude(JSON.stringify(headers), "of-the-environment")
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )

  itLive("gives the default model no time to reason, and stores nothing", function* () {
    const { body, model } = yield* sent({ api: "responses" })
    assert.strictEqual(model, DEFAULT_MODEL)
    assert.deepStrictEqual(body.reasoning, { effort: "none" })
    assert.strictEqual(body.store, false)
  })

  itLive("marks the system prompt for the prompt cache where models take a mark, and nothing behind it", function* () {
    const { body } = yield* sent({ api: "responses" })
    const mark = { prompt_cache_breakpoint: { mode: "explicit" } }
    assert.deepStrictEqual(body.input, [
      { role: "developer", content: [{ type: "input_text", text: "s", ...mark }] },
      { role: "user", content: "p" }
    ])
    assert.deepStrictEqual(body.prompt_cache_options, { mode: "explicit" })
    assert.strictEqual(body.prompt_cache_key, "mcp-gen-ui")
    assert.notProperty(body, "instructions")
  })

  it.live.each(["gpt-5.4-mini", "gpt-5", "o4-mini", "gpt-4.1"])("lets %s find the cached prefix by itself", (model) =>
    Effect.gen(function* () {
      const { body } = yield* sent({ api: "responses", model })
      assert.strictEqual(body.instructions, "s")
      assert.strictEqual(body.input, "p")
      assert.notProperty(body, "prompt_cache_options")
    })
  )

  itLive("tells compatible servers nothing about caches", function* () {
    const { body } = yield* sent({})
    assert.notInclude(JSON.stringify(body), "cache")
  })

  const efforts: ReadonlyArray<readonly [string, string | undefined]> = [
    ["gpt-5.6-terra", "none"],
    ["gpt-5-mini", "low"],
    ["o4-mini", "low"],
    ["gpt-4.1-mini", undefined],
    ["gpt-5.2-pro", undefined],
    ["gpt-5.2-chat-latest", undefined]
  ]
  it.live.each(efforts)("asks %s for the reasoning effort %s", ([model, effort]) =>
    Effect.gen(function* () {
      const { body } = yield* sent({ api: "responses", model })
      assert.deepStrictEqual(body.reasoning, effort === undefined ? undefined : { effort })
    })
  )

  itLive("passes a temperature on", function* () {
    assert.strictEqual((yield* sent({ temperature: 0.2 })).body.temperature, 0.2)
    assert.strictEqual((yield* sent({ temperature: 0, api: "responses" })).body.temperature, 0)
  })

  itLive("works without a key, for servers that need none", function* () {
    const { headers } = yield* sent({})
    assert.strictEqual(headers.authorization, "Bearer none")
  })

  itLive("forgives white space around a key", function* () {
    const { headers } = yield* sent({ apiKey: Redacted.make("sk-test-0123456789\n") })
    assert.strictEqual(headers.authorization, "Bearer sk-test-0123456789")
  })
})

describe("Responses failures inside the stream", () => {
  const codes: ReadonlyArray<readonly [string, string]> = [
    ["rate_limit_exceeded", "RATE_LIMIT"],
    ["server_error", "SERVER_ERROR"],
    ["invalid_prompt", "INVALID_REQUEST"],
    ["bio_policy", "CONTENT_FILTERED"],
    ["a_code_of_next_year", "SERVER_ERROR"]
  ]
  it.live.each(codes)("maps %s to %s", ([type, code]) =>
    Effect.gen(function* () {
      const server = yield* modelStandIn(() => ({ fault: "error-event", errorEvent: { type, message: "why" } }))
      const failure = yield* Effect.flip(ask({ baseUrl: server.url, api: "responses" }))
      assert.strictEqual(failure.code, code)
      assert.include(failure.detail, "why")
    })
  )
})
