import type { GalleryCase } from "../GalleryCase.ts"
import { issues, longWord, paragraph, person, pixels, products } from "../sampleData.ts"

const picture = `data:image/png;base64,${pixels}`

export const records: ReadonlyArray<GalleryCase> = [
  { id: "record-cards", title: "Cards", part: "cards", draw: ({ cards }) => cards(issues(5)) },
  {
    id: "record-cards-actions",
    title: "Cards with pictures and actions",
    part: "cards",
    draw: ({ button, cards }) =>
      cards(products, {
        title: "name",
        subtitle: "sku",
        image: () => picture,
        badge: (item: Readonly<Record<string, unknown>>) => (item["available"] === true ? "available" : "sold out"),
        fields: [{ key: "price", type: "money", currency: "EUR" }, "stock"],
        actions: () => button("Order", () => undefined, { small: true })
      })
  },
  {
    id: "record-cards-press",
    title: "Cards to press",
    part: "cards",
    draw: ({ cards }) => cards(issues(3), { onClick: () => undefined })
  },
  {
    id: "record-cards-long",
    title: "Cards with long words",
    part: "cards",
    draw: ({ cards }) => cards([{ title: longWord, text: paragraph }, { title: "", text: null }, "only a text"])
  },
  {
    id: "record-cards-empty",
    title: "No cards",
    part: "cards",
    draw: ({ cards }) => cards([], { empty: "Nobody is here." })
  },
  {
    id: "record-detail",
    title: "Detail",
    part: "detail",
    draw: ({ detail }) => detail(person, { title: "Ada Byron" })
  },
  {
    id: "record-detail-fields",
    title: "Detail of chosen fields",
    part: "detail",
    draw: ({ detail }) =>
      detail(person, {
        fields: ["name", "email", { key: "address.city", label: "City" }, { key: "created_at", type: "relative" }]
      })
  },
  {
    id: "record-detail-all",
    title: "Detail with what is empty",
    part: "detail",
    draw: ({ detail }) => detail({ name: "Ada", middle: null, nick: "", list: [] }, { hideEmpty: false })
  },
  { id: "record-detail-empty", title: "Detail of nothing", part: "detail", draw: ({ detail }) => detail(undefined) },
  { id: "record-list", title: "List", part: "list", draw: ({ list }) => list(issues(5)) },
  {
    id: "record-list-texts",
    title: "List of texts",
    part: "list",
    draw: ({ list }) => list(["Knead the dough", "Wait for an hour", longWord], { ordered: true })
  },
  {
    id: "record-list-press",
    title: "List to press",
    part: "list",
    draw: ({ list }) =>
      list(issues(4), { title: "title", text: "author", meta: "updated_at", badge: "state", onClick: () => undefined })
  },
  { id: "record-list-empty", title: "Empty list", part: "list", draw: ({ list }) => list([]) },
  {
    id: "record-timeline",
    title: "Timeline",
    part: "timeline",
    draw: ({ timeline }) =>
      timeline([
        { time: "2026-05-20T08:00:00Z", title: "Received", text: "By mail" },
        { time: "2026-05-20T09:30:00Z", title: "Assigned to Ada", badge: "open" },
        { time: 1_779_278_400, title: "Solved", badge: "closed" },
        { title: "Without a time", text: paragraph }
      ])
  },
  { id: "record-timeline-empty", title: "Empty timeline", part: "timeline", draw: ({ timeline }) => timeline([]) },
  {
    id: "record-stats",
    title: "Figures",
    part: "stats",
    draw: ({ stats }) =>
      stats([
        { label: "Revenue", value: 1_204_553, type: "money", currency: "EUR" },
        { label: "Orders", value: 8421, note: "since Monday" },
        { label: "Failed", value: 0.031, type: "percent", of: 1, tone: "danger" },
        { label: "Visits", value: 120_000 }
      ])
  },
  {
    id: "record-stats-record",
    title: "Figures of a record",
    part: "stats",
    draw: ({ stats }) => stats({ open: 12, closed: 431, oldest: "2025-12-01", ratio: 0.027 })
  },
  {
    id: "record-stat",
    title: "One figure",
    part: "stat",
    draw: ({ stat }) => stat("Temperature", 21.4, { unit: "°C" })
  },
  {
    id: "record-stat-odd",
    title: "A figure that is none",
    part: "stat",
    draw: ({ row, stat }) => row(stat("Nothing", null), stat("A long text", longWord), stat("", "n/a"))
  }
]
