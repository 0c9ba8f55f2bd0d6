/** What a case can fail at; each is one target of the evaluation. */
export type Check =
  /** The document could not be built or did not open. */
  | "document"
  /** An error on the console, or one that nobody caught. */
  | "console"
  /** Something that the host's policy forbids. */
  | "csp"
  /** Arguments that came from the host and were sent again untouched are not the same. */
  | "unchanged"
  /** What was filled in by hand did not arrive, or does not validate. */
  | "filled"
  /** A result that shows nothing, or an error that does not look like one. */
  | "shown"
  /** A part of a result that is neither in the view nor in its raw JSON. */
  | "data"
  /** A rule of axe-core that is broken. */
  | "axe"

export interface Problem {
  readonly check: Check
  readonly message: string
}

/** How far the form came with arguments that were entered by hand. */
export interface FilledReport {
  /** Values that were entered at their controls. */
  readonly entered: number
  /** Places that took "Edit as JSON", with the reason. */
  readonly throughJson: ReadonlyArray<string>
}

/** What one tool or one recorded answer came to. */
export interface CaseReport {
  /** `server/tool`, and `server/tool#3` for the fourth recorded call of the server. */
  readonly id: string
  readonly kind: "tool" | "result" | "error"
  readonly problems: ReadonlyArray<Problem>
  readonly bytes: number
  readonly gzipBytes: number
  /** Milliseconds from the frame's navigation to the view's `initialized`. */
  readonly openMs: number
  readonly ms: number
  /** File below the folder of the report. */
  readonly shot: string | undefined
  readonly theme: "light" | "dark"
  readonly width: number
  readonly filled: FilledReport | undefined
  /** Share of a result's texts and numbers that can be read outside the raw JSON. */
  readonly inViewShare: number | undefined
  /** What is worth knowing and no failure. */
  readonly notes: ReadonlyArray<string>
  /** The page is wider than its frame by so many CSS pixels. */
  readonly overflow: number
}
