import { Schema } from "effect"

/**
 * How a request to a model's API can end without an answer.
 *
 * @example
 * import type { ModelFailureCode } from "mcp-gen-ui"
 *
 * const codeOf = (status: number): ModelFailureCode => (status === 429 ? "RATE_LIMIT" : "SERVER_ERROR")
 */
export const ModelFailureCode = Schema.Literals([
  "TIMEOUT",
  "RATE_LIMIT",
  "INVALID_REQUEST",
  "AUTH",
  "SERVER_ERROR",
  "NETWORK_ERROR",
  "CONTENT_FILTERED",
  "ABORTED"
])
export type ModelFailureCode = typeof ModelFailureCode.Type
