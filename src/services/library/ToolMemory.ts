import { Context } from "effect"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"

/**
 * What real results that pass by teach about the tools of one session: examples for the prompt (requirement G1). It
 * never calls a tool (S5), and it keeps little: a few results of each tool, shortened, without what looks like a
 * secret.
 */
export class ToolMemory extends Context.Service<
  ToolMemory,
  {
    /** A `tools/call` was answered. Failed calls teach nothing. Returns at once; the frame is looked at and let go soon. */
    readonly observe: (toolName: string, args: unknown, answer: Uint8Array) => void
    readonly learned: (toolName: string) => LearnedResults
    readonly forget: (toolName: string) => void
  }
>()("mcp-gen-ui/services/ToolMemory") {}
