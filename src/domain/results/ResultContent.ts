import { isObject } from "../isObject.ts"
import { readBlock, type ResultPart } from "./ResultBlocks.ts"
import { type JsonRecord } from "./ResultColumn.ts"
import { messageOf } from "./ResultErrors.ts"
import { fenceIn, withoutWarnings } from "./FencedText.ts"
import { jsonInText, parsedJson, plainValue } from "./ResultJson.ts"
import { isSvg } from "./ResultText.ts"
import { tableInText } from "./TextPieces.ts"
import { renderDataOf } from "./UiResource.ts"

/**
 * What a `CallToolResult` (MCP specification, "Tools", "Tool Result") says, read from any JSON value. Servers leave out
 * `content`, put JSON into text, repeat structured content as text, and wrap lists in envelopes.
 */
export interface ResultContent {
  /** `structuredContent`, else the render data of mcp-ui, else JSON found in the text, else the text, else `undefined`. */
  readonly data: unknown
  readonly source: "structured" | "json" | "text" | "none"
  /** `data` only repeats `{content}`, as some servers send it beside pictures and sound. */
  readonly repeatsContent: boolean
  /** Every text block as it came. */
  readonly texts: ReadonlyArray<string>
  /** Everything to show, in order, without text that `data` or `message` already says. */
  readonly parts: ReadonlyArray<ResultPart>
  /** The prose mainly repeats the structured content. */
  readonly isRetold: boolean
  readonly isError: boolean
  /** What a failed call says, without protocol prefixes; empty when the call did not fail. */
  readonly message: string
}

/** Removes envelopes that hold only one structure (`{data: {results: […]}}`); at most four. */
export const unwrap = (data: unknown): unknown => {
  let value = data
  for (let depth = 0; depth < 4; depth++) {
    if (!isObject(value)) return value
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

const deepest = 1000

/**
 * Whether two JSON values are equal; the order of members does not matter. Values that are nested too deep count as
 * different.
 */
const equalJson = (left: unknown, right: unknown, depth = 0): boolean => {
  if (left === right) return true
  if (depth > deepest) return false
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && equalJson((left as JsonRecord)[key], (right as JsonRecord)[key], depth + 1)
    )
  )
}

/** How many members are compared to find texts that repeat structured content. */
const mostCompared = 200_000

/**
 * Tells whether `data` says everything that a part does: it equals the part, contains it, or has all of its members.
 * Work is bounded: beyond the bound, a part counts as different.
 */
const sayer = (data: unknown): ((part: unknown) => boolean) => {
  let left = mostCompared
  const says = (data: unknown, part: unknown, depth: number): boolean => {
    if (left < 0) return false
    const members = typeof data === "object" && data !== null ? Object.values(data) : []
    left -= members.length + (isObject(part) ? Object.keys(part).length : 1)
    if (equalJson(data, part)) return true
    if (!isObject(data) || depth === 0) return false
    if (isObject(part) && Object.keys(part).every((key) => equalJson(data[key], part[key]))) return true
    return members.some((member) => isObject(member) && says(member, part, depth - 1))
  }
  return (part) => says(data, part, 3)
}

const tellable = 50_000

/** The beginning of a value's JSON. Members beyond it are skipped: writing 100,000 rows takes longer than drawing them. */
const jsonStart = (value: unknown): string => {
  let left = tellable
  const counted = (key: string, member: unknown): unknown => {
    left -= key.length + (typeof member === "string" ? member.length : 1)
    return left < 0 ? undefined : Array.isArray(member) ? member.slice(0, left + 1) : member
  }
  try {
    return (JSON.stringify(value, counted) ?? "").slice(0, tellable)
  } catch {
    return ""
  }
}

/** Whether most words of the prose occur in the data, member names included: then the prose repeats the data. */
const retells = (prose: string, data: unknown): boolean => {
  const words = [
    ...new Set(
      prose
        .slice(0, 5000)
        .toLowerCase()
        .match(/[\p{L}\p{N}]{2,}/gu)
    )
  ]
  const known = words.length === 0 ? "" : jsonStart(data).toLowerCase()
  return words.length > 0 && words.filter((word) => known.includes(word)).length >= words.length * 0.75
}

type Piece = string | ResultPart

const isText = (piece: Piece): piece is string => typeof piece === "string"

const prose = (text: string): ResultPart => ({ kind: "prose", text })

/** The pieces, with what is read from each text in its place. Adjacent texts are joined, except drawings. */
const placed = (
  pieces: ReadonlyArray<Piece>,
  read: (text: string) => ReadonlyArray<ResultPart>
): ReadonlyArray<ResultPart> => {
  const parts: Array<ResultPart> = []
  let texts: Array<string> = []
  const join = (): void => {
    if (texts.length > 0) parts.push(prose(texts.join("\n\n")))
    texts = []
  }
  for (const part of pieces.flatMap((piece) => (isText(piece) ? read(piece) : [piece]))) {
    if (part.kind === "prose" && !isSvg(part.text)) {
      if (part.text.trim() !== "") texts.push(part.text)
      continue
    }
    join()
    parts.push(part)
  }
  join()
  return parts
}

const dataOf = (value: unknown): ResultPart => ({ kind: "data", value })

type Said = Pick<ResultContent, "data" | "source" | "parts" | "isRetold">

/** Structured content stands where a text repeats it, else after leading texts, or after pictures that repeat it. */
const structuredSaid = (given: ReadonlyArray<Piece>, data: unknown, notes: Array<string>): Said => {
  const flat = unwrap(data)
  const [only, ...others] = isObject(data) ? Object.values(data) : []
  const wrapped = typeof only === "string" && others.length === 0 ? only : undefined
  const inWrapped = wrapped === undefined ? undefined : jsonInText(wrapped)
  const pieces = wrapped === undefined || given.includes(wrapped) ? given : [wrapped, ...given]
  const isSaid = sayer(data)
  const isSaidFlat = sayer(flat)
  let isPlaced = false
  const parts = placed(pieces, (text) => {
    const json = text === flat ? undefined : jsonInText(text, notes)
    const repeats = text === wrapped || text === flat
    if (!repeats && (json === undefined || !(isSaid(json.value) || isSaidFlat(json.value)))) return [prose(text)]
    const place = isPlaced ? [] : [dataOf(data)]
    isPlaced = true
    return [prose(json?.before ?? ""), ...place, prose(json?.after ?? "")]
  })
  const lead = parts.findIndex(({ kind }) => kind !== "prose")
  const at = lead === -1 || parts[0]?.kind === "media" ? parts.length : lead
  const texts = parts.flatMap((part) => (part.kind === "prose" ? [part.text] : []))
  // One text with JSON in it stands for that JSON, whatever wraps it.
  const source = inWrapped === undefined || inWrapped.before + inWrapped.after === "" ? "structured" : "json"
  return {
    data,
    source,
    parts: isPlaced ? parts : parts.toSpliced(at, 0, dataOf(data)),
    isRetold: source === "structured" && retells(texts.join("\n\n"), data)
  }
}

const textSaid = (pieces: ReadonlyArray<Piece>, notes: Array<string>): Said => {
  const parts = placed(pieces, (text) => {
    const json = jsonInText(text, notes) ?? tableInText(text)
    return json === undefined ? [prose(text)] : [prose(json.before), dataOf(json.value), prose(json.after)]
  })
  const values = parts.flatMap((part) => (part.kind === "data" ? [part.value] : []))
  const first = parts.findIndex(({ kind }) => kind === "data")
  if (first !== -1) {
    const isOne = parts.slice(first, first + values.length).every(({ kind }) => kind === "data")
    const data = values.length === 1 ? values[0] : values
    return {
      data,
      source: typeof data === "string" ? "text" : "json",
      // Adjacent values form one list.
      parts: isOne ? parts.toSpliced(first, values.length, dataOf(data)) : parts,
      isRetold: false
    }
  }
  const data = pieces.filter(isText).join("\n\n")
  if (data === "") return { data: undefined, source: "none", parts, isRetold: false }
  // Texts between pictures stay texts; only text that stands alone may spell out records.
  const isAlone = parts.filter(({ kind }) => kind === "prose").length <= 1
  return {
    data,
    source: "text",
    parts: isAlone ? parts.map((part) => (part.kind === "prose" ? dataOf(data) : part)) : parts,
    isRetold: false
  }
}

const mostFences = 20

/** What stands in a fence is data, also where it is no JSON; structured content says it better. */
const unfenced = (whole: string, hasData: boolean, notes: Array<string>): ReadonlyArray<Piece> => {
  // Some servers encode the whole text once more.
  const decoded = whole.startsWith('"') ? parsedJson(whole) : whole
  let left = typeof decoded === "string" ? decoded : whole
  let fence = fenceIn(left)
  if (fence === undefined) return [whole]
  const pieces: Array<Piece> = []
  let name = ""
  for (; fence !== undefined && pieces.length < mostFences * 2; fence = fenceIn(left)) {
    const { inner } = fence
    name = fence.name
    left = fence.after
    const isRead = hasData || (jsonInText(inner) ?? tableInText(inner)) !== undefined
    pieces.push(withoutWarnings(fence.before, name, notes), isRead ? inner : dataOf(inner))
  }
  return [...pieces, withoutWarnings(left, name, notes)]
}

const isWords = ({ kind }: ResultPart): boolean => kind === "prose" || kind === "data"

/** The message is what comes before pictures and files, if anything does; the rest keeps its place. */
const failure = (
  pieces: ReadonlyArray<Piece>,
  parts: ReadonlyArray<ResultPart>,
  structured: unknown
): Pick<ResultContent, "parts" | "message"> => {
  const end = pieces.findIndex((piece) => !isText(piece))
  const lead = pieces.slice(0, Math.max(0, end)).filter(isText)
  const isLed = lead.some((text) => text.trim() !== "")
  const from = isLed ? parts.findIndex((part) => !isWords(part)) : parts.length
  return {
    message: messageOf(isLed ? lead : pieces.filter(isText), structured),
    parts: parts.filter((part, at) => at >= from || !isWords(part))
  }
}

/**
 * Reads any JSON value as the content of a result. It does not judge how the content looks, which takes most of the
 * time.
 */
export const resultContent = (result: unknown): ResultContent => {
  const members = isObject(result) ? result : {}
  const blocks = Array.isArray(members.content) ? members.content : []
  const given = blocks.map(readBlock).filter((piece) => piece !== undefined)
  const texts = given.filter(isText)
  const isRepeated = blocks.length > 0 && equalJson(members.structuredContent, { content: blocks })
  const notes: Array<string> = []
  const structured =
    isRepeated && texts.length > 0
      ? undefined
      : (plainValue(members.structuredContent ?? blocks.map(renderDataOf).find(isObject), notes) ?? undefined)
  const pieces = given.flatMap((piece) => (isText(piece) ? unfenced(piece, structured !== undefined, notes) : [piece]))
  const read = structured === undefined ? textSaid(pieces, notes) : structuredSaid(pieces, structured, notes)
  const note = [...new Set(notes)].join("\n\n")
  const said = note === "" ? read : { ...read, parts: [...read.parts, { kind: "notes", text: note } as const] }
  const repeatsContent = isRepeated && said.source === "structured"
  const shown = {
    ...said,
    ...(repeatsContent ? { parts: said.parts.filter(({ kind }) => kind !== "data") } : {}),
    repeatsContent,
    texts
  }
  return members.isError === true
    ? { ...shown, isError: true, ...failure(pieces, said.parts, members.structuredContent) }
    : { ...shown, isError: false, message: "" }
}
