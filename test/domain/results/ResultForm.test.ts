import { assert, describe, it } from "@effect/vitest"
import { columnsOf, type JsonRecord } from "../../../src/domain/results/ResultColumn.ts"
import { formOfRows, mainMember, type RowsForm } from "../../../src/domain/results/ResultForm.ts"

const long = "A sentence that is long enough to be read on a card rather than in a cell of a table, as this one is."

const cases: ReadonlyArray<readonly [RowsForm, string, ReadonlyArray<JsonRecord>]> = [
  ["steps", "tasks with states", [{ id: 1, title: "Build", status: "pending", priority: "high" }]],
  ["steps", "things to do", [{ content: "Buy milk", completed: false }]],
  ["table", "orders with states", [{ id: 1, name: "Ada", status: "open", total: 3 }]],
  ["files", "entries of a folder", [{ name: "src", type: "directory" }]],
  ["files", "paths alone", [{ path: "/a/b.ts" }, { path: "/a/c.ts" }]],
  ["files", "paths with sizes", [{ path: "a.ts", size: 12 }]],
  ["documents", "files with what is in them", [{ filename: "a.js", content: "let a\nlet b" }]],
  ["log", "messages with levels and times", [{ time: "2025-01-01T10:00:00Z", level: "info", message: "up" }]],
  ["findings", "messages with severities", [{ severity: "error", message: "No alt", rule: "img-alt" }]],
  ["places", "names with coordinates", [{ name: "Oslo", lat: 59.9, lon: 10.7 }]],
  ["schedule", "titles with start and end", [{ title: "Lunch", start: "2025-01-01T12:00", end: "2025-01-01T13:00" }]],
  ["days", "highs and lows by day", [{ date: "2025-01-01", high: 4, low: -2 }]],
  ["events", "messages by author and day", [{ hash: "a1b2c3", author: "Ada", date: "2025-01-01", message: "Fix" }]],
  ["people", "names with addresses", [{ name: "Ada", email: "ada@example.org" }]],
  ["colors", "colours by name", [{ name: "red", hex: "#ff0000" }]],
  ["bars", "amounts by name", ["a", "b", "c"].map((name, at) => ({ name, amount: at }))],
  ["cards", "a few things with long texts", ["a", "b"].map((title) => ({ title, text: long, by: "Ada" }))],
  ["table", "hits without a query", [{ title: "A", description: "b", stars: 1 }]],
  ["table", "all else", [{ a: 1, b: 2 }]],
  ["table", "nothing", []]
]

describe("formOfRows", () => {
  it.each(cases)("%s: %s", (form, _, rows) => {
    assert.strictEqual(formOfRows(rows, columnsOf(rows), false), form)
  })

  it("is hits where something was searched for, or where rows have a place and a match", () => {
    const found = [{ title: "A", description: "b", stars: 1 }]
    const lines = [{ path: "a.ts", line: 3, snippet: "let a" }]
    assert.strictEqual(formOfRows(found, columnsOf(found), true), "hits")
    assert.strictEqual(formOfRows(lines, columnsOf(lines), false), "hits")
  })
})

describe("mainMember", () => {
  it.each([
    [{ value: 100, from: "km", to: "mi", result: 62.137 }, "result"],
    [{ hash: "3c48591d" }, "hash"],
    [{ "count(*)": 600 }, "count(*)"],
    [{ a: 1, b: 2 }, undefined],
    [{ result: "two\nlines" }, undefined],
    [{ result: { a: 1 } }, undefined],
    [{}, undefined]
  ] as const)("of %j is %s", (record, name) => {
    assert.strictEqual(mainMember(record), name)
  })
})
