import type { HostFacts } from "./HostFacts.ts"

export const grok: HostFacts = {
  id: "grok",
  title: "Grok Build",
  about: "A terminal: no UIs were seen there.",
  names: { is: ["grok"], how: "estimate", source: "the name of its command", date: "2026-11" },
  toolNames: {
    is: { takes: /^[^_]/, else: "Grok Build then refuses the whole server (--tool-prefix ui_ helps)" },
    how: "reported",
    source: "thedotmack/claude-mem #3288",
    date: "2026-07"
  }
}
