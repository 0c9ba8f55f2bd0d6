import { Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { readSmallFile } from "../../adapters/platform/readSmallFile.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { handMadeFileName } from "../../domain/tools/handMadeFileName.ts"
import { HandMadeUis } from "../../services/library/HandMadeUis.ts"

/** Larger files are no UIs. */
const MAX_BYTES = 2_000_000

/** Reads `<tool>.html` of a folder (see {@link handMadeFileName}) each time it is asked for. */
export const layer = (options: { readonly directory: string }): Layer.Layer<HandMadeUis> =>
  Layer.sync(HandMadeUis, () => {
    const told = new Set<string>()
    const report = (path: string, why: string) => {
      if (told.has(`${path} ${why}`)) return Effect.succeedNone
      told.add(`${path} ${why}`)
      return Effect.logWarning(`a UI made by hand can not be read (${why}): the tool gets another one`).pipe(
        Effect.annotateLogs({ component: "hand-made", path }),
        Effect.as(Option.none())
      )
    }
    return HandMadeUis.of({
      find: Effect.fn("HandMadeUis.find")(function* (toolName) {
        const path = join(options.directory, handMadeFileName(toolName))
        const found = yield* Effect.result(
          Effect.tryPromise({ try: () => readSmallFile(path, MAX_BYTES), catch: systemErrorCode })
        )
        if (found._tag === "Failure") {
          if (found.failure === "EFBIG") return yield* report(path, `larger than ${MAX_BYTES} bytes`)
          return found.failure === "ENOENT" || found.failure === "ENAMETOOLONG"
            ? Option.none()
            : yield* report(path, found.failure)
        }
        const source = found.success.replace(/^\uFEFF/, "")
        if (source.trim() === "") return yield* report(path, "empty")
        return Option.some({ source, hash: createHash("sha256").update(source).digest("hex") })
      })
    })
  })

/** There are none. */
export const layerNone: Layer.Layer<HandMadeUis> = Layer.succeed(HandMadeUis, {
  find: () => Effect.succeedNone
})
