import type { HostSession } from "./HostSession.ts"
import type { ViewServer } from "./ViewFrame.ts"

/** Milliseconds without a word. */
export const longestCall = 10 * 60_000

/** The server of a session, as views may use it. */
export const serverOf = ({ client }: HostSession): ViewServer => ({
  callTool: (params, options) =>
    client.request(
      { method: "tools/call", params },
      { ...options, timeout: longestCall, resetTimeoutOnProgress: true }
    ),
  readResource: (params, options) => client.request({ method: "resources/read", params }, options),
  listResources: (params, options) => client.request({ method: "resources/list", ...(params && { params }) }, options),
  listResourceTemplates: (params, options) =>
    client.request({ method: "resources/templates/list", ...(params && { params }) }, options)
})
