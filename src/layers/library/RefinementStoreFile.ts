import { Effect, FileSystem, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { withFileLock } from "../../adapters/platform/fileLock.ts"
import { assureTrust, FolderDistrusted } from "../../adapters/platform/folderTrust.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { makeDirectory } from "../../adapters/platform/makeDirectory.ts"
import { readOwnFile } from "../../adapters/platform/readSmallFile.ts"
import { type FileWork, replaceFile, systemErrorCode, unlessMissing } from "../../adapters/platform/replaceFile.ts"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { NO_REFINEMENTS, type Refinement, type Refinements } from "../../domain/library/Refinements.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"

const COMMON = {
  /** For people who look at the file; the program goes by the file's name. */
  toolName: Schema.String
} as const

const REJECTION = { code: Schema.String, message: Schema.String, at: Schema.Finite } as const

const RefinementsFile = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(3),
    ...COMMON,
    refinements: Schema.Array(
      Schema.Struct({
        text: Schema.String,
        state: Schema.Literals(["applied", "pending", "rejected"]),
        reason: Schema.NullOr(Schema.Struct(REJECTION))
      })
    )
  })
)

/** Counted the applied refinements, and kept rejected ones apart. */
const FileOfFormat2 = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(2),
    ...COMMON,
    history: Schema.Array(Schema.String),
    accepted: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    setAside: Schema.Array(Schema.Struct({ feedback: Schema.String, ...REJECTION }))
  })
)

/** Did not say which refinements were applied. */
const FileOfFormat1 = Schema.fromJsonString(
  Schema.Struct({ version: Schema.Literal(1), ...COMMON, history: Schema.Array(Schema.String) })
)

const decode = Schema.decodeUnknownOption(Schema.Union([RefinementsFile, FileOfFormat2, FileOfFormat1]))
const encode = Schema.encodeSync(RefinementsFile)

const asked = (history: ReadonlyArray<string>, applied: number): Refinements =>
  history.map((text, at) => ({ text, state: at < applied ? "applied" : "pending", reason: null }))

const refinementsIn = (file: Option.Option.Value<ReturnType<typeof decode>>): Refinements => {
  if (file.version === 3) return file.refinements
  if (file.version === 1) return asked(file.history, 0)
  const rejected = file.setAside.map(({ feedback, ...reason }): Refinement => ({
    text: feedback,
    state: "rejected",
    reason
  }))
  return [...asked(file.history, file.accepted), ...rejected]
}

/** A larger file was not written by us. */
const MAX_BYTES = 1_000_000

/** Makes room for a new file, under a free name: a person may repair the damaged one. */
const putAside = (path: string): FileWork<void> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    for (let count = 1; ; count++) {
      const aside = `${path}${count === 1 ? "" : `.${count}`}.damaged`
      const isFree = yield* fs.lstat(aside).pipe(
        Effect.as(false),
        Effect.catch(({ reason }) => Effect.succeed(reason._tag === "NotFound"))
      )
      if (isFree || count === 100) return yield* unlessMissing(fs.rename(path, aside))
    }
  })

/** A tool with a new definition starts without refinements. */
const nameOf = (tool: Tool): string => createHash("sha256").update(canonicalJson(tool.definition)).digest("hex")

/**
 * Keeps refinements in a folder, one file for each tool as it is defined, for the next start and for other processes
 * (configuration `refinements.persist`). A file is written whole and under a lock, so that of two writers both texts
 * stay. If a file cannot be read or written, this is reported once, and its refinements live in memory. So they do if
 * others can write to the folder, because the model takes the texts for the user's words.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<RefinementStore> =>
  Layer.effect(
    RefinementStore,
    Effect.gen(function* () {
      const { directory } = options
      const fs = yield* FileSystem.FileSystem
      const onDisk = Effect.provideService(FileSystem.FileSystem, fs)
      const unwritten = new Map<string, Refinements>()
      const told = new Set<string>()
      const unreadable = new Set<string>()
      const pathOf = (tool: Tool): string => join(directory, `${nameOf(tool)}.json`)

      const report = (verb: "read" | "written", path: string, code: string) => {
        if (verb === "read") unreadable.add(path)
        if (told.has(`${verb} ${code}`)) return Effect.void
        told.add(`${verb} ${code}`)
        const what = {
          read: "it counts as empty; the next refinement begins a new file, and this one stays beside it as *.damaged",
          written: "it is kept in memory only"
        }
        return Effect.logWarning(`a history of refinements cannot be ${verb}: ${what[verb]}`).pipe(
          Effect.annotateLogs({ component: "refinements", path, code })
        )
      }

      /** A missing or unreadable folder is trusted here: reading and writing report it. */
      const isTrusted = assureTrust(directory).pipe(
        Effect.as(true),
        Effect.catch((failure) => {
          if (!(failure instanceof FolderDistrusted)) return Effect.succeed(true)
          if (told.has("distrusted")) return Effect.succeed(false)
          told.add("distrusted")
          const message = `refinements are kept in memory only: their directory is not used, because ${failure.message}`
          return Effect.as(
            Effect.logWarning(message).pipe(Effect.annotateLogs({ component: "refinements", directory })),
            false
          )
        })
      )

      const read = Effect.fnUntraced(function* (tool: Tool) {
        const path = pathOf(tool)
        const kept = unwritten.get(path)
        if (kept !== undefined) return kept
        if (!(yield* isTrusted)) return NO_REFINEMENTS
        unreadable.delete(path)
        const text = yield* unlessMissing(readOwnFile(path, MAX_BYTES)).pipe(
          Effect.catch((failure) => Effect.as(report("read", path, systemErrorCode(failure)), undefined))
        )
        if (text === undefined) return NO_REFINEMENTS
        const file = decode(text)
        if (Option.isSome(file)) return refinementsIn(file.value)
        yield* report("read", path, "damaged")
        return NO_REFINEMENTS
      })

      const write = Effect.fnUntraced(function* (tool: Tool, list: Refinements) {
        const path = pathOf(tool)
        if (!(yield* isTrusted)) {
          unwritten.set(path, list)
          return list
        }
        yield* Effect.gen(function* () {
          if (unreadable.has(path)) yield* putAside(path)
          unreadable.delete(path)
          if (list.length === 0) yield* fs.remove(path, { force: true })
          else yield* replaceFile(path, `${encode({ version: 3, toolName: tool.name, refinements: list })}\n`, true)
          unwritten.delete(path)
        }).pipe(
          Effect.catch((failure) => {
            unwritten.set(path, list)
            return report("written", path, systemErrorCode(failure))
          })
        )
        return list
      })

      return RefinementStore.of({
        read: (tool) => onDisk(read(tool)),
        // Keep the file: a tool that comes back unchanged finds its refinements again.
        retire: () => Effect.void,
        update: Effect.fn("RefinementStore.update")(function* (tool, change) {
          // Uninterruptible: a caller that leaves must not leave a change half written.
          const work = Effect.uninterruptible(
            Effect.flatMap(read(tool), (list) => {
              const changed = change(list)
              return changed === list ? Effect.succeed(list) : write(tool, changed)
            })
          )
          yield* Effect.ignore(makeDirectory(directory))
          return yield* (yield* isTrusted) ? withFileLock(join(directory, `${nameOf(tool)}.lock`))(work) : work
        }, onDisk)
      })
    })
  ).pipe(Layer.provide(localFiles))
