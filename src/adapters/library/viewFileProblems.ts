import { Effect, FileSystem, Result } from "effect"
import { join } from "node:path"
import { DECLARED_SUFFIX } from "../../domain/tools/handMadeFileName.ts"
import { MAX_VIEW_BYTES, parseViewFile, viewProblemsText } from "../../domain/views/ViewFile.ts"
import { localFiles } from "../platform/localFiles.ts"
import { readTextFile, textFileProblem } from "../platform/readTextFile.ts"

/** What is wrong with the declared views of a folder, a text for each file; a folder that cannot be read has none. */
export const viewFileProblems = Effect.fn("viewFileProblems")(function* (directory: string) {
  const fs = yield* Effect.provide(FileSystem.FileSystem, localFiles)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(directory), () => [])
  const found = yield* Effect.forEach(
    names.filter((name) => name.endsWith(DECLARED_SUFFIX)).sort(),
    Effect.fnUntraced(function* (name) {
      const path = join(directory, name)
      const text = yield* Effect.result(readTextFile(path, MAX_VIEW_BYTES))
      const problem = (text: string) => [{ setting: "generation.uiDirectory", path, text }]
      if (Result.isFailure(text)) return problem(textFileProblem(text.failure, MAX_VIEW_BYTES))
      const view = parseViewFile(text.success)
      return Result.isFailure(view) ? problem(viewProblemsText(view.failure)) : []
    })
  )
  return found.flat()
})
