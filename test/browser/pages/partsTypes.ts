/**
 * Holds types/parts.d.ts against the parts: checked by `tsc -p test/browser/pages`, never run. An error here names what is
 * missing on one of the two sides. The options need no check: the parts take their types from there.
 */
import * as parts from "../../../src/browser/extras/index.ts"
import * as pageParts from "../../../src/browser/pageParts/index.ts"

type Declared = typeof import("../../../types/parts.d.ts")

/** What is exported for the runtime, not for authors. */
type Unmentioned = "installStyles"

/** Every part takes what its declaration lets authors write, and answers with what it says. */
export const declared: Declared = { ...parts, ...pageParts }

type Differences<Left, Right> = Exclude<keyof Left, keyof Right> | Exclude<keyof Right, keyof Left>

/** Names that only one side has; `never` when there are none. */
interface Drift {
  readonly parts: Differences<Omit<typeof parts & typeof pageParts, Unmentioned>, Declared>
  readonly fmt: Differences<typeof parts.fmt, Declared["fmt"]>
  readonly chart: Differences<typeof parts.chart, Declared["chart"]>
}

type Found = { readonly [Name in keyof Drift as [Drift[Name]] extends [never] ? never : Name]: Drift[Name] }

export const drift: Record<keyof Found, never> = {}
