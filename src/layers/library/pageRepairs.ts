import { Effect, FiberMap } from "effect"
import { askedTexts, hasPending, withTexts } from "../../domain/library/Refinements.ts"
import type { UiVersion } from "../../domain/library/UiVersions.ts"
import { faultLines, type KnownFault } from "../../domain/tools/PageFault.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import type { makeUiEdits } from "./uiEdits.ts"
import { hashOf, type UiJob } from "./uiJobs.ts"
import type { UiShelf } from "./uiShelf.ts"

/**
 * Repairs of pages that failed on screen: the model is asked once for each version that it wrote, with what the page
 * told. What it writes becomes a version and takes over where the failed one was. A repair that fails is not repaired.
 */
export const makePageRepairs = Effect.fnUntraced(function* (
  shelf: UiShelf,
  { inTurn }: Pick<Effect.Success<ReturnType<typeof makeUiEdits>>, "inTurn">,
  changed: (tool: Tool) => void
) {
  const generations = yield* Generations
  const refinements = yield* RefinementStore
  const { provider } = yield* LanguageModel
  const { currentJob, versions } = shelf
  /** By the name of the tool. */
  const running = yield* FiberMap.make<string>()

  const isRepairable = (tool: Tool, { entry, number, origin }: UiVersion): boolean =>
    entry.source !== null &&
    entry.provider === provider &&
    origin !== "repaired" &&
    !versions.of(tool.name).some((other) => {
      return other.number !== number && other.failedAt !== null && other.entry.source === entry.source
    })

  /** Takes over, unless the UI has changed while it was written. `served` is the version that stood in. */
  const land = (job: UiJob, failed: UiVersion, served: number | undefined, entry: UiEntry) =>
    inTurn(
      job.tool,
      Effect.gen(function* () {
        const { tool } = job
        const isOther = versions.current(tool.name, job.toolHash)?.number !== served
        const isNone = entry.source === null || entry.source === failed.entry.source
        if (isNone || isOther || hasPending(yield* refinements.read(tool))) {
          const why = isNone ? "it changes nothing" : "there is another UI by now"
          return yield* Effect.logInfo(`a repair of a UI is dropped: ${why}`)
        }
        const list = yield* refinements.update(tool, (now) => withTexts(now, failed.entry.refinements))
        const { key } = yield* shelf.jobs.of(tool, askedTexts(list), null)
        const mended = { ...entry, key }
        versions.add(job.toolHash, mended, { origin: "repaired", parent: failed.number })
        yield* shelf.keep(mended)
        yield* shelf.exported(job, mended)
        changed(tool)
      })
    )

  const write = Effect.fn("UiLibrary.repair")(
    function* (tool: Tool, failed: UiVersion, fault: KnownFault) {
      const current = yield* currentJob(tool)
      const served = versions.current(tool.name, current.toolHash)?.number
      const job = {
        ...current,
        key: hashOf([current.key, "repair", failed.entry.source]),
        refinements: failed.entry.refinements,
        currentSource: failed.entry.source,
        fault: faultLines(fault)
      }
      yield* generations.make(job).pipe(
        Effect.flatMap((entry) => land(job, failed, served, entry)),
        Effect.catchTag("GenerationFailed", ({ reason: { code, message } }) =>
          Effect.logWarning("a UI that failed on screen could not be repaired").pipe(
            Effect.annotateLogs({ code, reason: message })
          )
        )
      )
    },
    (effect, { name }, { number }) =>
      effect.pipe(
        Effect.annotateLogs({ component: "library", tool: name, version: number }),
        Effect.provideService(ProgressListener, undefined)
      )
  )

  return {
    begin: (tool: Tool, failed: UiVersion, fault: KnownFault): Effect.Effect<unknown> =>
      isRepairable(tool, failed)
        ? FiberMap.run(running, tool.name, write(tool, failed, fault), { onlyIfMissing: true })
        : Effect.void,
    isRunning: (tool: Tool): boolean => FiberMap.hasUnsafe(running, tool.name)
  }
})
