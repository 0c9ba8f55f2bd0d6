import { isRecord, type JsonRecord, sameJson } from "./json.ts"
import type { ShownData } from "./Seen.ts"

/** A scalar of a result, with the pointer to it. */
interface Leaf {
  readonly path: string
  readonly value: string | number | boolean
}

export interface DataShown {
  /** Leaves that are neither in the view nor in its raw JSON. */
  readonly missing: ReadonlyArray<string>
  /** Share of texts and numbers that can be read outside the raw JSON. */
  readonly inViewShare: number
  /** Texts and numbers of which nothing, or less than half, can be read there. */
  readonly unseen: ReadonlyArray<string>
}

const MANY = 20_000

const leavesOf = (value: unknown, path: string, into: Array<Leaf>): void => {
  if (into.length >= MANY) return
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") into.push({ path, value })
  else if (Array.isArray(value)) value.forEach((item, index) => leavesOf(item, `${path}/${index}`, into))
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value)) leavesOf(member, `${path}/${name}`, into)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON inside a text is shown as what it says, not letter by letter. */
const withTextsRead = (value: unknown): unknown => {
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined
    return inner === undefined ? value : withTextsRead(inner)
  }
  if (Array.isArray(value)) return value.map(withTextsRead)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTextsRead(member)]))
}

const collapsed = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** Signs of Markdown and of tables vanish when they are drawn; letters and digits stay. */
const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "")

const inRaw = (raw: string, { value }: Leaf): boolean =>
  raw.includes(typeof value === "string" ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value))

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 20 })

const inText = (text: string, bareText: string, { value }: Leaf): boolean => {
  if (typeof value === "boolean") return true
  if (typeof value === "number") return text.includes(String(value)) || text.includes(numbers.format(value))
  const wanted = collapsed(value)
  if (wanted === "" || text.includes(wanted)) return true
  const bareWanted = bare(value)
  return bareWanted !== "" && bareText.includes(bareWanted)
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []

/** Long texts are laid out anew: Markdown loses signs, tables are cut in cells. */
const shareOfWords = ({ value }: Leaf, shown: ReadonlySet<string>): number => {
  const wanted = wordsOf(String(value))
  return wanted.length === 0 ? 0 : wanted.filter((word) => shown.has(word)).length / wanted.length
}

/** The raw tab holds the whole result, with labels and buttons around it. */
const isWhole = (raw: string, result: JsonRecord): boolean => {
  const [from, to] = [raw.indexOf("{"), raw.lastIndexOf("}")]
  return from >= 0 && to > from && sameJson(parsed(raw.slice(from, to + 1)), result)
}

/** Compares a result with what can be read of it once everything is open. */
export const dataShown = (result: JsonRecord, shown: ShownData): DataShown => {
  const leaves: Array<Leaf> = []
  leavesOf(result, "", leaves)
  const text = collapsed(shown.text)
  const bareText = bare(shown.text)
  const missing = isWhole(shown.raw, result)
    ? []
    : leaves.filter((leaf) => !inRaw(shown.raw, leaf) && !inText(text, bareText, leaf))
  const { _meta: _unseen, ...told } = result
  const read: Array<Leaf> = []
  leavesOf(withTextsRead(told), "", read)
  const worth = read.filter(
    ({ path, value }) => typeof value !== "boolean" && !/^\/content\/\d+\/(?:type|data|mimeType|blob)$/.test(path)
  )
  const words = new Set(wordsOf(shown.text))
  const seen = worth.map((leaf) => (inText(text, bareText, leaf) ? 1 : shareOfWords(leaf, words)))
  const named = ({ path, value }: Leaf): string => `${path}: ${String(value).slice(0, 80)}`
  return {
    missing: missing.map(named),
    inViewShare: worth.length === 0 ? 1 : seen.reduce((sum, share) => sum + share, 0) / worth.length,
    unseen: worth.filter((_, index) => (seen[index] ?? 0) < 0.5).map(named)
  }
}
