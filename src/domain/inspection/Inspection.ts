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
  /** Of the page that this one replaces no data may be lost. */
  readonly before?: PageBefore
}

/** The page that an answer is to replace. */
export interface PageBefore {
  readonly source: string
  /** The names of members in results, a list for each kind of object. */
  readonly members: ReadonlyArray<ReadonlyArray<string>>
  /** Those of them that stood on its screen; its source may draw them without their names. */
  readonly shown: ReadonlyArray<string>
}
