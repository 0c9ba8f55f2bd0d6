import { isObject } from "../isObject.ts"
import { columnsOf, isEmpty, numberOf, type JsonRecord, type ResultColumn } from "./ResultColumn.ts"
import { resultContent, unwrap, type ResultContent } from "./ResultContent.ts"
import { filesInText } from "./ResultFiles.ts"
import { recordsInText } from "./ResultJson.ts"
import { outlineInText } from "./ResultOutline.ts"
import { featureRows, headedRows, isScalar, matrixRows, pairedRecord, recordsOf, treeNodesOf } from "./ResultRows.ts"
import { seriesOf, type ResultSeries } from "./ResultSeries.ts"
import { textKind } from "./ResultText.ts"

export { unwrap } from "./ResultContent.ts"
export { matrixRows, recordsOf, treeNodesOf } from "./ResultRows.ts"

/** The content of a result, with what it looks like. */
export interface ResultShape extends ResultContent {
  readonly records?: ResultRecords
  /** Data that is one object without a list of its own. */
  readonly single?: JsonRecord
  readonly series?: ResultSeries
  /** Nodes of `{name, children}`, if the data has that form. */
  readonly tree?: ReadonlyArray<JsonRecord>
  /** Data that is one value, including text that reads as a number. */
  readonly scalar?: string | number | boolean
}

export interface ResultRecords {
  readonly rows: ReadonlyArray<JsonRecord>
  readonly columns: ReadonlyArray<ResultColumn>
  /** Where the rows were inside `data`, outermost member first. */
  readonly path: ReadonlyArray<string>
  /** The members beside the list that are not empty. */
  readonly rest: JsonRecord
}

const headedRest = (data: JsonRecord): JsonRecord =>
  featureRows(data) === undefined && headedRows(data) === undefined
    ? {}
    : Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value) && !isEmpty(value)))

const findRecords = (data: unknown, depth: number): Omit<ResultRecords, "columns"> | undefined => {
  const rows = recordsOf(data) ?? matrixRows(data)
  if (rows !== undefined) {
    const others = isObject(data) ? headedRest(data) : {}
    return { rows, path: [], rest: others }
  }
  if (!isObject(data) || depth === 0) return undefined
  const structures = Object.entries(data).filter(([, value]) => !isScalar(value) && !isEmpty(value))
  const found = structures
    .map(([key, value]) => ({ key, records: findRecords(value, depth - 1) }))
    .filter(({ records }) => records !== undefined)
  const only = found[0]
  if (only?.records === undefined || found.length > 1) return undefined
  const rest = Object.entries(data).filter(([key, value]) => key !== only.key && !isEmpty(value))
  // One list among other structures is only a part of the whole.
  if (rest.some(([, value]) => isObject(value) && Object.values(value).some((inner) => !isScalar(inner))))
    return undefined
  if (rest.length > 12 || (only.records.rows.length === 1 && rest.length > 0)) return undefined
  // A thing with its own name has the list; it is not the list.
  if (rest.length >= 4 && rest.some(([key]) => /^(name|title)$/i.test(key))) return undefined
  return {
    rows: only.records.rows,
    path: [only.key, ...only.records.path],
    rest: { ...Object.fromEntries(rest), ...only.records.rest }
  }
}

const structured = new Set(["prose", "code", "markdown"])

/** Several files, or one that the listing calls a file: a path alone is a text. */
const filesIn = (text: string): unknown => {
  const files = filesInText(text)
  return files !== undefined && (files.length > 1 || files[0]?.type !== undefined) ? files : undefined
}

/** The records, map or tree that a text spells out, else the text itself. */
const readText = (text: string): unknown =>
  filesIn(text) ?? recordsInText(text) ?? (structured.has(textKind(text)) ? (outlineInText(text) ?? text) : text)

type Looks = Pick<ResultShape, "records" | "single" | "series" | "scalar" | "tree">

const looks = (data: unknown): Looks => {
  const inside = unwrap(data)
  const flat = typeof inside === "string" ? readText(inside) : inside
  const found = (flat === inside ? findRecords(data, 4) : undefined) ?? findRecords(flat, 4)
  const tree = treeNodesOf(found === undefined || found.path.length === 0 ? flat : found.rows)
  if (found !== undefined) {
    const single = isEmpty(found.rest) ? pairedRecord(found.rows) : undefined
    if (single !== undefined) return { single }
    const columns = columnsOf(found.rows)
    const series = seriesOf(found.rows, columns)
    return {
      records: { ...found, columns },
      ...(series === undefined ? {} : { series }),
      ...(tree === undefined ? {} : { tree })
    }
  }
  if (isObject(flat)) return tree === undefined ? { single: flat } : { tree, single: flat }
  if (typeof flat === "string") {
    return flat.length <= 200 && !flat.trim().includes("\n") ? { scalar: numberOf(flat) ?? flat } : {}
  }
  return typeof flat === "number" || typeof flat === "boolean" ? { scalar: flat } : {}
}

/** Reads any JSON value as a tool result. Never throws; nonsense is a result without content. */
export const resultShape = (result: unknown): ResultShape => {
  const content = resultContent(result)
  const isShown = content.parts.some((part) => part.kind === "data" && part.value === content.data)
  return { ...content, ...(isShown ? looks(content.data) : {}) }
}
