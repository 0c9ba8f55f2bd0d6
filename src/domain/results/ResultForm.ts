import { isObject } from "../isObject.ts"
import { isEmpty, type JsonRecord, numberOf, type ResultColumn } from "./ResultColumn.ts"

/**
 * What records are, not what their JSON is: tasks, files, hits of a search. A guess needs several signs, because a table
 * shows anything and another form only what it is for.
 */
export type RowsForm =
  | "steps"
  | "files"
  | "documents"
  | "hits"
  | "findings"
  | "events"
  | "people"
  | "places"
  | "days"
  | "schedule"
  | "colors"
  | "log"
  | "bars"
  | "cards"
  | "table"

const taskState =
  /^(done|complete[d]?|finished|open|todo|to[ -]do|pending|active|doing|(in[ _-]?)progress|in[ _-]progress|not[ _-]started|blocked|deferred|backlog|planned|review|cancell?ed|closed|true|false)$/i

const severity =
  /^(error|warn(ing)?|info|notice|critical|fatal|high|medium|moderate|low|minor|major|serious|severe|suggestion|hint)$/i

interface Members {
  /** The first member of this name in which all rows that have it pass the test; at least half of the rows have it. */
  readonly find: (names: RegExp, test?: (value: unknown) => boolean) => string | undefined
}

const membersOf = (rows: ReadonlyArray<JsonRecord>, columns: ReadonlyArray<ResultColumn>): Members => ({
  find: (names, test = () => true) =>
    columns.find(({ key }) => {
      if (!names.test(key)) return false
      const values = rows.map((row) => row[key]).filter((value) => !isEmpty(value))
      return values.length * 2 > rows.length && values.every(test)
    })?.key
})

const isText = (value: unknown): value is string => typeof value === "string"
const isShort = (value: unknown): boolean => isText(value) && value.length <= 120
const isNumber = (value: unknown): boolean => numberOf(value) !== undefined
const isMoment = (value: unknown): boolean =>
  (isText(value) || typeof value === "number" || isObject(value)) && value !== ""

const titleNames = /^(title|name|label|subject|displayName|display_name|summary|task|content)$/i

const isDate = ({ kind }: ResultColumn): boolean => kind === "date" || kind === "datetime"

/** How records are best shown. `sample` may be a part of many rows. */
export const formOfRows = (
  rows: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>,
  hasQuery: boolean
): RowsForm => {
  const { find } = membersOf(rows, columns)
  const count = rows.length
  const title = find(titleNames, isShort)
  const path = find(/^(path|file|filename|filePath|file_path)$/i, isText)
  const type = find(/^(type|kind)$/i, (value) => /^(file|dir(ectory)?|folder|symlink)$/i.test(String(value)))
  if (columns.length === 1 && path !== undefined && count <= 300) return "files"
  const content = find(/^(content|contents|text|source|code|body)$/i, isText)
  if (
    count <= 20 &&
    columns.length <= 4 &&
    path !== undefined &&
    content !== undefined &&
    rows.some((row) => String(row[content]).includes("\n"))
  )
    return "documents"
  if (count <= 300 && columns.length <= 8 && (title ?? path) !== undefined && type !== undefined) return "files"
  if (count <= 300 && columns.length <= 6 && path !== undefined && find(/^(size|bytes)$/i, isNumber) !== undefined)
    return "files"
  const message = find(/^(message|msg|description|help|title|text)$/i, isText)
  const level = find(/^(severity|level|type|impact)$/i, (value) => severity.test(String(value)))
  if (message !== undefined && level !== undefined) {
    const time = columns.find((column) => isDate(column) || /^(time|timestamp|ts)$/i.test(column.key))
    if (time !== undefined && columns.length <= 6) return "log"
    if (count <= 100) return "findings"
  }
  const state = find(/^(status|state|done|completed?|checked|isCompleted|is_done)$/i, (value) =>
    taskState.test(String(value))
  )
  if (
    title !== undefined &&
    state !== undefined &&
    count <= 60 &&
    columns.some(({ key }) =>
      /task|priority|depend|descri|detail|due|assignee|step|content|subtask|completed/i.test(key)
    )
  )
    return "steps"
  const lat = find(/^(lat|latitude)$/i, isNumber)
  const lon = find(/^(lon|lng|long|longitude)$/i, isNumber)
  if (lat !== undefined && lon !== undefined && count <= 100) return "places"
  const start = find(/^(start|starts?_?at|start_?time|start_?date|begin)$/i, isMoment)
  const end = find(/^(end|ends?_?at|end_?time|end_?date|finish)$/i, isMoment)
  if (start !== undefined && end !== undefined && title !== undefined && count <= 100) return "schedule"
  const day = columns.find(isDate)
  const high = find(/high|max|temp/i, isNumber)
  if (
    day !== undefined &&
    high !== undefined &&
    count <= 16 &&
    find(/low|min|condition|precip|weather|summary/i) !== undefined
  )
    return "days"
  const author = find(/^(author|user|committer|actor|by|who|login)(_?name)?$/i)
  const hash = find(/^(sha|hash|commit|oid|short_?hash|abbreviated_commit)$/i, isText)
  const said = find(/^(message|subject|title|event|action|description|summary)$/i, isText)
  if (said !== undefined && day !== undefined && (author ?? hash) !== undefined && count <= 100 && columns.length <= 8)
    return "events"
  const snippet =
    find(/^(snippet|excerpt|context|match|preview|highlight|matched_?text|line_?text)$/i, isText) ??
    (hasQuery ? find(/^(description|summary|abstract)$/i, isText) : undefined)
  const place = title ?? path ?? find(/^(url|link|uri|id)$/i, isText)
  if (
    place !== undefined &&
    count <= 60 &&
    snippet !== undefined &&
    (hasQuery || find(/^(score|rank|relevance|line)$/i) !== undefined)
  )
    return "hits"
  const mail = find(/^(e-?mail|email_?address)$/i, (value) => isText(value) && value.includes("@"))
  if (title !== undefined && mail !== undefined && columns.length <= 5 && count <= 60) return "people"
  const colour = columns.find(({ kind }) => kind === "color")
  if (colour !== undefined && columns.length <= 3 && count <= 60) return "colors"
  const texts = columns.filter(({ kind }) => kind === "text" || kind === "badge" || kind === "id")
  const amounts = columns.filter(
    ({ kind }) => kind === "number" || kind === "money" || kind === "percent" || kind === "bytes"
  )
  if (columns.length === 2 && texts.length === 1 && amounts.length === 1 && count >= 3 && count <= 20) return "bars"
  const isRich = (row: JsonRecord): boolean => Object.values(row).some((value) => isText(value) && value.length > 80)
  if (count <= 6 && count >= 2 && title !== undefined && columns.length >= 3 && rows.every(isRich)) return "cards"
  return "table"
}

/** The member that is the answer of a record that answers one question, with the rest: `{value: 100, from, to, result: 62}`. */
export const mainMember = (record: JsonRecord): string | undefined => {
  const keys = Object.keys(record).filter((key) => !isEmpty(record[key]))
  if (keys.length > 8) return undefined
  const fits = (key: string): boolean => {
    const value = record[key]
    return typeof value === "number" || (isText(value) && value.length <= 160 && !value.includes("\n"))
  }
  const named = ["result", "answer", "output", "total", "sum", "hash", "value", "uuid", "token", "url", "count"].find(
    (name) => Object.hasOwn(record, name) && fits(name)
  )
  if (named !== undefined) return named
  return keys.length === 1 && keys[0] !== undefined && fits(keys[0]) ? keys[0] : undefined
}
