import { isRecord, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import type { ResultRecords } from "../../domain/results/ResultShape.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"
import { button } from "./button.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"

/** How to ask for the page after this one, where both the answer and the tool's input schema know of pages. */
export interface NextPage {
  readonly args: JsonObject
  readonly total: number | undefined
}

const cursors = /^(next|end)?(page)?(cursor|token|after)$|^startingafter$/i
const offsets = /^(offset|skip|start(index|at)?)$/i
const pages = /^(current)?page(number|no|index)?$/i

const keyIn = (record: JsonRecord, pattern: RegExp): string | undefined =>
  Object.keys(record).find((key) => pattern.test(key.replace(/[_-]/g, "")))

/** Reads cursors, offsets and page numbers beside a list: `{next_cursor}`, `{total, offset}`, `{page, total_pages}`, `{has_more}`. */
export const nextPageOf = (
  { rows, rest }: ResultRecords,
  inputSchema: unknown,
  args: JsonObject = {}
): NextPage | undefined => {
  const properties = isRecord(inputSchema) && isRecord(inputSchema.properties) ? inputSchema.properties : {}
  const about: JsonRecord = Object.assign({}, ...Object.values(rest).filter(isRecord), rest)
  const at = (pattern: RegExp): unknown => about[keyIn(about, pattern) ?? ""]
  const total = numberOf(at(/^total(count|results|items|records)?$/i))
  const next = (key: string, value: unknown): NextPage => ({ args: { ...args, [key]: value }, total })
  const cursor = at(cursors)
  const cursorKey = keyIn(properties, cursors)
  if (cursorKey !== undefined && cursor !== "" && (typeof cursor === "string" || typeof cursor === "number"))
    return next(cursorKey, cursor)
  const more = at(/^(hasmore|hasnext(page)?|more)$/i)
  const offsetKey = keyIn(properties, offsets)
  if (offsetKey !== undefined) {
    const offset = (numberOf(args[offsetKey]) ?? numberOf(at(offsets)) ?? 0) + rows.length
    if ((more ?? offset < (total ?? 0)) === true) return next(offsetKey, offset)
  }
  const pageKey = keyIn(properties, pages)
  if (pageKey === undefined) return undefined
  const page = numberOf(at(pages)) ?? numberOf(args[pageKey]) ?? 1
  const last = numberOf(at(/^(totalpages?|lastpage|pages|page(count|total))$/i)) ?? 0
  return (more ?? page < last) === true ? next(pageKey, page + 1) : undefined
}

/** "20 of 154" and the way to the next page, whose answer takes the place of this one. */
export const pagesView = (
  count: number,
  next: NextPage | undefined,
  call: ((args: JsonObject) => Promise<CallToolResultLike>) | undefined
): Child =>
  next !== undefined &&
  h(
    "div",
    { class: "mg-toolbar" },
    h(
      "span",
      { class: "mg-muted mg-small" },
      next.total === undefined ? "There is more." : `${fmt.number(count)} of ${fmt.number(next.total)}`
    ),
    call !== undefined && button("Next page", () => call(next.args), { small: true })
  )
