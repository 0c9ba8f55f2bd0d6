import type { ToolRecords } from "./ToolRecords.ts"

/** What the page of a tool can do beyond the tool itself. Part of the data of its document, and of the key of its UI. */
export interface UiExtras {
  /** What other tools do with the records that this one lists. */
  readonly records?: ToolRecords
}
