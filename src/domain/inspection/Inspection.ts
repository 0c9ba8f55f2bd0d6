import type { UiType } from "../tools/UiEntry.ts"

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
      /** The changes, in words; empty when there were none (level 0). */
      readonly repairs: ReadonlyArray<string>
      /** Findings that do not reject the page. */
      readonly warnings: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Rejected"
      readonly problems: ReadonlyArray<Problem>
      /** The answer talks about instructions instead of being a page. */
      readonly suspectedInjection: boolean
    }

export interface InspectionContext {
  /** The tools that a page may call. If empty, they are unknown and calls are not checked. */
  readonly toolNames: ReadonlyArray<string>
  /** The page's tool needs arguments, so a page without a way to enter them is of little use. */
  readonly inputRequired?: boolean
  /** The names of the tool's inputs, however deep: the only secrets that a page may ask for. Not checked if unknown. */
  readonly inputNames?: ReadonlyArray<string>
  readonly maxHtmlBytes: number
  /** The page that this one replaces, and the members of results: of those that it shows, none may be lost. */
  readonly before?: { readonly source: string; readonly members: ReadonlyArray<string> }
}
