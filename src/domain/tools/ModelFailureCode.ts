import { Schema } from "effect"

/** How a request to a model's API can end (requirement G10). */
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
