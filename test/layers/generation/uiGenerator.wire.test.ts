import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as HtmlInspector from "../../../src/layers/inspection/HtmlInspector.ts"
import * as LanguageModelAnthropic from "../../../src/layers/generation/LanguageModelAnthropic.ts"
import * as LanguageModelOllama from "../../../src/layers/generation/LanguageModelOllama.ts"
import * as LanguageModelOpenAi from "../../../src/layers/generation/LanguageModelOpenAi.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import * as PromptLibrary from "../../../src/layers/generation/PromptLibrary.ts"
import { makeUiGenerator } from "../../../src/layers/generation/uiGenerator.ts"
import type { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import type { GenerateInput } from "../../../src/services/generation/PromptLibrary.ts"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import type { Answer, StandInRequest } from "../../fixtures/model-stand-in/ModelStandIn.ts"

const tool = toolFromDefinition({
  name: "get_forecast",
  description: "The weather of the next days at a place.",
  inputSchema: { type: "object", properties: { location: { type: "string" } }, required: ["location"] }
})
if (tool === undefined) throw new Error("the definition above is a tool")

const input: GenerateInput = { tool, hints: {}, refinements: [], currentSource: null, learned: NOTHING_LEARNED }

const GOOD = `<!-- rich -->
<style>h1 { margin: 0 }</style>
<h1>Forecast</h1>
<script type="module">
import { show, table } from "mcp-gen-ui/parts"
show((data) => [table(data.days)])
</script>
`

const BAD = GOOD.replace("<style>", '<script src="https://cdn.example.com/chart.js"></script>\n<style>')

const { limits } = CONFIG_DEFAULTS.generation

const apiKey = Redacted.make("key-of-the-tests-7Yq2")

const models: ReadonlyArray<readonly [string, (url: string) => Layer.Layer<LanguageModel>]> = [
  ["Anthropic", (baseUrl) => LanguageModelAnthropic.layer({ apiKey, baseUrl })],
  ["OpenAI", (baseUrl) => LanguageModelOpenAi.layer({ apiKey, baseUrl, api: "responses" })],
  ["an OpenAI-compatible server", (baseUrl) => LanguageModelOpenAi.layer({ apiKey, baseUrl, model: "m" })],
  ["Ollama", (baseUrl) => LanguageModelOllama.layer({ baseUrl })]
]

describe.each(models)("a generation with %s", (_name, modelLayer) => {
  const setup = (answers: readonly [Answer, ...ReadonlyArray<Answer>]) =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const answer = (_: StandInRequest, index: number) => {
        Deferred.doneUnsafe(asked, Effect.void)
        return answers[index] ?? answers[0]
      }
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => startModelStandIn({ answer })),
        (server) => Effect.promise(server.close)
      )
      const layer = Layer.mergeAll(modelLayer(server.url), PromptLibrary.layer({ limits }), HtmlInspector.layer).pipe(
        Layer.provide(PackageFiles.layer),
        Layer.merge(Logger.layer([]))
      )
      const generate = Effect.flatMap(
        makeUiGenerator({
          timeoutMs: 15_000,
          maxAttempts: 3,
          retryDelayMs: 1000,
          maxOutputTokens: 8000,
          maxHtmlBytes: 512_000
        }),
        (generateUi) => generateUi(input)
      )
      return { server, asked, generate: Effect.provide(generate, layer) }
    })

  it.live("goes from the prompt files over the wire and the inspection to a UI", () =>
    Effect.gen(function* () {
      const { server, generate } = yield* setup([{ text: GOOD }])
      const ui = yield* generate
      assert.strictEqual(ui.uiType, "rich")
      assert.include(ui.source, "table(data.days)")
      assert.deepStrictEqual(ui.usage, { inputTokens: 1000, outputTokens: 200 })
      assert.include(server.requests[0]?.prompt, "get_forecast")
      assert.include(server.requests[0]?.system, "mcp-gen-ui/parts")
    })
  )

  it.live("has a bad answer corrected over the wire", () =>
    Effect.gen(function* () {
      const { server, generate } = yield* setup([{ text: BAD }, { text: GOOD }])
      const ui = yield* generate
      assert.strictEqual(ui.level, 1)
      assert.notInclude(ui.source, "cdn.example.com")
      assert.strictEqual(server.requests.length, 2)
      assert.include(server.requests[1]?.prompt, "cdn.example.com")
    })
  )

  it.live("goes on after a rate limit that asks for no wait", () =>
    Effect.gen(function* () {
      const limited: Answer = { error: { status: 429, headers: { "retry-after": "0" } } }
      const { server, generate } = yield* setup([limited, { text: GOOD }])
      yield* generate
      assert.strictEqual(server.requests.length, 2)
    })
  )

  it.effect("ends with its budget, and the socket closes", () =>
    Effect.gen(function* () {
      const { server, asked, generate } = yield* setup([{ text: "<!-- rich -->", fault: "hang" }])
      const fiber = yield* Effect.forkChild(Effect.flip(generate))
      yield* Effect.raceFirst(Deferred.await(asked), Fiber.await(fiber))
      yield* TestClock.adjust(15_000)
      assert.strictEqual((yield* Fiber.join(fiber)).reason.code, "TIMEOUT")
      const [request] = server.requests
      assert.isDefined(request)
      assert.strictEqual(yield* Effect.promise(() => request.over), "closed")
    })
  )
})
