import { isObject } from "../isObject.ts"

/** Names of the MCP Apps extension, specification 2026-01-26 (SEP-1865). */
export const UI_EXTENSION = "io.modelcontextprotocol/ui"
export const UI_MIME_TYPE = "text/html;profile=mcp-app"
/** The key that hosts read before `_meta.ui` existed; some still do. */
export const FLAT_RESOURCE_URI = "ui/resourceUri"

/** ChatGPT's own words for a tool's UI, and for a tool that pages may call. */
export const OPENAI_TEMPLATE = "openai/outputTemplate"
export const OPENAI_ACCESSIBLE = "openai/widgetAccessible"

/** Keys of the envelope that every request of the modern era (2026-07-28) carries in `params._meta`. */
export const ENVELOPE_VERSION = "io.modelcontextprotocol/protocolVersion"
export const ENVELOPE_CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
export const ENVELOPE_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

/**
 * Whether a host's capabilities announce MCP Apps. A list of MIME types that leaves ours out means no; a missing
 * list means yes. `otherwise`: what a host does that says nothing of it.
 */
export const announcesApps = (capabilities: unknown, otherwise = false): boolean => {
  if (!isObject(capabilities) || !isObject(capabilities.extensions)) return otherwise
  const extension = capabilities.extensions[UI_EXTENSION]
  if (!isObject(extension)) return otherwise
  return !Array.isArray(extension.mimeTypes) || extension.mimeTypes.includes(UI_MIME_TYPE)
}
