import { cutText, visibleJson } from "../tools/PromptText.ts"

/** More values than this never fit into a prompt. */
const MAX_VALUES = 4000
const KEY_CHARACTERS = 80

/** Why a value is not shown. */
export const TOO_LARGE = "too large to be shown"

interface SampleLimits {
  readonly items: number
  readonly characters: number
  readonly depth: number
}

const STEPS: ReadonlyArray<SampleLimits> = [
  { items: 12, characters: 400, depth: 8 },
  { items: 6, characters: 400, depth: 8 },
  { items: 3, characters: 400, depth: 8 },
  { items: 2, characters: 200, depth: 6 },
  { items: 2, characters: 80, depth: 5 },
  { items: 1, characters: 60, depth: 4 },
  { items: 1, characters: 40, depth: 2 }
]

/** How many items a list that was cut before says are missing. */
const leftOut = (items: ReadonlyArray<unknown>): number => {
  const last = items.at(-1)
  return typeof last === "string" ? Number(/^… (\d{1,9}) more$/.exec(last)?.[1] ?? 0) : 0
}

const shortened = (value: unknown, limits: SampleLimits): unknown => {
  let values = 0
  const shorten = (item: unknown, depth: number): unknown => {
    values += 1
    if (values > MAX_VALUES) return "…"
    if (typeof item === "string") return cutText(item, limits.characters)
    if (typeof item !== "object" || item === null) return item
    if (depth === 0) return "…"
    if (Array.isArray(item)) {
      const left = leftOut(item)
      const items = left === 0 ? item : item.slice(0, -1)
      const shown = items.slice(0, limits.items).map((inner) => shorten(inner, depth - 1))
      const more = items.length - shown.length + left
      return more > 0 ? [...shown, `… ${more} more`] : shown
    }
    const entries = Object.entries(item)
    const shown = entries
      .slice(0, limits.items * 10)
      .map(([key, inner]): [string, unknown] => [cutText(key, KEY_CHARACTERS), shorten(inner, depth - 1)])
    const left = entries.length - shown.length
    return Object.fromEntries(left > 0 ? [...shown, ["…", `${left} more`]] : shown)
  }
  return shorten(value, limits.depth)
}

/**
 * Writes a real value as JSON text for a prompt: few items of each list, short strings, counts of what is left out, at
 * most `maxCharacters`. The text is whole JSON, or a sentence in its place. It never throws for a JSON value.
 */
export const sampleText = (value: unknown, maxCharacters: number): string => {
  for (const limits of STEPS) {
    const text = visibleJson(JSON.stringify(shortened(value, limits)) ?? "none")
    if (text.length <= maxCharacters) return text
  }
  return TOO_LARGE
}
