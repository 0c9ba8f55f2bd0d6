import type { GalleryCase } from "../GalleryCase.ts"
import { days, issues } from "../sampleData.ts"

const result = { content: [], structuredContent: { issues: [...issues(4)] } }

interface Listed {
  readonly issues: ReadonlyArray<unknown>
}

const draw: NonNullable<GalleryCase["draw"]> = ({ fmt, header, table }, data: Listed) => [
  header(fmt.plural(data.issues.length, "issue")),
  table(data.issues)
]

const host: GalleryCase["host"] = [{ input: { query: "login" } }, { result }]

/** Pages as a model writes them. */
export const shows: ReadonlyArray<GalleryCase> = [
  { id: "show-result", title: "Result", part: "show", draw, host },
  { id: "show-form-open", title: "Form open", part: "show", form: "open", draw, host },
  { id: "show-form-collapsed", title: "Form collapsed", part: "show", form: "collapsed", draw, host },
  { id: "show-first", title: "Nothing yet", part: "show", form: "collapsed", draw, host: [] },
  {
    id: "show-waiting",
    title: "Waiting",
    part: "show",
    form: "collapsed",
    draw,
    host: [{ input: { query: "login" } }]
  },
  {
    id: "show-partial",
    title: "Partial input",
    part: "show",
    form: "collapsed",
    draw,
    host: [{ partial: { query: "log" } }]
  },
  {
    id: "show-running",
    title: "Running again",
    part: "show",
    form: "collapsed",
    draw,
    host,
    call: { query: "export" },
    answer: { progress: [{ progress: 1, total: 4 }] }
  },
  {
    id: "show-failed",
    title: "Failed",
    part: "show",
    form: "collapsed",
    draw,
    host: [
      { input: { query: "login" } },
      { result: { isError: true, content: [{ type: "text", text: "The search index is being rebuilt." }] } }
    ]
  },
  {
    id: "show-not-called",
    title: "Call that did not happen",
    part: "show",
    form: "collapsed",
    draw,
    host: [],
    call: { query: "login" },
    answer: { error: "The connection to the server was lost." }
  },
  {
    id: "show-cancelled",
    title: "Cancelled",
    part: "show",
    form: "collapsed",
    draw,
    host: [{ input: { query: "login" } }, { cancelled: "The user stopped the answer." }]
  },
  {
    id: "show-throws",
    title: "A view that fails",
    about: "It reads a member of what is not there.",
    part: "show",
    draw: ({ header }, data: { readonly missing: { readonly name: string } }) => header(data.missing.name),
    host
  },
  { id: "show-nothing", title: "A view that draws nothing", part: "show", draw: () => undefined, host },
  {
    id: "show-dashboard",
    title: "Several parts together",
    part: "show",
    form: "collapsed",
    draw: ({ chart, header, section, stats, table, tabs }) => {
      const week = days(7)
      return [
        header("Weather in Oslo", { subtitle: "The next seven days", badge: "Forecast" }),
        stats([
          { label: "Warmest", value: 23, unit: "°C", note: "Thursday" },
          { label: "Coldest", value: 5.2, unit: "°C" },
          { label: "Rain", value: 14, unit: "mm" }
        ]),
        tabs({
          Chart: () => chart.line(week, { x: "date", y: { high: "High", low: "Low" }, unit: "°C" }),
          Table: () => table(week)
        }),
        section("Source", "Numbers of the weather service.", { collapsible: true })
      ]
    }
  }
]
