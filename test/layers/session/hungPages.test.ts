import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeHungPages } from "../../../src/layers/session/hungPages.ts"
import { itEffect } from "../../fixtures/itEffect.ts"
import { aTurn, tool } from "../../fixtures/refinements.ts"
import { answers, fails } from "../../fixtures/scriptedModel.ts"
import { type Library, page, versionIn, withLibrary } from "../../fixtures/uiLibraries.ts"

const versionOf = (library: Library) =>
  Effect.flatMap(library.read(tool), ({ html }) => Effect.map(html, (text) => versionIn(text)))

const someTurns = Effect.repeat(aTurn, { times: 20 })

/** What pages of one version do, and then nothing for ten seconds: `d`: is opened, and draws; `t`akes it over, `w`aits, `a`sks, `o`f another version. */
const play = (steps: string) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    const news = (_: unknown, version: string) =>
      Effect.sync(() => {
        found.push(version)
        return { version, state: "current" } as const
      })
    const { asks, opens, takes, waits } = yield* makeHungPages({ news }, () => Effect.void)
    for (const step of steps) {
      if (step === "d") yield* opens(tool, "1")
      else if (step === "t") yield* takes(tool, "1")
      else if (step === "w") yield* waits(tool, "1")
      else if (step === "-") yield* TestClock.adjust("10 seconds")
      else if (step === ".") yield* TestClock.adjust("6 seconds")
      else yield* asks(tool, step === "o" ? "2" : "1")
    }
    yield* TestClock.adjust("10 seconds")
    return found
  }).pipe(Effect.scoped)

/** Two pages in a row begin to draw and say no more; answers with the tools whose hosts were told. */
const hangTwice = (library: Library, version: string) =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const pages = yield* makeHungPages(library, ({ name }) => Effect.sync(() => void told.push(name)))
    for (let opened = 0; opened < 2; opened += 1) {
      yield* pages.opens(tool, version)
      yield* TestClock.adjust("10 seconds")
    }
    return told
  }).pipe(Effect.scoped)

describe("pages that stop asking as they draw", () => {
  const cases: ReadonlyArray<readonly [string, string, boolean]> = [
    ["one may have been closed", "d", false],
    ["two in a row hang", "d-d", true],
    ["two that are opened at once count as one", "dd", false],
    ["the next one is given up later", "dd-d", true],
    ["those that wait for results are alive", "d.w.w.w.a-d", false],
    ["two hang as they get their results", "d.w.w-d.w", true],
    ["one that waits and was given up counts no more", "d-w-w", false],
    ["one that was opened again asks", "d-da", false],
    ["one that draws between two others clears them", "d-da-d", false],
    ["of two at once one asks", "dda-d", false],
    ["pages of other versions tell nothing of this one", "do-do", true],
    ["a version that was brought twice may have been lost on the way", "t-t", false],
    ["one hangs as it takes over, the next as it is opened", "t-d", true]
  ]
  for (const [name, steps, isHung] of cases)
    itEffect(name, function* () {
      assert.deepStrictEqual(yield* play(steps), isHung ? ["1"] : [])
    })

  itEffect("are failed pages: one repair with the report, and the host hears of it", function* () {
    yield* withLibrary([answers(page("Slow")), answers(page("Mended"))], function* (library, model) {
      const told = yield* hangTwice(library, yield* versionOf(library))
      assert.deepStrictEqual(told, [tool.name])
      yield* someTurns
      assert.include(model.requests[1]?.prompt, "On screen it stopped answering as it began to draw")
      const { current, versions } = yield* library.overview(tool)
      assert.deepInclude(versions[0]?.fault, { kind: "hung", message: "", line: null, shape: null })
      assert.deepInclude(versions[1], { origin: "repaired", parent: 1 })
      assert.strictEqual(current, 2)
      assert.include((yield* library.read(tool)).entry.source, "Mended")
    })
  })

  itEffect("give way to the built-in view where no model mends them", function* () {
    yield* withLibrary([answers(page("Slow")), fails("AUTH")], function* (library) {
      yield* hangTwice(library, yield* versionOf(library))
      yield* someTurns
      assert.deepInclude((yield* library.read(tool)).entry, { source: null })
      assert.strictEqual((yield* library.read(tool)).entry.fallback?.code, "FAILED_ON_SCREEN")
    })
  })

  itEffect("give way to the version before, if there is one", function* () {
    yield* withLibrary([answers(page("Good")), answers(page("slower")), fails("AUTH")], function* (library) {
      const good = yield* versionOf(library)
      yield* library.refine(tool, "slower")
      yield* hangTwice(library, yield* versionOf(library))
      yield* someTurns
      assert.strictEqual(yield* versionOf(library), good)
    })
  })
})
