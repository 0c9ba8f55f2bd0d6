import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { Refinement } from "../../../src/domain/library/Refinements.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import * as RefinementStoreMemory from "../../../src/layers/library/RefinementStoreMemory.ts"
import { layerUiCacheMemory, layerUiLibrary } from "../../../src/programs/layerUiLibrary.ts"
import { UiCache } from "../../../src/services/cache/UiCache.ts"
import { RefinementStore } from "../../../src/services/library/RefinementStore.ts"
import { UiEdits } from "../../../src/services/library/UiEdits.ts"
import { UiLibrary } from "../../../src/services/library/UiLibrary.ts"
import { answers, scriptedModel } from "../../fixtures/scriptedModel.ts"
import { page, toolNamed } from "../../fixtures/uiLibraries.ts"

const tool = toolNamed("list_stock")

const mapCache = () => {
  const kept = new Map<string, UiEntry>()
  const find = (key: string) => Effect.sync(() => Option.fromUndefinedOr(kept.get(key)))
  const layer = Layer.succeed(
    UiCache,
    UiCache.of({
      get: find,
      peek: find,
      set: (entry) => Effect.sync(() => void kept.set(entry.key, entry)),
      isLasting: () => Effect.succeed(true),
      removeTool: () => Effect.void,
      statistics: Effect.succeed({ entries: 0, bytes: 0, hits: 0, misses: 0, evictions: 0 })
    })
  )
  return { kept, layer }
}

const mapStore = () => {
  const kept = new Map<string, ReadonlyArray<Refinement>>()
  const layer = Layer.succeed(
    RefinementStore,
    RefinementStore.of({
      read: ({ name }) => Effect.sync(() => kept.get(name) ?? []),
      update: ({ name }, change) =>
        Effect.sync(() => {
          const list = change(kept.get(name) ?? [])
          kept.set(name, list)
          return list
        }),
      retire: () => Effect.void
    })
  )
  return { kept, layer }
}

const read = Effect.flatMap(UiLibrary, (library) => library.read(tool))

describe("layerUiLibrary", () => {
  it.effect("takes any model, whatever its provider is called", () => {
    const model = scriptedModel([answers(page("House"))], { provider: "house", model: "house-1" })
    return Effect.gen(function* () {
      const { entry, html } = yield* read
      assert.deepInclude(entry, { level: 0, provider: "house", model: "house-1" })
      assert.include(yield* html, 'header("House")')
    }).pipe(
      Effect.provide(layerUiLibrary()),
      Effect.provide([model.layer, layerUiCacheMemory, RefinementStoreMemory.layer])
    )
  })

  it.effect("takes any cache: what one library wrote, the next one finds there", () => {
    const model = scriptedModel([answers(page("Kept"))])
    const cache = mapCache()
    const once = read.pipe(
      Effect.provide(layerUiLibrary()),
      Effect.provide([model.layer, cache.layer, RefinementStoreMemory.layer])
    )
    return Effect.gen(function* () {
      assert.isFalse((yield* once).cached)
      assert.isTrue((yield* once).cached)
      assert.lengthOf(model.requests, 1)
      assert.strictEqual(cache.kept.size, 1)
    })
  })

  it.effect("takes any store of refinements: what was asked of one library, the next one writes", () => {
    const model = scriptedModel([answers(page("Plain")), answers(page("Sorted"))])
    const store = mapStore()
    const library = <A, E>(work: Effect.Effect<A, E, UiLibrary | UiEdits>) =>
      work.pipe(Effect.provide(layerUiLibrary()), Effect.provide([model.layer, layerUiCacheMemory, store.layer]))
    return Effect.gen(function* () {
      yield* library(
        Effect.andThen(
          read,
          Effect.flatMap(UiEdits, ({ refine }) => refine(tool, "sort it"))
        )
      )
      assert.deepInclude(store.kept.get("list_stock")?.[0], { text: "sort it", state: "applied" })
      yield* library(read)
      assert.include(model.requests.at(-1)?.prompt, "sort it")
    })
  })
})
