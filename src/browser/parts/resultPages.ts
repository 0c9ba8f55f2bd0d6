import { isObject } from "../../domain/isObject.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import type { JsonObject } from "../runtime/types.ts"

const cursorIn = (value: unknown): string | undefined =>
  isObject(value)
    ? Object.keys(value).find((key) => /^(next|end)?(page)?(cursor|token|after)$/i.test(key.replace(/[_-]/g, "")))
    : undefined

/**
 * The arguments of the next page. There is one where `rest`, the members beside a list, has a cursor (`{next_cursor}`,
 * `{page: {endCursor}}`) and the input schema takes one. Offsets and page numbers are fields of the form.
 */
export const nextPageOf = (rest: JsonRecord, inputSchema: unknown, args: JsonObject = {}): JsonObject | undefined => {
  const name = isObject(inputSchema) ? cursorIn(inputSchema.properties) : undefined
  const holder = [rest, ...Object.values(rest)].find((part) => cursorIn(part) !== undefined)
  const cursor = isObject(holder) ? holder[cursorIn(holder) ?? ""] : undefined
  return name === undefined || isEmpty(cursor) ? undefined : { ...args, [name]: cursor }
}
