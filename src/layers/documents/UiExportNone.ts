import { Effect, Layer } from "effect"
import { UiExport } from "../../services/documents/UiExport.ts"

export const layer: Layer.Layer<UiExport> = Layer.succeed(UiExport, {
  write: () => Effect.succeed([]),
  offer: () => Effect.void
})
