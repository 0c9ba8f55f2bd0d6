import { Effect, Layer } from "effect"
import { logFileExposure } from "../adapters/observability/logFile.ts"
import { folderProblems } from "../adapters/settings/namedFolders.ts"
import { PromptLibrary } from "../services/generation/PromptLibrary.ts"
import { Settings } from "../services/settings/Settings.ts"

const checkHandMade = Effect.fnUntraced(function* (path: string) {
  const setting = "generation.uiDirectory"
  for (const { text } of yield* folderProblems([{ setting, path, isMade: false, saidBy: setting }])) {
    yield* Effect.logWarning(`no UI made by hand is served: ${text}`).pipe(
      Effect.annotateLogs({ component: "hand-made", event: "folder-unusable", path })
    )
  }
})

const checkOwnPrompts = Effect.gen(function* () {
  const { checkPrompts } = yield* Effect.promise(() => import("../layers/generation/PromptLibrary.ts"))
  yield* checkPrompts(yield* PromptLibrary)
}).pipe(
  Effect.catch(({ file, message }) =>
    Effect.logError(`no UI can be written: ${message}`).pipe(
      Effect.annotateLogs({ component: "prompts", event: "prompts-unusable", path: file })
    )
  )
)

const checkLogFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* logFileExposure(path)
  if (text !== undefined) yield* Effect.logWarning(text).pipe(Effect.annotateLogs({ component: "logging", path }))
})

/**
 * Warns of what a person can mend, while hosts are served already: prompts and a folder of the settings that cannot be used,
 * and a log that others can read. Reads nothing that the settings do not name.
 */
export const layer: Layer.Layer<never, never, PromptLibrary | Settings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { generation, logging } = yield* Settings
    const { promptsDirectory, uiDirectory } = generation
    if (logging.file !== undefined) yield* Effect.forkScoped(checkLogFile(logging.file))
    if (uiDirectory !== undefined) yield* Effect.forkScoped(checkHandMade(uiDirectory))
    if (promptsDirectory !== undefined) yield* Effect.forkScoped(checkOwnPrompts)
  })
)
