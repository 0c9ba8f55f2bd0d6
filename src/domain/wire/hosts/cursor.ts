import type { HostFacts } from "./HostFacts.ts"

export const cursor: HostFacts = {
  id: "cursor",
  title: "Cursor",
  about: "It announces UIs, but does not read them in every session.",
  names: { is: ["cursor-vscode"], how: "reported", source: "apify/mcp-client-capabilities", date: "2026-01" },
  toolNames: {
    // Fifty leaves ten for the server's name.
    is: { takes: /^.{1,50}$/, else: "Cursor drops a tool beyond 60, with the server's name" },
    how: "reported",
    source: "sparfenyuk/mcp-proxy #45",
    date: "2025-04"
  }
}
