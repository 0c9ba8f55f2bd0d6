import type { HostFacts } from "./HostFacts.ts"

export const goose: HostFacts = {
  id: "goose",
  title: "Goose",
  about: "Views call no tools there (1.38), so nothing can be run again.",
  names: { is: ["goose"], how: "reported", source: "apify/mcp-client-capabilities", date: "2026-01" },
  offers: {
    is: ["openLinks", "message"],
    how: "reported",
    source: "a public probe of 16 hosts; goose #9116",
    date: "2026-07"
  },
  modes: { is: ["inline", "fullscreen", "pip"], how: "reported", source: "goose #8017, #12311", date: "2026-09" },
  sendsStyles: { is: false, how: "estimate", source: "the studio", date: "2026-10" },
  column: { is: { width: 640, maxHeight: 600 }, how: "estimate", source: "the studio", date: "2026-10" }
}
