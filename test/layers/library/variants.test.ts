import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { aTurn, isServed, start, tool, until, untilRequests } from "../../fixtures/refinements.ts"
import { after, answers, fails, hangs } from "../../fixtures/scriptedModel.ts"
import { type Library, page, versionIn, withLibrary } from "../../fixtures/uiLibraries.ts"

const variants = (library: Library, count: number) =>
  library.regenerate(tool, { clearRefinements: false, uiType: undefined, variants: count })

/** What there is to choose among, what is served, and how each version came about. */
const choiceOf = (library: Library) =>
  Effect.map(library.overview(tool), ({ choice, current, versions }) => ({
    choice,
    current,
    origins: versions.map(({ number, origin }) => `${number} ${origin}`)
  }))

const ALL = { choice: [2, 3, 4], current: 2, origins: ["1 generated", "2 variant", "3 variant", "4 variant"] }

const three = [
  answers(page("before")),
  after(1000, answers(page("one"))),
  after(1000, answers(page("two"))),
  after(1000, answers(page("three")))
] as const

/** A library with three variants to choose among. */
const withChoice = (use: (library: Library, version: string) => Effect.Effect<unknown, unknown>) =>
  withLibrary(three, function* (library, model) {
    const document = yield* library.read(tool)
    const change = yield* start(variants(library, 3))
    yield* untilRequests(model, 3)
    yield* TestClock.adjust(1000)
    yield* untilRequests(model, 4)
    yield* TestClock.adjust(1000)
    yield* Fiber.join(change)
    yield* use(library, versionIn(yield* document.html))
  })

describe("variants", () => {
  it.effect("are made side by side, as many at a time as there are permits; nobody gets one before all are there", () =>
    withLibrary(three, function* (library, model) {
      yield* library.read(tool)
      const change = yield* start(variants(library, 3))
      yield* untilRequests(model, 3)
      for (const _ of Array.from({ length: 20 })) yield* aTurn
      assert.lengthOf(model.requests, 3)
      assert.strictEqual(model.open(), 2)
      yield* TestClock.adjust(1000)
      yield* untilRequests(model, 4)
      yield* isServed(library, model, "before")
      yield* TestClock.adjust(1000)
      assert.include((yield* Fiber.join(change)).source, "one")
      assert.deepStrictEqual(yield* choiceOf(library), ALL)
      yield* isServed(library, model, "one")
    })
  )

  it.effect("are asked for in different words, the first as if it were alone", () =>
    withLibrary([answers(page("one"))], function* (library, model) {
      yield* library.read(tool)
      yield* variants(library, 4)
      const prompts = model.requests.map(({ prompt }) => prompt.replaceAll(/ \w{16} -----/g, ""))
      assert.strictEqual(prompts[1], prompts[0])
      assert.strictEqual(new Set(prompts).size, 4)
    })
  )

  it.effect("end when whoever asked leaves: all streams close, and the UI is as before", () =>
    withLibrary([answers(page("before")), hangs("<!-- rich -->")], function* (library, model) {
      yield* library.read(tool)
      const change = yield* start(variants(library, 4))
      yield* untilRequests(model, 3)
      yield* Fiber.interrupt(change)
      yield* until(() => model.open() === 0)
      assert.lengthOf(model.requests, 3)
      assert.deepStrictEqual(yield* choiceOf(library), { choice: [], current: 1, origins: ["1 generated"] })
      yield* isServed(library, model, "before")
    })
  )

  it.effect.each([
    {
      what: "one failed",
      turns: [fails("CONTENT_FILTERED"), answers(page("two")), answers(page("three"))],
      choice: [2, 3]
    },
    {
      what: "two are the same",
      turns: [answers(page("one")), answers(page("one")), answers(page("two"))],
      choice: [2, 3]
    },
    { what: "all are the same", turns: [answers(page("one"))], choice: [] },
    {
      what: "only one came",
      turns: [fails("CONTENT_FILTERED"), fails("CONTENT_FILTERED"), answers(page("one"))],
      choice: []
    }
  ])("leave as many to choose among as came out: $what", ({ choice, turns }) =>
    withLibrary([answers(page("before")), ...turns], function* (library) {
      yield* library.read(tool)
      yield* variants(library, 3)
      const there = yield* choiceOf(library)
      assert.deepStrictEqual(there.choice, choice)
      assert.strictEqual(there.current, 2)
    })
  )

  it.effect("that all fail leave the UI as it was, with the reason", () =>
    withLibrary([answers(page("before")), fails("CONTENT_FILTERED")], function* (library, model) {
      yield* library.read(tool)
      assert.strictEqual((yield* Effect.flip(variants(library, 2))).reason.code, "CONTENT_FILTERED")
      yield* isServed(library, model, "before")
    })
  )
})

describe("the choice", () => {
  it.effect("is told to a page, which gets the one that it picks, until it has chosen", () =>
    withChoice((library, version) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* library.news(tool, version)).variants, { versions: [2, 3, 4], current: 2 })
        const news = yield* library.news(tool, version, { pick: 4 })
        assert.include(JSON.stringify(news.document), "three")
        assert.deepStrictEqual(news.variants, { versions: [2, 3, 4], current: 4 })
        assert.isUndefined((yield* library.news(tool, version, { isChosen: true })).variants)
        assert.deepStrictEqual(yield* choiceOf(library), { ...ALL, choice: [], current: 4 })
      })
    )
  )

  it.effect("takes no version that is not among it", () =>
    withChoice((library, version) =>
      Effect.gen(function* () {
        yield* library.news(tool, version, { pick: 1 })
        assert.deepStrictEqual(yield* choiceOf(library), ALL)
      })
    )
  )

  it.effect.each<[string, (library: Library, version: string) => Effect.Effect<unknown, unknown>]>([
    ["somebody reverts to one", (library) => library.revert(tool, 3)],
    ["another change is made", (library) => library.adopt(tool, page("mine"))]
  ])("ends when %s", ([, change]) =>
    withChoice((library, version) =>
      Effect.gen(function* () {
        yield* change(library, version)
        assert.deepStrictEqual((yield* choiceOf(library)).choice, [])
      })
    )
  )

  it.effect("leaves out a variant that failed on screen", () =>
    withChoice((library, version) =>
      Effect.gen(function* () {
        const { document } = yield* library.news(tool, version, { pick: 3 })
        yield* library.news(tool, version, { failed: document?.version })
        assert.deepStrictEqual((yield* choiceOf(library)).choice, [2, 4])
      })
    )
  )
})
