import { Context } from "effect"

/** How far a generation is. Numbers only grow while it runs, whatever it tries again. */
export interface GenerationProgress {
  readonly stage: "queued" | "asking" | "writing" | "checking" | "repairing"
  /** Characters that the model has written, in all attempts. */
  readonly characters: number
  /** Requests to the model so far. */
  readonly attempts: number
}

/**
 * Hears of the generation that the current fiber waits for, whoever started it (requirement G9). It is called often,
 * and must neither throw nor take time.
 */
export const ProgressListener = Context.Reference<((progress: GenerationProgress) => void) | undefined>(
  "mcp-gen-ui/services/ProgressListener",
  { defaultValue: () => undefined }
)
