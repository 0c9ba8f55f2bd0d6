import { Context } from "effect"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"

/**
 * Learns from real results that pass by, for the prompts of one session. It never calls a tool, and
 * keeps little: a few results of each tool, shortened, without what looks like a secret.
 *
 * @example
 * import { Effect } from "effect"
 * import { ToolMemory } from "mcp-gen-ui"
 *
 * const answered = (toolName: string, args: unknown, answer: Uint8Array) =>
 *   Effect.map(ToolMemory, (memory) => memory.observe(toolName, args, answer))
 */
export class ToolMemory extends Context.Service<
  ToolMemory,
  {
    /**
     * A `tools/call` was answered. Failed calls teach nothing. Returns at once; the frame is read soon, and then
     * released.
     */
    readonly observe: (toolName: string, args: unknown, answer: Uint8Array) => void
    readonly learned: (toolName: string) => LearnedResults
    readonly forget: (toolName: string) => void
  }
>()("mcp-gen-ui/services/ToolMemory") {}
