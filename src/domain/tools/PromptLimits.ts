/**
 * How much of the texts of tool, user and model goes into a prompt, beside the limits of the
 * configuration. In characters; a visible note marks each cut.
 */
export const PROMPT_LIMITS = {
  name: 100,
  annotations: 400,
  /** The answer that a repair prompt shows: longer than any page should be. */
  answer: 24_000,
  problems: 20,
  problem: 500,
  /** Signatures of other tools: how many, and the characters of each name and argument. */
  related: 8,
  relatedArguments: 6,
  relatedShape: 160,
  argument: 40
} as const

/** How much room the parts of the data about a tool get, in characters; `examples` is how many. */
export interface PromptRoom {
  readonly description: number
  readonly inputSchema: number
  readonly outputSchema: number
  readonly shape: number
  readonly example: number
  readonly examples: number
}

/** Roomy first; the next one is used while a prompt exceeds `limits.maxPromptTokens`. */
export const PROMPT_ROOMS: readonly [PromptRoom, ...ReadonlyArray<PromptRoom>] = [
  { description: 2000, inputSchema: 5000, outputSchema: 5000, shape: 1500, example: 2000, examples: 3 },
  { description: 2000, inputSchema: 3000, outputSchema: 3000, shape: 1200, example: 1500, examples: 2 },
  { description: 1500, inputSchema: 2000, outputSchema: 2000, shape: 1000, example: 1200, examples: 1 },
  { description: 1000, inputSchema: 1200, outputSchema: 1500, shape: 800, example: 800, examples: 1 },
  { description: 600, inputSchema: 800, outputSchema: 800, shape: 400, example: 500, examples: 1 }
]

/** The same for the brief of a host's model, which has read the tool and its results, and pays for each word twice. */
export const BRIEF_ROOMS: readonly [PromptRoom, ...ReadonlyArray<PromptRoom>] = [
  { description: 800, inputSchema: 800, outputSchema: 1200, shape: 600, example: 1200, examples: 2 },
  { description: 400, inputSchema: 500, outputSchema: 800, shape: 400, example: 1000, examples: 1 },
  { description: 250, inputSchema: 300, outputSchema: 500, shape: 300, example: 700, examples: 1 },
  { description: 120, inputSchema: 120, outputSchema: 150, shape: 150, example: 300, examples: 1 }
]

/**
 * Of a brief: estimated tokens, so that the real ones stay below 2,500; and characters of what a person may make long. Of the
 * page, which edits have to fit, something is left out only when nothing else is left to cut.
 */
export const BRIEF_LIMITS = {
  tokens: 2150,
  sources: [6000, 4000, 3000, 2400, 1800],
  request: 600,
  earlier: 150
} as const
