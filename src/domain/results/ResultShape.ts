import { columnsOf, isEmpty, isRecord, numberOf, type JsonRecord, type ResultColumn } from "./ResultColumn.ts"
import { jsonInText, recordsInText } from "./ResultJson.ts"

/**
 * What a `CallToolResult` (MCP specification, "Tools", "Tool Result") says, read from any JSON value: servers leave out
 * `content`, put JSON into text, repeat structured content as text, and wrap lists in envelopes.
 */
export interface ResultShape {
  /** `structuredContent`, else JSON found in the text, else the text, else `undefined`. */
  readonly data: unknown
  readonly source: "structured" | "json" | "text" | "none"
  /** `data` is `{content}` once more, as some servers send it beside pictures and sound: it says nothing of its own. */
  readonly repeatsContent: boolean
  /** Every text block as it came. */
  readonly texts: ReadonlyArray<string>
  /** Text that `data` does not already say. */
  readonly prose: string
  readonly media: ReadonlyArray<ResultMedia>
  readonly links: ReadonlyArray<ResultLink>
  /** Content blocks of types that this version does not know. */
  readonly others: ReadonlyArray<unknown>
  readonly records?: ResultRecords
  /** Data that is one object without a list of its own. */
  readonly single?: JsonRecord
  readonly series?: ResultSeries
  /** Data that is one value, text that reads as a number included. */
  readonly scalar?: string | number | boolean
  readonly isError: boolean
  /** What a failed call says, without protocol prefixes; empty when the call did not fail. */
  readonly message: string
}

export interface ResultMedia {
  readonly kind: "image" | "audio" | "text" | "blob"
  readonly mimeType: string
  /** Base64 for image, audio and blob; the text itself for text. */
  readonly data: string
  readonly uri?: string
  readonly name?: string
}

export interface ResultLink {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
}

export interface ResultRecords {
  readonly rows: ReadonlyArray<JsonRecord>
  readonly columns: ReadonlyArray<ResultColumn>
  /** Where the rows were inside `data`, outermost member first. */
  readonly path: ReadonlyArray<string>
  /** The members beside the list that are not empty. */
  readonly rest: JsonRecord
}

/** Records that are worth a chart: `x` and `y` are column keys. */
export interface ResultSeries {
  readonly type: "line" | "bar"
  readonly x: string
  readonly y: ReadonlyArray<string>
}

const textOr = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const isScalar = (value: unknown): boolean => value === null || typeof value !== "object"

const columnarRows = (value: JsonRecord): Array<JsonRecord> | undefined => {
  const entries = Object.entries(value)
  const length = Array.isArray(entries[0]?.[1]) ? entries[0][1].length : 0
  const isColumnar =
    entries.length >= 2 &&
    length >= 2 &&
    entries.every(([, list]) => Array.isArray(list) && list.length === length && list.every(isScalar))
  if (!isColumnar) return undefined
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(entries.map(([key, list]) => [key, Array.isArray(list) ? list[index] : undefined]))
  )
}

const mappedRows = (value: JsonRecord): Array<JsonRecord> | undefined => {
  const entries = Object.entries(value)
  const first = entries[0]?.[1]
  if (entries.length < 3 || !isRecord(first)) return undefined
  const names = Object.keys(first)
  const isUniform =
    names.length >= 2 &&
    entries.every(([, row]) => isRecord(row) && names.filter((name) => name in row).length * 2 > names.length)
  if (!isUniform) return undefined
  return entries.map(([name, row]) => Object.assign({ name }, row))
}

/** The records that a value is: a list of objects, lists of equal length side by side, or objects of one kind under names. */
export const recordsOf = (value: unknown): ReadonlyArray<JsonRecord> | undefined => {
  if (Array.isArray(value)) {
    const rows = value.filter(isRecord)
    return rows.length > 0 && value.every((row) => row === null || isRecord(row)) ? rows : undefined
  }
  return isRecord(value) ? (columnarRows(value) ?? mappedRows(value)) : undefined
}

const findRecords = (data: unknown, depth: number): Omit<ResultRecords, "columns"> | undefined => {
  const rows = recordsOf(data)
  if (rows !== undefined) return { rows, path: [], rest: {} }
  if (!isRecord(data) || depth === 0) return undefined
  const structures = Object.entries(data).filter(([, value]) => !isScalar(value) && !isEmpty(value))
  const found = structures
    .map(([key, value]) => ({ key, records: findRecords(value, depth - 1) }))
    .filter(({ records }) => records !== undefined)
  const only = found[0]
  if (only?.records === undefined || found.length > 1) return undefined
  const rest = Object.entries(data).filter(([key, value]) => key !== only.key && !isEmpty(value))
  // One list among other structures is a part of the whole, not the whole.
  if (rest.some(([, value]) => isRecord(value) && Object.values(value).some((inner) => !isScalar(inner))))
    return undefined
  if (rest.length > 12) return undefined
  return {
    rows: only.records.rows,
    path: [only.key, ...only.records.path],
    rest: { ...Object.fromEntries(rest), ...only.records.rest }
  }
}

const plottable = new Set(["number", "money", "percent", "bytes", "duration"])
const unplottable =
  /^(lat|latitude|lon|lng|long|longitude|page|offset|limit|line|row|rank|index|position|number|version)$/i

/** Which columns of `rows` make a chart that says something, or `undefined`. */
export const seriesOf = (
  rows: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>
): ResultSeries | undefined => {
  if (rows.length < 3 || rows.length > 2000) return undefined
  const numbersOf = (key: string): Array<number> =>
    rows.map((row) => numberOf(row[key])).filter((value) => value !== undefined)
  const candidates = columns.filter(
    (column) =>
      plottable.has(column.kind) &&
      !unplottable.test(column.key) &&
      numbersOf(column.key).length * 3 >= rows.length * 2 &&
      new Set(numbersOf(column.key)).size > 1
  )
  const first = candidates[0]
  if (first === undefined) return undefined
  const size = (key: string): number => Math.max(...numbersOf(key).map(Math.abs))
  const reach = size(first.key)
  const y = candidates
    .filter(({ key, kind }) => kind === first.kind && size(key) <= reach * 8 && size(key) * 8 >= reach)
    .slice(0, 4)
    .map(({ key }) => key)
  const time = columns.find(({ kind }) => kind === "date" || kind === "datetime" || kind === "year")
  if (time !== undefined && new Set(rows.map((row) => row[time.key])).size === rows.length) {
    return { type: "line", x: time.key, y }
  }
  const label = columns.find(({ key, kind }) => {
    const values = rows.map((row) => row[key])
    return (
      (kind === "text" || kind === "badge") &&
      new Set(values).size === rows.length &&
      values.every((value) => typeof value === "string" && value.length <= 40)
    )
  })
  return label !== undefined && rows.length <= 30 ? { type: "bar", x: label.key, y } : undefined
}

/** Takes off envelopes that hold nothing but one structure (`{data: {results: […]}}`); at most four. */
export const unwrap = (data: unknown): unknown => {
  let value = data
  for (let depth = 0; depth < 4; depth++) {
    if (!isRecord(value)) return value
    const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
    const only = entries[0]?.[1]
    if (entries.length !== 1) return value
    if (typeof only === "string")
      return (
        jsonInText(only)?.value ?? (/^(result|text|output|content|message)$/.test(entries[0]?.[0] ?? "") ? only : value)
      )
    if (typeof only !== "object") return value
    value = only
  }
  return value
}

const readLink = (block: JsonRecord, uri: string): ResultLink => {
  const description = textOr(block.description)
  const mimeType = textOr(block.mimeType)
  return {
    uri,
    name: textOr(block.title) ?? textOr(block.name) ?? uri,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(typeof block.size === "number" ? { size: block.size } : {})
  }
}

const readMedia = (block: JsonRecord): ResultMedia | undefined => {
  const type = textOr(block.type)
  if ((type === "image" || type === "audio") && typeof block.data === "string") {
    return {
      kind: type,
      mimeType: textOr(block.mimeType) ?? (type === "image" ? "image/png" : "audio/wav"),
      data: block.data
    }
  }
  const resource = type === "resource" ? block.resource : undefined
  if (!isRecord(resource)) return undefined
  const uri = textOr(resource.uri)
  const name = textOr(resource.title) ?? textOr(resource.name)
  const about = { ...(uri === undefined ? {} : { uri }), ...(name === undefined ? {} : { name }) }
  if (typeof resource.text === "string") {
    return { kind: "text", mimeType: textOr(resource.mimeType) ?? "text/plain", data: resource.text, ...about }
  }
  if (typeof resource.blob !== "string") return undefined
  const mimeType = textOr(resource.mimeType) ?? "application/octet-stream"
  const kind = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : "blob"
  return { kind, mimeType, data: resource.blob, ...about }
}

const messageOf = (texts: ReadonlyArray<string>, structured: unknown): string => {
  const text = texts.join("\n").trim()
  const found = jsonInText(text)?.value ?? structured
  const inner = isRecord(found) ? found : undefined
  const error = inner?.error
  const said =
    textOr(inner?.message) ??
    (isRecord(error) ? textOr(error.message) : textOr(error)) ??
    textOr(inner?.detail) ??
    (text === "" ? undefined : text)
  return (said ?? "The tool reported an error without a message.")
    .replace(/^(?:Error: )?MCP error -?\d+: /i, "")
    .replace(/^Error: (?=\S)/, "")
    .trim()
}

const sameJson = (left: unknown, right: unknown): boolean => {
  try {
    return JSON.stringify(left) === JSON.stringify(right)
  } catch {
    return false
  }
}

/** Whether `data` says everything that `part` does: it is `part`, or holds it, or has all of its members. */
const says = (data: unknown, part: unknown, depth = 3): boolean => {
  if (sameJson(data, part)) return true
  if (!isRecord(data) || depth === 0) return false
  if (isRecord(part) && Object.keys(part).every((key) => sameJson(data[key], part[key]))) return true
  return Object.values(data).some((member) => isRecord(member) && says(member, part, depth - 1))
}

const dataOf = (texts: ReadonlyArray<string>, structured: unknown): Pick<ResultShape, "data" | "source" | "prose"> => {
  const inTexts = texts.map((text) => ({ text, json: jsonInText(text) }))
  if (structured !== undefined && structured !== null) {
    const flat = unwrap(structured)
    const prose = inTexts
      .map(({ text, json }) => {
        if (json !== undefined && (says(structured, json.value) || sameJson(flat, json.value))) return json.prose
        return text === flat ? "" : text
      })
      .filter((text) => text.trim() !== "")
    return { data: structured, source: "structured", prose: prose.join("\n\n") }
  }
  const found = inTexts.filter(({ json }) => json !== undefined)
  if (found.length > 0) {
    const values = found.map(({ json }) => json?.value)
    const prose = inTexts.map(({ text, json }) => json?.prose ?? text).filter((text) => text.trim() !== "")
    return { data: values.length === 1 ? values[0] : values, source: "json", prose: prose.join("\n\n") }
  }
  const text = texts.join("\n\n")
  return text === "" ? { data: undefined, source: "none", prose: "" } : { data: text, source: "text", prose: text }
}

const looks = (
  data: unknown,
  source: ResultShape["source"]
): Pick<ResultShape, "records" | "single" | "series" | "scalar"> => {
  if (source === "none") return {}
  const flat = source === "text" && typeof data === "string" ? (recordsInText(data) ?? data) : unwrap(data)
  const found = findRecords(data, 4) ?? findRecords(flat, 4)
  if (found !== undefined) {
    const columns = columnsOf(found.rows)
    const series = seriesOf(found.rows, columns)
    return { records: { ...found, columns }, ...(series === undefined ? {} : { series }) }
  }
  if (isRecord(flat)) return { single: flat }
  if (typeof flat === "string")
    return flat.length <= 200 && !flat.includes("\n") ? { scalar: numberOf(flat) ?? flat } : {}
  return typeof flat === "number" || typeof flat === "boolean" ? { scalar: flat } : {}
}

/** Reads any JSON value as a tool result. Never throws; nonsense is a result without content. */
export const resultShape = (result: unknown): ResultShape => {
  const members = isRecord(result) ? result : {}
  const blocks = Array.isArray(members.content) ? members.content : []
  const texts: Array<string> = []
  const media: Array<ResultMedia> = []
  const links: Array<ResultLink> = []
  const others: Array<unknown> = []
  for (const block of blocks) {
    const text = isRecord(block) && block.type === "text" ? block.text : undefined
    const uri = isRecord(block) && block.type === "resource_link" ? textOr(block.uri) : undefined
    const medium = isRecord(block) ? readMedia(block) : undefined
    if (typeof text === "string") texts.push(text)
    else if (uri !== undefined && isRecord(block)) links.push(readLink(block, uri))
    else if (medium !== undefined) media.push(medium)
    else if (!isEmpty(block)) others.push(block)
  }
  const isError = members.isError === true
  const isRepeated = blocks.length > 0 && sameJson(members.structuredContent, { content: blocks })
  const data = dataOf(texts, isRepeated && texts.length > 0 ? undefined : members.structuredContent)
  return {
    ...data,
    repeatsContent: isRepeated && data.source === "structured",
    texts,
    media,
    links,
    others,
    ...looks(data.data, data.source),
    isError,
    message: isError ? messageOf(texts, members.structuredContent) : ""
  }
}
