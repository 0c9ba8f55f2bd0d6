import { Context } from "effect"
import type { Effect } from "effect"
import type { FallbackReason, UiEntry } from "../../domain/tools/UiEntry.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { Lineage } from "../../domain/library/UiVersions.ts"
import type { UiJob } from "./UiJobs.ts"

/** What became of a job; with a failure, `entry` is what stands in. */
export interface MadeUi {
  readonly entry: UiEntry
  readonly failure: FallbackReason | null
  /** It was not kept: other wishes are asked for by now. */
  readonly isStale?: true
}

/**
 * Sees to it that one session gets what it asks for: the UI of a job, kept, or what stands in for it, with the reason. Wishes
 * are accepted with the UI that meets them, and set aside with one that failed for good. What became of a job whose wishes
 * were taken back meanwhile is kept for nobody.
 */
export class UiMaker extends Context.Service<
  UiMaker,
  {
    /** Takes as long as it takes. */
    readonly make: (job: UiJob, lineage?: Lineage) => Effect.Effect<MadeUi>
    /**
     * The reader's patience is not the generation's budget: one that waited too long gets what there is now. `waitedMs` is how
     * long this reader has waited before.
     */
    readonly makeWithin: (job: UiJob, lineage?: Lineage, waitedMs?: number) => Effect.Effect<MadeUi>
    /** The same without anybody waiting. */
    readonly begin: (job: UiJob) => Effect.Effect<void>
    /** Whether it goes on although nobody may wait for it. */
    readonly isAttended: (key: string) => boolean
    /** Nobody wants it any more but those who wait for it: without them it ends. */
    readonly abandon: (key: string) => Effect.Effect<void>
    /** Notes that a UI which is served meets the wishes that it was made with; what stands in, those of the good one it is. */
    readonly noteAccepted: (job: UiJob, entry: UiEntry) => Effect.Effect<void>
    /** The good UI there was before (requirement R5), else the built-in one; either way with the reason. */
    readonly standIn: (job: UiJob, reason: FallbackReason) => Effect.Effect<UiEntry>
    /** What stood in when the newest generation under this key failed in this session, also where no cache keeps it. */
    readonly stoodIn: (key: string) => UiEntry | undefined
    /** Called when something came of a job that nobody waited for. */
    readonly onDone: (listener: (tool: Tool) => void) => void
  }
>()("mcp-gen-ui/services/UiMaker") {}
