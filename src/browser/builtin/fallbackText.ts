import type { FallbackData, PageData } from "../runtime/types.ts"

const REASONS: Readonly<Record<string, string>> = {
  TIMEOUT: "The generated view was not ready in time",
  RATE_LIMIT: "The language model takes no more requests for now",
  INVALID_REQUEST: "The language model refused the request",
  AUTH: "The language model did not accept its key",
  SERVER_ERROR: "The language model had a fault",
  NETWORK_ERROR: "The language model could not be reached",
  CONTENT_FILTERED: "The language model declined to write a view",
  ABORTED: "The generation of a view was stopped",
  QUEUE_FULL: "Too many views are being generated at once",
  REJECTED: "The generated view did not pass its checks",
  PROMPT_INJECTION: "The generated view looked unsafe",
  FAILED_ON_SCREEN: "The generated view failed"
}

/** Why there is no newer view, in words for people. `undefined` without a model, which is not a fault. */
export const fallbackText = ({ code, transient }: FallbackData, view: PageData["view"]): string | undefined => {
  if (code === "NO_MODEL") return undefined
  if (code === "PENDING") return "A view for this tool is being written; it appears here as soon as it is ready."
  const reason = REASONS[code] ?? "A view could not be generated"
  const shown = view === "builtin" ? "this is the standard view" : "this is the view from before"
  return `${reason}; ${shown}.${transient ? " It will be tried again later." : ""}`
}
