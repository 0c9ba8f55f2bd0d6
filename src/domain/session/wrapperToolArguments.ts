import { Schema } from "effect"
import { PageFault } from "../tools/PageFault.ts"
import { PageReport } from "../tools/PageReport.ts"
import { UiType } from "../tools/UiEntry.ts"
import { MAX_NOUN_LENGTH, MAX_SELECTED_ITEMS } from "./KeptSelection.ts"

/** Of one refinement, after trimming. */
export const MAX_FEEDBACK_CHARACTERS = 4000

/** What a person can compare, and what is worth paying for. */
export const MAX_VARIANTS = 4

/** The arguments of wrapper's tools that take a tool name only; the input schemas say the same (`definitions`). */
export const ToolArguments = Schema.Struct({ toolName: Schema.NonEmptyString })
export const RefineArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  feedback: Schema.optionalKey(Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(MAX_FEEDBACK_CHARACTERS))),
  view: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  version: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
})
export const WriteArguments = Schema.Struct({ toolName: Schema.NonEmptyString, source: Schema.NonEmptyString })
export const ListArguments = Schema.Struct({ toolName: Schema.optionalKey(Schema.NonEmptyString) })
export const RegenerateArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  clearRefinements: Schema.optionalKey(Schema.Boolean),
  uiType: Schema.optionalKey(Schema.Literals([...UiType.literals, "auto"])),
  variants: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: MAX_VARIANTS })))
})

const VersionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
export const HistoryArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  version: Schema.optionalKey(VersionNumber)
})
export const RevertArguments = Schema.Struct({ toolName: Schema.NonEmptyString, version: VersionNumber })
export const StudioArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  source: Schema.optionalKey(Schema.NonEmptyString)
})
const Members = Schema.Record(Schema.String, Schema.Unknown)
const Digest = Schema.Struct({
  whole: Schema.String,
  content: Schema.String,
  start: Schema.optionalKey(Schema.String),
  data: Schema.optionalKey(Schema.String)
})
export const CurrentArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  token: Schema.NonEmptyString,
  version: Schema.String,
  failed: Schema.optionalKey(Schema.NonEmptyString),
  fault: Schema.optionalKey(PageFault),
  opens: Schema.optionalKey(Schema.Boolean),
  touched: Schema.optionalKey(Schema.Boolean),
  report: Schema.optionalKey(PageReport),
  pick: Schema.optionalKey(VersionNumber),
  chosen: Schema.optionalKey(Schema.Boolean),
  shows: Schema.optionalKey(Schema.Struct({ args: Schema.optionalKey(Members), got: Schema.optionalKey(Digest) })),
  view: Schema.optionalKey(Schema.Struct({ args: Members, values: Schema.optionalKey(Members) }))
})

export const SelectionArguments = Schema.Struct({ toolName: Schema.optionalKey(Schema.NonEmptyString) })
export const SelectArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  token: Schema.NonEmptyString,
  items: Schema.Array(Schema.Unknown).check(Schema.isMaxLength(MAX_SELECTED_ITEMS)),
  noun: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(MAX_NOUN_LENGTH))),
  total: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  filter: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
