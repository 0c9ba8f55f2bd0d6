/**
 * One real call of a tool and its result, shortened and without what looks like a secret.
 *
 * @example
 * import type { LearnedResult } from "mcp-gen-ui"
 *
 * const line = ({ args, data }: LearnedResult) => `${JSON.stringify(args)} → ${JSON.stringify(data)}`
 */
export interface LearnedResult {
  /** The arguments, as a JSON value. */
  readonly args: unknown
  /** What a page gets as `data`: structured content, else JSON found in the text, else the text. */
  readonly data: unknown
  /** Pictures, sound and files beside the data, by kind and size; missing where there are none. */
  readonly media?: string
}

/**
 * What passing results have taught about a tool.
 *
 * @example
 * import type { LearnedResults } from "mcp-gen-ui"
 *
 * const summary = ({ results, shape }: LearnedResults) => `${shape ?? "nothing yet"}, ${results.length} results`
 */
export interface LearnedResults {
  /** The inferred shape of all data seen, as compact text; `null` before the first. */
  readonly shape: string | null
  /** Newest first. Empty where only shapes may be kept. */
  readonly results: ReadonlyArray<LearnedResult>
  /** The shapes of what related tools answered, by name. */
  readonly others?: Readonly<Record<string, string>>
}

export const NOTHING_LEARNED: LearnedResults = { shape: null, results: [] }
