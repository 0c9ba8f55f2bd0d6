/** Data that looks like what servers send. Nothing is random, so a picture is the same every time. */

export type Row = Readonly<Record<string, unknown>>

const pick = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("there is nothing to pick from")
  return item
}

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const titles = [
  "Login fails when the clock is ahead",
  "Export leaves out the last row",
  "Search is slow on large projects",
  "Typo on the welcome page",
  "Keyboard focus is lost after a dialog closes",
  "Add a dark theme"
]
const people = ["Ada Byron", "Grace Hopper", "Edsger D.", "Barbara L.", "Donald K."]
const states = ["open", "closed", "in progress", "blocked"]
const labels = [["bug"], ["bug", "export"], ["performance"], [], ["accessibility", "keyboard"], ["feature"]]

/** Milliseconds. All times are counted back from here. */
const noon = Date.UTC(2026, 4, 20, 12)
const hour = 3_600_000

export const issues = (count: number): ReadonlyArray<Row> =>
  times(count, (index) => ({
    id: 1000 + index,
    title: index < titles.length ? pick(titles, index) : `${pick(titles, index * 7)} (${index})`,
    state: pick(states, index * 3),
    author: pick(people, index * 2),
    labels: pick(labels, index),
    comments: (index * 7) % 23,
    updated_at: new Date(noon - index * 7 * hour).toISOString(),
    url: `https://example.com/issues/${1000 + index}`
  }))

export const products: ReadonlyArray<Row> = [
  { sku: "A-1", name: "Desk lamp", price: 39.9, currency: "EUR", stock: 12, share: 0.04, available: true },
  { sku: "A-2", name: "Office chair", price: 249, currency: "EUR", stock: 0, share: 0.31, available: false },
  { sku: "B-7", name: "Standing desk", price: 1299.5, currency: "EUR", stock: 3, share: 0.52, available: true },
  { sku: "C-3", name: "Cable tray", price: 19, currency: "EUR", stock: 140, share: 0.13, available: true }
]

const conditions = ["Clear", "Cloudy", "Rain", "Fog"]

export const days = (count: number): ReadonlyArray<Row> =>
  times(count, (index) => ({
    date: new Date(noon + index * 24 * hour).toISOString().slice(0, 10),
    high: Math.round(170 + 60 * Math.sin(index / 3)) / 10,
    low: Math.round(90 + 40 * Math.sin(index / 3 + 1)) / 10,
    rain: index % 4 === 0 ? null : Math.round(20 + 15 * Math.cos(index)) / 10,
    condition: pick(conditions, index)
  }))

export const regions: ReadonlyArray<Row> = [
  { region: "North", sales: 120_400, returns: 4100, target: 110_000 },
  { region: "South", sales: 98_250, returns: 2900, target: 105_000 },
  { region: "East", sales: 143_900, returns: 5200, target: 130_000 },
  { region: "West", sales: 61_800, returns: 1800, target: 90_000 }
]

/** A row with `count` members of most kinds. */
export const wideRow = (count: number, row: number): Row =>
  Object.fromEntries(
    times(count, (index) => [
      `${pick(["name", "count", "created", "active", "ratio", "note", "owner_id"], index)}_${index}`,
      pick<unknown>(
        [`Item ${row}.${index}`, row * index, noon - index * hour, index % 2 === 0, index / 100, null, "f3a9c1d2"],
        index
      )
    ])
  )

export const person = {
  id: "usr_8842",
  name: "Ada Byron",
  email: "ada@example.com",
  status: "active",
  created_at: "2024-02-03T08:15:00Z",
  website: "https://example.com/ada",
  address: { street: "1 Analytical Way", city: "London", country: "GB", location: { lat: 51.5072, lon: -0.1276 } },
  roles: ["admin", "billing"],
  notes: null,
  projects: [
    { name: "Engine", stars: 1843, language: "Ada" },
    { name: "Notes", stars: 12, language: "Markdown" }
  ]
}

export const folders = {
  name: "project",
  children: [
    {
      name: "src",
      children: [
        { name: "main.ts", size: 1204 },
        { name: "lib", children: [{ name: "wire.ts", size: 8841 }] }
      ]
    },
    { name: "README.md", size: 3120 },
    { name: "node_modules", children: times(30, (index) => ({ name: `package-${index}`, size: index * 100 })) }
  ]
}

export const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2)

/** A name as programs make them: no blank where a line could break. */
export const longPath = `/var/lib/${"very-long-folder-name/".repeat(12)}file.json`

export const paragraph =
  "The quick brown fox jumps over the lazy dog, turns around, and does it again; after the third time the dog gets up, " +
  "looks at the fox for a while, and decides that the day is too warm for an argument."

/** A small drawing, as SVG text. */
export const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 60"><rect width="160" height="60" fill="#e8f0fe"/>' +
  '<path d="M8 52 L40 20 L72 36 L104 12 L152 44" fill="none" stroke="#1f5fd0" stroke-width="4"/></svg>'

/** A PNG of 2 by 2 pixels, base64. */
export const pixels =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP4z8DAwMDAAMQMDAwAHQ4CAY8bKsMAAAAASUVORK5CYII="

/** A tenth of a second of silence, as a WAV file in base64. */
export const silence = `UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAAAg${"gICA".repeat(266)}`

export const unifiedDiff = `diff --git a/src/add.ts b/src/add.ts
index 3b18e51..9f2c1aa 100644
--- a/src/add.ts
+++ b/src/add.ts
@@ -1,4 +1,5 @@
-export const add = (a, b) => a + b
+/** The sum of two numbers. */
+export const add = (a: number, b: number): number => a + b
 
 export const one = 1
 export const two = add(one, one)
`

export const csv = `city,country,population,capital
Tokyo,Japan,13960000,yes
Delhi,India,16753000,no
"São Paulo",Brazil,12330000,no
"Washington, D.C.",United States,689545,yes
`

export const article = `# Release notes

**Version 2.4** brings *three* things, and mends some more.

## What is new

1. Tables can be sorted by any column
2. Charts follow the theme
   - also in high contrast
3. \`select\` tells the model what is chosen

> A quoted remark, with a [link](https://example.com/notes).

| Part  | Before |  After |
| ----- | :----: | -----: |
| table | 120 ms |  40 ms |
| chart |  80 ms |  35 ms |

\`\`\`ts
const rows = await load({ limit: 20 })
console.log(rows.length)
\`\`\`

---

- [x] Written
- [ ] Read
`
