import { REDACTED, type Redactor } from "../../observability/Redaction.ts"
import { privateItems, privateMembers } from "./PrivateMembers.ts"
import { cutAt, sampleText } from "./SampleText.ts"
import type { Spend } from "./WorkBudget.ts"

interface Room {
  readonly items: number
  readonly characters: number
  readonly depth: number
  readonly members: number
}

/** Each is tried until a sample is small enough. */
const ROOMS: readonly [Room, ...ReadonlyArray<Room>] = [
  { items: 12, characters: 600, depth: 8, members: 60 },
  { items: 3, characters: 200, depth: 6, members: 40 },
  { items: 2, characters: 80, depth: 5, members: 30 },
  { items: 1, characters: 60, depth: 4, members: 20 },
  { items: 1, characters: 30, depth: 2, members: 12 }
]

const KEY_CHARACTERS = 80
const TOO_LARGE = "too large to be kept"

type Clean = (text: string, characters: number) => string

/** A cut list ends in a note, which counts as one of the items. */
const shorten = (value: unknown, room: Room, clean: Clean, depth = room.depth, isItem = false): unknown => {
  if (typeof value === "string") return clean(value, room.characters)
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return Array.isArray(value) ? `… ${value.length} items` : "…"
  if (Array.isArray(value)) {
    const isCut = value.length > room.items
    const shown = value.slice(0, isCut ? Math.max(1, room.items - 1) : room.items)
    const hidden = privateItems(value, isItem)
    const items = shown.map((item, index) =>
      hidden.has(index) ? REDACTED : shorten(item, room, clean, depth - 1, true)
    )
    return isCut ? [...items, `… ${value.length - shown.length} more`] : items
  }
  const entries = Object.entries(value)
  const hidden = privateMembers(entries)
  const members = entries
    .slice(0, room.members)
    .map(([key, item]): readonly [string, unknown] => [
      clean(key, KEY_CHARACTERS),
      hidden.has(key) ? REDACTED : shorten(item, room, clean, depth - 1)
    ])
  const left = entries.length - members.length
  return Object.fromEntries(left > 0 ? [...members, ["…", `${left} more`]] : members)
}

/**
 * Makes an example of a real value: few items of each list, short texts, at most `maxBytes` of UTF-8 as JSON. Secrets
 * are removed if their names or looks show them. A value that is a single text may be longer than the texts inside
 * others.
 */
export const resultSample = (
  value: unknown,
  redactor: Redactor,
  maxBytes: number,
  spend: Spend = () => undefined
): unknown => {
  // Redacted once; shortening reveals nothing more.
  let sample = shorten(value, ROOMS[0], (text, characters) => {
    spend()
    return sampleText(text, redactor, characters)
  })
  for (const room of ROOMS) {
    if (room !== ROOMS[0]) sample = shorten(sample, room, cutAt)
    if (Buffer.byteLength(JSON.stringify(sample) ?? "") <= maxBytes) return sample
  }
  return TOO_LARGE
}
