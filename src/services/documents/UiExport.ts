import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import type { Tool } from "../../domain/tools/Tool.ts"

/** What an exported page needs beside its UI. */
export interface ExportFacts {
  readonly learned: LearnedResults
  /** Results from the configuration, shown where no real ones were seen. */
  readonly examples: ReadonlyArray<unknown>
  /** `null` for a UI without a version. */
  readonly version: number | null
  /** The UI's; if left out, the one that a tool alone would have. */
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
    /** Returns the paths of the written files, relative to the folder. */
    readonly write: (
      tool: Tool,
      entry: UiEntry,
      facts: ExportFacts
    ) => Effect.Effect<ReadonlyArray<string>, UiNotExported>
    /** The same for a UI that is served anyway: a failure is only a warning. */
    readonly offer: (tool: Tool, entry: UiEntry, facts: ExportFacts) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/UiExport") {}
