import { Context } from "effect"

/**
 * The id (a UUID) of the host's request that the current fiber works for. It stands on every log line of that
 * request and goes to the model's API where it takes one. Outside a request it is `"-"`.
 */
export const RequestId = Context.Reference<string>("mcp-gen-ui/services/RequestId", { defaultValue: () => "-" })
