import { Effect, Layer, Semaphore } from "effect"
import { UiVersions } from "../../domain/library/UiVersions.ts"
import { AcceptedUis } from "../../services/library/AcceptedUis.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiExport } from "../../services/documents/UiExport.ts"

export const layer: Layer.Layer<AcceptedUis, never, ToolMemory | UiExport> = Layer.effect(
  AcceptedUis,
  Effect.gen(function* () {
    const memory = yield* ToolMemory
    const exporting = yield* UiExport
    const scope = yield* Effect.scope
    const versions = new UiVersions()
    /** One after the other, so that the newest stays. */
    const exportTurn = Semaphore.makeUnsafe(1)

    const service = AcceptedUis.of({
      versions,
      goodOf: ({ tool, toolHash }) => versions.current(tool.name, toolHash)?.entry,
      remember: (job, entry, given) => {
        if (entry.fallback !== null) {
          const { retryAt: _, ...good } = entry
          if (entry.source === null || service.goodOf(job) !== undefined) return
          return service.remember(job, { ...good, fallback: null }, given)
        }
        const lineage = given ?? { origin: entry.provider === "hand" ? "imported" : "generated" }
        const isKnown = given === undefined && service.goodOf(job)?.source === entry.source
        if (!isKnown) versions.add(job.toolHash, entry, lineage)
      },
      servedFor: (job, entry) => {
        const good = service.goodOf(job)
        const isRuledOut = versions.isRuledOut(job.tool.name, job.toolHash, entry.source)
        return good !== undefined && isRuledOut ? { ...good, key: job.key } : entry
      },
      exported: (job, entry) => {
        if (entry.source === null || entry.fallback !== null) return Effect.void
        const version = versions.current(job.tool.name, job.toolHash)?.number ?? null
        const facts = { learned: memory.learned(job.tool.name), examples: job.hints.examples ?? [], version }
        const written = Effect.uninterruptible(exportTurn.withPermit(exporting.offer(job.tool, entry, facts)))
        return Effect.forkIn(written, scope, { startImmediately: true })
      }
    })
    return service
  })
)
