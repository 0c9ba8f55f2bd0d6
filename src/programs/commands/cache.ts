import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Clock, Console, Effect, FileSystem } from "effect"
import { type CacheFile, listCacheFiles, readCacheFiles } from "../../adapters/cache/cacheDirectory.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { isoTime } from "../../domain/isoTime.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { NO_MODEL, NO_SERVER, settingsFor } from "./commandSettings.ts"
import { tableText } from "./tableText.ts"

type CacheAction =
  | { readonly action: "ls"; readonly json: boolean }
  | { readonly action: "show"; readonly what: string; readonly json: boolean }
  | { readonly action: "clear"; readonly toolName: string | undefined }
  | { readonly action: "stats"; readonly json: boolean }

export interface CacheArguments extends CommandLineArguments {
  readonly asked: CacheAction
}

interface Stored {
  readonly file: CacheFile
  /** `null` for a file that cannot be read. */
  readonly entry: UiEntry | null
}

/** How much of a key a list shows, and how much of one is needed to name it. */
const SHORT_KEY = 12
const SHORTEST_PREFIX = 4

/** A file with another name is somebody else's: leave it alone. */
const ENTRY_KEY = /^[0-9a-f]{64}$/

const directoryOf = Effect.fnUntraced(function* (given: CommandLineArguments) {
  const { cache } = (yield* settingsFor(given, NO_MODEL, NO_SERVER)).settings
  if (cache.type === "redis")
    return yield* rejected("these commands read a folder; the UIs are in Redis, see redis-cli")
  // If nothing names a folder, look into the usual one, also if a server would keep UIs in memory.
  return cache.directory
})

const read = Effect.fnUntraced(function* (directory: string) {
  const now = yield* Clock.currentTimeMillis
  const files = yield* listCacheFiles(directory, now).pipe(
    Effect.mapError(({ cause }) => rejected(`${directory} cannot be read (${systemErrorCode(cause)})`))
  )
  const entries = files.filter(({ key }) => ENTRY_KEY.test(key))
  const stored = yield* readCacheFiles(entries)
  return stored.map(({ file, stored }): Stored => ({ file, entry: stored._tag === "Entry" ? stored.entry : null }))
})

const bytesText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

const isoOf = (time: number): string => isoTime(time).slice(0, 19)

/** Only what shows on one line reaches a terminal. */
const shown = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 60)

/** A source without what a terminal would take for a command. */
const shownSource = (source: string): string => source.replaceAll(/(?![\n\t])\p{Cc}/gu, "")

const kindOf = (entry: UiEntry): string =>
  entry.source === null ? (entry.fallback === null ? "built-in" : `built-in (${entry.fallback.code})`) : "generated"

const summaryOf = ({ entry, file }: Stored) => ({
  key: file.key,
  toolName: entry?.toolName ?? null,
  kind: entry === null ? "unreadable" : kindOf(entry),
  level: entry?.level ?? null,
  model: entry?.model ?? null,
  refinements: entry?.refinements.length ?? 0,
  bytes: file.bytes,
  createdAt: entry === null ? null : isoOf(entry.createdAt),
  usedAt: isoOf(file.usedAt),
  path: file.path
})

const list = (stored: ReadonlyArray<Stored>, json: boolean): string => {
  const summaries = stored.map(summaryOf)
  if (json) return JSON.stringify(summaries, null, 2)
  if (summaries.length === 0) return "The cache is empty."
  return tableText([
    ["KEY", "TOOL", "KIND", "LEVEL", "MODEL", "REFINED", "SIZE", "CREATED"],
    ...summaries.map(({ bytes, createdAt, key, kind, level, model, refinements, toolName }) => [
      key.slice(0, SHORT_KEY),
      shown(toolName ?? "?"),
      kind,
      String(level ?? "?"),
      shown(model ?? "-"),
      String(refinements),
      bytesText(bytes),
      createdAt ?? "?"
    ])
  ])
}

const show = Effect.fnUntraced(function* (stored: ReadonlyArray<Stored>, what: string, json: boolean) {
  const named = stored.filter(
    ({ entry, file }) =>
      entry !== null && (entry.toolName === what || (what.length >= SHORTEST_PREFIX && file.key.startsWith(what)))
  )
  const [found] = named
  if (found?.entry == null) {
    const names = [...new Set(stored.flatMap(({ entry }) => (entry === null ? [] : [shown(entry.toolName)])))]
    const there = names.length === 0 ? "The cache is empty." : `There are: ${names.slice(0, 20).join(", ")}.`
    return yield* rejected(`no UI in the cache is of the tool, or under the key, ${JSON.stringify(what)}. ${there}`)
  }
  const { source, ...rest } = found.entry
  if (json) return JSON.stringify(found.entry, null, 2)
  const more = named.length > 1 ? `\n(the last used of ${named.length}; name the others by key)` : ""
  return `${JSON.stringify(rest, null, 2)}${more}\n\n${source === null ? "(the built-in UI)" : shownSource(source)}`
})

const clear = Effect.fnUntraced(function* (stored: ReadonlyArray<Stored>, toolName: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const gone = stored.filter(({ entry }) => toolName === undefined || entry?.toolName === toolName)
  for (const { file } of gone) {
    yield* fs
      .remove(file.path, { force: true })
      .pipe(Effect.mapError(({ cause }) => rejected(`${file.path} cannot be removed (${systemErrorCode(cause)})`)))
  }
  const whose = toolName === undefined ? "" : ` of ${shown(toolName)}`
  return gone.length === 0
    ? `There was nothing${whose} to remove.`
    : `Removed ${gone.length === 1 ? "1 UI" : `${gone.length} UIs`}${whose}.`
})

const statistics = (directory: string, stored: ReadonlyArray<Stored>, json: boolean): string => {
  const entries = stored.flatMap(({ entry }) => (entry === null ? [] : [entry]))
  const count = (is: (entry: UiEntry) => boolean) => entries.filter(is).length
  const facts = {
    directory,
    entries: entries.length,
    unreadable: stored.length - entries.length,
    bytes: stored.reduce((sum, { file }) => sum + file.bytes, 0),
    tools: new Set(entries.map((entry) => entry.toolName)).size,
    generated: count((entry) => entry.source !== null),
    builtIn: count((entry) => entry.source === null && entry.fallback === null),
    fallbacks: count((entry) => entry.fallback !== null),
    inputTokens: entries.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
    outputTokens: entries.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0)
  }
  if (json) return JSON.stringify(facts, null, 2)
  return tableText(
    Object.entries({ ...facts, bytes: bytesText(facts.bytes) }).map(([name, value]) => [name, String(value)])
  )
}

/** `mcp-gen-ui cache ls|show|clear|stats`: looks into the folder that `--cache-dir` or the configuration names. */
export const runCache = Effect.fn("runCache")(function* (given: CacheArguments) {
  const directory = yield* directoryOf(given)
  const stored = yield* read(directory)
  const { asked } = given
  switch (asked.action) {
    case "ls":
      return yield* Console.log(list(stored, asked.json))
    case "show":
      return yield* Console.log(yield* show(stored, asked.what, asked.json))
    case "clear":
      return yield* Console.log(yield* clear(stored, asked.toolName))
    case "stats":
      return yield* Console.log(statistics(directory, stored, asked.json))
  }
}, Effect.provide(NodeFileSystem.layer))
