import { columnsOf, isEmpty, isRecord, numberOf, type JsonRecord, type ResultColumn } from "./ResultColumn.ts"
import { jsonInText, recordsInText } from "./ResultJson.ts"
import { outlineInText } from "./ResultOutline.ts"
import { featureRows, headedRows, isScalar, matrixRows, pairedRecord, recordsOf, treeNodesOf } from "./ResultRows.ts"
import { seriesOf, type ResultSeries } from "./ResultSeries.ts"
import { textKind } from "./ResultText.ts"

export { matrixRows, recordsOf, treeNodesOf } from "./ResultRows.ts"

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
  /** Text that `data` does not already say, block by block. */
  readonly prose: string
  readonly proseBlocks: ReadonlyArray<string>
  /** The prose is in the main a retelling of the structured content. */
  readonly isRetold: boolean
  readonly media: ReadonlyArray<ResultMedia>
  readonly links: ReadonlyArray<ResultLink>
  /** Content blocks of types that this version does not know. */
  readonly others: ReadonlyArray<unknown>
  readonly records?: ResultRecords
  /** Data that is one object without a list of its own. */
  readonly single?: JsonRecord
  readonly series?: ResultSeries
  /** Nodes of `{name, children}`, when the data are such. */
  readonly tree?: ReadonlyArray<JsonRecord>
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

const textOr = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const headedRest = (data: JsonRecord): JsonRecord =>
  featureRows(data) === undefined && headedRows(data) === undefined
    ? {}
    : Object.fromEntries(Object.entries(data).filter(([, value]) => !Array.isArray(value) && !isEmpty(value)))

const findRecords = (data: unknown, depth: number): Omit<ResultRecords, "columns"> | undefined => {
  const rows = recordsOf(data) ?? matrixRows(data)
  if (rows !== undefined) {
    const others = isRecord(data) ? headedRest(data) : {}
    return { rows, path: [], rest: others }
  }
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
  if (rest.length > 12 || (only.records.rows.length === 1 && rest.length > 0)) return undefined
  // A thing with a name of its own has the list; it is not the list.
  if (rest.length >= 4 && rest.some(([key]) => /^(name|title)$/i.test(key))) return undefined
  return {
    rows: only.records.rows,
    path: [only.key, ...only.records.path],
    rest: { ...Object.fromEntries(rest), ...only.records.rest }
  }
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

const issueOf = (issue: unknown): string | undefined => {
  if (!isRecord(issue) || typeof issue.message !== "string") return undefined
  const path = Array.isArray(issue.path) ? issue.path.join(".") : textOr(issue.field)
  return path === undefined || path === "" ? issue.message : `${path}: ${issue.message}`
}

/** The lines of a list of issues, as validators write them (`[{path, message}]`). */
const issuesOf = (found: unknown): string | undefined => {
  const lines = Array.isArray(found) ? found.map(issueOf) : []
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines.join("\n") : undefined
}

const told = (value: unknown): string | undefined => textOr(isRecord(value) ? value.message : value) ?? issuesOf(value)

/** What an answer that may tell of a failure says about it: from `message`, `error`, `errors`, `detail`, `stderr`. */
export const saidBy = (answer: unknown): string | undefined => {
  const inner = isRecord(answer) ? answer : {}
  const members = ["message", "error", "errors", "errorMessage", "detail", "stderr"]
  return issuesOf(answer) ?? members.map((key) => told(inner[key])).find((text) => text !== undefined)
}

const messageOf = (texts: ReadonlyArray<string>, structured: unknown): string => {
  const text = texts.join("\n").trim()
  const json = jsonInText(text)
  const said = saidBy(json?.value ?? structured)
  const lead =
    json === undefined || !Array.isArray(json.value) ? "" : json.prose.replace(/^Error:?$/, "").replace(/:?$/, ":\n")
  return (
    said === undefined
      ? text || "The tool reported an error without a message."
      : `${lead.length > 2 ? lead : ""}${said}`
  )
    .replace(/^#+ Error\s+/i, "")
    .replace(/^(?:Error: )?MCP error -?\d+: /i, "")
    .replace(/^Error: (?=\S)/, "")
    .trim()
}

const deepest = 1000

/** Whether two JSON values are equal; the order of members does not matter. Values nested absurdly deep are not. */
const equalJson = (left: unknown, right: unknown, depth = 0): boolean => {
  if (left === right) return true
  if (depth > deepest) return false
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false
  const keys = Object.keys(left)
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && equalJson((left as JsonRecord)[key], (right as JsonRecord)[key], depth + 1)
    )
  )
}

/** Whether `data` says everything that `part` does: it is `part`, or holds it, or has all of its members. */
const says = (data: unknown, part: unknown, depth = 3): boolean => {
  if (equalJson(data, part)) return true
  if (!isRecord(data) || depth === 0) return false
  if (isRecord(part) && Object.keys(part).every((key) => equalJson(data[key], part[key]))) return true
  return Object.values(data).some((member) => isRecord(member) && says(member, part, depth - 1))
}

const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return ""
  }
}

const tellable = 200_000

/** Whether most words of the prose are in the data, names of members included: then it tells the data again. */
const retells = (prose: string, data: unknown): boolean => {
  const words =
    prose
      .slice(0, 5000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  const known = words.length === 0 ? "" : jsonText(data).slice(0, tellable).toLowerCase()
  return words.length > 0 && words.filter((word) => known.includes(word)).length >= words.length * 0.75
}

type Said = Pick<ResultShape, "data" | "source" | "prose" | "proseBlocks" | "isRetold">

const saying = (data: unknown, source: ResultShape["source"], blocks: ReadonlyArray<string>): Said => {
  const proseBlocks = blocks.filter((text) => text.trim() !== "")
  const prose = proseBlocks.join("\n\n")
  return { data, source, prose, proseBlocks, isRetold: source === "structured" && retells(prose, data) }
}

const dataOf = (texts: ReadonlyArray<string>, structured: unknown): Said => {
  if (structured !== undefined && structured !== null) {
    const flat = unwrap(structured)
    const [only, ...others] = isRecord(structured) ? Object.values(structured) : []
    const wrapped = typeof only === "string" && others.length === 0 ? only : undefined
    const isMixed = wrapped !== undefined && (jsonInText(wrapped)?.prose ?? "") !== ""
    const blocks = wrapped === undefined || texts.includes(wrapped) ? texts : [wrapped, ...texts]
    const prose = blocks.map((text) => {
      const json = jsonInText(text)
      if (text === wrapped || text === flat) return text === flat ? "" : (json?.prose ?? "")
      return json !== undefined && (says(structured, json.value) || equalJson(flat, json.value)) ? json.prose : text
    })
    // One text with JSON in it is that text, whatever it was wrapped in.
    return saying(structured, isMixed ? "json" : "structured", prose)
  }
  const inTexts = texts.map((text) => ({ text, json: jsonInText(text) }))
  const found = inTexts.filter(({ json }) => json !== undefined)
  if (found.length > 0) {
    const values = found.map(({ json }) => json?.value)
    return saying(
      values.length === 1 ? values[0] : values,
      "json",
      inTexts.map(({ text, json }) => json?.prose ?? text)
    )
  }
  const text = texts.join("\n\n")
  return text === "" ? saying(undefined, "none", []) : saying(text, "text", [text])
}

const structured = new Set(["prose", "code", "markdown"])

/** The records, map or tree that a text spells out, else the text itself. */
const readText = (text: string): unknown =>
  recordsInText(text) ?? (structured.has(textKind(text)) ? (outlineInText(text) ?? text) : text)

type Looks = Pick<ResultShape, "records" | "single" | "series" | "scalar" | "tree">

const looks = (data: unknown, source: ResultShape["source"]): Looks => {
  if (source === "none") return {}
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
  if (isRecord(flat)) return tree === undefined ? { single: flat } : { tree, single: flat }
  if (typeof flat === "string") {
    return flat.length <= 200 && !flat.trim().includes("\n") ? { scalar: numberOf(flat) ?? flat } : {}
  }
  return typeof flat === "number" || typeof flat === "boolean" ? { scalar: flat } : {}
}

/** The part of {@link resultShape} that says what there is, and not what it looks like, which takes most of the time. */
export const resultContent = (result: unknown): Omit<ResultShape, keyof Looks> => {
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
  const isRepeated = blocks.length > 0 && equalJson(members.structuredContent, { content: blocks })
  const data = dataOf(texts, isRepeated && texts.length > 0 ? undefined : members.structuredContent)
  return {
    ...data,
    repeatsContent: isRepeated && data.source === "structured",
    texts,
    media,
    links,
    others,
    isError,
    message: isError ? messageOf(texts, members.structuredContent) : ""
  }
}

/** Reads any JSON value as a tool result. Never throws; nonsense is a result without content. */
export const resultShape = (result: unknown): ResultShape => {
  const content = resultContent(result)
  return { ...content, ...looks(content.data, content.source) }
}
