import { isObject } from "../../../domain/isObject.ts"
import { EVENT_METHODS, RpcError } from "../../runtime/Bridge.ts"
import type { JsonObject } from "../../runtime/types.ts"
import type { Answer } from "./actions.ts"

/** Messages of MCP Apps, which pages made with newer versions of mcp-ui speak: the host answers them through us. */
export const answerRpc: Answer = async ({ id, method, params }, nested, session, bridge, isAllowed) => {
  const given: JsonObject = isObject(params) ? params : {}
  const say = (message: JsonObject): void => nested.say({ jsonrpc: "2.0", ...message })
  if (id === undefined) {
    if (method === "ui/notifications/size-changed") nested.resize(given.height, false)
    if (method !== "ui/notifications/initialized") return
    for (const event of ["toolinput", "toolresult"] as const) {
      const recorded = bridge.recorded.get(event)
      if (recorded !== undefined) say({ method: EVENT_METHODS[event], params: recorded.params })
    }
    return
  }
  if (method === undefined) return
  try {
    if (method === "ui/initialize") {
      const { hostCapabilities = {}, hostInfo, protocolVersion } = bridge.host ?? {}
      return say({ id, result: { protocolVersion, hostInfo, hostCapabilities, hostContext: session.context ?? {} } })
    }
    if (!isAllowed()) throw new Error("A page does this only after a press.")
    say({ id, result: await bridge.request(String(method), given) })
  } catch (error) {
    const code = error instanceof RpcError ? error.code : -32603
    say({ id, error: { code, message: error instanceof Error ? error.message : String(error) } })
  }
}
