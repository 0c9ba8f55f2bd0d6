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
  /** The tools that a page may call; an empty list is not known, and then not checked. */
  readonly toolNames: ReadonlyArray<string>
  /** The tool of the page can not be called without arguments, so that a page without a way to give them is of little use. */
  readonly inputRequired?: boolean
  /** The names of the tool's input, however deep: what a page may ask a person for, if it is a secret. If they are not known, that is not checked. */
  readonly inputNames?: ReadonlyArray<string>
  readonly maxHtmlBytes: number
}
