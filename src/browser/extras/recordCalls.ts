import { isObject } from "../../domain/isObject.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { unwrap } from "../../domain/results/ResultContent.ts"
import { resultShape } from "../../domain/results/ResultShape.ts"
import { nameWords } from "../../domain/tools/nameWords.ts"
import type { RecordTool, ToolRecords } from "../../domain/tools/ToolRecords.ts"
import { messageOf } from "../parts/values.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"

/** The rows of a list, and what stands beside them. */
export interface ListedRows {
  readonly rows: ReadonlyArray<JsonRecord>
  readonly rest: JsonRecord
}

const rowsIn = (data: unknown, depth = 0): ListedRows | undefined => {
  if (Array.isArray(data)) return data.every(isObject) ? { rows: data, rest: {} } : undefined
  if (!isObject(data) || depth > 2) return undefined
  const found = Object.entries(data).flatMap(([key, value]) => {
    const inside = rowsIn(value, depth + 1)
    return inside === undefined ? [] : [{ key, inside }]
  })
  const [only] = found
  if (only === undefined || found.length > 1) return undefined
  const { [only.key]: _, ...beside } = data
  return { rows: only.inside.rows, rest: { ...beside, ...only.inside.rest } }
}

/** The rows of a result, also where there is one or none; `undefined` for what is no list. */
export const listedRows = (result: CallToolResultLike): ListedRows | undefined => {
  const shape = resultShape(result)
  return shape.isError ? undefined : (shape.records ?? rowsIn(unwrap(shape.data)))
}

/** The record in a result: the object, or the one that is its only member (`{customer: {…}}`). */
export const recordIn = (result: CallToolResultLike): JsonRecord | undefined => {
  const data = unwrap(resultShape(result).data)
  const record = Array.isArray(data) && data.length === 1 ? data[0] : data
  if (!isObject(record)) return undefined
  const [inside, ...more] = Object.values(record)
  return more.length === 0 && isObject(inside) ? inside : record
}

/** Members that name a thing where a tool asks for its id. */
const IDS = ["id", "gid", "uuid", "guid", "sid", "key"]

/** The member of rows that an argument names: `id` for `customer_id`, `gid` for `task_id`. */
const memberFor = (row: JsonRecord, argument: string, { id, noun }: ToolRecords): string | undefined => {
  const words = (name: string): string => nameWords(name).join(" ")
  const told = words(argument).replace(/ids$/, "id")
  const last = told.split(" ").at(-1) ?? told
  const wanted = [told, last, `${noun} ${last}`, `${noun.split(" ").at(-1)} ${last}`, ...(last === "id" ? IDS : [])]
  const names = new Map(Object.keys(row).map((name) => [words(name), name]))
  return id ?? wanted.map((name) => names.get(name)).find((name) => name !== undefined)
}

const isValue = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number"

/**
 * The arguments that say which record a tool is to take, or which, where it takes several; `undefined` where a row does
 * not tell. `asked` is what the list was asked with.
 */
export const argumentsFor = (
  tool: RecordTool,
  records: ToolRecords,
  rows: ReadonlyArray<JsonRecord>,
  asked: JsonObject
): JsonObject | undefined => {
  const { id = "" } = tool
  const ids = rows.map((row) => row[memberFor(row, id, records) ?? ""])
  if (!ids.every(isValue) || ids.length === 0) return undefined
  const values = ids.map((value) => (tool.isText === true ? String(value) : value))
  const places = tool.scope.map((name) => [name, rows[0]?.[name] ?? asked[name]] as const)
  return {
    ...Object.fromEntries(places.filter(([, value]) => isValue(value))),
    [id]: tool.many === true ? values : values[0]
  }
}

/** Calls another tool; throws what it reports as an error. */
export const callTool = async (
  session: ViewSession,
  name: string,
  args: JsonObject,
  isAgreed = false
): Promise<CallToolResultLike> => {
  const result = await session.callTool(name, args, isAgreed)
  if (result.isError === true) throw new Error(messageOf(resultShape(result).message, `${name} failed.`))
  return result
}
