import { Context } from "effect"
import type { Effect } from "effect"
import type { FallbackReason, UiEntry } from "../../domain/tools/UiEntry.ts"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { ToolHints } from "../settings/Settings.ts"
import type { GenerationFailed } from "./UiGenerator.ts"

/** One UI that is wanted. Jobs with the same key are the same UI, whoever wants it. */
export interface GenerationJob {
  readonly key: string
  readonly tool: Tool
  readonly hints: ToolHints
  readonly refinements: ReadonlyArray<string>
  readonly currentSource: string | null
  /** Goes into the prompt; it is no part of the key. */
  readonly learned: LearnedResults
  /** Of the document that the source will be linked into. */
  readonly templateVersion: string
}

/**
 * The generations of a whole process: each UI once for all who wait for it (single flight), so many at a time, the
 * others in a bounded queue (requirement G6). Sessions share it; it knows none of them.
 */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Joins the generation of this UI or starts it; the caller's `ProgressListener` hears of it, and at once how far it
     * is. When the last one who waits leaves, it is interrupted.
     */
    readonly make: (job: GenerationJob) => Effect.Effect<UiEntry, GenerationFailed>
    readonly isRunning: (key: string) => boolean
    /** How many are asked for, queued ones included. */
    readonly underWay: () => number
    /** The built-in UI for a job, with the reason if it stands in for a generated one. */
    readonly builtIn: (job: GenerationJob, fallback: FallbackReason | null) => Effect.Effect<UiEntry>
  }
>()("mcp-gen-ui/services/Generations") {}
