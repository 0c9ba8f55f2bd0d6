import { Context } from "effect"

/**
 * How far a generation is. Numbers only grow while it runs, whatever it tries again.
 *
 * @example
 * import type { GenerationProgress } from "mcp-gen-ui"
 *
 * const line = ({ characters, stage }: GenerationProgress) => `${stage}: ${characters} characters`
 */
export interface GenerationProgress {
  readonly stage: "queued" | "asking" | "writing" | "checking" | "repairing"
  /** Characters that the model has written, in all attempts. */
  readonly characters: number
  /** Requests to the model so far. */
  readonly attempts: number
}

/**
 * Hears of the generation that the current fiber waits for, whoever started it. It is called often, and must neither throw
 * nor take time.
 *
 * @example
 * import { Effect } from "effect"
 * import { ProgressListener, type Tool, UiLibrary } from "mcp-gen-ui"
 *
 * const loudly = (tool: Tool) =>
 *   Effect.flatMap(UiLibrary, (library) => library.read(tool)).pipe(
 *     Effect.provideService(ProgressListener, ({ stage }) => process.stderr.write(`${stage}\n`))
 *   )
 */
export const ProgressListener = Context.Reference<((progress: GenerationProgress) => void) | undefined>(
  "mcp-gen-ui/services/ProgressListener",
  { defaultValue: () => undefined }
)
