/** Where the file of a host keeps its servers, by the name of the member. */
export const HOST_FILE_MEMBERS = ["mcpServers", "servers", "context_servers", "mcp_servers", "extensions"] as const

const AS_JSON = /"(?:mcpServers|servers|context_servers)"\s*:\s*\{/
const AS_TOML = /^\s*\[\s*mcp_servers\b/m
const AS_YAML = /^extensions:\s*(?:#|$)/m

/** Whether a text, which may be broken, looks like the file of a host rather than a configuration of ours. */
export const looksLikeHostFile = (text: string): boolean =>
  [AS_JSON, AS_TOML, AS_YAML].some((pattern) => pattern.test(text))
