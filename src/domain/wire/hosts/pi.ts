import type { HostFacts } from "./HostFacts.ts"

export const pi: HostFacts = {
  id: "pi",
  title: "Pi",
  about: "Its adapter shows UIs in a window of their own; up to 2.30 it announces nothing.",
  names: { is: ["pi-mcp-"], how: "read", source: "nicobailon/pi-mcp-adapter server-manager.ts", date: "2026-08" },
  rendersUnannounced: { is: true, how: "reported", source: "nicobailon/pi-mcp-adapter #465", date: "2026-08" }
}
