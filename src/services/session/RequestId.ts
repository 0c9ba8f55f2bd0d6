import { Context } from "effect"

/**
 * The id (a UUID) of the host's request that the current fiber works for. It stands on every log line of that
 * request. Model APIs that take a request id get it too. Outside a request it is `"-"`.
 *
 * @example
 * import { Effect } from "effect"
 * import { RequestId, type Tool, UiLibrary } from "mcp-gen-ui"
 *
 * const readAs = (requestId: string, tool: Tool) =>
 *   Effect.flatMap(UiLibrary, (library) => library.read(tool)).pipe(Effect.provideService(RequestId, requestId))
 */
export const RequestId = Context.Reference<string>("mcp-gen-ui/services/RequestId", { defaultValue: () => "-" })
