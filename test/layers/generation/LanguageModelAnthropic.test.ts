import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { DEFAULT_MODEL, layer } from "../../../src/layers/generation/LanguageModelAnthropic.ts"
import type { AnthropicOptions } from "../../../src/layers/generation/LanguageModelAnthropic.ts"
import { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import { modelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const apiKey = Redacted.make("sk-ant-test-0123456789")
const request = { system: "Stable words.", prompt: "p", maxOutputTokens: 10, requestId: "-" }

const sent = (options: AnthropicOptions, path = "") =>
  Effect.gen(function* () {
    const server = yield* modelStandIn("ok")
    const asking = Effect.flatMap(LanguageModel, (model) => Stream.runDrain(model.stream(request)))
    yield* Effect.provide(asking, layer({ apiKey, ...options, baseUrl: `${server.url}${path}` }))
    const [only] = server.requests
    assert.isDefined(only)
    return only
  })

describe("address", () => {
  it.live.each(["", "/", "/v1", "/v1/"])("ending in %j is asked at /v1/messages", (path) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* sent({}, path)).path, "/v1/messages")
    })
  )
})

describe("request", () => {
  it.live("goes by the layer's options, whatever the SDK would read from the environment", () =>
    Effect.gen(function* () {
      vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/elsewhere")
      vi.stubEnv("ANTHROPIC_API_KEY", "sk-ant-of-the-environment")
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "token-of-the-environment")
      const { headers } = yield* sent({})
      const keys = [headers.authorization, headers["x-api-key"]].join(" ")
      assert.include(keys, "sk-ant-test-0123456789")
      assert.notInclude(keys, "of-the-environment")
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )

  itLive("marks the system prompt for the prompt cache", function* () {
    const { body } = yield* sent({})
    assert.deepStrictEqual(body.system, [{ type: "text", text: "Stable words.", cache_control: { type: "ephemeral" } }])
  })

  const thinking: ReadonlyArray<readonly [string | undefined, object]> = [
    [undefined, { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { output_config: { effort: "low" } }],
    ["claude-opus-5-5", { output_config: { effort: "low" } }],
    ["claude-haiku-4-5", {}],
    ["a-model-behind-a-gateway", {}]
  ]
  it.live.each(thinking)("holds the thinking of %s back with %j", ([model, expected]) =>
    Effect.gen(function* () {
      const seen = yield* sent({ model })
      assert.strictEqual(seen.model, model ?? DEFAULT_MODEL)
      const settings = Object.entries(seen.body).filter(([name]) => name === "thinking" || name === "output_config")
      assert.deepStrictEqual(Object.fromEntries(settings), expected)
    })
  )

  it.live.each([undefined, Redacted.make(""), Redacted.make(" \n")])("without a key uses no other either", (apiKey) =>
    Effect.gen(function* () {
      vi.stubEnv("ANTHROPIC_API_KEY", "sk-ant-of-the-environment")
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "token-of-the-environment")
      const { headers } = yield* sent({ apiKey })
      assert.notInclude(JSON.stringify(headers), "of-the-environment")
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
  )

  itLive("passes a temperature on", function* () {
    assert.strictEqual((yield* sent({ temperature: 0 })).body.temperature, 0)
  })
})
