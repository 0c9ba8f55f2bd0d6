import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Random, References, Stream } from "effect"
import { TestClock } from "effect/testing"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import { generationBudgetMs, makeUiGenerator } from "../../../src/layers/generation/uiGenerator.ts"
import type { GenerationProgress } from "../../../src/services/generation/GenerationProgress.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"
import type { Inspection, InspectionContext, Problem } from "../../../src/services/inspection/HtmlInspector.ts"
import { PromptInvalid, PromptLibrary } from "../../../src/services/generation/PromptLibrary.ts"
import type { GenerateInput, RepairInput } from "../../../src/services/generation/PromptLibrary.ts"
import { RequestId } from "../../../src/services/session/RequestId.ts"
import { after, answers, fails, hangs, scriptedModel } from "../../fixtures/scriptedModel.ts"
import type { ScriptedModel, Turn } from "../../fixtures/scriptedModel.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const definition = toolFromDefinition({
  name: "get_forecast",
  description: "Weather",
  inputSchema: { type: "object", properties: { location: {} }, required: ["location"] }
}) satisfies Tool | undefined
if (definition === undefined) throw new Error("the definition above is a tool")
const tool: Tool = { ...definition, callable: ["get_forecast", "list_places"] }

const input: GenerateInput = { tool, hints: {}, refinements: [], currentSource: null, learned: NOTHING_LEARNED }

const OPTIONS = { timeoutMs: 15_000, maxAttempts: 3, retryDelayMs: 1000, maxOutputTokens: 8000, maxHtmlBytes: 512_000 }

const GOOD = "<!-- rich --><p>good</p>"

/** What an inspection finds is written in the answer itself: BAD, INJECTION, BUG, STOP. */
const inspector = (seen: Array<{ partial: boolean; length: number; context: InspectionContext }>) => {
  const problem: Problem = { rule: "external-script", message: "Line 1 loads a script. Write it inline." }
  const rejected = (suspectedInjection: boolean): Inspection => ({
    _tag: "Rejected",
    problems: [problem],
    suspectedInjection
  })
  return Layer.succeed(
    HtmlInspector,
    HtmlInspector.of({
      inspect: (answer, context) =>
        Effect.sync((): Inspection => {
          seen.push({ partial: false, length: answer.length, context })
          if (answer.includes("BUG")) throw new Error("a bug in the inspector")
          if (answer.includes("INJECTION")) return rejected(true)
          if (answer === "" || answer.includes("BAD") || answer.includes("STOP")) return rejected(false)
          const minimal = answer.startsWith("<!-- minimal -->")
          return {
            _tag: "Accepted",
            uiType: minimal ? "minimal" : "rich",
            source: minimal ? null : answer,
            repairs: [],
            warnings: ["an input has no label"]
          }
        }),
      inspectPartial: (answer, context) =>
        Effect.sync(() => {
          seen.push({ partial: true, length: answer.length, context })
          return answer.includes("STOP") ? { rule: "no-html", message: "This is no page." } : null
        })
    })
  )
}

const prompts = (repairs: Array<RepairInput>) =>
  Layer.succeed(
    PromptLibrary,
    PromptLibrary.of({
      version: Effect.succeed("prompts-1"),
      generate: ({ tool }) => Effect.succeed({ system: "system", prompt: `generate ${tool.name}` }),
      brief: () => Effect.succeed("brief"),
      repair: (repair) => {
        repairs.push(repair)
        return Effect.succeed({ system: "system", prompt: `repair ${repair.problems.join()}` })
      }
    })
  )

const setup = (turns: readonly [Turn, ...ReadonlyArray<Turn>], options: Partial<typeof OPTIONS> = {}) => {
  const model = scriptedModel(turns)
  const inspected: Array<{ partial: boolean; length: number; context: InspectionContext }> = []
  const repairs: Array<RepairInput> = []
  const progress: Array<GenerationProgress> = []
  const generate = Effect.flatMap(makeUiGenerator({ ...OPTIONS, ...options }), (generateUi) =>
    generateUi(input, (step) => progress.push(step))
  ).pipe(Effect.provide([model.layer, inspector(inspected), prompts(repairs)]))
  return { model, inspected, repairs, progress, generate }
}

/** Runs `generate` in the background from time 0. */
const start = <A, E>(generate: Effect.Effect<A, E>) => Effect.forkChild(generate, { startImmediately: true })

const assertClosed = (model: ScriptedModel) => {
  assert.strictEqual(model.open(), 0)
  assert.strictEqual(model.closed(), model.requests.length)
}

describe("an accepted answer", () => {
  itEffect("is level 0 as it is, with its usage, warnings and prompt version", function* () {
    const { generate, model, inspected } = setup([answers(GOOD)])
    const ui = yield* generate
    assert.deepStrictEqual(ui, {
      source: GOOD,
      uiType: "rich",
      level: 0,
      repairs: [],
      warnings: ["an input has no label"],
      usage: { inputTokens: 100, outputTokens: 10 },
      promptVersion: "prompts-1"
    })
    const context = {
      toolNames: ["get_forecast", "list_places"],
      inputRequired: true,
      inputNames: ["location"],
      maxHtmlBytes: 512_000
    }
    // The verdict is looked at as soon as it is there.
    assert.deepStrictEqual(inspected, [
      { partial: false, length: GOOD.length, context },
      { partial: false, length: GOOD.length, context }
    ])
    assertClosed(model)
  })

  itEffect("carries the prompt, the limit and the id of the host's request to the model", function* () {
    const { generate, model } = setup([answers(GOOD)])
    yield* Effect.provideService(generate, RequestId, "request-7")
    assert.deepStrictEqual(model.requests, [
      { system: "system", prompt: "generate get_forecast", maxOutputTokens: 8000, requestId: "request-7" }
    ])
  })

  itEffect("that chose minimal stands, even when what followed was cut off", function* () {
    const ui = yield* setup([answers("<!-- minimal --> because", { truncated: true })]).generate
    assert.strictEqual(ui.uiType, "minimal")
    assert.strictEqual(ui.source, null)
  })
})

describe("the budget", () => {
  itEffect("is shared by all attempts", function* () {
    const { generate, model } = setup([after(9000, fails("SERVER_ERROR")), hangs()])
    const fiber = yield* start(Effect.flip(generate))
    yield* TestClock.adjust(14_999)
    assert.isUndefined(fiber.pollUnsafe())
    assert.strictEqual(model.requests.length, 2)
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* Fiber.join(fiber)).reason.code, "TIMEOUT")
    assertClosed(model)
  })

  itEffect("is shared by the repair, and its end says what was wrong", function* () {
    const { generate, model } = setup([after(6000, answers("BAD")), hangs()])
    const fiber = yield* start(Effect.flip(generate))
    yield* TestClock.adjust(15_000)
    const failure = yield* Fiber.join(fiber)
    assert.strictEqual(failure.reason.code, "TIMEOUT")
    assert.include(failure.reason.message, "external-script")
    assertClosed(model)
  })
})

describe("retries", () => {
  const extremes = [
    [0, 1000, 2000],
    [1, 1100, 2200]
  ] as const
  it.effect.each(extremes)("with a random %d wait %d ms and %d ms", ([random, first, second]) =>
    Effect.gen(function* () {
      const { generate, model } = setup([fails("SERVER_ERROR")])
      const source = { nextDoubleUnsafe: () => random, nextIntUnsafe: () => 0 }
      const fiber = yield* start(generate.pipe(Effect.flip, Effect.provideService(Random.Random, source)))
      yield* TestClock.adjust(first - 1)
      assert.strictEqual(model.requests.length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(model.requests.length, 2)
      yield* TestClock.adjust(second - 1)
      assert.strictEqual(model.requests.length, 2)
      yield* TestClock.adjust(1)
      assert.strictEqual(model.requests.length, 3)
      yield* Fiber.join(fiber)
    })
  )

  itEffect("never wait longer than 5 s of their own accord", function* () {
    const { generate, model } = setup([fails("NETWORK_ERROR")], { retryDelayMs: 4900, timeoutMs: 60_000 })
    const fiber = yield* start(Effect.flip(generate))
    yield* TestClock.adjust(5000)
    assert.strictEqual(model.requests.length, 2)
    yield* TestClock.adjust(5000)
    assert.strictEqual(model.requests.length, 3)
    yield* Fiber.join(fiber)
  })

  itEffect("end at once when their own wait does not fit into what is left", function* () {
    const { generate, model } = setup([after(14_500, fails("SERVER_ERROR")), answers(GOOD)])
    const fiber = yield* start(Effect.flip(generate))
    yield* TestClock.adjust(14_500)
    assert.strictEqual((yield* Fiber.join(fiber)).reason.code, "SERVER_ERROR")
    assert.strictEqual(model.requests.length, 1)
  })

  const final = ["AUTH", "INVALID_REQUEST", "CONTENT_FILTERED", "ABORTED"] as const
  it.effect.each(final)("do not follow %s", (code) =>
    Effect.gen(function* () {
      const { generate, model } = setup([fails(code), answers(GOOD)])
      const failure = yield* Effect.flip(generate)
      assert.strictEqual(failure.reason.code, code)
      assert.isFalse(failure.reason.transient)
      assert.include(failure.reason.message, "as scripted")
      assert.strictEqual(model.requests.length, 1)
    })
  )
})

describe("a rejected answer", () => {
  itEffect("is sent back once with its problems, and the correction is level 1", function* () {
    const { generate, model, repairs } = setup([answers("BAD"), answers(GOOD)])
    const ui = yield* generate
    assert.strictEqual(ui.source, GOOD)
    assert.strictEqual(ui.level, 1)
    assert.deepStrictEqual(ui.repairs, ["the model corrected its answer: external-script"])
    assert.deepStrictEqual(ui.usage, { inputTokens: 200, outputTokens: 20 })
    assert.deepStrictEqual(repairs, [
      { ...input, answer: "BAD", problems: ["Line 1 loads a script. Write it inline."] }
    ])
    assert.strictEqual(model.requests[1]?.prompt, "repair Line 1 loads a script. Write it inline.")
    assertClosed(model)
  })

  itEffect("is not sent back when it looks like an injection", function* () {
    const { generate, model } = setup([answers("INJECTION"), answers(GOOD)])
    const failure = yield* Effect.flip(generate)
    assert.strictEqual(failure.reason.code, "PROMPT_INJECTION")
    assert.strictEqual(model.requests.length, 1)
  })

  itEffect("is one that the output limit cut off, however good it looks", function* () {
    const { generate, repairs } = setup([answers(GOOD, { truncated: true }), answers(GOOD)])
    const ui = yield* generate
    assert.strictEqual(ui.level, 1)
    assert.deepStrictEqual(repairs[0]?.problems, ["The answer was cut off at 8000 tokens. Write a shorter one."])
  })

  itEffect("retries the request for the correction like any other", function* () {
    const { generate, model } = setup([answers("BAD"), fails("RATE_LIMIT", { retryAfterMs: 500 }), answers(GOOD)])
    const fiber = yield* start(generate)
    yield* TestClock.adjust(500)
    assert.strictEqual((yield* Fiber.join(fiber)).level, 1)
    assert.strictEqual(model.requests.length, 3)
  })
})

describe("what is there at the end of the budget", () => {
  const PAGE = '<!-- rich --><script type="module">show()</script>'
  const run = (turns: readonly [Turn, ...ReadonlyArray<Turn>]) =>
    Effect.gen(function* () {
      const { generate, model } = setup(turns)
      const fiber = yield* start(Effect.result(generate))
      yield* TestClock.adjust(15_000)
      assertClosed(model)
      return yield* Fiber.join(fiber)
    })

  itEffect("is used from a correction too, with what was corrected", function* () {
    const result = yield* run([answers("BAD"), hangs(PAGE)])
    assert(result._tag === "Success")
    assert.match(result.success.repairs.join("; "), /corrected its answer: external-script; .*still being written/)
    assert.deepStrictEqual(result.success.usage, { inputTokens: 100, outputTokens: 10 })
  })

  const useless: ReadonlyArray<string> = [
    "",
    "<!-- rich --><p>no script yet",
    '<!-- rich --><script type="module">show()',
    `${PAGE}<script>more(`,
    `${PAGE} BAD`
  ]
  it.effect.each(useless)("is not used when it is %j", (text) =>
    Effect.gen(function* () {
      const result = yield* run([hangs(text)])
      assert(result._tag === "Failure")
      assert.strictEqual(result.failure.reason.code, "TIMEOUT")
    })
  )

  itEffect("is not taken from an attempt that failed", function* () {
    const broken = Stream.concat(Stream.make({ type: "text", text: PAGE } as const), fails("NETWORK_ERROR"))
    const result = yield* run([broken, hangs()])
    assert(result._tag === "Failure")
    assert.strictEqual(result.failure.reason.code, "TIMEOUT")
  })
})

describe("the budget of the configuration", () => {
  it("is larger for generations that nobody waits for", () => {
    assert.strictEqual(generationBudgetMs({ timeoutMs: 15_000, onTimeout: "abort" }), 15_000)
    assert.strictEqual(generationBudgetMs({ timeoutMs: 15_000, onTimeout: "continue" }), 60_000)
  })
})

describe("progress", () => {
  itEffect("goes from asking over every piece to checking", function* () {
    const { generate, progress } = setup([answers(GOOD, { chunkSize: 10 })])
    yield* generate
    assert.deepStrictEqual(progress, [
      { stage: "asking", characters: 0, attempts: 1 },
      { stage: "writing", characters: 10, attempts: 1 },
      { stage: "writing", characters: 20, attempts: 1 },
      { stage: "writing", characters: 24, attempts: 1 },
      { stage: "checking", characters: 24, attempts: 1 }
    ])
  })

  itEffect("only grows, over attempts and the correction", function* () {
    const broken = Stream.concat(Stream.make({ type: "text", text: "BAD half" } as const), fails("NETWORK_ERROR"))
    const { generate, progress } = setup([broken, answers("BAD"), answers(GOOD)])
    const fiber = yield* start(generate)
    yield* TestClock.adjust(1100)
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(progress, [
      { stage: "asking", characters: 0, attempts: 1 },
      { stage: "writing", characters: 8, attempts: 1 },
      { stage: "asking", characters: 8, attempts: 2 },
      { stage: "writing", characters: 11, attempts: 2 },
      { stage: "checking", characters: 11, attempts: 2 },
      { stage: "repairing", characters: 11, attempts: 3 },
      { stage: "writing", characters: 35, attempts: 3 },
      { stage: "checking", characters: 35, attempts: 3 }
    ])
  })
})

describe("an answer that is still streaming", () => {
  itEffect("is looked at ever more rarely as it grows", function* () {
    const { generate, inspected } = setup([answers(GOOD + "x".repeat(500_000), { chunkSize: 100 })])
    yield* generate
    const looks = inspected.filter((look) => look.partial).map((look) => look.length)
    assert.isBelow(looks.length, 45)
    assert.isAbove(looks.at(-1) ?? 0, 400_000)
  })

  itEffect("is looked at about every 2 kB", function* () {
    const { generate, inspected } = setup([answers(GOOD + "x".repeat(10_000), { chunkSize: 500 })])
    yield* generate
    const looks = inspected.filter((look) => look.partial).map((look) => look.length)
    assert.deepStrictEqual(looks, [2500, 5000, 7500, 10_000])
  })

  itEffect("is stopped when it cannot become valid, and sent back with the reason", function* () {
    const endless = Stream.concat(
      Stream.fromIterable(Array.from({ length: 30 }, () => ({ type: "text", text: "STOP".repeat(25) }) as const)),
      Stream.never
    )
    const { generate, model, repairs } = setup([endless, answers(GOOD)])
    const ui = yield* generate
    assert.strictEqual(ui.level, 1)
    assert.deepStrictEqual(repairs[0]?.problems, ["This is no page."])
    assert.strictEqual(repairs[0]?.answer.length, 2100)
    assert.deepStrictEqual(ui.repairs, ["the model corrected its answer: no-html"])
    assertClosed(model)
  })

  itEffect("is taken for an injection when a full inspection of it says so", function* () {
    const { generate, model } = setup([answers(`INJECTION ${"STOP".repeat(1000)}`), answers(GOOD)])
    assert.strictEqual((yield* Effect.flip(generate)).reason.code, "PROMPT_INJECTION")
    assert.strictEqual(model.requests.length, 1)
    assertClosed(model)
  })
})

describe("trouble of our own", () => {
  itEffect("with a prompt file is INTERNAL, and the model is not asked", function* () {
    const model = scriptedModel([answers(GOOD)])
    const broken = new PromptInvalid({ file: "generate.md", detail: "does not parse" })
    const library = Layer.succeed(
      PromptLibrary,
      PromptLibrary.of({
        version: Effect.succeed("1"),
        generate: () => Effect.fail(broken),
        repair: () => Effect.fail(broken),
        brief: () => Effect.fail(broken)
      })
    )
    const generate = Effect.flatMap(makeUiGenerator(OPTIONS), (generateUi) => generateUi(input))
    const failure = yield* generate.pipe(Effect.provide([model.layer, inspector([]), library]), Effect.flip)
    assert.strictEqual(failure.reason.code, "INTERNAL")
    assert.include(failure.reason.message, "generate.md")
    assert.strictEqual(model.requests.length, 0)
  })

  itEffect("with a bug is INTERNAL and leaves the bug's trace in the log, not in the reason", function* () {
    const { lines, layer } = capture("Info")
    const failure = yield* setup([answers("BUG")]).generate.pipe(Effect.flip, Effect.provide(layer))
    assert.strictEqual(failure.reason.code, "INTERNAL")
    assert.notInclude(failure.reason.message, "a bug in the inspector")
    assert.isTrue(lines.some((line) => line.text.includes("a bug in the inspector")))
  })
})

const capture = (level: "Debug" | "Info") => {
  const lines: Array<{ text: string; annotations: Readonly<Record<string, unknown>> }> = []
  const logger = Logger.make(({ message, cause, fiber }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    lines.push({ text: `${String(message)} ${String(cause)}`, annotations })
  })
  return { lines, layer: Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, level)) }
}

describe("the log", () => {
  const run = (level: "Debug" | "Info") =>
    Effect.gen(function* () {
      const { lines, layer } = capture(level)
      const { generate } = setup([fails("RATE_LIMIT", { retryAfterMs: 2000 }), answers(GOOD)])
      const fiber = yield* start(Effect.provide(generate, layer))
      yield* TestClock.adjust(2000)
      yield* Fiber.join(fiber)
      return lines
    })

  itEffect("has one line per failed attempt and one for the outcome, with attempt, duration and code", function* () {
    const lines = yield* run("Info")
    assert.deepStrictEqual(
      lines.map(({ annotations: { event, attempt, durationMs, code, component, tool } }) => ({
        event,
        attempt,
        durationMs,
        code,
        component,
        tool
      })),
      [
        {
          event: "attempt-failed",
          attempt: 1,
          durationMs: 0,
          code: "RATE_LIMIT",
          component: "UiGenerator",
          tool: "get_forecast"
        },
        {
          event: "generation-succeeded",
          attempt: 2,
          durationMs: 2000,
          code: undefined,
          component: "UiGenerator",
          tool: "get_forecast"
        }
      ]
    )
  })

  itEffect("holds prompts and answers at debug level only", function* () {
    const quiet = JSON.stringify(yield* run("Info"))
    assert.notInclude(quiet, "generate get_forecast")
    assert.notInclude(quiet, "<p>good</p>")
    const loud = JSON.stringify(yield* run("Debug"))
    assert.include(loud, "generate get_forecast")
    assert.include(loud, "<p>good</p>")
  })
})
