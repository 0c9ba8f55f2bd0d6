import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import type { Tool } from "../../domain/tools/Tool.ts"

/** What an exported page tells beside its UI. */
export interface ExportFacts {
  readonly learned: LearnedResults
  /** Results to show where none were seen: those of the configuration. */
  readonly examples: ReadonlyArray<unknown>
  /** The number of the version; `null` for a UI that is none. */
  readonly version: number | null
  /** Of the UI; left out, the one that a tool alone would have. */
  readonly uri?: string | undefined
}

/** A UI could not be written into the export folder; what was there stays. */
export class UiNotExported extends Schema.TaggedError<UiNotExported>()("UiNotExported", {
  toolName: Schema.String,
  why: Schema.String
}) {
  override get message(): string {
    return `the UI of "${this.toolName}" was not exported: ${this.why}`
  }
}

/** Puts UIs into a folder as pages that open in a browser by themselves, with their sources and a manifest. */
export class UiExport extends Context.Service<
  UiExport,
  {
    /** Answers the paths of its files from the folder. */
    readonly write: (
      tool: Tool,
      entry: UiEntry,
      facts: ExportFacts
    ) => Effect.Effect<ReadonlyArray<string>, UiNotExported>
    /** The same for a UI that is served anyhow: a failure is one warning. */
    readonly offer: (tool: Tool, entry: UiEntry, facts: ExportFacts) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/UiExport") {}
