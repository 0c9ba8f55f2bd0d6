import { Context, Schema } from "effect"
import type { Effect, Option } from "effect"
import type { PageTools } from "../domain/documents/DocumentTemplate.ts"
import type { Tool } from "../domain/tools/Tool.ts"
import { FallbackReason } from "../domain/documents/UiEntry.ts"
import type { UiEntry, UiType } from "../domain/documents/UiEntry.ts"

export interface UiDocument {
  /** Links the whole self-contained document. Left to the reader: documents are large, and readers may be many. */
  readonly html: Effect.Effect<string>
  readonly entry: UiEntry
  readonly cached: boolean
}

/** A change that was asked for could not be made; what was there stays (requirement R5). */
export class UiUnchanged extends Schema.TaggedError<UiUnchanged>()("UiUnchanged", {
  toolName: Schema.String,
  reason: FallbackReason
}) {
  override get message(): string {
    return `the UI of "${this.toolName}" was not changed: ${this.reason.message}`
  }
}

/**
 * The UI of every tool for one session: from the cache, else generated, else the built-in UI; with its refinements. It
 * owns that policy; how many are generated at a time is `Generations`' affair, how one is made `UiGenerator`'s, where
 * it is kept `UiCache`'s.
 */
export class UiLibrary extends Context.Service<
  UiLibrary,
  {
    /**
     * Always answers: at worst with the built-in UI and its reason. `pageTools` are named in the document, and are no part
     * of what it is kept under.
     */
    readonly read: (tool: Tool, pageTools?: PageTools) => Effect.Effect<UiDocument>
    /** What is there now; generates nothing. */
    readonly peek: (tool: Tool) => Effect.Effect<Option.Option<UiEntry>>
    /** Requirement R1: adds feedback to the history and makes the UI anew from the one that is there. */
    readonly refine: (tool: Tool, feedback: string) => Effect.Effect<UiEntry, UiUnchanged>
    /** Makes the UI anew from nothing, with the history or without it. */
    readonly regenerate: (
      tool: Tool,
      options: { readonly clearRefinements: boolean; readonly uiType: UiType | undefined }
    ) => Effect.Effect<UiEntry, UiUnchanged>
    /** Drops everything that is known of a tool that the server no longer has (requirement W12). */
    readonly forget: (tool: Tool) => Effect.Effect<void>
    readonly history: (toolName: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("mcp-gen-ui/services/UiLibrary") {}
