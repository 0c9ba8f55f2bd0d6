import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Scope } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { askedTexts, hasPending } from "../../../src/domain/library/Refinements.ts"
import * as RefinementStoreFile from "../../../src/layers/library/RefinementStoreFile.ts"
import { after, answers, fails, hangs, type ScriptedModel, type Turn } from "../../fixtures/scriptedModel.ts"
import { askedOf, type Library, page, versionIn, withLibrary, withSessions } from "../../fixtures/uiLibraries.ts"
import {
  aTurn,
  folder,
  isServed,
  leavePending,
  limited,
  refinementsOf,
  regenerate,
  start,
  tool,
  until,
  untilRequests
} from "../../fixtures/refinements.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

type ReadonlyTurns = readonly [Turn, ...ReadonlyArray<Turn>]

const refused = fails("CONTENT_FILTERED")

const shown = (library: Library) =>
  Effect.gen(function* () {
    const { entry, html } = yield* library.read(tool)
    return { entry, version: versionIn(yield* html) }
  })

describe("a version that fails on screen", () => {
  it.effect("takes its own refinements only: one that waits is tried when its time has come", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), limited, answers(page("three"))],
      function* (library, model) {
        yield* library.read(tool)
        yield* library.refine(tool, "dense")
        yield* Effect.flip(library.refine(tool, "blue"))
        const { version } = yield* shown(library)
        const news = yield* library.news(tool, version, { failed: version })
        assert.strictEqual(news.state, "changed")
        assert.deepStrictEqual(yield* refinementsOf(library), {
          asked: ["blue"],
          rejected: ["dense: FAILED_ON_SCREEN"]
        })
        const { entry } = yield* library.read(tool)
        assert.include(entry.source, "one")
        assert.strictEqual(entry.fallback?.code, "RATE_LIMIT")
        assert.lengthOf(model.requests, 3)

        yield* TestClock.adjust(61_000)
        assert.deepStrictEqual((yield* library.read(tool)).entry.refinements, ["blue"])
        assert.notInclude(model.requests[3]?.prompt, "dense")
        yield* isServed(library, model, "three")
      }
    )
  )

  for (const clear of [true, false]) {
    it.effect(`takes no regeneration with it that waits (clear: ${clear})`, () =>
      withLibrary(
        [answers(page("one")), answers(page("two")), limited, answers(page("three"))],
        function* (library, model) {
          yield* library.read(tool)
          yield* library.refine(tool, "dense")
          yield* Effect.flip(regenerate(library, { clear }))
          const { version } = yield* shown(library)
          yield* library.news(tool, version, { failed: version })
          assert.deepStrictEqual(yield* refinementsOf(library), {
            asked: [],
            rejected: clear ? [] : ["dense: FAILED_ON_SCREEN"]
          })
          const { entry } = yield* library.read(tool)
          assert.include(entry.source, "one")
          assert.strictEqual(entry.fallback?.code, "RATE_LIMIT")
          yield* TestClock.adjust(61_000)
          yield* library.read(tool)
          yield* isServed(library, model, "three")
        }
      )
    )
  }

  it.effect("is served when somebody imports it, whatever pages tell", () =>
    withLibrary([answers(page("one")), answers(page("two"))], function* (library, model) {
      yield* library.read(tool)
      yield* library.refine(tool, "dense")
      const { entry, version } = yield* shown(library)
      yield* library.news(tool, version, { failed: version })
      yield* isServed(library, model, "one")
      const { number } = yield* library.adopt(tool, entry.source ?? "")
      const imported = yield* shown(library)
      yield* library.news(tool, imported.version, { failed: imported.version })
      yield* isServed(library, model, "two")
      assert.strictEqual((yield* library.overview(tool)).current, number)
    })
  )
})

describe("refinements in a file that does not tell which are applied", () => {
  const asOlder = (directory: string) =>
    Effect.sync(() => {
      const name = readdirSync(directory).find((file) => file.endsWith(".json"))
      const path = join(directory, name ?? "none")
      const { refinements, toolName } = JSON.parse(readFileSync(path, "utf8"))
      const history = askedTexts(refinements)
      writeFileSync(path, JSON.stringify({ version: 1, toolName, history }))
    })

  const refinedTwice = (library: Library) =>
    Effect.gen(function* () {
      yield* library.read(tool)
      yield* library.refine(tool, "dense")
      yield* library.refine(tool, "blue")
    })

  itEffect("are applied with what the cache has, before anything is changed", function* () {
    const directory = yield* folder
    yield* withSessions(
      [answers(page("one")), answers(page("two")), answers(page("three")), refused],
      function* (session, model) {
        yield* refinedTwice(yield* session)
        yield* asOlder(directory)
        const library = yield* session
        yield* Effect.flip(library.refine(tool, "impossible"))
        assert.deepStrictEqual(yield* refinementsOf(library), {
          asked: ["dense", "blue"],
          rejected: ["impossible: CONTENT_FILTERED"]
        })
        assert.isFalse(hasPending((yield* library.overview(tool)).refinements))
        yield* isServed(library, model, "three")
      },
      { refinements: RefinementStoreFile.layer({ directory }) }
    )
  })

  itEffect("stay pending where there is no cache, while a newer one is rejected", function* () {
    const directory = yield* folder
    const options = { refinements: RefinementStoreFile.layer({ directory }) }
    yield* withSessions(
      [answers(page("one")), answers(page("two")), answers(page("three"))],
      function* (session) {
        yield* refinedTwice(yield* session)
      },
      options
    )
    yield* asOlder(directory)
    yield* withSessions(
      [refused, answers(page("four"))],
      function* (session) {
        const library = yield* session
        yield* Effect.flip(library.refine(tool, "impossible"))
        assert.deepStrictEqual(yield* askedOf(library, tool), ["dense", "blue"])
        assert.deepStrictEqual((yield* library.read(tool)).entry.refinements, ["dense", "blue"])
      },
      options
    )
  })
})

describe("a refinement whose UI is made while others of the history change in another process", () => {
  /** Libraries of two processes, with nothing in common but the refinements. */
  const withTwo = (
    turns: readonly [ReadonlyTurns, ReadonlyTurns],
    use: (
      here: readonly [Library, ScriptedModel],
      there: readonly [Library, ScriptedModel]
    ) => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, void, never>
  ) =>
    Effect.gen(function* () {
      const directory = yield* folder
      // Each has its own store, as each process does.
      const options = () => ({ refinements: RefinementStoreFile.layer({ directory }) })
      yield* withSessions(
        turns[0],
        function* (session, model) {
          const here = yield* session
          yield* withSessions(
            turns[1],
            function* (other, otherModel) {
              const there = yield* other
              yield* Effect.gen(() => use([here, model], [there, otherModel]))
            },
            options()
          )
        },
        options()
      )
    })

  for (const ending of ["refused", "cancelled"] as const) {
    it.effect(`is applied, and so is the other one: the UI was made with it (${ending})`, () =>
      withTwo(
        [[answers(page("one")), after(3000, answers(page("two")))], [after(1000, refused)]],
        function* ([here, model], [there, otherModel]) {
          yield* here.read(tool)
          const other = yield* start(Effect.exit(there.refine(tool, "impossible")))
          yield* untilRequests(otherModel, 1)
          const change = yield* start(here.refine(tool, "blue"))
          yield* untilRequests(model, 2)
          assert.deepStrictEqual(yield* askedOf(here, tool), ["impossible", "blue"])
          if (ending === "cancelled") yield* Fiber.interrupt(other)
          yield* TestClock.adjust(1000)
          yield* Fiber.await(other)
          assert.deepStrictEqual(yield* askedOf(here, tool), ["blue"])
          yield* TestClock.adjust(2000)
          assert.deepStrictEqual((yield* Fiber.join(change)).refinements, ["impossible", "blue"])
          assert.deepStrictEqual(yield* refinementsOf(here), { asked: ["impossible", "blue"], rejected: [] })
          yield* isServed(here, model, "two")
          const { current, versions } = yield* here.overview(tool)
          assert.deepStrictEqual([current, ...versions.map(({ feedback }) => feedback)], [2, null, "blue"])
        }
      )
    )
  }

  it.effect("is told to be unchanged when it was taken back there", () =>
    withTwo(
      [[answers(page("one")), after(3000, answers(page("two")))], [answers(page("three"))]],
      function* ([here, model], [there]) {
        yield* here.read(tool)
        const change = yield* start(Effect.flip(here.refine(tool, "blue")))
        yield* untilRequests(model, 2)
        yield* regenerate(there, { clear: true })
        yield* TestClock.adjust(3000)
        assert.match((yield* Fiber.join(change)).message, /not changed: The refinement was taken back elsewhere/)
        assert.deepStrictEqual(yield* askedOf(here, tool), [])
        yield* isServed(here, model, "one")
      }
    )
  )
})

describe("a read that finds a refinement refused", () => {
  itEffect("waits no longer than one that does not", function* () {
    const options = { refinements: RefinementStoreFile.layer({ directory: yield* folder }) }
    yield* leavePending(options)
    yield* withSessions(
      [after(10_000, refused), hangs()],
      function* (session, model) {
        const library = yield* session
        const reader = yield* start(library.read(tool))
        yield* untilRequests(model, 1)
        yield* TestClock.adjust(10_000)
        yield* untilRequests(model, 2)
        assert.isUndefined(reader.pollUnsafe())
        yield* TestClock.adjust(5500)
        yield* until(() => reader.pollUnsafe() !== undefined)
        assert.strictEqual((yield* Fiber.join(reader)).entry.fallback?.code, "TIMEOUT")
      },
      options
    )
  })
})

describe("a page's question where nothing is kept", () => {
  it.effect("has nothing made that this session has", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), answers(page("three"))],
      function* (library, model) {
        const first = yield* shown(library)
        const ask = (version: string) =>
          Effect.gen(function* () {
            for (let count = 0; count < 3; count++) {
              assert.deepStrictEqual(yield* library.news(tool, version), { version, state: "current" })
              yield* aTurn
            }
          })
        yield* ask(first.version)
        assert.lengthOf(model.requests, 1)
        yield* library.refine(tool, "dense")
        const news = yield* library.news(tool, first.version)
        assert.include(news.document?.body, "two")
        yield* ask(news.version)
        assert.lengthOf(model.requests, 2)
      },
      { cache: { enabled: false } }
    )
  )

  it.effect("has what failed tried again when its time has come, not before", () =>
    withLibrary(
      [limited],
      function* (library, model) {
        const ask = Effect.gen(function* () {
          const news = yield* library.news(tool, "none")
          for (let turn = 0; turn < 20; turn++) yield* aTurn
          return news
        })
        yield* ask
        yield* untilRequests(model, 1)
        yield* ask
        const news = yield* ask
        assert.isUndefined(news.retryAfterMs)
        assert.lengthOf(model.requests, 1)
        yield* TestClock.adjust(61_000)
        yield* ask
        yield* untilRequests(model, 2)
      },
      { cache: { enabled: false } }
    )
  )
})

describe("a regeneration", () => {
  it.effect("with a type leaves none behind when it is refused or cancelled", () =>
    withLibrary([answers(page("one")), refused, hangs(), answers(page("two"))], function* (library, model) {
      const { entry } = yield* library.read(tool)
      yield* Effect.flip(regenerate(library, { uiType: "rich" }))
      assert.strictEqual((yield* library.read(tool)).entry.key, entry.key)
      const change = yield* start(regenerate(library, { uiType: "rich" }))
      yield* untilRequests(model, 3)
      yield* Fiber.interrupt(change)
      assert.strictEqual((yield* library.read(tool)).entry.key, entry.key)
      yield* isServed(library, model, "one")
      assert.notStrictEqual((yield* regenerate(library, { uiType: "rich" })).key, entry.key)
    })
  )

  for (const clear of [true, false]) {
    it.effect(
      `that waits for its time is not dropped by a refinement that is refused meanwhile (clear: ${clear})`,
      () =>
        withLibrary(
          [answers(page("one")), answers(page("two")), limited, refused, answers(page("three"))],
          function* (library, model) {
            const history = clear ? [] : ["dense"]
            yield* library.read(tool)
            yield* library.refine(tool, "dense")
            yield* Effect.flip(regenerate(library, { clear }))
            yield* Effect.flip(library.refine(tool, "impossible"))
            assert.deepStrictEqual(yield* refinementsOf(library), {
              asked: history,
              rejected: ["impossible: CONTENT_FILTERED"]
            })
            assert.strictEqual((yield* library.read(tool)).entry.fallback?.code, "RATE_LIMIT")
            yield* TestClock.adjust(61_000)
            assert.deepStrictEqual((yield* library.read(tool)).entry.refinements, history)
            yield* isServed(library, model, "three")
          }
        )
    )
  }
})

describe("a tool that is gone", () => {
  itEffect(
    "has its refinements again when it comes back as it was, where they are kept for other sessions",
    function* () {
      const refinements = RefinementStoreFile.layer({ directory: yield* folder })
      yield* withSessions(
        [answers(page("one")), answers(page("two")), answers(page("three"))],
        function* (session) {
          const library = yield* session
          yield* library.read(tool)
          yield* library.refine(tool, "dense")
          yield* library.forget(tool)
          assert.deepStrictEqual((yield* library.read(tool)).entry.refinements, ["dense"])
        },
        { refinements }
      )
    }
  )
})
