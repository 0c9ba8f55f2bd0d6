import { type Bridge, EVENT_METHODS, LATEST_PROTOCOL_VERSION } from "../runtime/Bridge.ts"
import type { HostContext, JsonObject } from "../runtime/types.ts"

/** A host that does not speak JSON-RPC. */
interface ForeignHost {
  readonly name: string
  readonly context: HostContext
  /** The page is ready. */
  readonly begin: () => void
  readonly resize: (size: JsonObject) => void
  /** Answers to requests, by their methods. All others are refused. */
  readonly requests: Readonly<Record<string, (params: JsonObject) => Promise<JsonObject>>>
}

/**
 * Says what such a host says in the words of MCP Apps. What the page's bridge sends goes to `port`.
 */
export const serveAsHost = (bridge: Bridge, { begin, context, name, requests, resize }: ForeignHost) => {
  const tell = (message: JsonObject): void => void bridge.receive({ jsonrpc: "2.0", ...message })
  const notify = (event: keyof typeof EVENT_METHODS, params: JsonObject): void =>
    tell({ method: EVENT_METHODS[event], params })
  const answer = async (method: string, params: JsonObject): Promise<JsonObject> => {
    if (method === "ui/initialize")
      return {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        hostInfo: { name, version: "1" },
        hostCapabilities: {
          serverTools: {},
          openLinks: {},
          ...(Object.hasOwn(requests, "ui/message") && { message: {} })
        },
        hostContext: context
      }
    const request = Object.hasOwn(requests, method) ? requests[method] : undefined
    if (request === undefined) throw new Error(`This host does not do this (${method}).`)
    return request(params)
  }
  const port = ({ id, method, params }: JsonObject): void => {
    const given = (params ?? {}) as JsonObject
    if (method === "ui/notifications/initialized") return begin()
    if (method === "ui/notifications/size-changed") return resize(given)
    if (id === undefined || typeof method !== "string") return
    answer(method, given).then(
      (result) => tell({ id, result }),
      (error: unknown) =>
        tell({ id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } })
    )
  }
  return {
    port,
    changeContext: (changed: HostContext) => notify("hostcontextchanged", changed),
    input: (args: JsonObject) => notify("toolinput", { arguments: args }),
    result: (result: JsonObject) => notify("toolresult", result)
  }
}
