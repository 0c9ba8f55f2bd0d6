import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as RefinementStoreFile from "../../../src/layers/library/RefinementStoreFile.ts"
import { after, answers, fails, hangs, type Turn } from "../../fixtures/scriptedModel.ts"
import { page, withLibrary, withSessions } from "../../fixtures/uiLibraries.ts"
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

const refusal = answers("I am sorry, I cannot do that.")

describe("a refinement that is refused", () => {
  it.effect("is set rejected: the good UI stays without a note, and later ones are made without it", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), refusal, refusal, answers(page("three")), answers(page("four"))],
      function* (library, model) {
        yield* library.read(tool)
        const good = yield* library.refine(tool, "dense")
        const { reason } = yield* Effect.flip(library.refine(tool, "impossible"))
        assert.isFalse(reason.transient)
        assert.deepStrictEqual(yield* refinementsOf(library), { asked: ["dense"], rejected: ["impossible: REJECTED"] })
        yield* isServed(library, model, "two")
        assert.strictEqual((yield* library.read(tool)).entry.key, good.key)

        const asked = model.requests.length
        const next = yield* library.refine(tool, "blue")
        assert.deepStrictEqual(next.refinements, ["dense", "blue"])
        assert.notInclude(model.requests[asked]?.prompt, "impossible")
        assert.include(model.requests[asked]?.prompt, 'header("two")')

        const again = yield* library.refine(tool, "impossible")
        assert.deepStrictEqual(again.refinements, ["dense", "blue", "impossible"])
        assert.deepStrictEqual((yield* refinementsOf(library)).rejected, [])
      }
    )
  )

  it.effect("is rejected also where it had waited for a time of less load, and takes none with it that is met", () =>
    withLibrary([answers(page("one")), answers(page("two")), limited, refusal], function* (library, model) {
      yield* library.read(tool)
      yield* library.refine(tool, "dense")
      const { reason } = yield* Effect.flip(library.refine(tool, "impossible"))
      assert.isTrue(reason.transient)
      assert.deepStrictEqual(yield* refinementsOf(library), { asked: ["dense", "impossible"], rejected: [] })
      yield* TestClock.adjust(61_000)
      const { entry } = yield* library.read(tool)
      assert.include(entry.source, "two")
      assert.isNull(entry.fallback)
      assert.deepStrictEqual(yield* refinementsOf(library), { asked: ["dense"], rejected: ["impossible: REJECTED"] })
      yield* isServed(library, model, "two")
    })
  )

  it.effect("is rejected when nobody waits for it any more", () =>
    withSessions([answers(page("one")), after(20_000, refusal), refusal], function* (session, model) {
      const library = yield* session
      yield* library.read(tool)
      const change = yield* start(Effect.flip(library.refine(tool, "impossible")))
      yield* untilRequests(model, 2)
      yield* TestClock.adjust(15_500)
      assert.strictEqual((yield* Fiber.join(change)).reason.code, "TIMEOUT")
      assert.deepStrictEqual((yield* refinementsOf(library)).asked, ["impossible"])
      const told: Array<string> = []
      library.onChange(({ name }) => told.push(name))
      yield* TestClock.adjust(5000)
      yield* until(() => told.length > 0)
      assert.deepStrictEqual(yield* refinementsOf(library), { asked: [], rejected: ["impossible: REJECTED"] })
      yield* isServed(library, model, "one")
    })
  )

  it.effect("is alone to go where no words are to blame", () =>
    withLibrary([answers(page("one")), limited, fails("AUTH"), answers(page("two"))], function* (library) {
      yield* library.read(tool)
      yield* Effect.flip(library.refine(tool, "dense"))
      yield* Effect.flip(library.refine(tool, "blue"))
      assert.deepStrictEqual(yield* refinementsOf(library), { asked: ["dense"], rejected: ["blue: AUTH"] })
      assert.deepStrictEqual((yield* library.refine(tool, "larger")).refinements, ["dense", "larger"])
    })
  )

  const turns: readonly [Turn, ...ReadonlyArray<Turn>] = [
    answers(page("one")),
    answers(page("two")),
    refusal,
    refusal,
    refusal,
    refusal,
    answers(page("three"))
  ]

  itEffect("costs no good UI after a restart, with a cache", function* () {
    const refinements = RefinementStoreFile.layer({ directory: yield* folder })
    yield* withSessions(
      turns,
      function* (session, model) {
        const before = yield* session
        yield* before.read(tool)
        yield* before.refine(tool, "dense")
        yield* Effect.flip(before.refine(tool, "impossible"))
        const next = yield* session
        yield* isServed(next, model, "two")
        yield* Effect.flip(next.refine(tool, "hopeless"))
        yield* isServed(next, model, "two")
        assert.deepStrictEqual(yield* refinementsOf(next), {
          asked: ["dense"],
          rejected: ["impossible: REJECTED", "hopeless: REJECTED"]
        })
        assert.lengthOf((yield* next.overview(tool)).versions, 1)
        assert.deepStrictEqual((yield* next.refine(tool, "blue")).refinements, ["dense", "blue"])
      },
      { onTimeout: "abort", refinements }
    )
  })

  itEffect("is in no later one's way after a restart without a cache", function* () {
    const options = { refinements: RefinementStoreFile.layer({ directory: yield* folder }) }
    yield* leavePending(options)
    yield* withSessions(
      [refusal, refusal, answers(page("three")), answers(page("four"))],
      function* (session, model) {
        const library = yield* session
        const { entry } = yield* library.read(tool)
        assert.include(entry.source, "three")
        assert.deepStrictEqual(yield* refinementsOf(library), {
          asked: ["dense"],
          rejected: ["impossible: REJECTED"]
        })
        yield* isServed(library, model, "three")
        assert.deepStrictEqual((yield* library.refine(tool, "blue")).refinements, ["dense", "blue"])
      },
      options
    )
  })

  it.effect("leaves what stood in for the good UI to be one to start from after a restart", () =>
    withSessions(
      [answers(page("one")), limited, fails("AUTH"), answers(page("two"))],
      function* (session, model) {
        const before = yield* session
        yield* before.read(tool)
        yield* Effect.flip(regenerate(before))
        yield* TestClock.adjust(61_000)
        const next = yield* session
        const { entry } = yield* next.read(tool)
        assert.include(entry.source, "one")
        assert.strictEqual(entry.fallback?.code, "AUTH")
        yield* next.refine(tool, "blue")
        assert.include(model.requests[3]?.prompt, 'header("one")')
      },
      { onTimeout: "abort" }
    )
  )
})

describe("a refinement that is cancelled", () => {
  for (const onTimeout of ["abort", "continue"] as const) {
    itEffect(`is forgotten, also on disk (onTimeout: ${onTimeout})`, function* () {
      const refinements = RefinementStoreFile.layer({ directory: yield* folder })
      yield* withSessions(
        [answers(page("one")), hangs(), answers(page("two"))],
        function* (session, model) {
          const library = yield* session
          yield* library.read(tool)
          const change = yield* start(library.refine(tool, "slow"))
          yield* untilRequests(model, 2)
          assert.deepStrictEqual((yield* refinementsOf(library)).asked, ["slow"])
          yield* Fiber.interrupt(change)
          assert.strictEqual(model.open(), 0)
          for (const there of [library, yield* session]) {
            assert.deepStrictEqual(yield* refinementsOf(there), { asked: [], rejected: [] })
            yield* isServed(there, model, "one")
          }
          yield* TestClock.adjust(61_000)
          yield* isServed(library, model, "one")
          assert.deepStrictEqual((yield* library.refine(tool, "other")).refinements, ["other"])
          assert.notInclude(model.requests[2]?.prompt, "slow")
        },
        { onTimeout, refinements }
      )
    })

    it.effect(`leaves a reader who waits for its UI alone, who gets the one there was (onTimeout: ${onTimeout})`, () =>
      withSessions(
        [answers(page("one")), after(3000, answers(page("two")))],
        function* (session, model) {
          const library = yield* session
          yield* library.read(tool)
          const change = yield* start(library.refine(tool, "slow"))
          yield* untilRequests(model, 2)
          const reader = yield* start(library.read(tool))
          yield* aTurn
          yield* Fiber.interrupt(change)
          assert.strictEqual(model.open(), 1)
          yield* TestClock.adjust(3000)
          assert.include((yield* Fiber.join(reader)).entry.source, "one")
          const { current, versions } = yield* library.overview(tool)
          assert.deepStrictEqual([current, versions.length], [1, 1])
          yield* isServed(library, model, "one")
        },
        { onTimeout }
      )
    )
  }
})

describe("refinements that were to be forgotten", () => {
  it.effect("come back with the UI that stays", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), fails("AUTH"), hangs(), answers(page("three"))],
      function* (library, model) {
        yield* library.read(tool)
        yield* library.refine(tool, "dense")
        yield* Effect.flip(regenerate(library, { clear: true }))
        assert.deepStrictEqual((yield* refinementsOf(library)).asked, ["dense"])
        yield* isServed(library, model, "two")
        const change = yield* start(regenerate(library, { clear: true }))
        yield* untilRequests(model, 4)
        yield* Fiber.interrupt(change)
        assert.deepStrictEqual((yield* refinementsOf(library)).asked, ["dense"])
        yield* isServed(library, model, "two")
        assert.deepStrictEqual((yield* regenerate(library, { clear: true })).refinements, [])
        assert.deepStrictEqual((yield* refinementsOf(library)).asked, [])
      }
    )
  )
})
