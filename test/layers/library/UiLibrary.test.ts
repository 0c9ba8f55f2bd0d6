import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Result, Scope } from "effect"
import { TestClock } from "effect/testing"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type GenerationProgress, ProgressListener } from "../../../src/services/generation/GenerationProgress.ts"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { aTurn, folder, regenerate, start, tool, untilRequests } from "../../fixtures/refinements.ts"
import { after, answers, fails, hangs } from "../../fixtures/scriptedModel.ts"
import {
  askedOf,
  type Library,
  page,
  toolNamed,
  versionIn,
  withLibrary,
  withSessions
} from "../../fixtures/uiLibraries.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const pageOf = (library: Library, tool: Tool) => Effect.flatMap(library.read(tool), ({ html }) => html)

/** Lets file reads and dynamic imports, which no test clock drives, go on until a read finds such an entry. */
const untilKept = (library: Library, tool: Tool, isSo: (entry: UiEntry) => boolean = () => true) =>
  Effect.gen(function* () {
    for (;;) {
      const { entry } = yield* library.overview(tool)
      if (entry !== undefined && isSo(entry)) return
      yield* aTurn
    }
  })

/** The same, until what stands in for a UI is replaced by it. */
const untilMade = (library: Library, tool: Tool) => untilKept(library, tool, ({ fallback }) => fallback === null)

describe("UiLibrary", () => {
  it.effect("asks the model once for fifty readers, and not at all for the next one", () =>
    withLibrary([after(3000, answers(page("one")))], function* (library, model) {
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

  it.effect("names the tools that a page may call without keeping its UI apart for them", () =>
    withLibrary([answers(page("one"))], function* (library, model) {
      const plain = yield* library.read(tool)
      const named = yield* library.read(tool, { pageTools: { select: "_ui2_select", token: "t", proof: "p" } })
      assert.strictEqual(named.entry.key, plain.entry.key)
      assert.isTrue(named.cached)
      assert.strictEqual(model.requests.length, 1)
      assert.include(yield* named.html, '"wrapperTools":{"select":"_ui2_select","token":"t","proof":"p"}')
      assert.notInclude(yield* plain.html, '"wrapperTools":{"select"')
    })
  )

  it.effect("lets one reader leave, and interrupts the generation when the last one does", () =>
    withLibrary([hangs("<!-- rich -->")], function* (library, model) {
      const readers = yield* Effect.forEach([1, 2, 3], () => start(library.read(tool)))
      yield* untilRequests(model, 1)
      const [first, ...others] = readers
      if (first !== undefined) yield* Fiber.interrupt(first)
      assert.strictEqual(model.open(), 1)
      yield* Effect.forEach(others, Fiber.interrupt)
      assert.strictEqual(model.open(), 0)
      assert.strictEqual(model.closed(), 1)
    })
  )

  it.effect("serves and keeps the built-in UI when the budget ends, and tries again after a minute", () =>
    withLibrary([hangs(), answers(page("later"))], function* (library, model) {
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

  it.effect("keeps a fallback whose reason does not pass", () =>
    withLibrary([fails("AUTH")], function* (library, model) {
      assert.strictEqual((yield* library.read(tool)).entry.fallback?.code, "AUTH")
      yield* TestClock.adjust("1 hour")
      assert.isTrue((yield* library.read(tool)).cached)
      assert.strictEqual(model.requests.length, 1)
    })
  )

  it.effect("generates two at a time; who queues too long gets the built-in UI, uncached", () =>
    withLibrary([hangs()], function* (library, model) {
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
      assert.isDefined((yield* library.overview(toolNamed("a"))).entry)
      assert.isUndefined((yield* library.overview(toolNamed("c"))).entry)
    })
  )

  it.effect("waits for six at a time; further readers get what there is, and start nothing", () =>
    withLibrary([hangs()], function* (library, model) {
      const names = Array.from({ length: 6 }, (_, index) => `tool${index}`)
      const readers = yield* Effect.forEach(names, (name) => start(library.read(toolNamed(name))))
      yield* untilRequests(model, 2)
      const extra = yield* library.read(toolNamed("one-more"))
      assert.deepInclude(extra.entry.fallback, { code: "PENDING", transient: true })
      assert.isUndefined((yield* library.overview(toolNamed("one-more"))).entry)
      const joined = yield* start(library.read(toolNamed("tool5")))
      yield* Effect.forEach([...readers, joined], Fiber.interrupt)
      assert.strictEqual(model.open(), 0)
      assert.strictEqual(model.requests.length, 2)
    })
  )

  describe("delivered live", () => {
    const live = { delivery: "live" } as const

    it.effect("answers at once without a generation; the page that has it open starts one, and gets the UI", () =>
      withLibrary([after(3000, answers(page("Forecast")))], function* (library, model) {
        const changes: Array<string> = []
        library.onChange(({ name }) => changes.push(name))
        const { entry, html } = yield* library.read(tool, live)
        assert.strictEqual(entry.fallback?.code, "PENDING")
        const shown = versionIn(yield* html)
        assert.strictEqual(model.requests.length, 0)

        assert.deepInclude(yield* library.news(tool, shown), { state: "generating", version: shown })
        yield* untilRequests(model, 1)
        assert.deepInclude(yield* library.news(tool, shown), { state: "generating" })
        yield* TestClock.adjust(3000)
        yield* untilKept(library, tool)
        const news = yield* library.news(tool, shown)
        assert.strictEqual(news.state, "changed")
        assert.deepInclude(news.document, { view: "generated", level: 0, fallback: null, version: news.version })
        assert.include(`${news.document?.head}${news.document?.body}`, "script")
        assert.deepStrictEqual(yield* library.news(tool, news.version), {
          version: news.version,
          state: "current"
        })
        assert.deepStrictEqual(changes, ["forecast"])
        assert.strictEqual(model.requests.length, 1)
        const again = yield* library.read(tool, live)
        assert.isTrue(again.cached)
        assert.strictEqual(versionIn(yield* again.html), news.version)
      })
    )

    it.effect("is begun by a second read, too: not every host lets its pages ask", () =>
      withLibrary([answers(page("Forecast"))], function* (library, model) {
        yield* library.read(tool, live)
        assert.strictEqual(model.requests.length, 0)
        const { entry } = yield* library.read(tool, live)
        assert.strictEqual(entry.fallback?.code, "PENDING")
        yield* untilKept(library, tool)
        assert.strictEqual((yield* library.read(tool, live)).entry.level, 0)
        assert.strictEqual(model.requests.length, 1)
      })
    )

    it.effect("tells an open page why nothing better came", () =>
      withLibrary([fails("AUTH")], function* (library, model) {
        const shown = versionIn(yield* (yield* library.read(tool, live)).html)
        yield* library.news(tool, shown)
        yield* untilKept(library, tool)
        const news = yield* library.news(tool, shown)
        assert.deepInclude(news, { state: "changed" })
        assert.deepInclude(news.document?.fallback, { code: "AUTH" })
        yield* library.news(tool, news.version)
        assert.strictEqual(model.requests.length, 1)
      })
    )

    it.effect("has the built-in UI to itself where there is no model", () =>
      withLibrary(
        [hangs()],
        function* (library) {
          const { entry, html } = yield* library.read(tool, live)
          assert.strictEqual(entry.fallback?.code, "NO_MODEL")
          const version = versionIn(yield* html)
          assert.deepInclude(yield* library.news(tool, version), { state: "current", version })
        },
        { llm: { provider: "none" } }
      )
    )
  })

  describe("versions", () => {
    const numbersOf = (library: Library) =>
      Effect.map(library.overview(tool), ({ current, versions }) => ({
        current,
        versions: versions.map(({ feedback, number, origin, parent }) => [number, origin, parent, feedback])
      }))

    it.effect("go back with the history that they had, and are refined from there", () =>
      withLibrary(
        [answers(page("Forecast")), answers(page("bigger")), answers(page("bluer"))],
        function* (library, model) {
          const first = yield* library.read(tool)
          yield* library.refine(tool, "bigger")
          yield* library.revert(tool, 1)
          assert.deepStrictEqual(yield* askedOf(library, tool), [])
          const back = yield* library.read(tool)
          assert.isTrue(back.cached)
          assert.strictEqual(back.entry.source, first.entry.source)
          yield* library.refine(tool, "bluer")
          assert.deepStrictEqual(yield* askedOf(library, tool), ["bluer"])
          assert.include(model.requests[2]?.prompt, first.entry.source ?? "-")
          assert.deepStrictEqual(yield* numbersOf(library), {
            current: 3,
            versions: [
              [1, "generated", null, null],
              [2, "refined", 1, "bigger"],
              [3, "refined", 1, "bluer"]
            ]
          })
          yield* library.revert(tool, 2)
          assert.include((yield* library.read(tool)).entry.source, "bigger")
          assert.deepStrictEqual(yield* askedOf(library, tool), ["bigger"])
        }
      )
    )

    it.effect("that are not there are named with those that are", () =>
      withLibrary([answers(page("Forecast"))], function* (library) {
        assert.include((yield* Effect.flip(library.revert(tool, 1))).message, "it has none yet")
        yield* library.read(tool)
        assert.include((yield* Effect.flip(library.revert(tool, 7))).message, "no version 7; there are: 1")
      })
    )

    it.effect("are kept of what is read, once, and not of what stands in", () =>
      withLibrary([answers(page("Forecast")), fails("AUTH")], function* (library) {
        yield* library.read(tool)
        yield* library.read(tool)
        yield* Effect.exit(library.refine(tool, "bigger"))
        yield* library.read(tool)
        assert.deepStrictEqual(yield* numbersOf(library), { current: 1, versions: [[1, "generated", null, null]] })
      })
    )

    it.effect("take an edited source over if it passes the inspection", () =>
      withLibrary([answers(page("Forecast"))], function* (library) {
        yield* library.read(tool)
        const edited = yield* library.adopt(tool, page("edited"))
        assert.deepInclude(edited, { number: 2, origin: "imported" })
        const { cached, entry } = yield* library.read(tool)
        assert.isTrue(cached)
        assert.include(entry.source, "edited")
        assert.strictEqual(entry.model, null)
        const refused = yield* Effect.flip(library.adopt(tool, '<script src="https://evil.example/x.js"></script>'))
        assert.strictEqual(refused.reason.code, "REJECTED")
        assert.include(refused.message, "evil.example")
        assert.include((yield* library.read(tool)).entry.source, "edited")
      })
    )
  })

  itEffect("serves a UI made by hand before all others, and changes with its file", function* () {
    const directory = yield* folder
    yield* withLibrary(
      [answers(page("Forecast"))],
      function* (library, model) {
        yield* Effect.promise(() => writeFile(join(directory, "forecast.html"), "<h1>One</h1>"))
        const one = yield* library.read(tool)
        assert.include(yield* one.html, "<h1>One</h1>")
        assert.deepInclude(one.entry, { provider: "file", fallback: null })
        yield* Effect.promise(() => writeFile(join(directory, "forecast.html"), "<h1>Two</h1>"))
        const news = yield* library.news(tool, versionIn(yield* one.html))
        assert.deepInclude(news, { state: "changed" })
        assert.include(news.document?.body, "Two")
        assert.include((yield* Effect.flip(library.refine(tool, "bigger"))).message, "made by hand")
        assert.include((yield* Effect.flip(library.revert(tool, 1))).message, "made by hand")
        assert.strictEqual(model.requests.length, 0)
        yield* Effect.promise(() => rm(join(directory, "forecast.html")))
        assert.strictEqual((yield* library.read(tool)).entry.provider, "anthropic")
      },
      { generation: { uiDirectory: directory } }
    )
  })

  itEffect("asks no model when there is none, or when the hint says minimal", function* () {
    yield* withLibrary(
      [hangs()],
      function* (library, model) {
        const { entry } = yield* library.read(tool)
        assert.strictEqual(entry.fallback?.code, "NO_MODEL")
        assert.strictEqual(model.requests.length, 0)
      },
      { llm: { provider: "none" } }
    )
    yield* withLibrary(
      [hangs()],
      function* (library, model) {
        const { entry } = yield* library.read(tool)
        assert.strictEqual(entry.fallback, null)
        assert.strictEqual(entry.level, 0)
        assert.strictEqual(model.requests.length, 0)
      },
      { generation: { tools: { forecast: { uiType: "minimal" } } } }
    )
  })

  it.effect("refines from the source that is there and keeps it when the model fails", () =>
    withLibrary([answers(page("first")), answers(page("second")), fails("AUTH")], function* (library, model) {
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
      assert.deepStrictEqual(yield* askedOf(library, tool), ["make the table sortable"])
      assert.strictEqual(model.requests.length, 3)
    })
  )

  it.effect("regenerates from nothing, without the history if asked, as the type asked for", () =>
    withLibrary([answers(page("first")), answers(page("second")), answers(page("third"))], function* (library, model) {
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

  it.effect("keeps the good UI when a later attempt fails too, and starts that attempt from it", () =>
    withLibrary([answers(page("good")), fails("RATE_LIMIT", { retryAfterMs: 60_000 })], function* (library, model) {
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

  it.effect("gives a reader who comes during a change that fails the good UI", () =>
    withLibrary([answers(page("good")), after(1000, fails("AUTH"))], function* (library, model) {
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

  for (const isThere of [true, false]) {
    const name = isThere ? "of a UI that is there" : "that begin before there is a UI"
    it.effect(`makes two changes ${name} one after the other, each from the result of the one before`, () => {
      const changing = [after(1000, answers(page("one"))), after(1000, answers(page("two")))] as const
      const turns = isThere ? ([answers(page("zero")), ...changing] as const) : changing
      return withLibrary(turns, function* (library, model) {
        if (isThere) yield* library.read(tool)
        const changes = yield* Effect.forEach(["first", "second"], (text) => start(library.refine(tool, text)))
        for (const count of [turns.length - 1, turns.length]) {
          yield* untilRequests(model, count)
          yield* TestClock.adjust(1000)
        }
        yield* Effect.forEach(changes, Fiber.join)
        assert.include(model.requests.at(-1)?.prompt, 'header("one")')
        assert.include(yield* pageOf(library, tool), "two")
        assert.lengthOf(model.requests, turns.length)
      })
    })
  }

  it.effect("refuses to refine what is set to the built-in UI, and says what to do", () =>
    withLibrary([answers(page("good"))], function* (library) {
      yield* library.regenerate(tool, { clearRefinements: false, uiType: "minimal" })
      const refusal = yield* Effect.flip(library.refine(tool, "bigger"))
      assert.match(refusal.message, /regenerate it as rich first/)
      assert.deepStrictEqual(yield* askedOf(library, tool), [])
    })
  )

  it.effect("forgets a tool that is gone", () =>
    withLibrary([answers(page("first")), answers(page("second")), answers(page("third"))], function* (library, model) {
      yield* library.read(tool)
      yield* library.refine(tool, "bigger")
      yield* library.forget(tool)
      assert.deepStrictEqual(yield* askedOf(library, tool), [])
      yield* library.read(tool)
      assert.notInclude(model.requests.at(-1)?.prompt, "bigger")
    })
  )

  it.effect("makes a UI anew when the tool changes", () =>
    withLibrary([answers(page("first")), answers(page("second"))], function* (library, model) {
      yield* library.read(tool)
      const changed = { ...tool, definition: { name: "forecast", description: "Other" } }
      assert.include(yield* pageOf(library, changed), "second")
      assert.strictEqual(model.requests.length, 2)
    })
  )
})

describe("a fallback whose reason may pass", () => {
  const pauses = [1, 2, 4, 8, 15, 15]

  it.effect("is tried again after 1, 2, 4, 8, 15 minutes, and after one again once it went well", () =>
    withLibrary(
      [
        fails("NETWORK_ERROR"),
        ...pauses.slice(1).map(() => fails("NETWORK_ERROR")),
        answers(page("good")),
        fails("NETWORK_ERROR")
      ],
      function* (library, model) {
        assert.strictEqual((yield* library.read(tool)).entry.fallback?.code, "NETWORK_ERROR")
        for (const [index, minutes] of pauses.entries()) {
          yield* TestClock.adjust(minutes * 60_000 - 1)
          assert.isTrue((yield* library.read(tool)).cached)
          assert.strictEqual(model.requests.length, index + 1)
          yield* TestClock.adjust(1)
          assert.isFalse((yield* library.read(tool)).cached)
          assert.strictEqual(model.requests.length, index + 2)
        }
        assert.include(yield* pageOf(library, tool), "good")
        yield* Effect.flip(regenerate(library))
        const { entry } = yield* library.read(tool)
        assert.strictEqual(entry.retryAt, entry.createdAt + 60_000)
      },
      { generation: { maxAttempts: 1 } }
    )
  )

  it.effect("does not grow its pause by what fails before its time", () =>
    withLibrary(
      [fails("NETWORK_ERROR")],
      function* (library) {
        yield* library.read(tool)
        for (let time = 0; time < 3; time += 1) {
          yield* TestClock.adjust(10_000)
          yield* Effect.flip(regenerate(library))
        }
        const { entry } = yield* library.read(tool)
        assert.strictEqual(entry.retryAt, 90_000)
      },
      { generation: { maxAttempts: 1 } }
    )
  )

  for (const [retryAfterMs, waitMs] of [
    [600_000, 600_000],
    [315_360_000_000, 3_600_000]
  ] as const) {
    it.effect(`is tried ${waitMs / 60_000} minutes later where Retry-After says ${retryAfterMs / 60_000}`, () =>
      withLibrary([fails("RATE_LIMIT", { retryAfterMs }), answers(page("good"))], function* (library, model) {
        yield* library.read(tool)
        yield* TestClock.adjust(waitMs - 1)
        assert.isTrue((yield* library.read(tool)).cached)
        yield* TestClock.adjust(1)
        assert.include(yield* pageOf(library, tool), "good")
        assert.lengthOf(model.requests, 2)
      })
    )
  }

  it.effect("is tried again when the clock was set back", () =>
    withLibrary([fails("SERVER_ERROR")], function* (library, model) {
      yield* TestClock.setTime(10_000_000)
      const reader = yield* start(library.read(tool))
      yield* untilRequests(model, 1)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(reader)
      const asked = model.requests.length
      yield* TestClock.setTime(1000)
      const again = yield* start(library.read(tool))
      yield* untilRequests(model, asked + 1)
      yield* Fiber.interrupt(again)
    })
  )
})

describe("a generation that nobody waits for any more", () => {
  it.effect("goes on: its reader gets what there is, later ones too, then what it made, and it is asked for once", () =>
    withSessions([after(40_000, answers(page("late")))], function* (session, model) {
      const library = yield* session
      const reader = yield* start(library.read(tool))
      yield* untilRequests(model, 1)
      yield* TestClock.adjust(15_499)
      assert.isUndefined(reader.pollUnsafe())
      yield* TestClock.adjust(1)
      const first = yield* Fiber.join(reader)
      assert.deepInclude(first.entry.fallback, { code: "TIMEOUT", transient: true })
      assert.strictEqual(first.entry.level, 2)
      assert.strictEqual(model.open(), 1)

      const second = yield* library.read(tool)
      assert.isTrue(second.cached)
      assert.strictEqual(second.entry.fallback?.code, "TIMEOUT")

      yield* TestClock.adjust(24_500)
      yield* untilMade(library, tool)
      const third = yield* library.read(tool)
      assert.isTrue(third.cached)
      assert.strictEqual(third.entry.fallback, null)
      assert.strictEqual(third.entry.durationMs, 40_000)
      assert.include(yield* third.html, "late")
      assert.strictEqual(model.requests.length, 1)
    })
  )

  it.effect("is not begun a second time, nor waited for, by a read for which its fallback is due", () =>
    withSessions([hangs()], function* (session, model) {
      const library = yield* session
      const tools = ["a", "b", "c"].map(toolNamed)
      const readers = yield* Effect.forEach(tools, (tool) => start(library.read(tool)))
      yield* untilRequests(model, 2)
      yield* TestClock.adjust(60_000)
      yield* Effect.forEach(readers, Fiber.join)
      yield* untilRequests(model, 3)
      yield* TestClock.adjust(20_000)
      const late = yield* library.read(toolNamed("c"))
      assert.isTrue(late.cached)
      assert.isBelow(late.entry.retryAt ?? 0, 80_000)
      assert.strictEqual(model.requests.length, 3)
      assert.strictEqual(model.open(), 1)
    })
  )

  it.effect("ends with its larger budget, with its reason", () =>
    withSessions([hangs()], function* (session, model) {
      const library = yield* session
      const reader = yield* start(library.read(tool))
      yield* untilRequests(model, 1)
      yield* TestClock.adjust(59_999)
      yield* Fiber.join(reader)
      assert.strictEqual(model.open(), 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(model.open(), 0)
      const { entry } = yield* library.read(tool)
      assert.match(entry.fallback?.message ?? "", /60 s/)
      assert.strictEqual(entry.retryAt, 120_000)
    })
  )

  it.effect("goes on when its reader is interrupted, and ends with the session", () =>
    withSessions([hangs()], function* (session, model) {
      const scope = yield* Scope.make()
      const library = yield* Effect.provideService(session, Scope.Scope, scope)
      const reader = yield* start(library.read(tool))
      yield* untilRequests(model, 1)
      yield* Fiber.interrupt(reader)
      assert.strictEqual(model.open(), 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(model.open(), 0)
    })
  )

  it.effect("is good to start from: a refinement that takes too long replaces the UI when it is done", () =>
    withSessions([answers(page("first")), after(20_000, answers(page("second")))], function* (session, model) {
      const library = yield* session
      yield* library.read(tool)
      const change = yield* start(Effect.flip(library.refine(tool, "bigger")))
      yield* untilRequests(model, 2)
      yield* TestClock.adjust(15_500)
      assert.strictEqual((yield* Fiber.join(change)).reason.code, "TIMEOUT")
      const meanwhile = yield* library.read(tool)
      assert.include(yield* meanwhile.html, "first")
      assert.strictEqual(meanwhile.entry.fallback?.code, "TIMEOUT")
      yield* TestClock.adjust(4500)
      yield* untilMade(library, tool)
      assert.include(yield* pageOf(library, tool), "second")
      assert.strictEqual(model.requests.length, 2)
    })
  )

  it.effect("tells its reader how far it is, and nothing after the reader has left", () =>
    withSessions([after(1000, hangs("<!-- rich -->"))], function* (session, model) {
      const library = yield* session
      const heard: Array<GenerationProgress> = []
      const listener = (progress: GenerationProgress) => void heard.push(progress)
      const reading = Effect.provideService(library.read(tool), ProgressListener, listener)
      const reader = yield* start(reading)
      yield* untilRequests(model, 1)
      yield* Fiber.interrupt(reader)
      const before = heard.length
      assert.isAbove(before, 0)
      yield* TestClock.adjust(1000)
      assert.strictEqual(heard.length, before)
    })
  )
})

describe("sessions that share a cache", () => {
  it.effect("refine from what another one had made, and keep it when that fails", () =>
    withSessions(
      [answers(page("shared")), fails("AUTH")],
      function* (session, model) {
        const [one, other] = [yield* session, yield* session]
        yield* one.read(tool)
        yield* Effect.flip(other.refine(tool, "bigger"))
        assert.include(model.requests[1]?.prompt, 'header("shared")')
        assert.include(yield* pageOf(other, tool), "shared")
        assert.deepStrictEqual(yield* askedOf(one, tool), [])
      },
      { onTimeout: "abort" }
    )
  )
})

describe("an entry", () => {
  it.effect("says which template and how many examples it was made with", () =>
    withSessions(
      [answers(page("good"))],
      function* (session) {
        const library = yield* session
        const { entry } = yield* library.read(tool)
        assert.strictEqual(entry.examples, 2)
        assert.isNotEmpty(entry.templateVersion)
        const minimal = yield* library.regenerate(tool, {
          clearRefinements: false,
          uiType: "minimal"
        })
        assert.strictEqual(minimal.examples, 0)
        assert.strictEqual(minimal.templateVersion, entry.templateVersion)
      },
      {
        learned: {
          shape: "string",
          results: [
            { args: {}, data: "a" },
            { args: {}, data: "b" }
          ]
        }
      }
    )
  )
})

describe("a refinement of the built-in UI that stands in", () => {
  it.effect("starts from nothing, with the history", () =>
    withLibrary([fails("AUTH"), answers(page("first"))], function* (library, model) {
      yield* library.read(tool)
      const entry = yield* library.refine(tool, "make it red")
      assert.strictEqual(entry.fallback, null)
      assert.include(model.requests[1]?.prompt, "make it red")
      assert.notInclude(model.requests[1]?.prompt, "<script")
    })
  )
})
