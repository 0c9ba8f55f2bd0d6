import { Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { HAND_MADE, UI_ENTRY_FORMAT, UiEntry } from "../../domain/tools/UiEntry.ts"
import type { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"

const Head = Schema.fromJsonString(Schema.Struct({ "mcp-gen-ui": Schema.Finite, sha256: Schema.String }))
const decodeHead = Schema.decodeUnknownOption(Head)
const decodeEntry = Schema.decodeUnknownOption(Schema.fromJsonString(UiEntry))

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** What was found in a stored text. */
export type StoredEntry =
  | {
      readonly _tag: "Entry"
      readonly entry: UiEntry
      /** Of the entry as JSON. */
      readonly bytes: number
    }
  /** Another version of this program wrote it, and may still need it. */
  | { readonly _tag: "OtherFormat"; readonly format: number }
  | { readonly _tag: "Damaged" }
  /** Undamaged, but not fit to be shown. */
  | { readonly _tag: "Refused"; readonly why: string }

/** What is wrong with a stored text, for a person. */
export const describeUnfit = (stored: Exclude<StoredEntry, { readonly _tag: "Entry" }>): string => {
  switch (stored._tag) {
    case "Damaged":
      return "is damaged"
    case "OtherFormat":
      return `is of another version (format ${stored.format})`
    case "Refused":
      return `is not fit to be shown (${stored.why})`
  }
}

/**
 * An entry as it is stored outside of this process: a line of JSON with the format's number and a checksum, then a line
 * with the entry as JSON.
 */
export const entryText = (entry: UiEntry): string => {
  const body = JSON.stringify(entry)
  return `${JSON.stringify({ "mcp-gen-ui": UI_ENTRY_FORMAT, sha256: sha256(body) })}\n${body}\n`
}

/** Reads a text of {@link entryText}. `key` is where it was found; the entry must have the same. */
export const readEntryText = (text: string, key: string): StoredEntry => {
  const end = text.indexOf("\n")
  const head = decodeHead(text.slice(0, end === -1 ? text.length : end))
  if (Option.isNone(head)) return { _tag: "Damaged" }
  const format = head.value["mcp-gen-ui"]
  if (format !== UI_ENTRY_FORMAT) return { _tag: "OtherFormat", format }
  const body = text.endsWith("\n") ? text.slice(end + 1, -1) : text.slice(end + 1)
  if (sha256(body) !== head.value.sha256) return { _tag: "Damaged" }
  const entry = decodeEntry(body)
  return Option.isSome(entry) && entry.value.key === key
    ? { _tag: "Entry", entry: entry.value, bytes: Buffer.byteLength(body) }
    : { _tag: "Damaged" }
}

/**
 * An entry as it may be shown. Others may have written it, so its source is inspected like one that a model has just
 * written. It never counts as made by hand: such a source may do more than others.
 */
export const inspected = Effect.fnUntraced(function* <S extends StoredEntry | undefined>(
  stored: S,
  inspector: HtmlInspector["Service"]
): Effect.fn.Return<S | StoredEntry> {
  if (stored?._tag !== "Entry" || stored.entry.source === null) return stored
  if (stored.entry.provider === HAND_MADE)
    return { _tag: "Refused", why: "it passes for one that was made by hand" } satisfies StoredEntry
  const context = { toolNames: [], maxHtmlBytes: Number.POSITIVE_INFINITY }
  const verdict = yield* inspector.inspect(stored.entry.source, context)
  if (verdict._tag === "Accepted" && verdict.source !== null) {
    return { ...stored, entry: { ...stored.entry, source: verdict.source } }
  }
  const why = verdict._tag === "Accepted" ? "it is no page" : (verdict.problems[0]?.message ?? "it was rejected")
  return { _tag: "Refused", why }
})
