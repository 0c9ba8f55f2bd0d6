import type { GalleryCase } from "../GalleryCase.ts"
import { issues, longPath, longWord, paragraph, pixels, products, wideRow } from "../sampleData.ts"

const part = "table"

export const tables: ReadonlyArray<GalleryCase> = [
  { id: "table-short", title: "Short", part, draw: ({ table }) => table(issues(5)) },
  { id: "table-long", title: "Long", about: "1,000 rows.", part, draw: ({ table }) => table(issues(1000)) },
  { id: "table-huge", title: "Huge", about: "100,000 rows.", part, draw: ({ table }) => table(issues(100_000)) },
  { id: "table-empty", title: "Empty", part, draw: ({ table }) => table([], { empty: "No issues match." }) },
  { id: "table-one-row", title: "One row", part, draw: ({ table }) => table(issues(1)) },
  { id: "table-one-column", title: "One column", part, draw: ({ table }) => table(issues(4), { columns: ["title"] }) },
  {
    id: "table-wide",
    title: "Wide",
    about: "40 members a row.",
    part,
    draw: ({ table }) => table(Array.from({ length: 12 }, (_, row) => wideRow(40, row)))
  },
  {
    id: "table-types",
    title: "Types that are told",
    part,
    draw: ({ table }) =>
      table(products, {
        columns: [
          "name",
          { key: "price", type: "money", currency: "EUR" },
          { key: "stock", type: "meter", label: "In stock" },
          { key: "share", type: "percent", of: 1 },
          { key: "available", type: "boolean" }
        ],
        sort: "-price",
        title: "Products"
      })
  },
  { id: "table-guessed", title: "Types that are guessed", part, draw: ({ table }) => table(products) },
  {
    id: "table-select",
    title: "Rows to select",
    about: "What is chosen is told to the host, and to the wrapper's tool.",
    part,
    draw: ({ table }) => table(issues(30), { select: "many", noun: "issues" })
  },
  {
    id: "table-select-one",
    title: "One row to select",
    part,
    draw: ({ table }) => table(issues(4), { select: "one", noun: "issues" })
  },
  {
    id: "table-expand",
    title: "Rows to unfold",
    part,
    draw: ({ table, text }) => table(issues(4), { expand: (row) => text(`All about ${String(row["title"])}`) })
  },
  {
    id: "table-on-row",
    title: "Rows to press",
    part,
    draw: ({ table }) => table(issues(4), { onRow: () => undefined })
  },
  { id: "table-filter", title: "With a filter", part, draw: ({ table }) => table(issues(8), { filter: true }) },
  { id: "table-pages", title: "Small pages", part, draw: ({ table }) => table(issues(50), { pageSize: 5 }) },
  {
    id: "table-cells",
    title: "Odd cells",
    about: "Long words, long texts, lists, objects, pictures, nothing.",
    part,
    draw: ({ table }) =>
      table([
        { name: "Long word", value: longWord },
        { name: "Path", value: longPath },
        { name: "Text", value: paragraph },
        { name: "List", value: ["one", "two", "three"] },
        { name: "Object", value: { id: 7, name: "Seven" } },
        { name: "Records", value: issues(3) },
        { name: "Nothing", value: null },
        { name: "Empty", value: "" },
        { name: "Number", value: -0.1 },
        { name: "Right to left", value: "مرحبا بالعالم" }
      ])
  },
  {
    id: "table-media",
    title: "Pictures and links",
    part,
    draw: ({ table }) =>
      table([
        { picture: `data:image/png;base64,${pixels}`, page: "https://example.com/a", colour: "#1f5fd0" },
        { picture: null, page: "mailto:ada@example.com", colour: "rebeccapurple" }
      ])
  },
  {
    id: "table-ragged",
    title: "Rows that differ",
    part,
    draw: ({ table }) => table([{ a: 1 }, { b: "two" }, 3, null, ["four"], { a: "five", c: { d: 6 } }])
  },
  { id: "table-object", title: "One object for a list", part, draw: ({ table }) => table({ id: 1, name: "Only one" }) },
  { id: "table-none", title: "Nothing at all", part, draw: ({ table }) => table(undefined) }
]
