/**
 * Holds types/parts.d.ts against the parts: checked by `tsc -p test/browser/pages`, never run. An error here names what is
 * missing on one of the two sides.
 */
import * as parts from "../../../src/browser/parts/index.ts"
import type * as Button from "../../../src/browser/parts/button.ts"
import type * as ChartData from "../../../src/browser/parts/chartData.ts"
import type * as ChartSpark from "../../../src/browser/parts/chartSpark.ts"
import type * as FieldModule from "../../../src/browser/parts/field.ts"
import type * as Format from "../../../src/browser/parts/format.ts"
import type * as Input from "../../../src/browser/parts/input.ts"
import type * as Layout from "../../../src/browser/parts/layout.ts"
import type * as Media from "../../../src/browser/parts/media.ts"
import type * as Meter from "../../../src/browser/parts/meter.ts"
import type * as Records from "../../../src/browser/parts/records.ts"
import type * as ResultView from "../../../src/browser/parts/resultView.ts"
import type * as Show from "../../../src/browser/parts/show.ts"
import type * as Table from "../../../src/browser/parts/table.ts"
import type * as Authored from "../../../types/parts.d.ts"

type Declared = typeof import("../../../types/parts.d.ts")

/** What is exported for the runtime, not for authors. */
type Unmentioned = "installStyles"

/** Every part takes what its declaration lets authors write, and answers with what it says. */
export const declared: Declared = parts

type Differences<Left, Right> = Exclude<keyof Left, keyof Right> | Exclude<keyof Right, keyof Left>

/** Names that only one side has; `never` when there are none. */
interface Drift {
  readonly parts: Differences<Omit<typeof parts, Unmentioned>, Declared>
  readonly fmt: Differences<typeof parts.fmt, Declared["fmt"]>
  readonly chart: Differences<typeof parts.chart, Declared["chart"]>
  readonly Context: Differences<Show.ShowContext, Authored.Context>
  readonly ShowOptions: Differences<Show.ShowOptions, Authored.ShowOptions>
  readonly ResultViewOptions: Differences<ResultView.ResultViewOptions, Authored.ResultViewOptions>
  readonly Field: Differences<FieldModule.FieldOptions, Authored.Field>
  readonly TableOptions: Differences<Table.TableOptions, Authored.TableOptions>
  readonly ChartOptions: Differences<Omit<ChartData.ChartOptions, "format">, Authored.ChartOptions>
  readonly SparkOptions: Differences<ChartSpark.SparkOptions, Authored.SparkOptions>
  readonly StatOptions: Differences<Omit<Records.StatOptions, "render" | "align">, Authored.StatOptions>
  readonly DetailOptions: Differences<Records.DetailOptions, Authored.DetailOptions>
  readonly CardsOptions: Differences<Records.CardsOptions, Authored.CardsOptions>
  readonly ListOptions: Differences<Records.ListOptions, Authored.ListOptions>
  readonly TimelineOptions: Differences<Records.TimelineOptions, Authored.TimelineOptions>
  readonly MeterOptions: Differences<Meter.MeterOptions, Authored.MeterOptions>
  readonly CodeOptions: Differences<Media.CodeOptions, Authored.CodeOptions>
  readonly ImageOptions: Differences<Media.ImageOptions, Authored.ImageOptions>
  readonly HeaderOptions: Differences<Layout.HeaderOptions, Authored.HeaderOptions>
  readonly SectionOptions: Differences<Layout.SectionOptions, Authored.SectionOptions>
  readonly BoxOptions: Differences<Layout.BoxOptions, Authored.BoxOptions>
  readonly TabsOptions: Differences<Layout.TabsOptions, Authored.TabsOptions>
  readonly TextOptions: Differences<Layout.TextOptions, Authored.TextOptions>
  readonly ErrorBoxOptions: Differences<Layout.ErrorBoxOptions, Authored.ErrorBoxOptions>
  readonly ButtonOptions: Differences<Button.ButtonOptions, Authored.ButtonOptions>
  readonly ChipsOptions: Differences<Button.ChipsOptions, Authored.ChipsOptions>
  readonly PagerOptions: Differences<Button.PagerOptions, Authored.PagerOptions>
  readonly InputOptions: Differences<Input.InputOptions, Authored.InputOptions>
  readonly FormOptions: Differences<Input.FormOptions, Authored.FormOptions>
  readonly DateOptions: Differences<Format.DateOptions, Authored.DateOptions>
  readonly NumberOptions: Differences<Format.NumberOptions, Authored.NumberOptions>
}

type Found = { readonly [Name in keyof Drift as [Drift[Name]] extends [never] ? never : Name]: Drift[Name] }

export const drift: Record<keyof Found, never> = {}
