import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { aTurn, folder, regenerate, start, tool, untilRequests } from "../../fixtures/refinements.ts"
import { after, answers, fails } from "../../fixtures/scriptedModel.ts"
import { askedOf, type Library, page, versionIn, withLibrary, withSessions } from "../../fixtures/uiLibraries.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

/** What a frame that is opened now would show. */
const shown = (library: Library) =>
  Effect.gen(function* () {
    const document = yield* library.read(tool)
    return { ...document, version: versionIn(yield* document.html) }
  })

/** What waits for nothing but others has come to its end after these. */
const someTurns = Effect.repeat(aTurn, { times: 20 })

/** Number of each version, whether it failed, and which is served. */
const stateOf = (library: Library) =>
  Effect.map(library.overview(tool), ({ current, versions }) => ({
    current,
    versions: versions.map(({ failedAt, number }) => (failedAt === null ? `${number}` : `${number} failed`))
  }))

/** Version 1, and version 2 that is refined from it. */
const refinedOnce = (library: Library) =>
  Effect.gen(function* () {
    const good = yield* shown(library)
    yield* library.refine(tool, "bigger")
    return { good, bad: yield* shown(library) }
  })

describe("a version that a page tells to have failed", () => {
  const lines: Array<string> = []
  const log = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])

  itEffect("gives way to the one before, with its refinements, once, and everyone hears of it", function* () {
    lines.length = 0
    yield* withLibrary(
      [answers(page("Forecast")), answers(page("bigger")), answers(page("bluer"))],
      function* (library, model) {
        const told: Array<string> = []
        library.onChange(({ name }) => told.push(name))
        const { bad, good } = yield* refinedOnce(library)
        yield* TestClock.adjust(5000)
        const news = yield* library.news(tool, bad.version, { failed: bad.version })
        assert.deepInclude(news, { state: "changed", version: good.version })
        assert.include(news.document?.body, "Forecast")
        assert.deepStrictEqual(told, ["forecast"])
        assert.deepStrictEqual(yield* askedOf(library, tool), [])
        const next = yield* shown(library)
        assert.isTrue(next.cached)
        assert.strictEqual(next.version, good.version)
        assert.strictEqual((yield* library.overview(tool)).entry?.source, good.entry.source)
        assert.deepStrictEqual(yield* stateOf(library), { current: 1, versions: ["1", "2 failed"] })

        yield* TestClock.adjust(5000)
        assert.deepInclude(yield* library.news(tool, good.version, { failed: bad.version }), { state: "current" })
        assert.deepStrictEqual(told, ["forecast"])
        const [, second] = (yield* library.overview(tool)).versions
        assert.strictEqual(second?.failedAt, 5000)
        const warnings = lines.filter((line) => line.includes("failed on screen"))
        assert.lengthOf(warnings, 1)
        assert.match(warnings[0] ?? "", /level=WARN.*version 2 of a UI failed on screen: version 1 is served again/)

        yield* library.refine(tool, "bluer")
        assert.include(model.requests[2]?.prompt, good.entry.source ?? "-")
        assert.deepStrictEqual(yield* askedOf(library, tool), ["bluer"])
      }
    ).pipe(Effect.provide(log))
  })

  it.effect("is served again by an explicit revert only, and then stays", () =>
    withLibrary([answers(page("Forecast")), answers(page("bigger"))], function* (library) {
      const { bad } = yield* refinedOnce(library)
      yield* library.news(tool, bad.version, { failed: bad.version })
      yield* library.revert(tool, 2)
      assert.deepInclude(yield* library.news(tool, bad.version, { failed: bad.version }), { state: "current" })
      assert.strictEqual((yield* shown(library)).version, bad.version)
      assert.deepStrictEqual(yield* stateOf(library), { current: 2, versions: ["1", "2 failed"] })
    })
  )

  it.effect("is not the current one, or none at all: nothing happens", () =>
    withLibrary([answers(page("Forecast")), answers(page("bigger"))], function* (library) {
      const { bad, good } = yield* refinedOnce(library)
      for (const failed of [good.version, "0123456789abcdef", "none"]) {
        assert.deepInclude(yield* library.news(tool, bad.version, { failed: failed }), { state: "current" })
      }
      assert.deepStrictEqual(yield* stateOf(library), { current: 2, versions: ["1", "2"] })
      assert.deepStrictEqual(yield* askedOf(library, tool), ["bigger"])
    })
  )

  it.effect(
    "is the first there is: the built-in UI is served until somebody asks for another or for it; the log says so once",
    () =>
      Effect.gen(function* () {
        lines.length = 0
        yield* withLibrary([answers(page("Forecast")), answers(page("bigger"))], function* (library) {
          const told: Array<string> = []
          library.onChange(({ name }) => told.push(name))
          const only = yield* shown(library)
          assert.deepInclude(yield* library.news(tool, only.version, { failed: only.version }), { state: "current" })
          assert.deepStrictEqual(yield* stateOf(library), { current: 1, versions: ["1 failed"] })
          const { entry } = yield* shown(library)
          assert.deepStrictEqual([entry.source, entry.fallback?.code], [null, "FAILED_ON_SCREEN"])
          assert.lengthOf(
            lines.filter((line) => line.includes("failed on screen: the built-in UI is served")),
            1
          )
          yield* library.revert(tool, 1)
          assert.strictEqual((yield* shown(library)).version, only.version)

          yield* library.refine(tool, "mend it")
          const second = yield* shown(library)
          yield* library.news(tool, second.version, { failed: second.version })
          assert.deepStrictEqual(yield* stateOf(library), { current: 2, versions: ["1 failed", "2 failed"] })
          assert.strictEqual((yield* shown(library)).entry.fallback?.code, "FAILED_ON_SCREEN")
          assert.deepStrictEqual(told, [])
        }).pipe(Effect.provide(log))
      })
  )

  it.effect("is known from the cache only, as its session has just begun: it is a version first", () =>
    withSessions([answers(page("Forecast"))], function* (session) {
      const { version } = yield* shown(yield* session)
      const library = yield* session
      yield* library.news(tool, version, { failed: version })
      assert.deepStrictEqual(yield* stateOf(library), { current: 1, versions: ["1 failed"] })
    })
  )

  it.effect("was regenerated: what was served until then is served again, under the same key", () =>
    withLibrary([answers(page("one")), answers(page("two")), answers(page("three"))], function* (library) {
      const one = yield* shown(library)
      yield* regenerate(library)
      yield* library.revert(tool, 1)
      yield* regenerate(library)
      const three = yield* shown(library)
      assert.strictEqual(three.entry.key, one.entry.key)
      yield* library.news(tool, three.version, { failed: three.version })
      assert.strictEqual((yield* shown(library)).version, one.version)
      assert.deepStrictEqual(yield* stateOf(library), { current: 1, versions: ["1", "2", "3 failed"] })
    })
  )

  it.effect("is put back under its key by another session: this one serves its good one all the same", () =>
    withSessions([answers(page("one")), answers(page("two"))], function* (session) {
      const here = yield* session
      const there = yield* session
      const one = yield* shown(here)
      yield* regenerate(here)
      const two = yield* shown(there)
      yield* here.news(tool, two.version, { failed: two.version })
      assert.strictEqual((yield* shown(there)).version, one.version)
      yield* there.revert(tool, 1)
      assert.strictEqual((yield* shown(there)).version, two.version)

      assert.strictEqual((yield* shown(here)).version, one.version)
      assert.deepInclude(yield* here.news(tool, one.version), { state: "current", version: one.version })
      assert.strictEqual((yield* here.overview(tool)).entry?.source, one.entry.source)
      assert.deepStrictEqual(yield* stateOf(here), { current: 1, versions: ["1", "2 failed"] })
    })
  )

  it.effect("is written by the model once more, unasked: it is not taken for a new one", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), answers(page("two"))],
      function* (library, model) {
        const one = yield* shown(library)
        yield* regenerate(library)
        const source = (yield* library.overview(tool)).versions[1]?.entry.source
        assert.include(source, "two")
        const failed = yield* library.news(tool, one.version).pipe(Effect.map(({ version }) => version))
        yield* library.news(tool, failed, { failed: failed })
        assert.strictEqual((yield* shown(library)).version, one.version)
        assert.isAtLeast(model.requests.length, 3)
      },
      { cache: { enabled: false } }
    )
  )

  it.effect("is being refined: that is waited for, and taken; what it gives way to is good", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), after(3000, answers(page("three")))],
      function* (library, model) {
        const { bad, good } = yield* refinedOnce(library)
        const change = yield* start(library.refine(tool, "bluer"))
        yield* untilRequests(model, 3)
        const report = yield* start(library.news(tool, bad.version, { failed: bad.version }))
        yield* TestClock.adjust(3000)
        yield* Fiber.join(change)
        const news = yield* Fiber.join(report)
        assert.include(news.document?.body, "three")
        assert.deepStrictEqual(yield* stateOf(library), { current: 3, versions: ["1", "2 failed", "3"] })
        yield* library.news(tool, news.version, { failed: news.version })
        assert.strictEqual((yield* shown(library)).version, good.version)
      }
    )
  )

  it.effect("goes also when the page that told of it is closed while it waits for its turn", () =>
    withLibrary([answers(page("one")), answers(page("two")), after(3000, fails("AUTH"))], function* (library, model) {
      const { bad, good } = yield* refinedOnce(library)
      const change = yield* start(Effect.exit(library.refine(tool, "bluer")))
      yield* untilRequests(model, 3)
      const report = yield* start(library.news(tool, bad.version, { failed: bad.version }))
      yield* someTurns
      yield* Fiber.interrupt(report)
      yield* TestClock.adjust(3000)
      yield* Fiber.join(change)
      yield* someTurns
      assert.strictEqual((yield* shown(library)).version, good.version)
      assert.deepStrictEqual(yield* askedOf(library, tool), [])
    })
  )

  itEffect("was made by hand: it is not ours to take back", function* () {
    const directory = yield* folder
    yield* withLibrary(
      [answers(page("one")), answers(page("two"))],
      function* (library) {
        const { bad } = yield* refinedOnce(library)
        yield* Effect.promise(() => writeFile(join(directory, "forecast.html"), bad.entry.source ?? ""))
        const byHand = yield* shown(library)
        assert.deepInclude(byHand, { version: bad.version, cached: true })
        assert.strictEqual(byHand.entry.provider, "file")
        assert.deepInclude(yield* library.news(tool, bad.version, { failed: bad.version }), { state: "current" })
        assert.deepStrictEqual(yield* stateOf(library), { current: 2, versions: ["1", "2"] })
      },
      { generation: { uiDirectory: directory } }
    )
  })
})
