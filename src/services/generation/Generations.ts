import { Context, Schema } from "effect"
import type { Effect } from "effect"
import { FallbackReason } from "../../domain/tools/UiEntry.ts"
import type { TokenUsage, UiEntry, UiLevel, UiType } from "../../domain/tools/UiEntry.ts"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { ToolHints } from "../settings/Settings.ts"

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
export interface GenerationJob {
  readonly key: string
  readonly tool: Tool
  readonly hints: ToolHints
  readonly refinements: ReadonlyArray<string>
  readonly currentSource: string | null
  /** Goes into the prompt; it is no part of the key. */
  readonly learned: LearnedResults
  /** The version of the document that the source will be linked into. */
  readonly templateVersion: string
}

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
    readonly isRunning: (key: string) => boolean
    /** How many are asked for, queued ones included. */
    readonly underWay: () => number
    /** The built-in UI for a job, with the reason if it stands in for a generated one. */
    readonly builtIn: (job: GenerationJob, fallback: FallbackReason | null) => Effect.Effect<UiEntry>
  }
>()("mcp-gen-ui/services/Generations") {}
