import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Field, fieldText } from "./field.ts"
import { jsonOf, memberOf } from "./values.ts"

/** Without case and accents. */
export const folded = (text: string): string =>
  (/[\u00C0-\u1FFF]/.test(text) ? text.normalize("NFD").replace(/\p{M}+/gu, "") : text).toLowerCase()

const looksDifferent = /^(number|money|percent|date|datetime|time|relative|duration|bytes|boolean|coordinate)$/

/** Milliseconds of work before the page gets its turn. */
const slice = 12

/**
 * Finds the rows that hold every word of a query, as it came or as it is shown. Reads rows on first use, a few
 * milliseconds at a time: `onFound` is called at once for tables of usual size, later for large ones, and never for a
 * query that another one followed. `undefined`: no query.
 */
export const rowFilter = (
  rows: ReadonlyArray<JsonRecord>,
  fields: ReadonlyArray<Field>,
  onFound: (matches: Uint8Array | undefined) => void
): ((query: string) => void) => {
  const shown = fields.filter(({ type }) => looksDifferent.test(type))
  const texts: Array<string | undefined> = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const textAt = (at: number): string => {
    const known = texts[at]
    if (known !== undefined) return known
    const row = rows[at] ?? {}
    let text = ""
    for (const value of Object.values(row)) text += `${typeof value === "object" ? jsonOf(value) : String(value)} `
    for (const field of shown) text += `${fieldText(memberOf(row, field.key), field, row)} `
    return (texts[at] = folded(text))
  }

  return (query) => {
    clearTimeout(timer)
    const words = folded(query).split(/\s+/).filter(Boolean)
    if (words.length === 0) return onFound(undefined)
    const matches = new Uint8Array(rows.length)
    let at = 0
    const work = (): void => {
      const end = performance.now() + slice
      while (at < rows.length && performance.now() < end) {
        for (const stop = Math.min(rows.length, at + 64); at < stop; at++)
          matches[at] = words.every((word) => textAt(at).includes(word)) ? 1 : 0
      }
      if (at < rows.length) timer = setTimeout(work)
      else onFound(matches)
    }
    work()
  }
}
