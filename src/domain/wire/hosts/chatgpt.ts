import type { HostFacts } from "./HostFacts.ts"

export const chatgpt: HostFacts = {
  id: "chatgpt",
  title: "ChatGPT",
  about: "It keeps tools and pages as they were when it connected.",
  names: { is: ["openai-mcp"], how: "reported", source: "hosts.md", date: "2026-09" },
  delivery: { is: "live", how: "reported", source: "hosts.md: keeps tools and HTML as of connecting", date: "2026-09" },
  strips: {
    is: ["results of reopened chats"],
    how: "reported",
    source: "openai-apps-sdk-examples #195",
    date: "2026-09"
  },
  offers: {
    is: ["serverTools", "openLinks", "message", "updateModelContext"],
    how: "reported",
    source: "MCPJam/inspector host-styles/built-ins.ts",
    date: "2026-05"
  },
  modes: { is: ["inline", "fullscreen", "pip"], how: "reported", source: "docs.skybridge.tech", date: "2026-11" },
  sendsStyles: { is: false, how: "estimate", source: "the studio", date: "2026-10" },
  column: { is: { width: 640 }, how: "estimate", source: "the studio", date: "2026-10" }
}
