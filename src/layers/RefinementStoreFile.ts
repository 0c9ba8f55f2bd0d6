import { Effect, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { withFileLock } from "../adapters/fileLock.ts"
import { readSmallFile } from "../adapters/readSmallFile.ts"
import { replaceFile, systemErrorCode } from "../adapters/replaceFile.ts"
import { canonicalJson } from "../domain/CanonicalJson.ts"
import type { Tool } from "../domain/tools/Tool.ts"
import { MAX_HISTORY, RefinementStore } from "../services/RefinementStore.ts"

const HistoryFile = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(1),
    /** For people who look at the file; it is found by its name. */
    toolName: Schema.String,
    history: Schema.Array(Schema.String)
  })
)
const decode = Schema.decodeUnknownOption(HistoryFile)
const encode = Schema.encodeSync(HistoryFile)

/** Larger files are no histories. */
const MAX_BYTES = 1_000_000

const NONE: ReadonlyArray<string> = []

/** By the tool as it is defined: what was asked of one that has changed since is not for the new one. */
const nameOf = (tool: Tool): string => createHash("sha256").update(canonicalJson(tool.definition)).digest("hex")

/**
 * Keeps histories in a folder, one file for each tool as it is defined, for the next start and for other processes
 * (configuration `refinements.persist`). Files are written whole, and changes of one file come one after the other. What
 * can not be read or written is reported once; the history then lives in memory.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<RefinementStore> =>
  Layer.sync(RefinementStore, () => {
    const { directory } = options
    const unwritten = new Map<string, ReadonlyArray<string>>()
    const told = new Set<string>()
    const pathOf = (tool: Tool): string => join(directory, `${nameOf(tool)}.json`)

    const report = (verb: string, path: string, code: string) => {
      if (told.has(`${verb} ${code}`)) return Effect.void
      told.add(`${verb} ${code}`)
      return Effect.logWarning(`a history of refinements can not be ${verb}: it is kept in memory only`).pipe(
        Effect.annotateLogs({ component: "refinements", path, code })
      )
    }

    const read = Effect.fnUntraced(function* (tool: Tool) {
      const path = pathOf(tool)
      const kept = unwritten.get(path)
      if (kept !== undefined) return kept
      const text = yield* Effect.tryPromise({ try: () => readSmallFile(path, MAX_BYTES), catch: systemErrorCode }).pipe(
        Effect.catch((code) =>
          code === "ENOENT" ? Effect.undefined : Effect.as(report("read", path, code), undefined)
        )
      )
      if (text === undefined) return NONE
      const file = decode(text)
      if (Option.isSome(file)) return file.value.history
      yield* report("read", path, "damaged")
      return NONE
    })

    const write = Effect.fnUntraced(function* (tool: Tool, history: ReadonlyArray<string>) {
      const path = pathOf(tool)
      const kept = history.slice(-MAX_HISTORY)
      yield* Effect.tryPromise({
        try: () =>
          kept.length === 0
            ? rm(path, { force: true })
            : replaceFile(path, `${encode({ version: 1, toolName: tool.name, history: kept })}\n`, true),
        catch: systemErrorCode
      }).pipe(
        Effect.andThen(Effect.sync(() => void unwritten.delete(path))),
        Effect.catch((code) => {
          unwritten.set(path, kept)
          return report("written", path, code)
        })
      )
      return kept
    })

    const exclusively =
      (tool: Tool) =>
      <A>(change: Effect.Effect<A>): Effect.Effect<A> =>
        Effect.ignore(Effect.tryPromise(() => mkdir(directory, { recursive: true, mode: 0o700 }))).pipe(
          Effect.andThen(withFileLock(join(directory, `${nameOf(tool)}.lock`))(change))
        )

    return RefinementStore.of({
      history: read,
      append: Effect.fn("RefinementStore.append")((tool, feedback) =>
        exclusively(tool)(Effect.flatMap(read(tool), (history) => write(tool, [...history, feedback])))
      ),
      replace: Effect.fn("RefinementStore.replace")((tool, history) =>
        exclusively(tool)(Effect.asVoid(write(tool, history)))
      ),
      clear: Effect.fn("RefinementStore.clear")((tool) => exclusively(tool)(Effect.asVoid(write(tool, NONE))))
    })
  })
