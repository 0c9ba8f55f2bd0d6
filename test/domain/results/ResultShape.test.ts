import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { labelOf } from "../../../src/domain/labelOf.ts"
import { columnOf, numberOf } from "../../../src/domain/results/ResultColumn.ts"
import { jsonInText, recordsInText } from "../../../src/domain/results/ResultJson.ts"
import { recordsOf, resultShape, unwrap } from "../../../src/domain/results/ResultShape.ts"

const text = (...texts: ReadonlyArray<string>): unknown => ({
  content: texts.map((each) => ({ type: "text", text: each }))
})

describe("jsonInText", () => {
  it("reads JSON that is the whole text, also with a byte order mark or encoded twice", () => {
    assert.deepEqual(jsonInText('\uFEFF {"a": 1}\n'), { value: { a: 1 }, before: "", after: "" })
    assert.deepEqual(jsonInText(JSON.stringify(JSON.stringify([1, 2]))), { value: [1, 2], before: "", after: "" })
  })

  it("reads JSON after a sentence and keeps the sentence", () => {
    const found = jsonInText('Search succeeded.\n{\n  "matches": [{"path": "a } b.md"}],\n  "count": 1\n}\nDone.')
    assert.deepEqual(found?.value, { matches: [{ path: "a } b.md" }], count: 1 })
    assert.deepInclude(found, { before: "Search succeeded.", after: "Done." })
    assert.deepEqual(jsonInText('Result: {"total": 3, "ok": true}')?.value, { total: 3, ok: true })
  })

  it("reads fenced JSON and one document a line", () => {
    assert.deepEqual(jsonInText('Here:\n```json\n[{"a":1}]\n```\nBye')?.value, [{ a: 1 }])
    assert.deepEqual(jsonInText('{"a":1}\n{"a":2}')?.value, [{ a: 1 }, { a: 2 }])
  })

  it("leaves documents with fences in them alone: the fence is not the answer", () => {
    const fence = '```json\n{\n  "mcpServers": {"x": {"command": "npx"}}\n}\n```'
    assert.isUndefined(jsonInText(`# X\n\nAdd this:\n\n${fence}\n\nThen restart.`))
    assert.isUndefined(jsonInText(`${"A sentence of a document. ".repeat(12)}\n\n${fence}\n\nMore of it.`))
    assert.isUndefined(jsonInText(`Either\n${fence}\nor\n${fence}`))
    assert.isDefined(jsonInText(`Two servers, as asked for.\n\n${fence}`))
    const long = `\`\`\`json\n${JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id })))}\n\`\`\``
    assert.isDefined(jsonInText(`# All of them\n\n${"They are many. ".repeat(20)}\n\n${long}`))
  })

  it("leaves prose, citations, log lines and bare scalars alone", () => {
    assert.isUndefined(
      jsonInText("[1] A citation at the start of a long line of text, and nothing else that matters here.")
    )
    assert.isUndefined(jsonInText("[WARNING] disk almost full\n[ERROR] disk full"))
    assert.isUndefined(jsonInText("42"))
    assert.isUndefined(jsonInText('"hello"'))
    assert.isUndefined(
      jsonInText('A long text that only mentions an option like {"x": 1} somewhere in passing, in the middle of it.')
    )
  })

  it("is quick on hostile text", () => {
    jsonInText("[{".repeat(100_000))
    jsonInText(`${"x: {\n".repeat(20_000)}`)
  })
})

describe("recordsInText", () => {
  it("reads comma-separated text with quotes", () => {
    assert.deepEqual(recordsInText('name,city\n"Lovelace, Ada","Lon""don"\nAlan,Wilmslow'), [
      { name: "Lovelace, Ada", city: 'Lon"don' },
      { name: "Alan", city: "Wilmslow" }
    ])
  })

  it("does not take prose for a table", () => {
    assert.isUndefined(
      recordsInText("Hello there, this is a sentence with one comma.\nAnd here, another.\nAnd this, a third.")
    )
  })
})

describe("columns", () => {
  it("tells kinds from names and values", () => {
    const kind = (key: string, ...values: ReadonlyArray<unknown>): string => columnOf(key, values).kind
    assert.strictEqual(kind("created_at", "2025-11-21T10:00:00Z", "2025-11-22"), "datetime")
    assert.strictEqual(kind("day", "2025-11-21", null), "date")
    assert.strictEqual(kind("updatedAt", 1_763_700_000), "datetime")
    assert.strictEqual(kind("updatedAt", 1_763_700_000_000), "datetime")
    assert.strictEqual(kind("count", 1_763_700_000), "number")
    assert.strictEqual(kind("userId", 17, 18), "id")
    assert.strictEqual(kind("hash", "3c48591d8d098a4538f5e013dfcf406e"), "id")
    assert.strictEqual(kind("price", 9.5), "money")
    assert.strictEqual(kind("temperature", "12.5", "1,300"), "number")
    assert.strictEqual(kind("zip", "01234", "98765"), "text")
    assert.strictEqual(kind("status", "open", "closed"), "badge")
    assert.strictEqual(kind("name", "Ada", "Alan"), "text")
    assert.strictEqual(kind("homepage_url", "https://example.org/a"), "url")
    assert.strictEqual(kind("photo", "https://example.org/a"), "image")
    assert.strictEqual(kind("tags", ["a"], []), "list")
    assert.strictEqual(kind("owner", { name: "x" }), "object")
    assert.strictEqual(kind("done", true, false), "boolean")
    assert.strictEqual(kind("year", 1998, 2004), "year")
    assert.strictEqual(kind("color", "#ff0000", "#abc"), "color")
    assert.deepInclude(columnOf("total_usd", [3]), { kind: "money", currency: "USD" })
    assert.deepInclude(columnOf("precipitation_probability", [0, 0.4]), { kind: "percent", scale: 1 })
    assert.deepInclude(columnOf("humidity_percent", [40, 55]), { kind: "percent", scale: 100 })
    assert.deepInclude(columnOf("elapsed_ms", [40, 55]), { kind: "duration", scale: 1000 })
  })

  it("writes names for people", () => {
    assert.strictEqual(labelOf("userID"), "User ID")
    assert.strictEqual(labelOf("get_current_weather"), "Get current weather")
    assert.strictEqual(labelOf("HTTPStatusCode"), "HTTP status code")
    assert.strictEqual(labelOf("$and"), "$and")
  })

  it("reads numbers from text and nothing from other text", () => {
    assert.deepEqual(["1,234.5", "$12", "45 %", "−3", " 7 ", "1e3"].map(numberOf), [1234.5, 12, 45, -3, 7, 1000])
    assert.deepEqual(
      ["", "12px", "1.2.3", "v2", "Infinity", null, {}, [], true].map(numberOf),
      Array.from({ length: 9 })
    )
  })
})

describe("resultShape", () => {
  it("prefers structured content and drops text that repeats it", () => {
    const data = { vault: { matches: [{ path: "a.md" }], count: 1 }, ok: true }
    const shape = resultShape({
      structuredContent: data,
      content: [{ type: "text", text: `Search succeeded.\n${JSON.stringify(data.vault, null, 2)}` }]
    })
    assert.strictEqual(shape.source, "structured")
    assert.deepEqual(shape.data, data)
    assert.deepEqual(shape.parts, [
      { kind: "prose", text: "Search succeeded." },
      { kind: "data", value: data }
    ])
  })

  it("keeps text that says something else than the structured content", () => {
    const shape = resultShape({ structuredContent: { a: 1 }, content: [{ type: "text", text: '{"b": 2}' }] })
    assert.deepEqual(shape.parts[0], { kind: "prose", text: '{"b": 2}' })
  })

  it("finds the records inside envelopes, with what stands beside them", () => {
    const shape = resultShape(
      text(
        JSON.stringify({
          data: {
            results: [
              { id: 1, title: "x" },
              { id: 2, title: "y" }
            ],
            total: 2
          }
        })
      )
    )
    assert.deepEqual(shape.records?.path, ["data", "results"])
    assert.lengthOf(shape.records?.rows ?? [], 2)
    assert.deepEqual(shape.records?.rest, { total: 2 })
    assert.deepEqual(
      shape.records?.columns.map(({ kind }) => kind),
      ["id", "text"]
    )
  })

  it("does not choose between two lists", () => {
    const shape = resultShape({ structuredContent: { users: [{ a: 1 }], groups: [{ b: 1 }] } })
    assert.isUndefined(shape.records)
    assert.deepEqual(shape.single, { users: [{ a: 1 }], groups: [{ b: 1 }] })
  })

  it("reads lists side by side and objects of one kind under names as records", () => {
    assert.deepEqual(recordsOf({ time: ["a", "b"], high: [1, 2] }), [
      { time: "a", high: 1 },
      { time: "b", high: 2 }
    ])
    assert.deepEqual(recordsOf({ x: { a: 1, b: 2 }, y: { a: 3, b: 4 }, z: { a: 5, b: 6 } })?.[1], {
      name: "y",
      a: 3,
      b: 4
    })
    assert.isUndefined(recordsOf([{ a: 1 }, 2]))
  })

  it("reads lists of lists, columns with rows, places, and lists of names with values", () => {
    const shape = (value: unknown): ReturnType<typeof resultShape> =>
      resultShape({ structuredContent: { data: value } })
    const cells = [
      ["Region", "Sales"],
      ["North", 120],
      ["South", 80]
    ]
    assert.deepEqual(shape(cells).records?.rows, [
      { Region: "North", Sales: 120 },
      { Region: "South", Sales: 80 }
    ])
    assert.deepEqual(
      shape([
        [1, 2],
        [3, 4]
      ]).records?.rows[1],
      { "Column 1": 3, "Column 2": 4 }
    )
    assert.deepEqual(shape({ columns: ["id", "name"], rows: [[1, "Ada"]] }).records?.rows, [{ id: 1, name: "Ada" }])
    const feature = {
      type: "Feature",
      geometry: { type: "Point", coordinates: [10.75, 59.91] },
      properties: { name: "Oslo" }
    }
    assert.deepEqual(shape({ type: "FeatureCollection", features: [feature] }).records?.rows, [
      { name: "Oslo", type: "Point", coordinates: [10.75, 59.91] }
    ])
    const pairs = [
      { name: "Colour", value: "red" },
      { name: "Size", value: 4 }
    ]
    assert.deepEqual(shape(pairs).single, { Colour: "red", Size: 4 })
    assert.isDefined(shape(pairs.map(({ name }, value) => ({ name, value }))).records)
  })

  it("keeps the name that objects under names have of their own", () => {
    const map = { x: { name: "X", b: 2 }, y: { name: "Y", b: 4 }, z: { name: "Z", b: 6 } }
    assert.deepEqual(recordsOf(map)?.[1], { key: "y", name: "Y", b: 4 })
  })

  it("tells a list from a thing that has a list", () => {
    const comments = [{ text: "a" }, { text: "b" }]
    assert.deepEqual(resultShape({ structuredContent: { total: 2, query: "q", comments } }).records?.path, ["comments"])
    const issue = { id: 7, title: "Login", status: "open", author: "Ada", comments }
    assert.deepEqual(resultShape({ structuredContent: issue }).single, issue)
  })

  it("knows trees", () => {
    const nodes = [{ name: "src", type: "dir", children: [{ name: "a.ts", type: "file" }] }]
    assert.deepEqual(resultShape({ structuredContent: { content: JSON.stringify(nodes) } }).tree, nodes)
    assert.isUndefined(resultShape({ structuredContent: { family: [{ children: [{ age: 3 }] }] } }).tree)
  })

  it("knows when text tells structured content again, and when a text with JSON in it was wrapped", () => {
    const days = [{ day: "Monday", highTemperature: 12, sky: "rain" }]
    const told = resultShape({
      structuredContent: { days },
      content: [{ type: "text", text: "Monday: high temperature 12, sky: rain" }]
    })
    assert.isTrue(told.isRetold)
    const added = resultShape({
      structuredContent: { days },
      content: [{ type: "text", text: "Take an umbrella, showers are likely after noon." }]
    })
    assert.isFalse(added.isRetold)
    const mixed = 'Read two files.\n{"a": 1, "b": [1, 2, 3]}\nThe other one is missing.'
    const wrapped = resultShape({ structuredContent: { content: mixed }, content: [{ type: "text", text: mixed }] })
    assert.deepEqual(
      wrapped.parts.map((part) => (part.kind === "prose" ? part.text : part.kind)),
      ["Read two files.", "data", "The other one is missing."]
    )
    assert.strictEqual(wrapped.source, "json")
    assert.deepEqual(wrapped.single, { a: 1, b: [1, 2, 3] })
  })

  it("writes the issues of validators as lines", () => {
    const issues = [
      { code: "invalid_type", path: ["location"], message: "Required" },
      { path: ["days", 0], message: "Expected number" }
    ]
    const said = `MCP error -32602: Invalid arguments for tool x: ${JSON.stringify(issues, null, 1)}`
    assert.strictEqual(
      resultShape({ isError: true, ...Object(text(said)) }).message,
      "Invalid arguments for tool x:\nlocation: Required\ndays.0: Expected number"
    )
    assert.strictEqual(
      resultShape({ isError: true, ...Object(text("### Error\nText not found")) }).message,
      "Text not found"
    )
  })

  it("reads pictures in the words of other APIs, too", () => {
    const source = { type: "base64", media_type: "image/webp", data: "AAAA" }
    assert.deepEqual(resultShape({ content: [{ type: "image", source }] }).parts, [
      { kind: "media", media: { kind: "image", mimeType: "image/webp", data: "AAAA" } }
    ])
  })

  it("sorts content into texts, media, links and what it does not know", () => {
    const shape = resultShape({
      content: [
        { type: "text", text: "Hello" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource_link", uri: "file:///a.txt", name: "a.txt", size: 12 },
        { type: "resource", resource: { uri: "x://t", mimeType: "text/markdown", text: "# T" } },
        { type: "resource", resource: { uri: "x://b", mimeType: "image/png", blob: "AAAA" } },
        { type: "hologram", beam: 1 },
        null
      ]
    })
    assert.deepEqual(
      shape.parts.map((part) => (part.kind === "media" ? part.media.kind : part.kind)),
      ["data", "image", "audio", "link", "text", "image", "other"]
    )
    const [link, other] = [shape.parts[3], shape.parts[6]]
    assert.deepEqual(link, { kind: "link", link: { uri: "file:///a.txt", name: "a.txt", size: 12 } })
    assert.deepEqual(other, { kind: "other", block: { type: "hologram", beam: 1 } })
    assert.strictEqual(shape.scalar, "Hello")
  })

  it("keeps the order of content", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" }
    const order = (structuredContent: unknown, ...content: ReadonlyArray<unknown>): ReadonlyArray<string> =>
      resultShape({
        structuredContent,
        content: content.map((each) => (typeof each === "string" ? { type: "text", text: each } : each))
      }).parts.map((part) =>
        part.kind === "prose" ? part.text : part.kind === "data" ? JSON.stringify(part.value) : part.kind
      )
    assert.deepEqual(order(undefined, "Here it is:", image, "The image above is small."), [
      "Here it is:",
      "media",
      "The image above is small."
    ])
    assert.deepEqual(order(undefined, 'Before {"a":[1,2,3]}', "after", image, '{"b":1}', "Last."), [
      "Before",
      '{"a":[1,2,3]}',
      "after",
      "media",
      '{"b":1}',
      "Last."
    ])
    assert.deepEqual(order(undefined, "Two:", '{"a":1}', '{"a":2}', image), ["Two:", '[{"a":1},{"a":2}]', "media"])
    assert.deepEqual(order({ a: 1 }, image, "The image above is small."), [
      "media",
      "The image above is small.",
      '{"a":1}'
    ])
    assert.deepEqual(order({ a: 1 }, "Done.", image), ["Done.", '{"a":1}', "media"])
    assert.deepEqual(order({ a: 1 }, "One.", image, 'Two.\n{"a":1}\nThree.'), [
      "One.",
      "media",
      "Two.",
      '{"a":1}',
      "Three."
    ])
  })

  it("reads what a failed call says", () => {
    const message = (...texts: ReadonlyArray<string>): string =>
      resultShape({ isError: true, content: texts.map((each) => ({ type: "text", text: each })) }).message
    assert.strictEqual(message("MCP error -32602: City not found"), "City not found")
    assert.strictEqual(message('{"error": {"message": "Quota exceeded", "code": 4}}'), "Quota exceeded")
    assert.strictEqual(message(), "The tool reported an error without a message.")
    assert.strictEqual(resultShape(text("fine")).message, "")
  })

  it("takes off envelopes with one member, and reads JSON inside them", () => {
    assert.deepEqual(unwrap({ result: '[{"a":1}]' }), [{ a: 1 }])
    assert.strictEqual(unwrap({ result: "plain" }), "plain")
    assert.deepEqual(unwrap({ a: 1 }), { a: 1 })
    assert.deepEqual(unwrap({ data: { items: [1] }, next: null }), [1])
  })

  it("keeps odd member names as they are", () => {
    const odd: unknown = JSON.parse('{"rows":[{"__proto__":1,"$and":2,"a.b":3,"constructor":4},{"__proto__":2}]}')
    const shape = resultShape({ structuredContent: odd })
    assert.deepEqual(
      shape.records?.columns.map(({ key }) => key),
      ["__proto__", "$and", "a.b", "constructor"]
    )
  })

  it("never throws, and keeps data that JSON can say", () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue({ maxDepth: 6 }), (anything, value) => {
        resultShape(anything)
        resultShape({ content: anything, structuredContent: anything, isError: anything })
        resultShape({ content: [anything, { type: "text", text: anything }, { type: "resource", resource: anything }] })
        const structured = resultShape({
          content: [{ type: "text", text: JSON.stringify(value) }],
          structuredContent: value
        })
        if (value !== null) assert.deepEqual(structured.data, value)
        const isStructure = typeof value === "object" && value !== null
        if (isStructure)
          assert.deepEqual(resultShape(text(JSON.stringify(value))).data, JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 300 }
    )
  })

  it("survives data nested thousands of levels deep", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)
    assert.strictEqual(
      resultShape({ structuredContent: deep, content: [{ type: "text", text: '{"b":1}' }] }).source,
      "structured"
    )
  })
})

describe("numbers in a text", () => {
  it("keep their digits where no number of JavaScript has them", () => {
    const text =
      '[{"id":9007199254740993,"big":12345678901234567890,"huge":1e400,"fine":9007199254740992,"half":0.1234567890123456789}]'
    assert.deepEqual(resultShape({ content: [{ type: "text", text }] }).data, [
      { id: "9007199254740993", big: "12345678901234567890", huge: "1e400", fine: 2 ** 53, half: 0.12345678901234568 }
    ])
  })
})
