import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { MAX_SELECTION_BYTES } from "../../../src/domain/session/KeptSelection.ts"
import { makeSelections, type Selections } from "../../../src/layers/session/Selections.ts"

const selectionOf = (toolName: string, items: ReadonlyArray<unknown> = [1]) => ({
  toolName,
  items,
  noun: "rows",
  total: items.length
})

const withSelections = <A, E>(use: (selections: Selections) => Effect.Effect<A, E>) =>
  Effect.suspend(() => use(makeSelections()))

const names = (selections: Selections) => Effect.map(selections.all, (all) => all.map(({ toolName }) => toolName))

describe("Selections", () => {
  it.effect("keeps the latest selection of each tool, the newest first, with its time", () =>
    withSelections((selections) =>
      Effect.gen(function* () {
        yield* selections.keep(selectionOf("list", [1, 2]))
        yield* TestClock.adjust(1000)
        yield* selections.keep(selectionOf("find"))
        yield* TestClock.adjust(1000)
        yield* selections.keep(selectionOf("list", [{ id: 3 }]))
        assert.deepStrictEqual(yield* selections.all, [
          { ...selectionOf("list", [{ id: 3 }]), selectedAt: 2000 },
          { ...selectionOf("find"), selectedAt: 1000 }
        ])
      })
    )
  )

  it.effect("forgets a tool when nothing is selected any more, and when it is told to", () =>
    withSelections((selections) =>
      Effect.gen(function* () {
        for (const tool of ["a", "b", "c"]) yield* selections.keep(selectionOf(tool))
        yield* selections.keep(selectionOf("b", []))
        assert.deepStrictEqual(yield* names(selections), ["c", "a"])
        selections.forget("c")
        yield* selections.keep(selectionOf("never", []))
        assert.deepStrictEqual(yield* names(selections), ["a"])
      })
    )
  )

  it.effect("drops the oldest of more than twenty tools", () =>
    withSelections((selections) =>
      Effect.gen(function* () {
        for (let number = 1; number <= 20; number += 1) yield* selections.keep(selectionOf(`tool${number}`))
        yield* selections.keep(selectionOf("tool1"))
        yield* selections.keep(selectionOf("tool21"))
        const kept = yield* names(selections)
        assert.strictEqual(kept.length, 20)
        assert.deepStrictEqual(kept.slice(0, 2), ["tool21", "tool1"])
        assert.notInclude(kept, "tool2")
      })
    )
  )

  it.effect("refuses what is too large in UTF-8, and keeps what was there", () =>
    withSelections((selections) =>
      Effect.gen(function* () {
        const characters = (MAX_SELECTION_BYTES - 4) / 2
        yield* selections.keep(selectionOf("list", ["é".repeat(characters)]))
        const error = yield* Effect.flip(selections.keep(selectionOf("list", ["é".repeat(characters + 1)])))
        assert.strictEqual(error._tag, "SelectionTooLarge")
        assert.strictEqual(error.bytes, MAX_SELECTION_BYTES + 2)
        assert.include(error.message, "send fewer items")
        assert.strictEqual(String((yield* selections.all)[0]?.items[0]).length, characters)
      })
    )
  )
})
