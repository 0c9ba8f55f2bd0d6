import type { Client } from "@modelcontextprotocol/client"
import type { HostSession } from "./HostSession.ts"
import type { ViewServer } from "./ViewFrame.ts"

/** Milliseconds without any message. */
export const longestCall = 10 * 60_000

/** What views may use of the server. The session may be another one by then. */
export const serverOf = (session: () => HostSession | undefined): ViewServer => {
  const client = (): Client => {
    const there = session()
    if (there === undefined) throw new Error("The server is not connected.")
    return there.client
  }
  return {
    callTool: async (params, options) =>
      client().request(
        { method: "tools/call", params },
        { ...options, timeout: longestCall, resetTimeoutOnProgress: true }
      ),
    readResource: async (params, options) => client().request({ method: "resources/read", params }, options),
    listResources: async (params, options) =>
      client().request({ method: "resources/list", ...(params && { params }) }, options),
    listResourceTemplates: async (params, options) =>
      client().request({ method: "resources/templates/list", ...(params && { params }) }, options)
  }
}
