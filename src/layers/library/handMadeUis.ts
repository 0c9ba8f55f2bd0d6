import { Effect, type FileSystem, Result } from "effect"
import { createHash } from "node:crypto"
import { basename, join } from "node:path"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { readSmallFile } from "../../adapters/platform/readSmallFile.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { readTextFile, textFileProblem } from "../../adapters/platform/readTextFile.ts"
import { MAX_DECLARATION_BYTES, parseUiDeclaration, type UiDeclaration } from "../../domain/tools/UiDeclaration.ts"
import { declarationFileName, handMadeFileName } from "../../domain/tools/handMadeFileName.ts"

/** A larger file is not a UI. */
const MAX_BYTES = 2_000_000

export interface HandMadeUi {
  /** A fragment or a whole document, like a model's. */
  readonly source: string
  /** Changes with the source. */
  readonly hash: string
  /** From the file beside it. */
  readonly declared?: UiDeclaration
}

/**
 * Finds the UI that a person wrote for a tool (configuration `generation.uiDirectory`), in `<tool>.html` of a folder;
 * see {@link handMadeFileName}; `<tool>.json` beside it declares what the page needs. It reads the file each time, so that a change counts at once. A file that cannot be
 * read is reported once, and counts as absent.
 */
export const findHandMadeUi = Effect.fnUntraced(function* (
  directory: string | undefined
): Effect.fn.Return<(toolName: string) => Effect.Effect<HandMadeUi | undefined>> {
  if (directory === undefined) return () => Effect.undefined
  // Once: a list of tools looks for the file of each.
  const files = yield* Effect.provide(Effect.context<FileSystem.FileSystem>(), localFiles)
  const told = new Set<string>()
  const report = (path: string, why: string) => {
    if (told.has(`${path} ${why}`)) return Effect.undefined
    told.add(`${path} ${why}`)
    return Effect.logWarning(`a UI made by hand cannot be read (${why}): the tool gets another one`).pipe(
      Effect.annotateLogs({ component: "hand-made", path }),
      Effect.as(undefined)
    )
  }
  const reportDeclaration = (path: string, why: string) => {
    if (told.has(`${path} ${why}`)) return Effect.undefined
    told.add(`${path} ${why}`)
    return Effect.logWarning(`${basename(path)}, beside a UI made by hand, does not count: ${why}`).pipe(
      Effect.annotateLogs({ component: "hand-made", path }),
      Effect.as(undefined)
    )
  }
  const findDeclaration = Effect.fnUntraced(function* (toolName: string) {
    const path = join(directory, declarationFileName(toolName))
    const read = yield* Effect.result(readTextFile(path, MAX_DECLARATION_BYTES))
    if (Result.isFailure(read)) {
      const isAbsent = read.failure === "ENOENT" || read.failure === "ENAMETOOLONG"
      return isAbsent ? undefined : yield* reportDeclaration(path, textFileProblem(read.failure, MAX_DECLARATION_BYTES))
    }
    const declared = parseUiDeclaration(read.success)
    return Result.isSuccess(declared) ? declared.success : yield* reportDeclaration(path, declared.failure)
  })
  return Effect.fn("findHandMadeUi")(function* (toolName) {
    const path = join(directory, handMadeFileName(toolName))
    const found = yield* readSmallFile(path, MAX_BYTES).pipe(
      Effect.mapError(systemErrorCode),
      Effect.provideContext(files),
      Effect.result
    )
    if (found._tag === "Failure") {
      const code = found.failure
      if (code === "ENOENT" || code === "ENAMETOOLONG") return undefined
      return yield* report(path, code === "EFBIG" ? `larger than ${MAX_BYTES} bytes` : code)
    }
    const source = found.success.replace(/^\uFEFF/, "")
    if (source.trim() === "") return yield* report(path, "empty")
    const declared = yield* findDeclaration(toolName)
    return {
      source,
      hash: createHash("sha256").update(source).digest("hex"),
      ...(declared === undefined ? {} : { declared })
    }
  })
})
