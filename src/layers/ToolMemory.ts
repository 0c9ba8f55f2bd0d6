import { Layer } from "effect"
import { NOTHING_LEARNED } from "../domain/tools/LearnedResults.ts"
import { ToolMemory } from "../services/ToolMemory.ts"

/** Keeps nothing (`generation.toolMemory` is `off`). */
export const layerNone: Layer.Layer<ToolMemory> = Layer.succeed(ToolMemory, {
  observe: () => undefined,
  learned: () => NOTHING_LEARNED,
  forget: () => undefined
})
