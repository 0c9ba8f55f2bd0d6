import { isObject } from "./isObject.ts"

/** Where the file of a host keeps its servers, by the name of the member. */
export const HOST_FILE_MEMBERS = ["mcpServers", "servers", "context_servers", "mcp_servers", "extensions"] as const

const AS_JSON = /"(?:mcpServers|servers|context_servers)"\s*:\s*\{/
const AS_TOML = /^[ \t]*\[[ \t]*mcp_servers\b/m
const AS_YAML = /^extensions:\s*(?:#|$)/m

/** Whether data are those of a host's file. */
export const hasHostServers = (document: unknown): boolean =>
  isObject(document) && HOST_FILE_MEMBERS.some((member) => isObject(document[member]))

/** Whether a text that is not JSON looks like the file of a host. */
export const looksLikeHostFile = (text: string): boolean =>
  [AS_JSON, AS_TOML, AS_YAML].some((pattern) => pattern.test(text))
