import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { Lineage, UiVersion } from "../../domain/library/UiVersions.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { FallbackReason } from "../../domain/tools/UiEntry.ts"
import type { UiEntry, UiType } from "../../domain/tools/UiEntry.ts"

/**
 * There is no version of such a number, or none any more.
 *
 * @example
 * import { Effect } from "effect"
 * import { type Tool, UiEdits } from "mcp-gen-ui"
 *
 * const firstOrNone = (tool: Tool) =>
 *   Effect.flatMap(UiEdits, (edits) => edits.revert(tool, 1)).pipe(
 *     Effect.catchTag("VersionUnknown", () => Effect.undefined)
 *   )
 */
export class VersionUnknown extends Schema.TaggedError<VersionUnknown>()("VersionUnknown", {
  toolName: Schema.String,
  version: Schema.Finite,
  known: Schema.Array(Schema.Finite)
}) {
  override get message(): string {
    const there = this.known.length === 0 ? "it has none yet" : `there are: ${this.known.join(", ")}`
    return `the UI of "${this.toolName}" has no version ${this.version}; ${there}`
  }
}

/**
 * A change that was asked for could not be made; the UI that was there stays. `reason.transient` tells
 * whether the refinement is kept for the next change.
 *
 * @example
 * import { Console, Effect } from "effect"
 * import { type Tool, UiEdits } from "mcp-gen-ui"
 *
 * const sortable = (tool: Tool) =>
 *   Effect.flatMap(UiEdits, (edits) => edits.refine(tool, "make the table sortable")).pipe(
 *     Effect.catchTag("UiUnchanged", ({ reason }) => Console.error(reason.message))
 *   )
 */
export class UiUnchanged extends Schema.TaggedError<UiUnchanged>()("UiUnchanged", {
  toolName: Schema.String,
  reason: FallbackReason
}) {
  override get message(): string {
    return `the UI of "${this.toolName}" was not changed: ${this.reason.message}`
  }
}

/**
 * Changes the UIs of one session's tools. Changes of one tool's UI come one after the other.
 *
 * @example
 * import { Effect } from "effect"
 * import { type Tool, UiEdits } from "mcp-gen-ui"
 *
 * const sortable = (tool: Tool) =>
 *   Effect.gen(function* () {
 *     const edits = yield* UiEdits
 *     yield* edits.refine(tool, "make the table sortable")
 *     return yield* edits.revert(tool, 1)
 *   })
 */
export class UiEdits extends Context.Service<
  UiEdits,
  {
    /**
     * Adds a refinement and makes the UI anew from the current one. If that fails for good, the refinement is rejected;
     * if it fails for now, it stays pending; if it is cancelled, it is forgotten.
     */
    readonly refine: (tool: Tool, feedback: string) => Effect.Effect<UiEntry, UiUnchanged>
    /**
     * Makes the UI anew from nothing, with its refinements or without any. A `uiType` holds for the session; `auto`
     * leaves it to the configuration and the model again. If it fails for good or is cancelled, refinements and type
     * are as before. With `variants` (2 to 4) as many are made side by side: the first that is accepted is served, each
     * becomes a version, and a person chooses.
     */
    readonly regenerate: (
      tool: Tool,
      options: {
        readonly clearRefinements: boolean
        readonly uiType: UiType | "auto" | undefined
        readonly variants?: number | undefined
      }
    ) => Effect.Effect<UiEntry, UiUnchanged>
    /** Makes an earlier version the current one, with the refinements that it had. */
    readonly revert: (tool: Tool, version: number) => Effect.Effect<UiVersion, VersionUnknown | UiUnchanged>
    /** Takes an edited source as the UI, if it passes the inspection for generated ones; `imported` unless told. */
    readonly adopt: (tool: Tool, source: string, lineage?: Lineage) => Effect.Effect<UiVersion, UiUnchanged>
    /**
     * Takes what the model of a host wrote, a page or edits of the one that is served (`editedSource`), if it passes the
     * same inspection. `feedback` is the refinement that it answers, if one was asked for.
     */
    readonly write: (tool: Tool, source: string, feedback: string | null) => Effect.Effect<UiVersion, UiUnchanged>
  }
>()("mcp-gen-ui/services/UiEdits") {}
