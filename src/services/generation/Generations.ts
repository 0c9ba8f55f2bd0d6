import { Context, Schema } from "effect"
import type { Effect, Option } from "effect"
import type { GenerateInput } from "./PromptLibrary.ts"
import { FallbackReason } from "../../domain/tools/UiEntry.ts"
import type { TokenUsage, UiEntry, UiLevel, UiType } from "../../domain/tools/UiEntry.ts"

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

/** What came out of one generation. */
export interface GeneratedUi {
  readonly source: string | null
  readonly uiType: UiType
  readonly level: UiLevel
  readonly repairs: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly usage: TokenUsage | null
  readonly promptVersion: string
}

/** One UI that is wanted. Jobs with the same key are the same UI, whoever wants it. */
export interface GenerationJob extends GenerateInput {
  readonly key: string
  /** The version of the document that the source will be linked into. */
  readonly templateVersion: string
}

export type SecondDraftJob = GenerationJob & Required<Pick<GenerationJob, "secondDraft">>

/**
 * The generations of a whole process: each UI is made once for all who wait for it (one flight), a few at a time, and the
 * others queue. Sessions share it; it knows none of them.
 */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Joins the flight of this UI or starts it. The caller's `ProgressListener` hears of it, and at once how far it is. When
     * the last reader leaves, the flight is interrupted.
     */
    readonly make: (job: GenerationJob) => Effect.Effect<UiEntry, GenerationFailed>
    /**
     * Asks for the second draft of what is kept under the key of the job, in spare time: it gives way to whoever waits
     * for a UI, and begins again later. `None` if one was asked for before, here or by another process, or if something
     * else is kept there by now.
     */
    readonly secondDraft: (job: SecondDraftJob) => Effect.Effect<Option.Option<UiEntry>, GenerationFailed>
    readonly isRunning: (key: string) => boolean
    /** How many are asked for, queued ones included. */
    readonly underWay: () => number
    /** The built-in UI for a job, with the reason if it stands in for a generated one. */
    readonly builtIn: (job: GenerationJob, fallback: FallbackReason | null) => Effect.Effect<UiEntry>
  }
>()("mcp-gen-ui/services/Generations") {}
