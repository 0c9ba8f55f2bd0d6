import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CaseReport, Check } from "./CaseReport.ts"
import { contactSheetHtml } from "./contactSheet.ts"

interface Target {
  readonly name: string
  readonly passed: number
  readonly of: number
  /** The share that has to pass, 0 to 1. */
  readonly wanted: number
}

interface Spread {
  readonly min: number
  readonly median: number
  readonly p95: number
  readonly max: number
}

export interface Summary {
  readonly targets: ReadonlyArray<Target>
  readonly figures: ReadonlyArray<{ readonly name: string; readonly unit: string; readonly spread: Spread }>
  readonly isGood: boolean
}

export interface RunFacts {
  readonly corpus: string
  readonly seed: string
  readonly minutes: number
  readonly startedAt: string
}

const spreadOf = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { min: at(0), median: at(0.5), p95: at(0.95), max: at(1) }
}

const failsNone =
  (...checks: ReadonlyArray<Check>) =>
  ({ problems }: CaseReport): boolean =>
    !problems.some(({ check }) => checks.includes(check))

const target = (
  name: string,
  cases: ReadonlyArray<CaseReport>,
  isPassed: (report: CaseReport) => boolean,
  wanted = 1
): Target => ({ name, passed: cases.filter(isPassed).length, of: cases.length, wanted })

const isByFormAlone = ({ filled }: CaseReport): boolean => (filled?.throughJson.length ?? 0) === 0

const isMet = ({ of, passed, wanted }: Target): boolean => of === 0 || passed / of >= wanted

/** Measures all cases against what is wanted. */
const summaryOf = (cases: ReadonlyArray<CaseReport>): Summary => {
  const tools = cases.filter(({ kind }) => kind === "tool")
  const answers = cases.filter(({ kind }) => kind !== "tool")
  const opened = cases.filter(({ bytes }) => bytes > 0)
  const isEntered = failsNone("filled", "document")
  const targets = [
    target(
      "documents open without an error or a violation of the policy",
      cases,
      failsNone("document", "console", "csp")
    ),
    target("tools get arguments of the host back untouched", tools, failsNone("unchanged", "document"), 0.99),
    target(
      "tools get exactly what was entered at the controls of the form",
      tools,
      (report) => isEntered(report) && isByFormAlone(report),
      0.99
    ),
    target('tools get exactly what was entered, "Edit as JSON" included', tools, isEntered),
    target("answers are shown, errors as errors", answers, failsNone("shown", "document")),
    target("answers miss no data in the view or its raw JSON", answers, failsNone("data", "document")),
    target("cases break no rule of axe-core", cases, failsNone("axe", "document"))
  ]
  const figure = (name: string, unit: string, values: ReadonlyArray<number>) => ({
    name,
    unit,
    spread: spreadOf(values)
  })
  return {
    targets,
    figures: [
      figure(
        "document",
        "bytes",
        opened.map(({ bytes }) => bytes)
      ),
      figure(
        "document, gzip",
        "bytes",
        opened.map(({ gzipBytes }) => gzipBytes)
      ),
      figure(
        "navigation to initialized",
        "ms",
        opened.map(({ openMs }) => openMs)
      ),
      figure(
        "texts and numbers of an answer seen outside the raw JSON",
        "%",
        answers.flatMap(({ inViewShare }) => (inViewShare === undefined ? [] : [Math.round(inViewShare * 100)]))
      ),
      figure(
        "wider than the frame",
        "px",
        cases.map(({ overflow }) => overflow)
      )
    ],
    isGood: targets.every(isMet)
  }
}

const percent = ({ of, passed }: Target): string => (of === 0 ? "-" : `${((passed / of) * 100).toFixed(2)}%`)

const number = (value: number): string => value.toLocaleString("en-GB")

/** The targets as lines for a terminal. */
export const summaryLines = ({ figures, targets }: Summary): ReadonlyArray<string> => [
  ...targets.map((one) => {
    const wanted = `wanted ${one.wanted * 100}%`
    return `${isMet(one) ? "ok    " : "MISSED"} ${percent(one).padStart(8)} ${`${one.passed}/${one.of}`.padStart(11)}  ${one.name} (${wanted})`
  }),
  ...figures.map(
    ({ name, spread, unit }) =>
      `       ${name}: ${number(spread.min)} to ${number(spread.max)} ${unit}, median ${number(spread.median)}, 95% up to ${number(spread.p95)}`
  )
]

const cell = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;")

const repro = (corpus: string, id: string): string => `npm run eval -- --corpus ${corpus} --only '${id}'`

const checks: ReadonlyArray<Check> = ["document", "console", "csp", "unchanged", "filled", "shown", "data", "axe"]

/** What differs from case to case is cut, so that failures of one cause stand together. */
const causeOf = (message: string): string =>
  message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\d+/g, "0")
    .slice(0, 90)

const causeLines = (group: ReadonlyArray<{ readonly id: string; readonly message: string }>, corpus: string) => {
  const [first] = group
  if (first === undefined) return []
  const ids = [...new Set(group.map(({ id }) => id))]
  return [
    `- **${ids.length}×** ${cell(first.message).slice(0, 600)}`,
    `  - ${ids.slice(0, 12).join(", ")}${ids.length > 12 ? ` and ${ids.length - 12} more` : ""}`,
    `  - \`${repro(corpus, first.id)}\``
  ]
}

const failuresOf = (check: Check, cases: ReadonlyArray<CaseReport>, corpus: string): ReadonlyArray<string> => {
  const failed = cases.flatMap(({ id, problems }) =>
    problems.filter((problem) => problem.check === check).map(({ message }) => ({ id, message }))
  )
  if (failed.length === 0) return []
  const causes = [...Map.groupBy(failed, ({ message }) => causeOf(message)).values()]
  const lines = causes.sort((a, b) => b.length - a.length).flatMap((group) => causeLines(group, corpus))
  return [`## ${check}: ${new Set(failed.map(({ id }) => id)).size} cases`, "", ...lines, ""]
}

const throughJson = (cases: ReadonlyArray<CaseReport>): ReadonlyArray<string> => {
  const places = cases.flatMap(({ filled, id }) => (filled?.throughJson ?? []).map((place) => ({ id, place })))
  if (places.length === 0) return []
  const reasons = Map.groupBy(places, ({ place }) => causeOf(place.replace(/^[^:]*: /, "")))
  return [
    `## Entered as JSON: ${places.length} places of ${new Set(places.map(({ id }) => id)).size} tools`,
    "",
    ...[...reasons]
      .sort((a, b) => b[1].length - a[1].length)
      .map(
        ([, group]) =>
          `- **${group.length}×** ${cell(group[0]?.place ?? "")} (${[...new Set(group.map(({ id }) => id))].slice(0, 6).join(", ")})`
      ),
    ""
  ]
}

const notes = (cases: ReadonlyArray<CaseReport>): ReadonlyArray<string> => {
  const said = cases.flatMap(({ id, notes }) => notes.map((note) => `- ${id}: ${cell(note)}`))
  return said.length === 0 ? [] : ["## Notes", "", ...said, ""]
}

const leastSeen = (cases: ReadonlyArray<CaseReport>): ReadonlyArray<string> => {
  const least = cases
    .filter(({ inViewShare }) => inViewShare !== undefined && inViewShare < 0.6)
    .toSorted((a, b) => (a.inViewShare ?? 0) - (b.inViewShare ?? 0))
    .slice(0, 40)
  if (least.length === 0) return []
  return [
    "## Answers of which most is seen in the raw JSON only",
    "",
    ...least.map(({ id, inViewShare }) => `- ${Math.round((inViewShare ?? 0) * 100)}% ${id}`),
    ""
  ]
}

const markdown = (cases: ReadonlyArray<CaseReport>, summary: Summary, facts: RunFacts): string =>
  [
    "# Evaluation of the built-in UI",
    "",
    `${cases.length} cases of ${facts.corpus}, seed ${facts.seed}, ${facts.startedAt}, ${facts.minutes.toFixed(1)} minutes.`,
    "",
    "| target | wanted | passed | share | |",
    "| --- | --- | --- | --- | --- |",
    ...summary.targets.map(
      (one) =>
        `| ${one.name} | ${one.wanted * 100}% | ${one.passed} of ${one.of} | ${percent(one)} | ${isMet(one) ? "met" : "**missed**"} |`
    ),
    "",
    "| figure | unit | least | median | 95% | most |",
    "| --- | --- | --- | --- | --- | --- |",
    ...summary.figures.map(
      ({ name, spread, unit }) =>
        `| ${name} | ${unit} | ${number(spread.min)} | ${number(spread.median)} | ${number(spread.p95)} | ${number(spread.max)} |`
    ),
    "",
    ...checks.flatMap((check) => failuresOf(check, cases, facts.corpus)),
    ...throughJson(cases),
    ...leastSeen(cases),
    ...notes(cases)
  ].join("\n")

/** Writes `report.json`, `report.md` and the contact sheet `sheet.html`. */
export const writeReport = (folder: string, cases: ReadonlyArray<CaseReport>, facts: RunFacts): Summary => {
  const summary = summaryOf(cases)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "report.json"), `${JSON.stringify({ ...facts, summary, cases }, null, 1)}\n`)
  writeFileSync(join(folder, "report.md"), `${markdown(cases, summary, facts)}\n`)
  writeFileSync(join(folder, "sheet.html"), contactSheetHtml(cases))
  return summary
}
