import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Logger, Random, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as LanguageModelAnthropic from "../../../src/layers/generation/LanguageModelAnthropic.ts"
import * as LanguageModelOllama from "../../../src/layers/generation/LanguageModelOllama.ts"
import * as LanguageModelOpenAi from "../../../src/layers/generation/LanguageModelOpenAi.ts"
import { uiLibrary } from "../../../src/programs/MainLayer.ts"
import { type GenerationProgress, ProgressListener } from "../../../src/services/generation/GenerationProgress.ts"
import type { LanguageModel } from "../../../src/services/generation/LanguageModel.ts"
import { UiLibrary } from "../../../src/services/library/UiLibrary.ts"
import { modelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { settingsWith } from "../../fixtures/settings.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const tool = toolFromDefinition({
  name: "get_forecast",
  description: "The weather of the next days at a place.",
  inputSchema: { type: "object", properties: { location: { type: "string" } }, required: ["location"] }
})
if (tool === undefined) throw new Error("the definition above is a tool")

const GOOD = `<!-- rich -->
<script type="module">
import { show, table } from "mcp-gen-ui/parts"
show((data) => [table(data.days)])
</script>
`

const HALF = GOOD.slice(0, GOOD.indexOf("[table"))

const FORBIDDEN = `<!-- rich -->\n<script src="https://cdn.example.com/chart.js"></script>\n${"<p>words</p>\n".repeat(300)}`

const LARGE = `<!-- rich -->\n${"<p>0123456789</p>\n".repeat(280_000)}`

const apiKey = Redacted.make("key-of-the-tests-7Yq2")

const models: ReadonlyArray<readonly [string, (url: string) => Layer.Layer<LanguageModel>]> = [
  ["Anthropic", (baseUrl) => LanguageModelAnthropic.layer({ apiKey, baseUrl })],
  ["OpenAI Responses", (baseUrl) => LanguageModelOpenAi.layer({ apiKey, baseUrl, api: "responses" })],
  ["OpenAI Chat Completions", (baseUrl) => LanguageModelOpenAi.layer({ apiKey, baseUrl, model: "m" })],
  ["Ollama", (baseUrl) => LanguageModelOllama.layer({ baseUrl })]
]

interface Fault {
  readonly fault: string
  /** The n-th request gets the n-th answer; the last one is repeated. */
  readonly answers: readonly [Answer, ...ReadonlyArray<Answer>]
  readonly got: {
    readonly level: 0 | 1 | 2
    readonly uiType?: "minimal"
    readonly code?: string
    readonly transient?: boolean
    /** What the reason or a repair says. */
    readonly says?: RegExp
  }
  /** As many as there are answers if absent. */
  readonly requests?: number
  /** On the test clock. */
  readonly ms: number
  /** How long the first failure, the second one … is followed by nothing; 1 s and 2 s if absent. */
  readonly waits?: ReadonlyArray<number>
  /** The model hangs once this many characters have arrived. */
  readonly hangsAfter?: number
  /** Each request's answer was not read to its end: the socket was closed by us. */
  readonly closed?: true
  /** Milliseconds until a reader tries again. */
  readonly retryIn?: number
}

const failed = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  error: { status, headers, message: "as scripted" }
})
const good: Answer = { text: GOOD }
const half = (fault: NonNullable<Answer["fault"]>): Answer => ({ text: HALF, fault })

const fine = { level: 0 } as const
const repaired = (says: RegExp) => ({ level: 1, says }) as const
const passes = (code: string, says = /./) => ({ level: 2, code, transient: true, says }) as const
const stays = (code: string, says = /./) => ({ level: 2, code, transient: false, says }) as const

const faults: ReadonlyArray<Fault> = [
  { fault: "none", answers: [good], got: fine, ms: 0 },
  {
    fault: "hang before the headers",
    answers: [{ fault: "hang-before-headers" }],
    got: passes("TIMEOUT"),
    ms: 15_000,
    hangsAfter: 0,
    closed: true,
    retryIn: 60_000
  },
  {
    fault: "hang in mid-stream",
    answers: [half("hang")],
    got: passes("TIMEOUT"),
    ms: 15_000,
    hangsAfter: HALF.length,
    closed: true
  },
  {
    fault: "hang after a whole page",
    answers: [{ text: GOOD, fault: "hang" }],
    got: repaired(/still being written/),
    ms: 15_000,
    hangsAfter: GOOD.length,
    closed: true
  },
  {
    fault: "429 without Retry-After, each time",
    answers: [failed(429)],
    got: passes("RATE_LIMIT"),
    requests: 3,
    ms: 3000
  },
  {
    fault: "429 with a Retry-After of 3 s",
    answers: [failed(429, { "retry-after": "3" }), good],
    got: fine,
    ms: 3000,
    waits: [3000]
  },
  {
    fault: "429 with a Retry-After of 0 s",
    answers: [failed(429, { "retry-after": "0" }), good],
    got: fine,
    ms: 0,
    waits: [0]
  },
  {
    fault: "429 with a Retry-After of 5 min",
    answers: [failed(429, { "retry-after": "300" })],
    got: passes("RATE_LIMIT"),
    ms: 0,
    retryIn: 300_000
  },
  { fault: "529, each time", answers: [failed(529)], got: passes("SERVER_ERROR"), requests: 3, ms: 3000 },
  { fault: "500, once", answers: [failed(500), good], got: fine, ms: 1000 },
  { fault: "401", answers: [failed(401)], got: stays("AUTH"), ms: 0 },
  { fault: "reset before the headers, once", answers: [{ fault: "reset-before-headers" }, good], got: fine, ms: 1000 },
  {
    fault: "reset in mid-stream, each time",
    answers: [half("reset")],
    got: passes("NETWORK_ERROR"),
    requests: 3,
    ms: 3000
  },
  { fault: "end in mid-stream, once", answers: [half("cut-off"), good], got: fine, ms: 1000 },
  { fault: "malformed event, once", answers: [half("malformed"), good], got: fine, ms: 1000 },
  { fault: "error event, once", answers: [half("error-event"), good], got: fine, ms: 1000 },
  { fault: "empty answer, once", answers: [{ text: "" }, good], got: fine, ms: 1000 },
  {
    fault: "empty answer, each time",
    answers: [{ text: " \n" }],
    got: passes("SERVER_ERROR", /empty/),
    requests: 2,
    ms: 1000
  },
  {
    fault: "empty answer that used up the output limit",
    answers: [{ text: "", stop: "length" }],
    got: stays("REJECTED", /8000 tokens/),
    ms: 0
  },
  {
    fault: "Markdown fence and words around the page",
    answers: [{ text: `Here it is:\n\n\`\`\`html\n${GOOD}\`\`\`\nEnjoy!` }],
    got: repaired(/fence/),
    ms: 0
  },
  {
    fault: "page cut off by the output limit, once",
    answers: [{ text: HALF, stop: "length" }, good],
    got: repaired(/truncated/),
    ms: 0
  },
  {
    fault: "verdict minimal, and then no end",
    answers: [{ text: "<!-- minimal -->\nBecause it only sets a preference.", fault: "hang" }],
    got: { level: 0, uiType: "minimal" },
    ms: 0,
    closed: true
  },
  {
    fault: "forbidden content, and then no end; corrected",
    answers: [{ text: FORBIDDEN, fault: "hang" }, good],
    got: repaired(/corrected/),
    ms: 0
  },
  {
    fault: "5 MB of page, twice",
    // The buffers of a socket may hold all of it: only an answer without an end shows who closed it.
    answers: [{ text: LARGE, chunkSize: 65_536, fault: "hang" }],
    got: stays("REJECTED", /rejected twice: .*512000.* Then: .*512000/),
    requests: 2,
    ms: 0,
    closed: true
  }
]

/** Lets sockets, file reads and dynamic imports, which no test clock drives, go on. */
const turns = (count: number) =>
  Effect.promise(async () => {
    for (let done = 0; done < count; done += 1) await turn()
  })

/** Makes the jitter of delays nothing. */
const noJitter = { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 }

/** A reader of the tool's UI, behind whom the stand-in does what it is told. */
const read = (modelLayer: (url: string) => Layer.Layer<LanguageModel>, answer: (index: number) => Answer) =>
  Effect.gen(function* () {
    const seen = { failures: 0, characters: 0 }
    /** A connection breaks when the reader has what was sent before. */
    const breaksLate = (scripted: Answer): Answer => {
      if (scripted.fault !== "reset") return scripted
      const before = seen.characters
      const pace = async (index: number) => {
        while (seen.characters < before + Math.min(index * 40, HALF.length)) await turn()
      }
      return { ...scripted, pace }
    }
    const server = yield* modelStandIn((_, index) => breaksLate(answer(index)))
    const logger = Logger.make(({ fiber }) => {
      if (fiber.getRef(References.CurrentLogAnnotations).event === "attempt-failed") seen.failures += 1
    })
    const listener = ({ characters }: GenerationProgress) => {
      seen.characters = characters
    }
    const layer = uiLibrary.pipe(Layer.provide([modelLayer(server.url), settingsWith()]))
    const reader = yield* Effect.gen(function* () {
      const library = yield* UiLibrary
      const { entry } = yield* library.read(tool)
      return { entry, ms: yield* Clock.currentTimeMillis }
    }).pipe(
      Effect.provide(layer),
      Effect.provideService(Random.Random, noJitter),
      Effect.provideService(ProgressListener, listener),
      Effect.provide(Logger.layer([logger])),
      Effect.forkChild({ startImmediately: true })
    )
    return { server, seen, reader }
  })

describe.each(models)("with %s", (_name, modelLayer) => {
  it.effect.each(faults)(
    "$fault",
    ({ answers, closed, got, hangsAfter, ms, requests = answers.length, retryIn, waits = [1000, 2000] }) =>
      Effect.gen(function* () {
        const { reader, seen, server } = yield* read(modelLayer, (index) => answers[index] ?? answers[0])
        let waited = 0
        while (reader.pollUnsafe() === undefined) {
          if (hangsAfter !== undefined && server.requests.length === 1 && seen.characters >= hangsAfter) {
            yield* TestClock.adjust(14_999)
            assert.isUndefined(reader.pollUnsafe())
            yield* TestClock.adjust(1)
          } else if (seen.failures > waited) {
            // The last failure is followed by the end, not by a wait.
            yield* turns(5)
            if (reader.pollUnsafe() !== undefined) break
            yield* TestClock.adjust(waits[waited] ?? 0)
            waited += 1
          }
          yield* turns(1)
        }
        const result = yield* Fiber.join(reader)
        assert.strictEqual(server.requests.length, requests)
        assert.strictEqual(result.ms, ms)

        const { entry } = result
        assert.strictEqual(entry.level, got.level)
        assert.strictEqual(entry.uiType, got.uiType ?? (got.level === 2 ? "minimal" : "rich"))
        assert.strictEqual(entry.fallback?.code, got.code)
        assert.strictEqual(entry.fallback?.transient, got.transient)
        if (got.says !== undefined) assert.match([entry.fallback?.message, ...entry.repairs].join("; "), got.says)
        if (got.level < 2 && got.uiType === undefined) assert.include(entry.source, "table(data.days)")
        if (retryIn !== undefined) assert.strictEqual(entry.retryAt, ms + retryIn)

        assert.include(server.requests[0]?.prompt, "get_forecast")
        assert.include(server.requests[0]?.system, "mcp-gen-ui/parts")
        if (/corrected/.test(String(got.says))) assert.include(server.requests[1]?.prompt, "cdn.example.com")

        const ends = yield* Effect.promise(() => Promise.all(server.requests.map(({ over }) => over)))
        if (closed === true) assert.deepStrictEqual(new Set(ends), new Set(["closed"]))
      })
  )

  itEffect("one token a second", function* () {
    const due: Array<() => void> = []
    const pace = () => new Promise<void>((resolve) => due.push(resolve))
    const { reader, seen, server } = yield* read(modelLayer, () => ({ text: GOOD, chunkSize: 4, pace }))
    for (let second = 1; second < 15; second += 1) {
      while (due.length < second) yield* turns(1)
      due[second - 1]?.()
      while (seen.characters < 4 * second) yield* turns(1)
      yield* TestClock.adjust(1000)
      assert.isUndefined(reader.pollUnsafe())
    }
    yield* TestClock.adjust(1000)
    const { entry, ms } = yield* Fiber.join(reader)
    assert.strictEqual(ms, 15_000)
    assert.strictEqual(entry.level, 2)
    assert.strictEqual(entry.fallback?.code, "TIMEOUT")
    assert.strictEqual(server.requests.length, 1)
    assert.strictEqual(yield* Effect.promise(() => server.requests[0]?.over ?? Promise.reject()), "closed")
  })
})

describe("an answer that is sent back", () => {
  itEffect("goes into the prompt of the correction in part, however long it was", function* () {
    const { reader, server } = yield* read(models[0]?.[1] ?? assert.fail("there are models"), (index) =>
      index === 0 ? { text: LARGE, chunkSize: 65_536 } : { text: GOOD }
    )
    while (reader.pollUnsafe() === undefined) yield* turns(1)
    const { entry } = yield* Fiber.join(reader)
    assert.strictEqual(entry.level, 1)
    const prompt = server.requests[1]?.prompt ?? ""
    assert.include(prompt, "<p>0123456789</p>")
    assert.include(prompt, "512000")
    assert.isBelow(prompt.length, 32_000)
  })
})
