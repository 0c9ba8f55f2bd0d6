import { App } from "./App.ts"
import { LATEST_PROTOCOL_VERSION } from "./Bridge.ts"
import { PostMessageTransport } from "./PostMessageTransport.ts"
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables, getDocumentTheme } from "./theme.ts"

const REQUESTS = "RESOURCE_TEARDOWN REQUEST_DISPLAY_MODE OPEN_LINK MESSAGE INITIALIZE DOWNLOAD_FILE"
const NOTIFICATIONS =
  "TOOL_RESULT TOOL_INPUT_PARTIAL TOOL_INPUT TOOL_CANCELLED SIZE_CHANGED SANDBOX_RESOURCE_READY SANDBOX_PROXY_READY REQUEST_TEARDOWN INITIALIZED HOST_CONTEXT_CHANGED"

/** `TOOL_INPUT_METHOD` is `ui/notifications/tool-input`, and so on. */
const methodNames = (names: string, prefix: string): Record<string, string> =>
  Object.fromEntries(
    names.split(" ").map((name) => [`${name}_METHOD`, prefix + name.toLowerCase().replaceAll("_", "-")])
  )

/** What linked code imports as `@modelcontextprotocol/ext-apps`: all that the package exports but its zod schemas. */
export const extApps = {
  App,
  PostMessageTransport,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
  LATEST_PROTOCOL_VERSION,
  RESOURCE_MIME_TYPE: "text/html;profile=mcp-app",
  RESOURCE_URI_META_KEY: "ui/resourceUri",
  ...methodNames(REQUESTS, "ui/"),
  ...methodNames(NOTIFICATIONS, "ui/notifications/")
}
