import type { HostFacts } from "./HostFacts.ts"

/** Not Claude Code (`claude-code`), which draws no UIs. */
export const claude: HostFacts = {
  id: "claude",
  title: "Claude",
  about: "A new frame for every call. A view that is higher than the page scrolls with it.",
  names: { is: ["claude-ai", "anthropic/claudeai"], how: "reported", source: "ext-apps #671", date: "2026-08" },
  rendersUnannounced: { is: true, how: "reported", source: "claude-ai-mcp #61, #153, #1060", date: "2026-08" },
  delivery: {
    is: "live",
    how: "reported",
    source: "claude-ai-mcp #165: reads every UI after the list",
    date: "2026-06"
  },
  toolNames: {
    is: { takes: /^[\w-]{1,64}$/, else: "Claude then drops all tools" },
    how: "reported",
    source: "hosts.md",
    date: "2026-11"
  },
  documents: { is: 5_000_000, how: "reported", source: "hosts.md", date: "2026-11" },
  strips: {
    is: ["structuredContent", "image blocks", "results of reopened chats"],
    how: "reported",
    source: "ext-apps #696, claude-ai-mcp #563 and #105, claude-code #78387",
    date: "2026-09"
  },
  offers: {
    is: ["serverTools", "serverResources", "openLinks", "message", "updateModelContext", "logging"],
    how: "reported",
    source: "MCPJam/inspector host-styles/built-ins.ts",
    date: "2026-05"
  },
  modes: { is: ["inline", "fullscreen"], how: "reported", source: "claude-ai-mcp #60", date: "2026-04" },
  sendsStyles: { is: true, how: "reported", source: "MCPJam/inspector host-styles/built-ins.ts", date: "2026-05" },
  column: { is: { width: 720 }, how: "estimate", source: "the studio", date: "2026-10" }
}
