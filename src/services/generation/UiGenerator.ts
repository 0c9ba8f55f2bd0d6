import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { TokenUsage, UiLevel, UiType } from "../../domain/tools/UiEntry.ts"
import { FallbackReason } from "../../domain/tools/UiEntry.ts"
import type { GenerationProgress } from "./GenerationProgress.ts"
import type { GenerateInput } from "./PromptLibrary.ts"

/** No usable UI came out of a generation; `reason` is what the person and the log are told. */
export class GenerationFailed extends Schema.TaggedError<GenerationFailed>()("GenerationFailed", {
  toolName: Schema.String,
  reason: FallbackReason,
  /** The provider will refuse any request before these milliseconds are over. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${this.toolName}: ${this.reason.code}: ${this.reason.message}`
  }
}

export interface GeneratedUi {
  readonly source: string | null
  readonly uiType: UiType
  readonly level: UiLevel
  readonly repairs: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly usage: TokenUsage | null
  readonly promptVersion: string
}

/**
 * One generation: prompt, model, inspection, repair, inside one budget that its attempts share (requirements
 * G4, G5). It does not own queueing and sharing (`Generations`) or caching (`UiLibrary`).
 */
export class UiGenerator extends Context.Service<
  UiGenerator,
  {
    /** `onProgress` is called with every piece of the answer; it must not throw. */
    readonly generate: (
      input: GenerateInput,
      onProgress?: (progress: GenerationProgress) => void
    ) => Effect.Effect<GeneratedUi, GenerationFailed>
  }
>()("mcp-gen-ui/services/UiGenerator") {}
