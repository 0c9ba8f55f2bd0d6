import { Effect, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { lstat, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { withFileLock } from "../../adapters/platform/fileLock.ts"
import { assureTrust, FolderDistrusted } from "../../adapters/platform/folderTrust.ts"
import { makeDirectory } from "../../adapters/platform/makeDirectory.ts"
import { readOwnFile } from "../../adapters/platform/readSmallFile.ts"
import { replaceFile, systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { NO_WISHES, type Wishes } from "../../domain/library/Wishes.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"

const COMMON = {
  /** For people who look at the file; it is found by its name. */
  toolName: Schema.String,
  history: Schema.Array(Schema.String)
} as const

const WishesFile = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(2),
    ...COMMON,
    accepted: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    setAside: Schema.Array(
      Schema.Struct({ feedback: Schema.String, code: Schema.String, message: Schema.String, at: Schema.Finite })
    )
  })
)
/** Did not tell which wishes were met. */
const OlderFile = Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), ...COMMON }))

const decode = Schema.decodeUnknownOption(Schema.Union([WishesFile, OlderFile]))
const encode = Schema.encodeSync(WishesFile)

/** Larger files are no histories. */
const MAX_BYTES = 1_000_000

/** Moves a file that can not be read out of the way of a new one, under a name that none has yet. */
const putAside = async (path: string): Promise<void> => {
  for (let count = 1; ; count++) {
    const aside = `${path}${count === 1 ? "" : `.${count}`}.damaged`
    const isFree = await lstat(aside).then(
      () => false,
      (cause: unknown) => systemErrorCode(cause) === "ENOENT"
    )
    if (!isFree && count < 100) continue
    return rename(path, aside).catch((cause: unknown) => {
      if (systemErrorCode(cause) !== "ENOENT") throw cause
    })
  }
}

/** By the tool as it is defined: what was asked of one that has changed since is not for the new one. */
const nameOf = (tool: Tool): string => createHash("sha256").update(canonicalJson(tool.definition)).digest("hex")

/**
 * Keeps histories in a folder, one file for each tool as it is defined, for the next start and for other processes
 * (configuration `refinements.persist`). Files are written whole, and changes of one file come one after the other. What
 * can not be read or written is reported once; the history then lives in memory. So it does where others can write to the
 * folder: what stands in it is told to the model as the user's wish.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<RefinementStore> =>
  Layer.sync(RefinementStore, () => {
    const { directory } = options
    const unwritten = new Map<string, Wishes>()
    const told = new Set<string>()
    const unreadable = new Set<string>()
    const pathOf = (tool: Tool): string => join(directory, `${nameOf(tool)}.json`)

    const report = (verb: "read" | "written", path: string, code: string) => {
      if (verb === "read") unreadable.add(path)
      if (told.has(`${verb} ${code}`)) return Effect.void
      told.add(`${verb} ${code}`)
      const what = {
        read: "it counts as empty; the next wish begins a new file, and this one stays beside it as *.damaged",
        written: "it is kept in memory only"
      }
      return Effect.logWarning(`a history of refinements can not be ${verb}: ${what[verb]}`).pipe(
        Effect.annotateLogs({ component: "refinements", path, code })
      )
    }

    /** Whether the folder may be used. What else is wrong with it shows when it is. */
    const isTrusted = Effect.tryPromise({
      try: () => assureTrust(directory),
      catch: (cause) => (cause instanceof FolderDistrusted ? cause.message : undefined)
    }).pipe(
      Effect.as(true),
      Effect.catch((why) => {
        if (why === undefined) return Effect.succeed(true)
        if (told.has("distrusted")) return Effect.succeed(false)
        told.add("distrusted")
        const message = `refinements are kept in memory only: their directory is not used, because ${why}`
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
      if (!(yield* isTrusted)) return NO_WISHES
      unreadable.delete(path)
      const reading = Effect.tryPromise({ try: () => readOwnFile(path, MAX_BYTES), catch: systemErrorCode })
      const text = yield* reading.pipe(
        Effect.map((file) => file.text),
        Effect.catch((code) =>
          code === "ENOENT" ? Effect.undefined : Effect.as(report("read", path, code), undefined)
        )
      )
      if (text === undefined) return NO_WISHES
      const file = decode(text)
      if (Option.isSome(file)) {
        const { history } = file.value
        if (file.value.version === 1) return { ...NO_WISHES, history } satisfies Wishes
        const { accepted, setAside } = file.value
        return { history, accepted: Math.min(accepted, history.length), setAside } satisfies Wishes
      }
      yield* report("read", path, "damaged")
      return NO_WISHES
    })

    const write = Effect.fnUntraced(function* (tool: Tool, wishes: Wishes) {
      const path = pathOf(tool)
      if (!(yield* isTrusted)) {
        unwritten.set(path, wishes)
        return wishes
      }
      const isEmpty = wishes.history.length === 0 && wishes.setAside.length === 0
      yield* Effect.tryPromise({
        try: async () => {
          if (unreadable.has(path)) await putAside(path)
          unreadable.delete(path)
          if (isEmpty) await rm(path, { force: true })
          else await replaceFile(path, `${encode({ version: 2, toolName: tool.name, ...wishes })}\n`, true)
        },
        catch: systemErrorCode
      }).pipe(
        Effect.andThen(Effect.sync(() => void unwritten.delete(path))),
        Effect.catch((code) => {
          unwritten.set(path, wishes)
          return report("written", path, code)
        })
      )
      return wishes
    })

    const exclusively =
      (tool: Tool) =>
      <A>(change: Effect.Effect<A>): Effect.Effect<A> =>
        Effect.ignore(Effect.tryPromise(() => makeDirectory(directory))).pipe(
          Effect.andThen(isTrusted),
          Effect.flatMap((isOurs) => (isOurs ? withFileLock(join(directory, `${nameOf(tool)}.lock`))(change) : change))
        )

    return RefinementStore.of({
      wishes: read,
      // Filed by its definition.
      retire: () => Effect.void,
      update: Effect.fn("RefinementStore.update")((tool, change) =>
        exclusively(tool)(
          // Who leaves while it is written knows that it is.
          Effect.uninterruptible(
            Effect.flatMap(read(tool), (wishes) => {
              const changed = change(wishes)
              return changed === wishes ? Effect.succeed(wishes) : write(tool, changed)
            })
          )
        )
      )
    })
  })
