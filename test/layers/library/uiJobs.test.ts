import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import { answers } from "../../fixtures/scriptedModel.ts"
import { page, toolNamed, withLibrary } from "../../fixtures/uiLibraries.ts"

/** A tool, and how often its definition has been looked at. */
const counted = (name: string): { readonly tool: Tool; readonly looks: () => number } => {
  const tool = toolNamed(name)
  let looks = 0
  return {
    tool: {
      ...tool,
      get definition() {
        looks += 1
        return tool.definition
      }
    },
    looks: () => looks
  }
}

describe("the key of a UI", () => {
  it.effect("hashes what a tool is once, however often its UI is asked for, and sees when refinements change", () =>
    withLibrary([answers(page("one")), answers(page("two"))], function* (library) {
      const { looks, tool } = counted("forecast")
      for (let round = 0; round < 100; round++) yield* library.overview(tool)
      assert.strictEqual(looks(), 1)
      const first = (yield* library.read(tool)).entry
      assert.strictEqual((yield* library.overview(tool)).entry?.key, first.key)
      const second = yield* library.refine(tool, "bluer")
      assert.notStrictEqual(second.key, first.key)
      assert.strictEqual((yield* library.overview(tool)).entry?.key, second.key)
      const again = yield* library.regenerate(tool, { clearRefinements: true, uiType: "minimal" })
      assert.notInclude([first.key, second.key], again.key)
      assert.strictEqual((yield* library.overview(tool)).entry?.key, again.key)
    })
  )

  it.effect("tells tools apart that have a name in common", () =>
    withLibrary([answers(page("one")), answers(page("two"))], function* (library) {
      const one = toolNamed("forecast")
      const other = { ...one, definition: { ...one.definition, description: "Something else" } }
      const keys = yield* Effect.forEach([one, other, one], (tool) =>
        Effect.map(library.read(tool), ({ entry }) => entry.key)
      )
      assert.strictEqual(keys[0], keys[2])
      assert.notStrictEqual(keys[0], keys[1])
    })
  )
})
