import { assert, describe, it } from "@effect/vitest"
import { tableInText, textPieces, withoutMarks } from "../../../src/domain/results/TextPieces.ts"

describe("textPieces", () => {
  it("has the lines that say something", () => {
    assert.deepEqual(textPieces("  a \r\n\r\n b\n").lines, ["a", "b"])
  })

  it.each([
    ["City: Oslo\nHigh: 12 °C", { City: "Oslo", High: "12 °C" }],
    ["- **Page URL**: https://a.example\n* `Name`: Ada", { "Page URL": "https://a.example", Name: "Ada" }],
    ["Tag: a\nTag: b\nTag: c", { Tag: ["a", "b", "c"] }],
    ["https://a.example\n10:00\nNote:\n{a: 1}", {}]
  ] as const)("pairs of %j", (text, pairs) => {
    assert.deepEqual(textPieces(text).pairs, pairs as never)
  })

  it.each([
    [
      "Markdown",
      "Found:\n| **Name** | Age |\n|---|--:|\n| Ada | 36 |\n| [Bob](https://b.example) | |\n\nEnd.",
      "Name",
      "Age"
    ],
    ["Markdown without outer bars", "Name | Age\n---|---\nAda | 36\nBob |", "Name", "Age"],
    ["CSV", "Name,Age\nAda,36\nBob,", "Name", "Age"],
    ["aligned columns", "NAME   AGE\nAda    36\nBob    -", "NAME", "AGE"]
  ] as const)("tables in %s", (kind, text, name, age) => {
    const none = kind === "aligned columns" ? "-" : ""
    assert.deepEqual(textPieces(text).tables, [
      [
        { [name]: "Ada", [age]: "36" },
        { [name]: "Bob", [age]: none }
      ]
    ])
  })

  it("has no table where there is none", () => {
    for (const text of ["a | b", "Some words, and more.\nAnd others, too.", "a  b\nc"])
      assert.deepEqual(textPieces(text).tables, [], text)
  })

  it("has what stands below each heading; a heading in a fence is code", () => {
    assert.deepEqual(textPieces("Lead\n# **One**\na\n```\n# not\n```\n## Two ##\n=== Three ===\nc").sections, [
      { title: "", text: "Lead" },
      { title: "One", text: "a\n```\n# not\n```" },
      { title: "Two", text: "" },
      { title: "Three", text: "c" }
    ])
    assert.deepEqual(textPieces("").sections, [])
  })

  it("has the links, with their words", () => {
    assert.deepEqual(textPieces("[Docs](https://a.example/d), https://b.example/x.").links, [
      { title: "Docs", url: "https://a.example/d" },
      { title: "https://b.example/x", url: "https://b.example/x" }
    ])
  })
})

describe("tableInText", () => {
  const lines = Array.from({ length: 8 }, (_, at) => `| r${at} | ${at} |`).join("\n")
  const table = `| Rule | Level |\n|---|---|\n${lines}`

  it("is the rows of a text that is one table, with the words around it", () => {
    const found = tableInText(`8 rules:\n${table}\n\nThat is all.`)
    assert.deepEqual(found?.value[7], { Rule: "r7", Level: "7" })
    assert.deepEqual([found?.before, found?.after], ["8 rules:", "That is all."])
  })

  it.each([
    ["a document", `# Rules\n\n${table}`],
    ["two tables", `${table}\n\n${table}`],
    ["a short table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["much prose", `${"word ".repeat(100)}\n${table}`]
  ])("is not %s", (_, text) => {
    assert.isUndefined(tableInText(text))
  })
})

it("withoutMarks leaves the words", () => {
  assert.strictEqual(withoutMarks("**bold** `code` [link](https://a.example) ![alt](x.png)"), "bold code link alt")
  assert.strictEqual(withoutMarks("2 ** 3 and a_b"), "2 ** 3 and a_b")
})
