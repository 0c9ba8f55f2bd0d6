import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { toolFromDefinition } from "../../src/domain/tools/Tool.ts"
import { uiLibrary } from "../../src/programs/MainLayer.ts"
import { UiLibrary } from "../../src/services/UiLibrary.ts"
import {
  after,
  answers,
  fails,
  hangs,
  scriptedModel,
  type ScriptedModel,
  type Turn
} from "../fixtures/scriptedModel.ts"
import { settingsWith } from "../fixtures/settings.ts"

const toolNamed = (name: string) => {
  const tool = toolFromDefinition({ name, description: `About ${name}`, inputSchema: { type: "object" } })
  if (tool === undefined) throw new Error("a definition with a name is a tool")
  return tool
}

const page = (words: string): string =>
  `<!-- rich -->\n<script type="module">\nimport { show, header } from "mcp-gen-ui/parts"\nshow(() => [header("${words}")])\n</script>\n`

const withLibrary = <A, E>(
  turns: readonly [Turn, ...ReadonlyArray<Turn>],
  use: (library: UiLibrary["Service"], model: ScriptedModel) => Effect.Effect<A, E>,
  settings: Parameters<typeof settingsWith>[0] = {}
) => {
  const model = scriptedModel(turns, { provider: settings.llm?.provider ?? "anthropic" })
  return Effect.flatMap(UiLibrary, (library) => use(library, model)).pipe(
    Effect.provide(uiLibrary.pipe(Layer.provide([model.layer, settingsWith(settings)])))
  )
}

const pageOf = (library: UiLibrary["Service"], tool: ReturnType<typeof toolNamed>) =>
  Effect.flatMap(library.read(tool), ({ html }) => html)

const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

/** Lets file reads and dynamic imports, which no test clock drives, come to an end. */
const untilRequests = (model: ScriptedModel, count: number) =>
  Effect.gen(function* () {
    while (model.requests.length < count) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  })

describe("UiLibrary", () => {
  it.effect("asks the model once for fifty readers, and not at all for the next one", () =>
    withLibrary([after(3000, answers(page("one")))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        const readers = yield* Effect.forEach(Array.from({ length: 50 }), () => start(library.read(tool)))
        yield* untilRequests(model, 1)
        yield* TestClock.adjust(3000)
        const documents = yield* Effect.forEach(readers, Fiber.join)
        assert.strictEqual(model.requests.length, 1)
        const pages = yield* Effect.forEach(documents, ({ html }) => html)
        assert.strictEqual(new Set(pages).size, 1)
        assert.include(pages[0], "one")
        assert.strictEqual(documents[0]?.entry.level, 0)
        const again = yield* library.read(tool)
        assert.isTrue(again.cached)
        assert.strictEqual(yield* again.html, pages[0])
        assert.strictEqual(model.requests.length, 1)
      })
    )
  )

  it.effect("names the tools that a page may call without keeping its UI apart for them", () =>
    withLibrary([answers(page("one"))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        const plain = yield* library.read(tool)
        const named = yield* library.read(tool, { select: "_ui2_select" })
        assert.strictEqual(named.entry.key, plain.entry.key)
        assert.isTrue(named.cached)
        assert.strictEqual(model.requests.length, 1)
        assert.include(yield* named.html, '"wrapperTools":{"select":"_ui2_select"}')
        assert.notInclude(yield* plain.html, '"wrapperTools":{"select"')
      })
    )
  )

  it.effect("lets one reader leave, and interrupts the generation when the last one does", () =>
    withLibrary([hangs("<!-- rich -->")], (library, model) =>
      Effect.gen(function* () {
        const readers = yield* Effect.forEach([1, 2, 3], () => start(library.read(toolNamed("forecast"))))
        yield* untilRequests(model, 1)
        const [first, ...others] = readers
        if (first !== undefined) yield* Fiber.interrupt(first)
        assert.strictEqual(model.open(), 1)
        yield* Effect.forEach(others, Fiber.interrupt)
        assert.strictEqual(model.open(), 0)
        assert.strictEqual(model.closed(), 1)
      })
    )
  )

  it.effect("serves and keeps the built-in UI when the budget ends, and tries again after a minute", () =>
    withLibrary([hangs(), answers(page("later"))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        const reader = yield* start(library.read(tool))
        yield* untilRequests(model, 1)
        yield* TestClock.adjust(14_999)
        assert.strictEqual(model.open(), 1)
        yield* TestClock.adjust(1)
        const late = yield* Fiber.join(reader)
        assert.strictEqual(model.open(), 0)
        assert.strictEqual(late.entry.source, null)
        assert.strictEqual(late.entry.level, 2)
        assert.strictEqual(late.entry.fallback?.code, "TIMEOUT")
        yield* TestClock.adjust(59_000)
        assert.isTrue((yield* library.read(tool)).cached)
        yield* TestClock.adjust(1000)
        const renewed = yield* library.read(tool)
        assert.strictEqual(renewed.entry.fallback, null)
        assert.include(yield* renewed.html, "later")
        assert.strictEqual(model.requests.length, 2)
      })
    )
  )

  it.effect("keeps a fallback whose reason does not pass", () =>
    withLibrary([fails("AUTH")], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        assert.strictEqual((yield* library.read(tool)).entry.fallback?.code, "AUTH")
        yield* TestClock.adjust("1 hour")
        assert.isTrue((yield* library.read(tool)).cached)
        assert.strictEqual(model.requests.length, 1)
      })
    )
  )

  it.effect("generates two at a time; who queues too long gets the built-in UI, uncached", () =>
    withLibrary([hangs()], (library, model) =>
      Effect.gen(function* () {
        const readers = yield* Effect.forEach(["a", "b", "c"], (name) => start(library.read(toolNamed(name))))
        yield* untilRequests(model, 2)
        yield* TestClock.adjust(14_000)
        assert.strictEqual(model.requests.length, 2)
        yield* TestClock.adjust(1000)
        yield* untilRequests(model, 3)
        yield* TestClock.adjust(500)
        const documents = yield* Effect.forEach(readers, Fiber.join)
        assert.deepStrictEqual(
          documents.map(({ entry }) => entry.fallback?.code),
          ["TIMEOUT", "TIMEOUT", "TIMEOUT"]
        )
        assert.strictEqual(model.open(), 0)
        assert.isTrue((yield* library.peek(toolNamed("a")))._tag === "Some")
        assert.isTrue((yield* library.peek(toolNamed("c")))._tag === "None")
      })
    )
  )

  it.effect("answers at once when too many wait", () =>
    withLibrary([hangs()], (library, model) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 34 }, (_, index) => `tool${index}`)
        const readers = yield* Effect.forEach(names, (name) => start(library.read(toolNamed(name))))
        yield* untilRequests(model, 2)
        const extra = yield* library.read(toolNamed("one-more"))
        assert.strictEqual(extra.entry.fallback?.code, "QUEUE_FULL")
        yield* Effect.forEach(readers, Fiber.interrupt)
        assert.strictEqual(model.open(), 0)
      })
    )
  )

  it.effect("asks no model when there is none, or when the hint says minimal", () =>
    Effect.gen(function* () {
      yield* withLibrary(
        [hangs()],
        (library, model) =>
          Effect.gen(function* () {
            const { entry } = yield* library.read(toolNamed("forecast"))
            assert.strictEqual(entry.fallback?.code, "NO_MODEL")
            assert.strictEqual(model.requests.length, 0)
          }),
        { llm: { provider: "none" } }
      )
      yield* withLibrary(
        [hangs()],
        (library, model) =>
          Effect.gen(function* () {
            const { entry } = yield* library.read(toolNamed("forecast"))
            assert.strictEqual(entry.fallback, null)
            assert.strictEqual(entry.level, 0)
            assert.strictEqual(model.requests.length, 0)
          }),
        { generation: { tools: { forecast: { uiType: "minimal" } } } }
      )
    })
  )

  it.effect("refines from the source that is there and keeps it when the model fails", () =>
    withLibrary([answers(page("first")), answers(page("second")), fails("AUTH")], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        const refined = yield* library.refine(tool, "make the table sortable")
        assert.deepStrictEqual(refined.refinements, ["make the table sortable"])
        assert.include(model.requests[1]?.prompt, "make the table sortable")
        assert.include(model.requests[1]?.prompt, 'header("first")')
        assert.include(yield* pageOf(library, tool), "second")

        const failed = yield* Effect.result(library.refine(tool, "add a map"))
        assert.isTrue(Result.isFailure(failed))
        if (Result.isFailure(failed)) assert.strictEqual(failed.failure.reason.code, "AUTH")
        const kept = yield* library.read(tool)
        assert.include(yield* kept.html, "second")
        assert.deepStrictEqual(yield* library.history("forecast"), ["make the table sortable", "add a map"])
        assert.strictEqual(model.requests.length, 3)
      })
    )
  )

  it.effect("regenerates from nothing, without the history if asked, as the type asked for", () =>
    withLibrary([answers(page("first")), answers(page("second")), answers(page("third"))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        yield* library.refine(tool, "bigger")
        const anew = yield* library.regenerate(tool, { clearRefinements: true, uiType: undefined })
        assert.deepStrictEqual(anew.refinements, [])
        assert.notInclude(model.requests[2]?.prompt, "bigger")
        assert.notInclude(model.requests[2]?.prompt, 'header("second")')
        assert.include(yield* pageOf(library, tool), "third")
        const minimal = yield* library.regenerate(tool, { clearRefinements: false, uiType: "minimal" })
        assert.strictEqual(minimal.source, null)
        assert.strictEqual(model.requests.length, 3)
      })
    )
  )

  it.effect("keeps the good UI when a later attempt fails too, and starts that attempt from it", () =>
    withLibrary([answers(page("good")), fails("RATE_LIMIT", { retryAfterMs: 60_000 })], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        yield* Effect.flip(library.refine(tool, "bigger"))
        yield* TestClock.adjust("2 minutes")
        const later = yield* library.read(tool)
        assert.include(yield* later.html, "good")
        assert.strictEqual(later.entry.fallback?.code, "RATE_LIMIT")
        assert.strictEqual(model.requests.length, 3)
        assert.include(model.requests[2]?.prompt, 'header("good")')
        assert.isTrue((yield* library.read(tool)).cached)
      })
    )
  )

  it.effect("gives a reader who comes during a change that fails the good UI", () =>
    withLibrary([answers(page("good")), after(1000, fails("AUTH"))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        const change = yield* start(Effect.flip(library.refine(tool, "bigger")))
        yield* untilRequests(model, 2)
        const reader = yield* start(library.read(tool))
        yield* TestClock.adjust(1000)
        yield* Fiber.join(change)
        assert.include(yield* (yield* Fiber.join(reader)).html, "good")
        assert.include(yield* pageOf(library, tool), "good")
        assert.strictEqual(model.requests.length, 2)
      })
    )
  )

  it.effect("makes two changes one after the other, each from the result of the one before", () =>
    withLibrary(
      [answers(page("zero")), after(1000, answers(page("one"))), after(1000, answers(page("two")))],
      (library, model) =>
        Effect.gen(function* () {
          const tool = toolNamed("forecast")
          yield* library.read(tool)
          const changes = yield* Effect.forEach(["first", "second"], (wish) => start(library.refine(tool, wish)))
          yield* untilRequests(model, 2)
          yield* TestClock.adjust(1000)
          yield* untilRequests(model, 3)
          yield* TestClock.adjust(1000)
          yield* Effect.forEach(changes, Fiber.join)
          assert.include(model.requests[2]?.prompt, 'header("one")')
          assert.include(yield* pageOf(library, tool), "two")
        })
    )
  )

  it.effect("makes two changes that begin at once one after the other", () =>
    withLibrary([after(1000, answers(page("one"))), after(1000, answers(page("two")))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        const changes = yield* Effect.forEach(["first", "second"], (wish) => start(library.refine(tool, wish)))
        yield* untilRequests(model, 1)
        yield* TestClock.adjust(1000)
        yield* untilRequests(model, 2)
        yield* TestClock.adjust(1000)
        yield* Effect.forEach(changes, Fiber.join)
        assert.include(model.requests[1]?.prompt, 'header("one")')
        assert.strictEqual(model.requests.length, 2)
      })
    )
  )

  it.effect("keeps the good UI when a change is cancelled", () =>
    withLibrary([answers(page("good")), hangs()], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        const change = yield* start(library.refine(tool, "bigger"))
        yield* untilRequests(model, 2)
        yield* Fiber.interrupt(change)
        assert.strictEqual(model.open(), 0)
        const kept = yield* library.read(tool)
        assert.isTrue(kept.cached)
        assert.include(yield* kept.html, "good")
        assert.deepStrictEqual(yield* library.history("forecast"), ["bigger"])
      })
    )
  )

  it.effect("refuses to refine what is set to the built-in UI, and says what to do", () =>
    withLibrary([answers(page("good"))], (library) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.regenerate(tool, { clearRefinements: false, uiType: "minimal" })
        const refusal = yield* Effect.flip(library.refine(tool, "bigger"))
        assert.match(refusal.message, /regenerate it as rich first/)
        assert.deepStrictEqual(yield* library.history("forecast"), [])
      })
    )
  )

  it.effect("forgets a tool that is gone", () =>
    withLibrary([answers(page("first")), answers(page("second")), answers(page("third"))], (library, model) =>
      Effect.gen(function* () {
        const tool = toolNamed("forecast")
        yield* library.read(tool)
        yield* library.refine(tool, "bigger")
        yield* library.forget(tool)
        assert.deepStrictEqual(yield* library.history("forecast"), [])
        yield* library.read(tool)
        assert.notInclude(model.requests.at(-1)?.prompt, "bigger")
      })
    )
  )

  it.effect("makes a UI anew when the tool changes", () =>
    withLibrary([answers(page("first")), answers(page("second"))], (library, model) =>
      Effect.gen(function* () {
        yield* library.read(toolNamed("forecast"))
        const changed = { ...toolNamed("forecast"), definition: { name: "forecast", description: "Other" } }
        assert.include(yield* pageOf(library, changed), "second")
        assert.strictEqual(model.requests.length, 2)
      })
    )
  )
})
