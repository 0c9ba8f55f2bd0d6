import { Duration, Effect, Fiber, FileSystem, Layer, Semaphore } from "effect"
import { join } from "node:path"
import { makeExportFolder, writeExport } from "../../adapters/documents/exportFolder.ts"
import { withFileLock } from "../../adapters/platform/fileLock.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { type IdentifyingSettings, serverIdentity } from "../../adapters/documents/serverIdentity.ts"
import { isoTime } from "../../domain/isoTime.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { recordedPage } from "../../domain/documents/export/RecordedPage.ts"
import { standaloneHtml } from "../../domain/documents/export/standaloneHtml.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { makeUiUris } from "../../domain/tools/UiUri.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { type ExportFacts, UiExport, UiNotExported } from "../../services/documents/UiExport.ts"

/** The stand-in for a host that exported pages carry. */
const RECORDED_HOST = "dist/recordedHost.js"

const LOCK_FILE = ".mcp-gen-ui.lock"

/** Writes that take longer count as failed. */
const PATIENCE = Duration.seconds(6)
/** How long the end of the process waits for writes in progress. */
const END_GRACE = Duration.seconds(1)

/**
 * Writes into a folder that several processes may share: each file whole or not at all, one UI at a time. It leaves
 * alone files that it did not write, that were changed since, or that belong to another server. After six seconds
 * without an answer, the folder counts as not writable until it answers.
 */
export const layerOn = (options: {
  readonly directory: string
  /** Say which server the files belong to. */
  readonly settings: IdentifyingSettings
}): Layer.Layer<UiExport, never, DocumentLinker | PackageFiles | FileSystem.FileSystem> =>
  Layer.effect(
    UiExport,
    Effect.gen(function* () {
      const { directory, settings } = options
      const linker = yield* DocumentLinker
      const files = yield* PackageFiles
      const fs = yield* FileSystem.FileSystem
      const server = serverIdentity(settings, process.env)
      const turns = yield* Semaphore.make(1)
      let unanswered = 0

      /**
       * Runs in a fiber of its own, because waiting for the system cannot be interrupted. An interrupted caller waits
       * for a moment, so that a write in progress can finish.
       */
      const unlessLate = <A>(effect: Effect.Effect<A, UiNotExported>, late: UiNotExported) =>
        Effect.gen(function* () {
          if (unanswered > 0) return yield* late
          const fiber = yield* Effect.forkDetach(effect, { startImmediately: true })
          const giveUp = Effect.sync(() => {
            unanswered += 1
            fiber.addObserver(() => void (unanswered -= 1))
            fiber.interruptUnsafe()
          })
          return yield* Fiber.join(fiber).pipe(
            Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.andThen(giveUp, Effect.fail(late)) }),
            Effect.interruptible,
            Effect.onInterrupt(() =>
              Effect.timeoutOrElse(Effect.interruptible(Fiber.await(fiber)), {
                duration: END_GRACE,
                orElse: () => giveUp
              })
            )
          )
        })
      const told = new Set<string>()

      const write = Effect.fn("UiExport.write")(function* (tool: Tool, entry: UiEntry, facts: ExportFacts) {
        const refused = (why: string) => new UiNotExported({ toolName: tool.name, why })
        const host = yield* files.text(RECORDED_HOST).pipe(Effect.mapError(({ message }) => refused(message)))
        const recorded = recordedPage(tool, facts.learned, facts.examples)
        const page = standaloneHtml(tool.title ?? tool.name, yield* linker.link(tool, entry), recorded, host)
        const { key, level, model, promptVersion, provider, refinements, templateVersion, uiType } = entry
        const ui = {
          tool: tool.name,
          server,
          uri: facts.uri ?? makeUiUris([tool.name]).uriOf(tool.name) ?? "",
          version: facts.version,
          level,
          uiType,
          provider,
          model,
          promptVersion,
          templateVersion,
          key,
          refinements,
          createdAt: isoTime(entry.createdAt),
          tokens: entry.usage,
          shows: recorded.calls.length === 0 ? ("nothing" as const) : recorded.origin
        }
        // The folder first: a lock needs it. Uninterruptible except for the wait for the lock: a hanging call must
        // count as unanswered until it returns.
        const writing = Effect.uninterruptible(makeExportFolder(directory)).pipe(
          Effect.andThen(
            writeExport(directory, ui, { page, source: entry.source }).pipe(withFileLock(join(directory, LOCK_FILE)))
          ),
          Effect.mapError((failure) => refused(`${directory} cannot be written (${systemErrorCode(failure)})`)),
          Effect.provideService(FileSystem.FileSystem, fs)
        )
        const late = refused(`${directory} cannot be written (it does not answer, or another process keeps it)`)
        const outcome = yield* turns.withPermit(unlessLate(writing, late))
        return "why" in outcome ? yield* refused(outcome.why) : outcome.paths
      }, Effect.uninterruptible)

      const offer = Effect.fn("UiExport.offer")((tool: Tool, entry: UiEntry, facts: ExportFacts) =>
        write(tool, entry, facts).pipe(
          Effect.asVoid,
          Effect.catchTag("UiNotExported", ({ message, why }) => {
            if (told.has(why)) return Effect.void
            told.add(why)
            return Effect.logWarning(message).pipe(Effect.annotateLogs({ component: "export", directory }))
          })
        )
      )
      return UiExport.of({ write, offer })
    })
  )

/** {@link layerOn} this machine's files. */
export const layer = (options: Parameters<typeof layerOn>[0]) => Layer.provide(layerOn(options), localFiles)
