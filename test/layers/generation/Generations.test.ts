import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import * as FleetFlightsNone from "../../../src/layers/cache/FleetFlightsNone.ts"
import * as GenerationsLayer from "../../../src/layers/generation/Generations.ts"
import * as HtmlInspector from "../../../src/layers/inspection/HtmlInspector.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import * as PromptLibrary from "../../../src/layers/generation/PromptLibrary.ts"
import * as UiCacheMemory from "../../../src/layers/cache/UiCacheMemory.ts"
import { type GenerationProgress, ProgressListener } from "../../../src/services/generation/GenerationProgress.ts"
import { type GenerationJob, Generations } from "../../../src/services/generation/Generations.ts"
import { RequestId } from "../../../src/services/session/RequestId.ts"
import { after, answers, fails, hangs, scriptedModel } from "../../fixtures/scriptedModel.ts"
import type { ScriptedModel, Turn } from "../../fixtures/scriptedModel.ts"

const PAGE = `<!-- rich -->\n<script type="module">\nimport { show, header } from "mcp-gen-ui/parts"\nshow(() => [header("good")])\n</script>\n`
const BAD = PAGE.replace("<script", '<script src="https://cdn.example.com/a.js"></script>\n<script')

const jobNamed = (name: string, more: Partial<GenerationJob> = {}): GenerationJob => {
  const tool = toolFromDefinition({ name, inputSchema: { type: "object" } })
  if (tool === undefined) throw new Error("a definition with a name is a tool")
  return {
    key: `key of ${name}`,
    tool,
    hints: {},
    refinements: [],
    currentSource: null,
    learned: NOTHING_LEARNED,
    templateVersion: "template-1",
    ...more
  }
}

const { generation } = CONFIG_DEFAULTS

/** The real generator and what it needs, with a scripted model; one generation at a time. */
const withGenerations = <A, E>(
  turns: readonly [Turn, ...ReadonlyArray<Turn>],
  use: (generations: Generations["Service"], model: ScriptedModel) => Effect.Effect<A, E>
) => {
  const model = scriptedModel(turns)
  const bounds = { maxConcurrentGenerations: 1, maxOutputTokens: 8000, maxHtmlBytes: 512_000 }
  const layer = GenerationsLayer.layer({ ...generation, ...bounds }).pipe(
    Layer.provide([PromptLibrary.layer({ limits: generation.limits }), HtmlInspector.layer]),
    Layer.provide([UiCacheMemory.layer({ ...CONFIG_DEFAULTS.cache, ttlMs: undefined }), FleetFlightsNone.layer]),
    Layer.provide([PackageFiles.layer, model.layer])
  )
  return Effect.flatMap(Generations, (generations) => use(generations, model)).pipe(Effect.provide(layer))
}

const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Lets file reads and dynamic imports, which no test clock drives, go on until something is so. */
const until = (condition: () => boolean) =>
  Effect.gen(function* () {
    while (!condition()) yield* turn
  })

const listening = <A, E>(heard: Array<GenerationProgress>, effect: Effect.Effect<A, E>) =>
  Effect.provideService(effect, ProgressListener, (progress) => heard.push(progress))

describe("a flight", () => {
  it.effect("is shared by all who want the same UI, and over when it lands", () =>
    withGenerations([after(3000, answers(PAGE))], (generations, model) =>
      Effect.gen(function* () {
        const job = jobNamed("forecast")
        const waiters = yield* Effect.forEach([1, 2, 3], () => start(generations.make(job)))
        yield* until(() => model.requests.length === 1)
        assert.isTrue(generations.isRunning(job.key))
        yield* TestClock.adjust(3000)
        const entries = yield* Effect.forEach(waiters, Fiber.join)
        assert.strictEqual(new Set(entries).size, 1)
        assert.strictEqual(model.requests.length, 1)
        assert.isFalse(generations.isRunning(job.key))
      })
    )
  )

  it.effect("makes an entry that says what went into it", () =>
    withGenerations([answers(PAGE)], (generations) =>
      Effect.gen(function* () {
        const results = [{ args: {}, data: { days: [] } }]
        const job = jobNamed("forecast", { learned: { shape: "{ days: [] }", results }, refinements: ["bigger"] })
        const entry = yield* Effect.provideService(generations.make(job), RequestId, "request-7")
        assert.deepInclude(entry, {
          key: job.key,
          templateVersion: "template-1",
          examples: 1,
          refinements: ["bigger"],
          requestId: "request-7",
          fallback: null,
          level: 0
        })
      })
    )
  )

  it.effect("hands every refinement on", () =>
    withGenerations([answers(PAGE)], (generations, model) =>
      Effect.gen(function* () {
        const refinements = Array.from({ length: 4 }, (_, index) => `refinement number ${index}`)
        yield* generations.make(jobNamed("forecast", { refinements }))
        for (const text of refinements) assert.include(model.requests[0]?.prompt, text)
      })
    )
  )

  it.effect("is begun anew by one who comes while it is being interrupted", () => {
    const slowToClose = Stream.unwrap(
      Effect.as(
        Effect.acquireRelease(Effect.void, () => Effect.sleep(1000)),
        hangs()
      )
    )
    return withGenerations([slowToClose, answers(PAGE)], (generations, model) =>
      Effect.gen(function* () {
        const job = jobNamed("forecast")
        const first = yield* start(generations.make(job))
        yield* until(() => model.requests.length === 1)
        const leaving = yield* start(Fiber.interrupt(first))
        const next = yield* start(generations.make(job))
        yield* TestClock.adjust(1000)
        yield* Fiber.join(leaving)
        assert.strictEqual((yield* Fiber.join(next)).level, 0)
        assert.strictEqual(model.requests.length, 2)
        assert.isFalse(generations.isRunning(job.key))
      })
    )
  })
})

describe("whoever leaves last", () => {
  const stages: ReadonlyArray<{
    readonly stage: string
    readonly turns: readonly [Turn, ...ReadonlyArray<Turn>]
    readonly reached: (model: ScriptedModel) => boolean
  }> = [
    { stage: "asking", turns: [hangs()], reached: (model) => model.open() === 1 },
    { stage: "writing", turns: [hangs("<!-- rich -->")], reached: (model) => model.open() === 1 },
    {
      stage: "sleeping before another attempt",
      turns: [fails("SERVER_ERROR")],
      reached: (model) => model.closed() === 1
    },
    { stage: "repairing", turns: [answers(BAD), hangs()], reached: (model) => model.requests.length === 2 }
  ]
  it.effect.each(stages)("ends it while it is $stage, and its permit is free", ({ reached, turns }) =>
    withGenerations(turns, (generations, model) =>
      Effect.gen(function* () {
        const job = jobNamed("forecast")
        const waiter = yield* start(generations.make(job))
        yield* until(() => reached(model))
        yield* turn
        yield* Fiber.interrupt(waiter)
        assert.isFalse(generations.isRunning(job.key))
        assert.strictEqual(model.open(), 0)
        const asked = model.requests.length
        const next = yield* start(generations.make(jobNamed("next")))
        yield* until(() => model.requests.length > asked)
        yield* Fiber.interrupt(next)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(model.requests.length, asked + 1)
      })
    )
  )

  it.effect("ends it in the queue, and its place is free", () =>
    withGenerations([hangs()], (generations, model) =>
      Effect.gen(function* () {
        const running = yield* start(generations.make(jobNamed("running")))
        yield* until(() => model.requests.length === 1)
        const fill = (round: string) =>
          Effect.forEach(
            Array.from({ length: 32 }, (_, index) => jobNamed(`${round} ${index}`)),
            (job) => start(generations.make(job))
          )
        const first = yield* fill("first")
        const refused = yield* Effect.flip(generations.make(jobNamed("one more")))
        assert.strictEqual(refused.reason.code, "QUEUE_FULL")
        yield* Effect.forEach(first, Fiber.interrupt)
        assert.isFalse(generations.isRunning("key of first 0"))
        const second = yield* fill("second")
        assert.isTrue(second.every((fiber) => fiber.pollUnsafe() === undefined))
        yield* Fiber.interrupt(running)
        yield* until(() => model.requests.length === 2)
        assert.include(model.requests[1]?.prompt, "second 0")
        yield* Effect.forEach(second, Fiber.interrupt)
        assert.strictEqual(model.open(), 0)
      })
    )
  )

  it.effect("is not the first one to leave", () =>
    withGenerations([after(3000, answers(PAGE))], (generations, model) =>
      Effect.gen(function* () {
        const job = jobNamed("forecast")
        const first = yield* start(generations.make(job))
        yield* until(() => model.requests.length === 1)
        const second = yield* start(generations.make(job))
        yield* Fiber.interrupt(first)
        assert.strictEqual(model.open(), 1)
        yield* TestClock.adjust(3000)
        assert.strictEqual((yield* Fiber.join(second)).level, 0)
      })
    )
  )
})

describe("time in the queue", () => {
  it.effect("is not the generation's time", () =>
    withGenerations([after(10_000, answers(PAGE))], (generations, model) =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.forEach(["a", "b"], (name) => start(generations.make(jobNamed(name))))
        yield* until(() => model.requests.length === 1)
        yield* TestClock.adjust(10_000)
        yield* until(() => model.requests.length === 2)
        yield* TestClock.adjust(10_000)
        const entries = [yield* Fiber.join(first ?? assert.fail()), yield* Fiber.join(second ?? assert.fail())]
        assert.deepStrictEqual(
          entries.map(({ durationMs, fallback }) => ({ durationMs, fallback })),
          [
            { durationMs: 10_000, fallback: null },
            { durationMs: 10_000, fallback: null }
          ]
        )
      })
    )
  )
})

describe("progress", () => {
  it.effect("reaches everyone who waits; who joins hears at once how far it is, who left nothing more", () =>
    withGenerations([after(1000, hangs("<!-- rich -->"))], (generations, model) =>
      Effect.gen(function* () {
        const job = jobNamed("forecast")
        const [early, late, gone]: ReadonlyArray<Array<GenerationProgress>> = [[], [], []]
        if (early === undefined || late === undefined || gone === undefined) return assert.fail()
        const first = yield* start(listening(early, generations.make(job)))
        const leaver = yield* start(listening(gone, generations.make(job)))
        yield* until(() => model.requests.length === 1)
        const asking = { stage: "asking", characters: 0, attempts: 1 } as const
        assert.deepStrictEqual(early.at(-1), asking)
        yield* Fiber.interrupt(leaver)
        const second = yield* start(listening(late, generations.make(job)))
        assert.deepStrictEqual(late, [asking])
        const heardBefore = gone.length
        yield* TestClock.adjust(1000)
        const writing = { stage: "writing", characters: 13, attempts: 1 } as const
        assert.deepStrictEqual(late, [asking, writing])
        assert.deepStrictEqual(early.at(-1), writing)
        assert.strictEqual(gone.length, heardBefore)
        yield* Effect.forEach([first, second], Fiber.interrupt)
      })
    )
  )

  it.effect("says that it waits for its turn, to joiners too, and only then", () =>
    withGenerations([hangs()], (generations, model) =>
      Effect.gen(function* () {
        const [running, queued, joined]: ReadonlyArray<Array<GenerationProgress>> = [[], [], []]
        if (running === undefined || queued === undefined || joined === undefined) return assert.fail()
        const first = yield* start(listening(running, generations.make(jobNamed("running"))))
        yield* until(() => model.requests.length === 1)
        const second = yield* start(listening(queued, generations.make(jobNamed("queued"))))
        const third = yield* start(listening(joined, generations.make(jobNamed("queued"))))
        const waiting = { stage: "queued", characters: 0, attempts: 0 } as const
        assert.deepStrictEqual(queued, [waiting])
        assert.deepStrictEqual(joined, [waiting])
        assert.notInclude(
          running.map(({ stage }) => stage),
          "queued"
        )
        yield* Fiber.interrupt(first)
        yield* until(() => model.requests.length === 2)
        assert.deepStrictEqual(
          queued.map(({ stage }) => stage),
          ["queued", "asking", "asking"]
        )
        yield* Effect.forEach([second, third], Fiber.interrupt)
      })
    )
  )

  it.effect("does not go to a listener that threw, and the others hear on", () =>
    withGenerations([answers(PAGE, { chunkSize: 20 })], (generations) =>
      Effect.gen(function* () {
        const heard: Array<GenerationProgress> = []
        let calls = 0
        const broken = () => {
          calls += 1
          throw new Error("a listener's own trouble")
        }
        const job = jobNamed("forecast")
        const first = yield* start(Effect.provideService(generations.make(job), ProgressListener, broken))
        const second = yield* start(listening(heard, generations.make(job)))
        assert.strictEqual((yield* Fiber.join(first)).level, 0)
        yield* Fiber.join(second)
        assert.strictEqual(calls, 1)
        assert.strictEqual(heard.at(-1)?.stage, "checking")
      })
    )
  )
})

describe("a second draft", () => {
  const first = `<script type="module">// first</script>`
  const second = (name: string) => ({
    ...jobNamed(name, { currentSource: first }),
    secondDraft: { of: "1", report: [], members: [] }
  })

  it.effect("gives its permit to whoever waits for a UI, and begins again when there is one to spare", () =>
    withGenerations([hangs("<!-- rich -->"), after(1000, answers(PAGE)), answers(PAGE)], (generations, model) =>
      Effect.gen(function* () {
        const draft = yield* start(generations.secondDraft(second("forecast")))
        yield* until(() => model.requests.length === 1)
        const read = yield* start(generations.make(jobNamed("other")))
        yield* until(() => model.requests.length === 2)
        assert.deepStrictEqual([model.open(), model.closed()], [1, 1])
        assert.include(model.requests[1]?.prompt, "other")
        yield* TestClock.adjust(1000)
        yield* Fiber.join(read)
        const made = Option.getOrThrow(yield* Fiber.join(draft))
        assert.deepStrictEqual(made.secondDraft, { state: "made", of: "1" })
        assert.lengthOf(model.requests, 3)
        assert.strictEqual(generations.underWay(), 0)
      })
    )
  )

  it.effect("waits behind all who wait for a UI, also those who come after it", () =>
    withGenerations([after(1000, answers(PAGE))], (generations, model) =>
      Effect.gen(function* () {
        const one = yield* start(generations.make(jobNamed("one")))
        const draft = yield* start(generations.secondDraft(second("forecast")))
        const two = yield* start(generations.make(jobNamed("two")))
        for (const count of [1, 2, 3]) {
          yield* until(() => model.requests.length === count)
          yield* TestClock.adjust(1000)
        }
        yield* Effect.forEach([one, two, draft], (fiber) => Fiber.join<unknown, unknown>(fiber))
        const names = model.requests.map(({ prompt }) => /^name: (.*)$/m.exec(prompt)?.[1])
        assert.deepStrictEqual(names, ["one", "two", "forecast"])
      })
    )
  )

  it.effect("has a minute, and ends with the one who waits for it", () =>
    withGenerations([after(59_000, answers(PAGE)), hangs()], (generations, model) =>
      Effect.gen(function* () {
        const slow = yield* start(generations.secondDraft(second("forecast")))
        yield* until(() => model.requests.length === 1)
        yield* TestClock.adjust(59_000)
        assert.isTrue(Option.isSome(yield* Fiber.join(slow)))
        const left = yield* start(generations.secondDraft(second("other")))
        yield* until(() => model.requests.length === 2)
        yield* Fiber.interrupt(left)
        assert.strictEqual(model.open(), 0)
        assert.isTrue(Option.isNone(yield* generations.secondDraft(second("other"))))
      })
    )
  )
})
