import type { HostFacts } from "./HostFacts.ts"

export const inspector: HostFacts = {
  id: "inspector",
  title: "Inspector",
  about: "The strictest: pictures only as inline SVG. It shows a frame even where the app never begins.",
  names: {
    is: ["inspector-client"],
    how: "reported",
    source: "requests of Inspector 0.18 in public logs",
    date: "2026-01"
  },
  offers: { is: ["serverTools", "openLinks"], how: "estimate", source: "the studio", date: "2026-10" },
  modes: { is: ["inline"], how: "estimate", source: "the studio", date: "2026-10" },
  sendsStyles: { is: false, how: "estimate", source: "the studio", date: "2026-10" },
  column: { is: { width: 768, maxHeight: 640 }, how: "estimate", source: "the studio", date: "2026-10" }
}
