import { assert, describe, it } from "@effect/vitest"
import { LearnedTool } from "../../../src/domain/library/memory/LearnedTool.ts"
import { makeRedactor } from "../../../src/domain/observability/Redaction.ts"
import { fenceIn } from "../../../src/domain/results/FencedText.ts"
import { resultContent } from "../../../src/domain/results/ResultContent.ts"
import { resultShape } from "../../../src/domain/results/ResultShape.ts"
import mongodb from "../../fixtures/recorded/mongodb.json" with { type: "json" }
import supabase from "../../fixtures/recorded/supabase.json" with { type: "json" }

const texts = (...blocks: ReadonlyArray<string>) => ({ content: blocks.map((text) => ({ type: "text", text })) })
const kindsOf = (result: unknown): string =>
  resultContent(result)
    .parts.map(({ kind }) => kind)
    .join()

describe("recorded answers with data between tags", () => {
  const uuid = "65f1a0c2e13b2a7d9c4e5f1"
  const people = [
    { _id: `${uuid}1`, name: "Ada" },
    { _id: `${uuid}2`, name: "Alan" }
  ]
  const tables = [
    { table_name: "alerts", count: 0 },
    { table_name: "patients", count: 12 }
  ]
  const databases = [
    { Name: "admin", Size: "40960 bytes" },
    { Name: "shop", Size: "7340032 bytes" },
    { Name: "local", Size: "73728 bytes" }
  ]
  it.each([
    ["MongoDB, lines", mongodb["list-databases"], "prose,data,notes", databases],
    ["MongoDB, 2025", mongodb["find (2025)"], "data,notes", people],
    ["Supabase", supabase.execute_sql, "data,notes", tables],
    [
      "Supabase, 2025",
      supabase["execute_sql (early 2025)"],
      "data,notes",
      [{ id: "lead_0001", company: "North Wind Yachts" }]
    ],
    [
      "Supabase, structured",
      {
        structuredContent: JSON.parse(supabase.execute_sql.content[0]?.text ?? "") as unknown,
        ...supabase.execute_sql
      },
      "data,notes",
      tables
    ]
  ])("%s", (_name, result, kinds, rows) => {
    assert.strictEqual(kindsOf(result), kinds)
    assert.deepEqual(resultShape(result).records?.rows, rows)
  })

  it("keep their texts as they came, fold the warning, and leave the server's own words", () => {
    const { data, parts, texts } = resultContent(mongodb.find)
    assert.deepInclude((data as ReadonlyArray<unknown>)[1], { placed: "2024-03-15T08:00:00Z", total: 9.5 })
    assert.deepEqual(parts[0], { kind: "prose", text: texts[0] ?? "" })
    assert.deepEqual(
      texts,
      mongodb.find.content.map(({ text }) => text)
    )
    const notes = parts.find(({ kind }) => kind === "notes")
    assert.match(notes?.kind === "notes" ? notes.text : "", /^The following section[^]*malicious\.$/)
  })

  it("have number columns that sort and draw as numbers, and times", () => {
    const kinds = resultShape(mongodb.find).records?.columns.map(({ key, kind }) => `${key} ${kind}`)
    assert.deepEqual(kinds, [
      "_id id",
      "customer text",
      "status badge",
      "placed datetime",
      "total number",
      "items number"
    ])
  })

  it("teach prompts their rows, not their warnings", () => {
    const tool = new LearnedTool({ redactor: makeRedactor([]), keepsResults: true })
    tool.add({}, mongodb.find)
    tool.add({}, supabase.execute_sql)
    assert.match(String(tool.learned.shape), /_id/)
    assert.notMatch(JSON.stringify(tool.learned), /untrusted|WARNING|\$oid/)
  })
})

describe("a fence", () => {
  const id = "5a85b252-2903-41d8-9770-bd0e7ffd5be1"
  it.each([
    ["with attributes", `<untrusted_content source="web">\nHello\n</untrusted_content>`, "Hello"],
    [
      "of three signs",
      `<<<EXTERNAL_UNTRUSTED_CONTENT id="9b">>>\nHello\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="9b">>>`,
      "Hello"
    ],
    ["with an id alone", `Found:\r\n<rows-${id}>\r\n[1]\r\n</rows-${id}>\r\n`, "[1]"],
    ["that the data tries to end", `<data-${id}>\na\n</data-0>\n</data>\nb\n</data-${id}>`, "a\n</data-0>\n</data>\nb"],
    ["that a sentence names", `Mind <data-${id}> and </data-${id}>:\n<data-${id}>\nx\n</data-${id}>`, "x"],
    ["without an end", `<untrusted-data-${id}>\n[1]`, undefined],
    ["of XML", "<invoice>\n<number>\n12\n</number>\n</invoice>", undefined],
    ["of HTML", "<section>\n<h1>\nHello\n</h1>\n</section>", undefined]
  ])("%s", (_name, text, inner) => {
    assert.strictEqual(fenceIn(text)?.inner, inner)
  })

  it("leaves what stands around it, and is found twice", () => {
    const one = (text: string): string => `<data-${id}>\n${text}\n</data-${id}>`
    const content = resultContent(texts(`Two lists.\n\n${one('[{"a":1}]')}\n\nAnd:\n\n${one('[{"b":2}]')}\n\nDone.`))
    assert.deepEqual(content.data, [[{ a: 1 }], [{ b: 2 }]])
    assert.strictEqual(
      content.parts.map((part) => (part.kind === "prose" ? part.text : part.kind)).join("|"),
      "Two lists.|data|And:|data|Done."
    )
  })

  it("is looked for quickly in hostile text", () => {
    for (const piece of ["<", "<untrusted-data-1>\n", "\n\n", " \n", `<a-${id}\n`, "<untrusted ".repeat(9)])
      resultContent(texts(piece.repeat(100_000 / piece.length)))
  })
})

describe("Extended JSON", () => {
  it.each<[string, unknown, unknown]>([
    ["id", { $oid: "65f1a0c2e13b2a7d9c4e5f01" }, "65f1a0c2e13b2a7d9c4e5f01"],
    ["date, relaxed", { $date: "2024-03-13T12:34:56Z" }, "2024-03-13T12:34:56Z"],
    ["date, canonical", { $date: { $numberLong: "1710333296000" } }, "2024-03-13T12:34:56.000Z"],
    ["date, v1", { $date: 0 }, "1970-01-01T00:00:00.000Z"],
    ["whole number", { $numberInt: "-7" }, -7],
    ["long", { $numberLong: "7340032" }, 7_340_032],
    ["long that is no number here", { $numberLong: "9223372036854775807" }, "9223372036854775807"],
    ["double", { $numberDouble: "1.5E+3" }, 1500],
    ["no number", { $numberDouble: "NaN" }, "NaN"],
    ["decimal", { $numberDecimal: "1040.00" }, 1040],
    ["long decimal", { $numberDecimal: "0.1000000000000000055" }, "0.1000000000000000055"],
    ["binary", { $binary: { base64: "SGk=", subType: "00" } }, "SGk="],
    [
      "UUID as binary",
      { $binary: { base64: "WoWyUikDQdiXcL0Of/1b4Q==", subType: "04" } },
      "5a85b252-2903-41d8-9770-bd0e7ffd5be1"
    ],
    ["UUID", { $uuid: "5a85b252-2903-41d8-9770-bd0e7ffd5be1" }, "5a85b252-2903-41d8-9770-bd0e7ffd5be1"],
    ["timestamp", { $timestamp: { t: 1_710_333_296, i: 1 } }, "2024-03-13T12:34:56.000Z"],
    ["pattern", { $regularExpression: { pattern: "^a", options: "i" } }, "/^a/i"],
    ["code", { $code: "f()" }, "f()"],
    ["symbol", { $symbol: "a" }, "a"],
    ["smallest key", { $minKey: 1 }, "minKey"],
    ["nothing", { $undefined: true }, null],
    ["reference", { $ref: "users", $id: { $oid: "1" } }, { $ref: "users", $id: "1" }],
    ["operator of a query", { age: { $gt: { $numberInt: "3" } } }, { age: { $gt: 3 } }],
    ["schema", { $schema: "x", $ref: "#/a" }, { $schema: "x", $ref: "#/a" }],
    ["nonsense", { $date: { a: 1 } }, { $date: { a: 1 } }],
    ["more nonsense", { $binary: 4 }, { $binary: 4 }],
    ["a name that is a trap", JSON.parse('{"__proto__":{"$oid":"1"}}'), JSON.parse('{"__proto__":"1"}')]
  ])("%s, in text and in structured content", (_name, given, value) => {
    assert.deepEqual(resultContent(texts(JSON.stringify({ a: given, b: [given] }))).data, { a: value, b: [value] })
    assert.deepEqual(resultContent({ structuredContent: { a: given, b: [given] } }).data, { a: value, b: [value] })
  })

  it("that nothing has to be read of is not copied", () => {
    const structuredContent = { rows: [{ a: 1 }] }
    assert.strictEqual(resultContent({ structuredContent }).data, structuredContent)
  })
})
