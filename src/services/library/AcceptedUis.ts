import { Context } from "effect"
import type { Effect } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import type { Lineage, UiVersions } from "../../domain/library/UiVersions.ts"
import type { UiJob } from "./UiJobs.ts"

/** The UIs of one session that were made as asked: nothing good is lost to a failure. */
export class AcceptedUis extends Context.Service<
  AcceptedUis,
  {
    readonly versions: UiVersions
    /** What is served while nothing better is made, if there is something. */
    readonly goodOf: (job: Pick<UiJob, "tool" | "toolHash">) => UiEntry | undefined
    /**
     * Makes a UI the current version, unless it stands in for another: of those only one that an earlier session had
     * accepted, if there is none yet. Without a lineage it is one that was found or made by itself (see `servedFor`): what is
     * the current one already is not taken for a new one.
     */
    readonly remember: (job: UiJob, entry: UiEntry, lineage?: Lineage) => void
    /**
     * What is to be served of a UI that was found or made by itself: that one, or the current version if it failed on screen.
     * Another session may have put it back under its key, or a model written the same again.
     */
    readonly servedFor: (job: UiJob, entry: UiEntry) => UiEntry
    /** Puts a UI into the export folder. Nobody waits for it but the end of the session. */
    readonly exported: (job: UiJob, entry: UiEntry) => Effect.Effect<unknown>
  }
>()("mcp-gen-ui/services/AcceptedUis") {}
