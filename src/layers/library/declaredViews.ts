import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { readTextFile, textFileProblem } from "../../adapters/platform/readTextFile.ts"
import { declaredFileName } from "../../domain/tools/handMadeFileName.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { MAX_VIEW_BYTES, parseViewFile, viewProblemsText } from "../../domain/views/ViewFile.ts"
import { viewSource } from "../../domain/views/viewSource.ts"
import type { HandMadeUi } from "./handMadeUis.ts"

/**
 * Finds the view that a person declared for a tool, in `<tool>.view.json` of `generation.uiDirectory`, as the source of a page.
 * It reads the file each time, so that a change counts at once. What is wrong with a file is reported once; then the last
 * view that was right stays, or none.
 */
export const findDeclaredView = (
  directory: string | undefined
): ((tool: Tool) => Effect.Effect<HandMadeUi | undefined>) => {
  if (directory === undefined) return () => Effect.undefined
  const told = new Set<string>()
  const made = new Map<string, { readonly tool: Tool; readonly text: string; readonly ui: HandMadeUi | undefined }>()
  const report = (path: string, why: string) => {
    if (told.has(`${path} ${why}`)) return Effect.undefined
    told.add(`${path} ${why}`)
    return Effect.logWarning(`a declared view cannot be used: ${why}`).pipe(
      Effect.annotateLogs({ component: "declared-view", path }),
      Effect.as(undefined)
    )
  }
  return Effect.fn("findDeclaredView")(function* (tool) {
    const path = join(directory, declaredFileName(tool.name))
    const read = yield* Effect.result(readTextFile(path, MAX_VIEW_BYTES))
    if (Result.isFailure(read)) {
      const code = read.failure
      if (code === "ENOENT" || code === "ENAMETOOLONG") return undefined
      return yield* report(path, textFileProblem(code, MAX_VIEW_BYTES))
    }
    const text = read.success
    const known = made.get(tool.name)
    if (known?.tool === tool && known.text === text) return known.ui
    const source = Result.flatMap(parseViewFile(text), (view) => viewSource(view, tool))
    // While a person is at work on the file, what was right before stays on screen.
    const ui = Result.isSuccess(source)
      ? { source: source.success, hash: createHash("sha256").update(source.success).digest("hex") }
      : known?.ui
    made.set(tool.name, { tool, text, ui })
    if (Result.isFailure(source)) yield* report(path, viewProblemsText(source.failure))
    return ui
  })
}
