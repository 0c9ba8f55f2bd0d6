import type { CallToolResult } from "@modelcontextprotocol/client"
import type { GalleryCase, GalleryTool } from "../GalleryCase.ts"
import {
  article,
  csv,
  days,
  drawing,
  folders,
  issues,
  longPath,
  longWord,
  paragraph,
  person,
  pixels,
  products,
  regions,
  silence,
  unifiedDiff
} from "../sampleData.ts"

const text = (...texts: ReadonlyArray<string>): CallToolResult => ({
  content: texts.map((text) => ({ type: "text", text }))
})

const data = (structuredContent: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent: { ...structuredContent }
})

const jsonText = (value: unknown): CallToolResult => text(JSON.stringify(value))

const fetchThing: GalleryTool = {
  name: "fetch_thing",
  title: "Fetch a thing",
  inputSchema: { type: "object", properties: { query: { type: "string", title: "Query" } } }
}

const args = { query: "everything" }

const shown = (id: string, title: string, result: CallToolResult): GalleryCase => ({
  id: `result-${id}`,
  title,
  tool: fetchThing,
  host: [{ input: args }, { result }]
})

/** What the built-in view makes of the answers that servers give. */
export const results: ReadonlyArray<GalleryCase> = [
  shown("prose", "Prose", text(`${paragraph}\n\n${paragraph}`)),
  shown("word", "One word", text("Done")),
  shown("number", "A number", data({ result: 42 })),
  shown("address", "An address", text("https://example.com/report.pdf")),
  shown("markdown", "Markdown", text(article)),
  shown("records", "Records", data({ issues: issues(12) })),
  shown("records-text", "Records in a text", text(`Found 4 products:\n${JSON.stringify(products)}`)),
  shown("records-many", "Many records", data({ items: issues(1000), total: 48_211, next_cursor: "eyJvIjoxMDAwfQ" })),
  shown("record", "A single record", data(person)),
  shown("figures", "Figures", data({ open: 12, closed: 431, ratio: 0.027, since: 2019 })),
  shown("series", "A series in time", data({ location: "Oslo", days: days(14) })),
  shown("categories", "Categories", data({ regions })),
  shown("lists", "Several lists", data({ issues: issues(3), products, note: "Two lists and a remark" })),
  shown("strings", "List of texts", jsonText(["alpha", "beta", longWord, longPath])),
  shown(
    "matrix",
    "List of lists",
    jsonText([
      ["City", "High", "Low"],
      ["Oslo", 12, 4],
      ["Cairo", 34, 21]
    ])
  ),
  shown("keyed", "Records by key", jsonText({ a1: { name: "One", size: 3 }, b2: { name: "Two", size: 9 } })),
  shown("tree", "Tree", data(folders)),
  shown("deep", "Deep nesting", jsonText({ a: { b: { c: { d: { e: { f: { g: "at last" } } } } } } })),
  shown("csv", "CSV", text(csv)),
  shown("diff", "Diff", text(unifiedDiff)),
  shown("key-values", "Keys and values in a text", text("Name: web-1\nStatus: running\nUptime: 12 days\nCPU: 4%")),
  shown("log", "Log lines", text("12:00:01 INFO start\n12:00:02 WARN disk at 91%\n12:00:09 ERROR gave up\n".repeat(8))),
  shown("html", "HTML", text("<h2>Hours</h2><ul><li>Mon: 9–17</li></ul><script>alert(1)</script>")),
  shown("code", "Code", text("```py\ndef add(a, b):\n    return a + b\n```")),
  shown("several", "Several texts", text("First part.", "Second part.", JSON.stringify({ third: "part" }))),
  shown("svg", "Drawing", text(drawing)),
  shown("image", "Image", {
    content: [
      { type: "text", text: "The picture:" },
      { type: "image", data: pixels, mimeType: "image/png" }
    ]
  }),
  shown("audio", "Sound", { content: [{ type: "audio", data: silence, mimeType: "audio/wav" }] }),
  shown("links", "Links to resources", {
    content: [
      {
        type: "resource_link",
        uri: "file:///reports/may.pdf",
        name: "may.pdf",
        description: "The report of May",
        mimeType: "application/pdf",
        size: 48_211
      },
      { type: "resource_link", uri: "https://example.com/page", name: "A page" }
    ]
  }),
  shown("embedded", "Embedded resources", {
    content: [
      { type: "resource", resource: { uri: "file:///notes.md", mimeType: "text/markdown", text: article } },
      {
        type: "resource",
        resource: { uri: "file:///data.json", mimeType: "application/json", text: JSON.stringify(products) }
      },
      {
        type: "resource",
        resource: { uri: "file:///report.pdf", mimeType: "application/pdf", blob: "JVBERi0xLjQKJSVFT0YK" }
      }
    ]
  }),
  shown("no-success", "Failure inside a success", data({ success: false, error: "Quota exceeded", retry_after: 60 })),
  shown("success", "Success in a word", data({ success: true, id: "iss_1004", message: "Issue closed" })),
  shown("empty-list", "Empty list", jsonText([])),
  shown("empty-object", "Empty object", jsonText({})),
  shown("null", "Null", jsonText(null)),
  shown("nothing", "No content", { content: [] }),
  shown("rtl", "Text from right to left", text("تم العثور على ثلاث نتائج.\n\nהתוצאה הבאה מחכה.")),
  shown("error", "Error", { isError: true, content: [{ type: "text", text: "The token has expired." }] }),
  {
    id: "result-part",
    title: "As a part",
    about: "What a generated view takes for the rest that it does not draw itself.",
    part: "resultView",
    draw: ({ header, resultView }, _data, { result }) => [header("Ada and others"), resultView(result)],
    host: [{ input: args }, { result: data(person) }]
  }
]
