import type { HostFacts } from "./HostFacts.ts"

const SOURCE = "microsoft/vscode chatMcpAppModel.ts"

export const vscode: HostFacts = {
  id: "vscode",
  title: "VS Code",
  about: "Inline only, in a side bar; it reads the view each time it shows it. It takes messages without saying so.",
  names: {
    is: ["visual studio code", "visual-studio-code"],
    how: "reported",
    source: "apify/mcp-client-capabilities",
    date: "2026-01"
  },
  rendersUnannounced: {
    is: true,
    how: "reported",
    source: "microsoft/vscode #291432",
    date: "2026-01",
    since: "1.109"
  },
  delivery: { is: "blocking", how: "read", source: "hosts.md: reads at every render", date: "2026-11" },
  offers: {
    is: ["serverTools", "serverResources", "openLinks", "downloadFile", "updateModelContext", "logging"],
    how: "read",
    source: SOURCE,
    date: "2026-11"
  },
  modes: { is: ["inline"], how: "read", source: SOURCE, date: "2026-11" },
  sendsStyles: { is: true, how: "estimate", source: "the studio", date: "2026-10" },
  column: { is: { width: 480 }, how: "estimate", source: "the studio", date: "2026-10" }
}
