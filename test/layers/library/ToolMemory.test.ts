import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { layer, layerNone } from "../../../src/layers/library/ToolMemory.ts"
import { uiLibrary } from "../../../src/programs/MainLayer.ts"
import { ToolMemory } from "../../../src/services/library/ToolMemory.ts"
import { answers, scriptedModel } from "../../fixtures/scriptedModel.ts"
import { settingsWith } from "../../fixtures/settings.ts"

const encoder = new TextEncoder()

const frameOf = (message: object): Uint8Array => encoder.encode(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }))
const structured = (structuredContent: unknown, more: object = {}): Uint8Array =>
  frameOf({ result: { content: [], structuredContent, ...more } })
const textual = (...texts: ReadonlyArray<string>): Uint8Array =>
  frameOf({ result: { content: texts.map((text) => ({ type: "text", text })) } })

const withMemory = (
  use: (memory: ToolMemory["Service"]) => void | Effect.Effect<void>,
  options: Partial<Parameters<typeof layer>[0]> = {}
) =>
  Effect.flatMap(ToolMemory, (memory) => use(memory) ?? Effect.void).pipe(
    Effect.provide(layer({ mode: "results", secrets: [], ...options }))
  )

const overHttp = {
  transport: "http" as const,
  url: "https://host.example/mcp",
  headers: { "X-Acme": Redacted.make("acme-value-42"), Accept: Redacted.make("application/json") },
  token: Redacted.make("upstream-token-99"),
  oauth: {
    clientId: "client",
    clientSecret: Redacted.make("client-secret-7"),
    clientMetadataUrl: undefined,
    scope: undefined,
    callbackPort: undefined,
    callbackHost: undefined,
    loginTimeoutMs: 1000
  },
  reconnectDelayMs: 1000,
  maxReconnectDelayMs: 1000
}

describe("ToolMemory", () => {
  it.effect("learns from structured content, from JSON in text, and from text", () =>
    withMemory((memory) => {
      assert.deepStrictEqual(memory.learned("a"), NOTHING_LEARNED)
      memory.observe("a", { city: "Oslo" }, structured({ high: 21, unit: "C" }))
      memory.observe("b", undefined, textual('Here it is: {"high": 21}'))
      memory.observe("c", {}, textual("Sunny, 21 degrees.", "Dry."))
      assert.deepStrictEqual(memory.learned("a"), {
        shape: "{ high: number, unit: string }",
        results: [{ args: { city: "Oslo" }, data: { high: 21, unit: "C" } }]
      })
      assert.deepStrictEqual(memory.learned("b"), {
        shape: "{ high: number }",
        results: [{ args: {}, data: { high: 21 } }]
      })
      assert.deepStrictEqual(memory.learned("c"), {
        shape: "string",
        results: [{ args: {}, data: "Sunny, 21 degrees.\n\nDry." }]
      })
    })
  )

  it.effect("keeps none of the secrets of its run, as the product wires it", () =>
    Effect.gen(function* () {
      const memory = yield* ToolMemory
      const sent = {
        acme: "acme-value-42",
        list: ["Bearer upstream-token-99 client-secret-7"],
        url: "redis://cache/?a=cache-pass-1",
        type: "application/json"
      }
      memory.observe("whoami", { said: "acme-value-42" }, structured(sent))
      const { results } = memory.learned("whoami")
      assert.deepInclude(results[0]?.data, { acme: "[redacted]", type: "application/json" })
      for (const secret of ["acme-value", "upstream-token", "client-secret", "cache-pass"]) {
        assert.notInclude(JSON.stringify(results), secret)
      }
    }).pipe(
      Effect.provide(uiLibrary),
      Effect.provide([
        scriptedModel([answers("")]).layer,
        settingsWith({ upstream: overHttp, cache: { url: Redacted.make("redis://u:cache-pass-1@cache:6379") } })
      ])
    )
  )

  it.effect("learns nothing from failures, questions, tasks and junk", () =>
    withMemory((memory) => {
      const answers = [
        structured({ message: "no such city" }, { isError: true }),
        frameOf({ error: { code: -32602, message: "no", data: { a: 1 } } }),
        frameOf({
          result: { resultType: "input_required", inputRequests: {}, content: [{ type: "text", text: "?" }] }
        }),
        frameOf({ result: { task: { taskId: "t", status: "working" } } }),
        frameOf({ result: { content: [] } }),
        frameOf({ result: null }),
        encoder.encode('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te'),
        encoder.encode("nothing")
      ]
      for (const answer of answers) {
        memory.observe("a", {}, answer)
        assert.deepStrictEqual(memory.learned("a"), NOTHING_LEARNED)
      }
    })
  )

  it.effect("looks at what it has seen a little later, one answer at a time, and lets it go", () =>
    withMemory((memory) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 10 }, (_, at) => `tool ${at}`)
        const frames = names.map((name) => {
          const frame = structured({ [name]: 1 })
          memory.observe(name, {}, frame)
          return frame
        })
        yield* TestClock.adjust(60)
        // What was not read by now is lost, so that the rest tells what was.
        frames[1]?.fill(0)
        yield* TestClock.adjust(10_000)
        for (const frame of frames) frame.fill(0)
        const known = names.filter((name) => memory.learned(name).shape !== null)
        // Eight may wait at a time.
        assert.deepStrictEqual(known, ["tool 0", ...names.slice(2, 8)])
        memory.observe("tool 9", {}, structured({ a: 1 }))
        assert.isNotNull(memory.learned("tool 9").shape)
      })
    )
  )

  it.effect("keeps the three newest results that differ, and the shape of all", () =>
    withMemory((memory) => {
      const observe = (args: object, data: unknown) => {
        memory.observe("a", args, structured(data))
        memory.learned("a")
      }
      const kept = () => memory.learned("a").results.map(({ args, data }) => [args, data])
      observe({ n: 1 }, { one: 1 })
      observe({ n: 2 }, { two: "2" })
      observe({ n: 3 }, { two: "3" })
      observe({ n: 3 }, { two: "4" })
      assert.deepStrictEqual(kept(), [
        [{ n: 3 }, { two: "4" }],
        [{ n: 2 }, { two: "2" }],
        [{ n: 1 }, { one: 1 }]
      ])
      observe({ n: 4 }, { two: "5" })
      assert.deepStrictEqual(kept(), [
        [{ n: 4 }, { two: "5" }],
        [{ n: 3 }, { two: "4" }],
        [{ n: 1 }, { one: 1 }]
      ])
      assert.strictEqual(memory.learned("a").shape, "{ one?: number, two?: string /* number as text */ }")
    })
  )

  it.effect("keeps no values, and tells none, where only shapes may be kept", () =>
    withMemory(
      (memory) => {
        const rows = Array.from({ length: 9 }, () => ({ state: "confidential" }))
        memory.observe("a", { city: "Oslo" }, structured({ rows }))
        assert.deepStrictEqual(memory.learned("a"), { shape: "{ rows: { state: string }[] }", results: [] })
      },
      { mode: "shapes" }
    )
  )

  it.effect("keeps no secrets, of arguments, values and names", () =>
    withMemory(
      (memory) => {
        const rows = Array.from({ length: 9 }, (_, at) => ({ state: "our-own-secret", apiKey: at < 5 ? "abc" : "xyz" }))
        memory.observe("a", { token: "t0p" }, structured({ rows, "sk-0123456789": { "our-own-secret": 1 } }))
        const told = JSON.stringify(memory.learned("a"))
        for (const secret of ["our-own-secret", "abc", "xyz", "t0p", "sk-0123456789"]) assert.notInclude(told, secret)
      },
      { secrets: ["our-own-secret"] }
    )
  )

  it.effect("notes of pictures and files what they are", () =>
    withMemory((memory) => {
      const image = { type: "image", mimeType: "image/png", data: "A".repeat(16_000) }
      memory.observe("a", {}, frameOf({ result: { content: [image] } }))
      assert.deepStrictEqual(memory.learned("a"), {
        shape: "nothing but images, sound or files",
        results: [{ args: {}, data: "[image/png, 12 kB]" }]
      })
      memory.observe("b", {}, frameOf({ result: { content: [image, { type: "text", text: "A map." }] } }))
      assert.deepStrictEqual(memory.learned("b").results, [{ args: {}, data: "A map.", media: "[image/png, 12 kB]" }])
    })
  )

  it.effect("does not look at large answers, but for the first of a tool", () =>
    withMemory((memory) => {
      const large = structured({ large: "x".repeat(300_000) })
      memory.observe("a", {}, structured({ huge: "x".repeat(1_100_000) }))
      assert.deepStrictEqual(memory.learned("a"), NOTHING_LEARNED)
      memory.observe("a", {}, large)
      assert.strictEqual(memory.learned("a").shape, "{ large: string /* long text */ }")
      assert.isAtMost(JSON.stringify(memory.learned("a").results).length, 1000)
      memory.observe("a", {}, structured({ later: "x".repeat(300_000) }))
      assert.notInclude(memory.learned("a").shape, "later")
    })
  )

  it.effect("forgets a tool when it is told to, and those not called for longest when there are too many", () =>
    withMemory((memory) => {
      const call = (name: string, at: number) => {
        memory.observe(name, {}, structured({ at }))
        memory.learned(name)
      }
      for (let at = 0; at < 200; at += 1) call(`tool ${at}`, at)
      memory.learned("tool 1")
      call("tool 0", 200)
      call("tool 200", 201)
      assert.isNotNull(memory.learned("tool 0").shape)
      assert.deepStrictEqual(memory.learned("tool 1"), NOTHING_LEARNED)
      memory.observe("tool 0", {}, structured({ more: 1 }))
      memory.forget("tool 0")
      assert.deepStrictEqual(memory.learned("tool 0"), NOTHING_LEARNED)
    })
  )

  it.effect("can be off", () =>
    Effect.gen(function* () {
      const memory = yield* ToolMemory
      memory.observe("a", {}, structured({ a: 1 }))
      assert.deepStrictEqual(memory.learned("a"), NOTHING_LEARNED)
    }).pipe(Effect.provide(layerNone))
  )
})
