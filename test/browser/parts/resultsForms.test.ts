import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { structured, texts, view } from "./resultsPage.ts"

const task = { id: 1, title: "Build", description: "REST", status: "pending", priority: "high" }
const hash = "3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179"

interface Case {
  readonly result: unknown
  readonly args?: Record<string, unknown>
  readonly toolTitle?: string
  /** What stands there: the text of each selector's first element, whole. */
  readonly shows: Record<string, string>
  readonly hides?: ReadonlyArray<string>
}

const cases: Record<string, Case> = {
  "a conversion is its result, with its unit": {
    result: texts('{"value": 100, "from": "km", "to": "mi", "result": 62.137119, "category": "length"}'),
    args: { value: 100, from: "km", to: "mi" },
    shows: { ".mg-hero-value": "62.137119\u00A0mi", ".mg-hero dt": "Category" }
  },
  "a write says what it wrote to, in its own voice": {
    result: texts("Successfully wrote 5 bytes to /srv/w.txt"),
    shows: {
      ".mg-hero.mg-success .mg-hero-value": "Successfully wrote 5 bytes to /srv/w.txt",
      ".mg-hero code": "/srv/w.txt"
    }
  },
  "an acknowledgement is the sentence beside it": {
    result: structured({ success: true }, "Scene rendered"),
    shows: { ".mg-hero-value": "Scene rendered" },
    hides: ["Success"]
  },
  "an acknowledgement alone is done": { result: structured({ ok: true }), shows: { ".mg-hero-value": "Done" } },
  "that a search succeeded is not said beside what it found": {
    result: structured({ ok: true, data: { matches: [], count: 0, has_more: false } }, "Search Vault succeeded."),
    toolTitle: "Search Vault",
    shows: { ".mg-nothing": "No matches." },
    hides: [".mg-hero"]
  },
  "amounts stand largest first": {
    result: structured({
      rows: [
        ["a", 1],
        ["b", 3],
        ["c", 2]
      ].map(([name, total]) => ({ name, total }))
    }),
    shows: { ".mg-bars li .mg-grow": "b" }
  },
  "amounts of months stay in their order": {
    result: structured({
      rows: [
        ["2026-01", 1],
        ["2026-02", 3],
        ["2026-03", 2]
      ].map(([month, total]) => ({ month, total }))
    }),
    shows: { ".mg-bars li .mg-grow": "2026-01" }
  },
  "a verdict comes with what was found": {
    result: structured({ valid: false, errors: [{ message: "No title" }], warnings: ["Long"], node: "a" }),
    shows: {
      ".mg-hero-value": "Not valid",
      ".mg-hero-note": "1 error, 1 warning",
      ".mg-findings .mg-finding-title": "No title"
    }
  },
  "an error in an answer is said as one": {
    result: texts('{"error": "No such workspace"}'),
    shows: { "[role=alert]": "No such workspace" },
    hides: [".mg-hero"]
  },
  "tasks in an envelope are steps, what stands beside them is folded": {
    result: texts(
      JSON.stringify({
        data: { tasks: [task, { ...task, id: 2, title: "Ship", status: "done" }] },
        version: { name: "tm", version: "1.0" }
      })
    ),
    shows: { ".mg-steps .mg-item-title": "Buildhigh", ".mg-steps-done": "1 of 2 done", "details>summary": "Version" },
    hides: ["Data"]
  },
  "hits of a search have the match marked": {
    result: structured({
      query: "http",
      totalCount: 2,
      results: [
        { name: "HTTP Request", description: "Asks" },
        { name: "Hook", description: "Waits for HTTP" }
      ]
    }),
    args: { query: "http" },
    shows: { ".mg-hits mark": "HTTP" },
    hides: ["Total count", "Query"]
  },
  "paths are files by folder": {
    result: texts("/README.md\n/docs/todo.md"),
    shows: { ".mg-filelist-folder": "/", ".mg-filelist-item": "README.md" }
  },
  "files with what is in them are texts under their names": {
    result: structured({
      files: [
        { filename: "a.js", content: "let a\nlet b" },
        { filename: "b.css", content: "b {}\n" }
      ],
      commands: ["npm install -D a-package-with-a-rather-long-name"]
    }),
    shows: {
      ".mg-code-head": "a.jsCopy",
      "pre code, pre": "let a\nlet b",
      ".mg-list li": "npm install -D a-package-with-a-rather-long-name"
    }
  },
  "a note is its text, then what is said of it": {
    result: structured({ path: "Note.md", content: "# Plan\n\n- one\n- two", etag: hash }),
    shows: { ".mg-md h2, .mg-md-heading": "Plan", "dl .mg-hash": hash }
  },
  "colours by name are swatches": {
    result: structured({ name: "blue", shades: { 50: "#eff6ff", 100: "#dbeafe", 200: "#bfdbfe" } }),
    shows: { ".mg-swatches li": "50#eff6ff" }
  },
  "moments are dates": {
    result: structured({ description: "Every hour", next: ["2026-11-23T09:00:00.000Z", "2026-11-23T10:00:00.000Z"] }),
    shows: { ".mg-list li": "23 Nov 2026, 09:00" }
  },
  "of many counts, those of nothing are only named": {
    result: structured({ files: 3, a: 0, b: 0, c: 0, d: 0, e: 1, f: 2 }),
    shows: { ".mg-stat-value": "3", ".mg-stats + .mg-muted, .mg-stack>.mg-small": "0: A, B, C, D" }
  },
  "a few figures stand large": { result: structured({ years: 0, days: 364 }), shows: { ".mg-stat-value": "0" } },
  "a thing in an object has its name as a title, once": {
    result: structured({
      mode: "full",
      template: { id: 7, name: "Agent", title: "Agent", views: 3, at: "2025-01-01" }
    }),
    shows: { "h2.mg-large": "Agent", ".mg-detail dt": "ID" }
  },
  "digits of a number are no hash": {
    result: structured({ ip: "192.168.1.10", binary: "11000000101010000000000100001010", name: "a" }),
    shows: { "dd code": "11000000101010000000000100001010" },
    hides: [".mg-hash"]
  },
  "members of a colour stay below its names": {
    result: structured({
      hex: "#3498db",
      rgb: "rgb(52, 152, 219)",
      hsl: "hsl(204, 70%, 53%)",
      values: { r: 52, g: 152, b: 219 }
    }),
    shows: { dd: "#3498db", h2: "Values" }
  },
  "Markdown in a field is read": {
    result: structured({ id: 7, name: "Agent", details: "## Plan\n- GET\n- POST", state: "open" }),
    shows: { ".mg-md li": "GET" }
  },
  "what is meant for the model is folded": {
    result: structured({
      id: 7,
      name: "Agent",
      note: "Before doing anything else, you must display the plan to the user."
    }),
    shows: { "details>summary": "Notes for the model" }
  },
  "a text that is one table is a table": {
    result: texts(
      `8 rules:\n| Rule | Level |\n|---|---|\n${Array.from({ length: 8 }, (_, at) => `| r${at} | ${"AB"[at % 2]} |`).join("\n")}\n\nMore on request.`
    ),
    shows: { ".mg-result .mg-text": "8 rules:", ".mg-table tbody tr:first-child td:nth-last-child(2)": "r0" }
  },
  "a few names are names": { result: texts("user, search, posts"), shows: { ".mg-names li": "user" } },
  "a list of records in fields is drawn in its form, too": {
    result: structured({
      id: 1,
      owner: "Ada",
      tasks: [task, { ...task, id: 2 }],
      stats: { total: 2, byState: { done: 0 } }
    }),
    shows: { ".mg-steps .mg-item-title": "Buildhigh" }
  }
}

describe("a result in the form of what it is", () => {
  it.each(Object.entries(cases))("%s", (_, { args = {}, hides = [], result, shows, toolTitle }) =>
    withPage(async (page) => {
      await page.show(view(result, { args, toolTitle }))
      for (const [selector, said] of Object.entries(shows))
        assert.strictEqual(
          (await page.page.locator(selector).first().textContent({ timeout: 3000 }))?.trim(),
          said,
          selector
        )
      for (const hidden of hides)
        assert.strictEqual(
          await page.page.locator(hidden.startsWith(".") ? hidden : `text="${hidden}"`).count(),
          0,
          hidden
        )
    })
  )
})
