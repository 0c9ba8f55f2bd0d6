import { isObject } from "../../domain/isObject.ts"
import { columnsOf, isEmpty, type JsonRecord, type ResultColumn, sampleOf } from "../../domain/results/ResultColumn.ts"
import { filesInText } from "../../domain/results/ResultFiles.ts"
import { formOfRows, mainMember } from "../../domain/results/ResultForm.ts"
import { recordsOf } from "../../domain/results/ResultShape.ts"
import { looksLikeMarkdown, saysDone, textKind } from "../../domain/results/ResultText.ts"
import { bars } from "./bars.ts"
import { heat } from "./chartHeat.ts"
import { type Child, h } from "./dom.ts"
import { files } from "./files.ts"
import { graph } from "./graph.ts"
import { hero } from "./hero.ts"
import { countFindings, findings, hits } from "./hits.ts"
import { section } from "./layout.ts"
import { log } from "./log.ts"
import { plainText } from "./markdown.ts"
import { code } from "./media.ts"
import { page } from "./page.ts"
import { picked } from "./picks.ts"
import { people } from "./people.ts"
import { map } from "./places.ts"
import { cards, timeline } from "./records.ts"
import { labelFor, type ResultContext } from "./resultContext.ts"
import { days, schedule } from "./schedule.ts"
import { steps } from "./steps.ts"
import { swatches } from "./swatches.ts"
import { listOf, textOf } from "./values.ts"

const queryNames = /^(query|q|search|pattern|keywords?|queryKeywords|term|text|searchTerm)$/i

/** What was searched for, from the arguments. */
const queryOf = ({ args }: ResultContext): unknown =>
  args === undefined ? undefined : Object.entries(args).find(([name]) => queryNames.test(name))?.[1]

/** Records that each have a list of measured cells, as a grid: cohorts by month. */
const gridIn = (rows: ReadonlyArray<JsonRecord>, columns: ReadonlyArray<ResultColumn>): HTMLElement | undefined => {
  const cellsOf = (row: JsonRecord, key: string): ReadonlyArray<JsonRecord> =>
    Array.isArray(row[key]) ? row[key].filter(isObject) : []
  const list =
    rows.length > 2 && rows.length <= 60
      ? columns.find(({ key, kind }) => kind === "object" && rows.every((row) => cellsOf(row, key).length > 0))
      : undefined
  const name = columns.find(({ key }) => /label|name|title|month|week|day/i.test(key)) ?? columns[0]
  if (list === undefined || name === undefined) return undefined
  const cells = rows.flatMap((row) =>
    cellsOf(row, list.key).map((cell, at) => Object.assign({ "": textOf(row[name.key]), at: at + 1 }, cell))
  )
  if (cells.length < rows.length * 2) return undefined
  const inCells = columnsOf(cells)
  const value =
    inCells.find(({ kind }) => kind === "percent") ??
    inCells.find(({ key, kind }) => kind === "number" && key !== "at" && !/index|id$/i.test(key))
  const index = inCells.find(({ key }) => /(period|column|hour|day|week|month)/i.test(key))?.key ?? "at"
  return value === undefined
    ? undefined
    : heat(cells, {
        x: index,
        y: "",
        value: value.key,
        type: isShare(cells, value.key) ? "percent" : undefined
      } as never)
}

const isShare = (cells: ReadonlyArray<JsonRecord>, key: string): boolean =>
  cells.every((cell) => typeof cell[key] === "number" && cell[key] >= 0 && cell[key] <= 1)

/** Records in the form of what they are; `undefined` for those that are a table. */
export const subjectOfRows = (
  rows: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>,
  context: ResultContext
): HTMLElement | undefined => {
  const query = queryOf(context)
  const grid = gridIn(rows, columns)
  if (grid !== undefined) return grid
  switch (formOfRows(sampleOf(rows), columns, !isEmpty(query))) {
    case "steps":
      return steps(rows, { badge: "priority" })
    case "files":
      return files(rows)
    case "documents":
      return h(
        "div",
        { class: "mg-stack" },
        rows.map((row) => code(picked(row, undefined, "text"), { title: textOf(picked(row, undefined, "path")) }))
      )
    case "hits":
      return hits(rows, { query })
    case "findings":
      return findings(rows)
    case "events":
      return timeline(rows)
    case "people":
      return people(rows)
    case "places":
      return map(rows)
    case "days":
      return days(rows)
    case "schedule":
      return schedule(rows)
    case "colors":
      return swatches(rows)
    case "log":
      return log(rows)
    case "bars": {
      const amount = columns.find(
        ({ kind }) => kind === "number" || kind === "money" || kind === "percent" || kind === "bytes"
      )
      const name = columns.find((column) => column !== amount)
      return bars(rows, {
        ...(name === undefined ? {} : { label: name.key }),
        ...(amount === undefined ? {} : { value: amount.key }),
        // Months and years stay in their order.
        sort: !rows.every((row) => /^\d{4}(-|$)/.test(textOf(row[name?.key ?? ""])))
      })
    }
    case "cards": {
      const titles = /^(title|name|label|id|displayName|status|state|priority)$|text|description|summary|content/i
      const isLong = ({ key }: ResultColumn): boolean => rows.some((row) => listOf(row[key]).length > 6)
      const rest = columns
        .filter((column) => !titles.test(column.key) && column.kind !== "object" && !isLong(column))
        .slice(0, 4)
      return cards(rows, rest.length === 0 ? {} : { fields: rest.map(({ key }) => key) })
    }
    default:
      return undefined
  }
}

const without = (record: JsonRecord, ...keys: ReadonlyArray<string>): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

interface Subject {
  readonly node: Child
  /** The members that it does not show. */
  readonly rest: JsonRecord
}

const problemNames = ["errors", "warnings", "issues", "problems", "violations", "findings"]

const problemsIn = (record: JsonRecord, names: ReadonlyArray<string>): ReadonlyArray<JsonRecord> =>
  names.flatMap((name) => {
    const list = record[name]
    if (!Array.isArray(list)) return []
    const severity = name === "warnings" ? "warning" : "error"
    return list.map((item: unknown): JsonRecord => {
      if (!isObject(item)) return { message: textOf(item), severity }
      return "severity" in item || "level" in item ? item : Object.assign({ severity }, item)
    })
  })

/** A verdict with what was found: `{valid: false, errors: […]}`. */
const verdict = (record: JsonRecord, context: ResultContext): Subject | undefined => {
  const flag = ["valid", "isValid", "passed", "ok", "success", "allowed", "healthy"].find(
    (name) => typeof record[name] === "boolean"
  )
  const names = problemNames.filter((name) => Array.isArray(record[name]))
  if (flag === undefined || (flag.startsWith("o") || flag === "success" ? names.length === 0 : false)) return undefined
  const found = problemsIn(record, names)
  const isGood = record[flag] === true
  const label = labelFor(flag.replace(/^is/, ""), context)
  const single = typeof record.error === "string" ? record.error : undefined
  const said = found.length === 1 && single !== undefined ? [] : found
  return {
    node: [
      hero(isGood ? label : `Not ${label.toLowerCase()}`, {
        tone: isGood ? "success" : "danger",
        note: single ?? (said.length > 0 ? countFindings(said) : undefined)
      }),
      said.length > 0 && findings(said)
    ],
    rest: without(record, flag, "error", ...names)
  }
}

/** What a command printed. */
const terminal = (record: JsonRecord): Subject | undefined => {
  if (typeof record.stdout !== "string") return undefined
  const codeOf = record.exitCode ?? record.exit_code ?? record.code ?? record.returncode
  const failed = Number(codeOf ?? 0) !== 0
  return {
    node: [
      failed && hero(`Exit code ${textOf(codeOf)}`, { tone: "danger" }),
      record.stdout !== "" &&
        code(record.stdout, {
          title: `Output${codeOf === undefined || failed ? "" : `, exit code ${textOf(codeOf)}`}`
        }),
      typeof record.stderr === "string" && record.stderr !== "" && code(record.stderr, { title: "Errors" }),
      record.stdout === "" && !failed && hero("No output", { tone: "success" })
    ],
    rest: without(record, "stdout", "stderr", "exitCode", "exit_code", "code", "returncode")
  }
}

const relations = (record: JsonRecord, context: ResultContext): Subject | undefined => {
  const nodeName = ["entities", "nodes", "vertices"].find((name) => recordsOf(record[name]) !== undefined)
  const edgeName = ["relations", "edges", "links", "relationships", "connections"].find(
    (name) => recordsOf(record[name]) !== undefined
  )
  if (nodeName === undefined || edgeName === undefined) return undefined
  const nodes = recordsOf(record[nodeName]) ?? []
  const texts = nodes.filter((node) => Array.isArray(node.observations) && node.observations.length > 0)
  return {
    node: [
      graph(nodes, record[edgeName]),
      texts.length > 0
        ? cards(nodes, {
            badge: "entityType",
            text: () => undefined,
            content: ({ observations }: JsonRecord) =>
              Array.isArray(observations) &&
              h(
                "ul",
                { class: "mg-card-points" },
                observations.map((point) => h("li", {}, textOf(point)))
              )
          } as never)
        : section(labelFor(nodeName, context), context.value(nodes, 1))
    ],
    rest: without(record, nodeName, edgeName)
  }
}

/** The result of a calculation or a conversion, large. */
const answer = (record: JsonRecord, context: ResultContext): Subject | undefined => {
  const name = mainMember(record)
  // That nothing was counted is no answer, and neither is an error.
  if (
    name === undefined ||
    (/^(count|total)$/.test(name) && record[name] === 0) ||
    !isEmpty(record.error ?? record.errorMessage)
  )
    return undefined
  const rest = without(record, name)
  // Several figures are figures, not one answer.
  if (name !== "result" && Object.values(record).filter((value) => typeof value === "number").length > 2)
    return undefined
  if (Object.values(rest).some((value) => typeof value === "object" && !isEmpty(value))) return undefined
  const asked = new Set(Object.values(context.args ?? {}).map(String))
  const facts = Object.fromEntries(Object.entries(rest).filter(([, value]) => !asked.has(String(value))))
  const unit = typeof record.to === "string" && typeof record[name] === "number" ? record.to : undefined
  const isHash = typeof record[name] === "string" && /^[\w+/=-]{20,}$/.test(record[name])
  return {
    node: hero(record[name], {
      label: name === "result" || labelFor(name, context) === context.toolTitle ? undefined : labelFor(name, context),
      ...(unit === undefined ? {} : { unit }),
      ...(isHash ? { type: "id" as const } : {}),
      facts: Object.keys(facts).length <= 6 ? facts : undefined
    }),
    rest: Object.keys(facts).length <= 6 ? {} : facts
  }
}

/** A text with what is said of it: a note, a page, a file. */
const document = (record: JsonRecord, context: ResultContext): Subject | undefined => {
  const name = ["content", "text", "body", "markdown", "documentation", "html", "code"].find((key) => {
    const text = record[key]
    return typeof text === "string" && (text.length > 300 || text.trim().includes("\n"))
  })
  const others = Object.values(record).filter((value) => typeof value === "object" && !isEmpty(value))
  if (name === undefined || others.length > 1) return undefined
  const text = textOf(record[name])
  return { node: subjectOfText(text, context) ?? context.text(text), rest: without(record, name) }
}

/** An object in the form of what it is, with what that form does not show; `undefined` for those that are names and values. */
export const subjectOfObject = (record: JsonRecord, context: ResultContext): Subject | undefined =>
  terminal(record) ??
  relations(record, context) ??
  verdict(record, context) ??
  document(record, context) ??
  answer(record, context)

/** What a sentence is about: what it quotes, else a path or the name of a file. */
const thingIn = (text: string): string | undefined =>
  /["“'`]([^“"”'`\n]{1,120})["”'`]/.exec(text)?.[1] ??
  text
    .split(/\s/)
    .map((word) => word.replace(/[.,:;!?)]$/, ""))
    .find((word) => /.[\\/].|\w\.[a-z]\w{0,3}$/.test(word))

/** A sentence with what it is about in its own voice; addresses are links. */
const sentence = (text: string, tone?: string): HTMLElement => {
  const options = tone === undefined ? {} : { tone }
  if (text.includes("://")) return hero(plainText(text), options)
  const thing = thingIn(text)
  const at = thing === undefined ? 0 : text.indexOf(thing)
  return hero(
    thing === undefined
      ? text
      : [
          text.slice(0, at).replace(/["“'`]$/, ""),
          h("code", {}, thing),
          text.slice(at + thing.length).replace(/^["”'`]/, "")
        ],
    options
  )
}

/** A text in the form of what it is; `undefined` for prose and all else. */
export const subjectOfText = (text: string, context: ResultContext): Node | undefined => {
  const trimmed = text.trim()
  if (saysDone(trimmed)) return sentence(trimmed, "success")
  const listed = filesInText(text)
  if (listed !== undefined && (listed.length > 1 || listed[0]?.type !== undefined)) return files(listed)
  const kind = textKind(text)
  if (kind === "log" && !/^[ \t]+at |Traceback/m.test(text)) return log(text.slice(0, context.maxBytes * 4))
  if (kind === "markdown" && looksLikeMarkdown(text) && trimmed.length > 600) return page(text)
  if (kind !== "prose" || trimmed.length > 240 || trimmed.includes("\n")) return undefined
  const names = trimmed.split(/,\s*/)
  if (names.length >= 3 && names.every((name) => /^[\w.:@/-]{1,40}$/.test(name)))
    return h(
      "ul",
      { class: "mg-names" },
      names.map((name) => h("li", {}, name))
    )
  return sentence(trimmed)
}
