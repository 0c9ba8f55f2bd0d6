import { Duration, Effect, Latch, Layer } from "effect"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { LearnedTool } from "../../domain/library/memory/LearnedTool.ts"
import { BudgetSpent, timeBudget } from "../../domain/library/memory/WorkBudget.ts"
import { NOTHING_LEARNED } from "../../domain/tools/LearnedResults.ts"
import { decodedAt } from "../../domain/wire/Rewrites.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"

/** How many tools are remembered; the one whose results are oldest goes first. */
const MAX_TOOLS = 200
/** How many tools' answers may wait to be read; further ones teach nothing. */
const MAX_WAITING = 8
/** A larger answer is read only if nothing is known of the tool yet. */
const MODEST_BYTES = 131_072
/** A larger answer is never read. */
const LARGE_BYTES = 524_288
/** Between two answers, because messages go first. */
const PAUSE = Duration.millis(50)
/** Reading stops after this, because messages wait; the answer then teaches nothing. */
const MAX_MILLISECONDS = 250

interface Answer {
  readonly args: unknown
  readonly frame: Uint8Array
}

/**
 * Learns from the results of one session, for the life of the layer. `results` keeps shortened examples and the shape
 * of everything seen; `shapes` keeps only names and types. Texts in `secrets` are never kept.
 */
export const layer = ({
  mode,
  secrets
}: {
  readonly mode: "results" | "shapes"
  readonly secrets: ReadonlyArray<string>
}): Layer.Layer<ToolMemory> =>
  Layer.effect(
    ToolMemory,
    Effect.gen(function* () {
      const redactor = makeRedactor(secrets)
      const waits = yield* Latch.make(false)
      /** In the order in which their results were last seen. */
      const tools = new Map<string, LearnedTool>()
      const waiting = new Map<string, Answer>()

      const touched = (toolName: string): LearnedTool => {
        const tool = tools.get(toolName) ?? new LearnedTool({ redactor, keepsResults: mode === "results" })
        tools.delete(toolName)
        tools.set(toolName, tool)
        const oldest = tools.keys().next().value
        if (tools.size > MAX_TOOLS && oldest !== undefined) tools.delete(oldest)
        return tool
      }

      const lookAt = (toolName: string): void => {
        const answer = waiting.get(toolName)
        if (answer === undefined) return
        waiting.delete(toolName)
        const result = decodedAt(answer.frame, ["result"])
        if (result === undefined) return
        try {
          touched(toolName).add(answer.args, result, timeBudget(MAX_MILLISECONDS))
        } catch (error) {
          if (!(error instanceof BudgetSpent)) throw error
        }
      }

      const lookAtNext = Effect.gen(function* () {
        yield* waits.await
        yield* Effect.sleep(PAUSE)
        const [next] = waiting.keys()
        if (next !== undefined) lookAt(next)
        if (waiting.size === 0) waits.closeUnsafe()
      }).pipe(
        Effect.catchDefect((defect) => Effect.logDebug("a result taught nothing", defect)),
        Effect.annotateLogs({ component: "memory" })
      )
      yield* Effect.forkScoped(Effect.forever(lookAtNext))

      return ToolMemory.of({
        observe: (toolName, args, frame) => {
          if (frame.length > LARGE_BYTES) return
          if (frame.length > MODEST_BYTES && tools.get(toolName)?.isEmpty === false) return
          if (waiting.size >= MAX_WAITING && !waiting.has(toolName)) return
          waiting.set(toolName, { args, frame })
          waits.openUnsafe()
        },
        learned: (toolName) => {
          lookAt(toolName)
          return tools.get(toolName)?.learned ?? NOTHING_LEARNED
        },
        forget: (toolName) => {
          waiting.delete(toolName)
          tools.delete(toolName)
        }
      })
    })
  )

/** Keeps nothing (`generation.toolMemory` is `off`). */
export const layerNone: Layer.Layer<ToolMemory> = Layer.succeed(ToolMemory, {
  observe: () => undefined,
  learned: () => NOTHING_LEARNED,
  forget: () => undefined
})
