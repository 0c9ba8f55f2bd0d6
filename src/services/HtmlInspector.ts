import { Context } from "effect"
import type { Effect } from "effect"
import type { UiType } from "../domain/UiEntry.ts"

export interface Problem {
  /** A stable name for tests, logs and repair prompts, such as `external-script`. */
  readonly rule: string
  /** What was found, where (line and column of the answer), and what to write instead. */
  readonly message: string
}

export type Inspection =
  | {
      readonly _tag: "Accepted"
      readonly uiType: UiType
      /** Unlinked source, repaired; `null` when the model chose `minimal`. */
      readonly source: string | null
      /** What was changed, in words; empty when nothing was (level 0). */
      readonly repairs: ReadonlyArray<string>
      /** Advisory findings (requirement V4). */
      readonly warnings: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Rejected"
      readonly problems: ReadonlyArray<Problem>
      /** The answer talks about instructions instead of being a page (requirement V5). */
      readonly suspectedInjection: boolean
    }

export interface InspectionContext {
  readonly toolNames: ReadonlyArray<string>
  readonly maxHtmlBytes: number
}

/** Decides whether an answer of a model may reach a person's screen, by parsing it, and mends what can be mended. */
export class HtmlInspector extends Context.Service<
  HtmlInspector,
  {
    readonly inspect: (answer: string, context: InspectionContext) => Effect.Effect<Inspection>
    /** Looks at the first part of an answer that is still streaming; a reason to stop, or `null`. */
    readonly inspectPartial: (answer: string, context: InspectionContext) => Effect.Effect<Problem | null>
  }
>()("mcp-gen-ui/services/HtmlInspector") {}
