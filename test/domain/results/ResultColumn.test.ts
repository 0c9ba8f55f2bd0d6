import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  columnOf,
  columnsOf,
  leadingColumns,
  namesBeside,
  sampleOf,
  type JsonRecord,
  type ResultColumn
} from "../../../src/domain/results/ResultColumn.ts"

const kind = (key: string, ...values: ReadonlyArray<unknown>): string => columnOf(key, values).kind

const about = (key: string, values: ReadonlyArray<unknown>, names?: ReadonlyArray<string>): Partial<ResultColumn> => {
  const { key: _key, label: _label, ...rest } = columnOf(key, values, names && namesBeside(names))
  return rest
}

describe("dates", () => {
  it("are known in the ways in which servers write them", () => {
    for (const [key, ...values] of [
      ["at", "2024-01-01 10:00"],
      ["at", "2024-01-01T10:00:00.123Z", "2024-01-02T10:00:00+0200"],
      ["lastModified", "Sat Nov 21 2026 20:07:41 GMT+0000 (Coordinated Universal Time)"],
      ["sent", "Mon, 01 Jan 2024 10:00:00 GMT"],
      ["iat", 1_516_239_022],
      ["expires_at", "1763719500"],
      ["mixed", 1_763_719_500, "2024-01-01"]
    ] as const)
      assert.strictEqual(kind(key, ...values), "datetime", `${key} ${values.join(" ")}`)
    assert.strictEqual(kind("day", "2024/01/31"), "date")
    assert.strictEqual(kind("day", "Jan 5, 2024", "12 December 2023"), "date")
  })

  it("are not guessed where the day or the meaning is not sure", () => {
    assert.strictEqual(kind("day", "03/04/2024"), "text")
    assert.strictEqual(kind("month", "2024-01", "2024-02"), "text")
    assert.strictEqual(kind("note", "May 5 people came in 2024"), "text")
    assert.strictEqual(kind("population", 1_700_000_000), "number")
    assert.strictEqual(kind("date", 20_240_115), "text")
  })
})

describe("figures", () => {
  it("are money by name, by sign, or beside a currency", () => {
    assert.deepEqual(about("total_usd", [3]), { kind: "money", currency: "USD" })
    assert.deepEqual(about("price", [9.5]), { kind: "money" })
    assert.deepEqual(about("cost", ["$12", "$3.50"]), { kind: "money", written: true })
    assert.deepEqual(about("amount", [12.5], ["amount", "currency"]), { kind: "money" })
  })

  it("stay numbers where they may be cents, or are not money at all", () => {
    assert.strictEqual(columnOf("amount", [1250], namesBeside(["amount", "currency"])).kind, "number")
    assert.strictEqual(kind("amount", 2.5), "number")
    assert.strictEqual(kind("price_cents", 1999), "number")
    assert.strictEqual(kind("size", 5000), "number")
  })

  it("are percent of one or of a hundred, and neither where that is not sure", () => {
    assert.deepEqual(about("completion_percent", [33.3, 0]), { kind: "percent", scale: 100 })
    assert.deepEqual(about("success_rate", [0.25, 0.9]), { kind: "percent", scale: 1 })
    assert.deepEqual(about("humidity", [40, 71]), { kind: "percent", scale: 100 })
    assert.deepEqual(about("change", ["4%", "-3 %"]), { kind: "percent", scale: 100, written: true })
    assert.strictEqual(kind("change_percent", 0.4, -0.2), "number")
    assert.strictEqual(kind("exchange_rate", 0.85), "number")
    assert.strictEqual(kind("score", 0.6, 0.4), "number")
  })

  it("are sizes beside files, and durations in the unit of the name", () => {
    assert.strictEqual(columnOf("size", [120, 99], namesBeside(["path", "size"])).kind, "bytes")
    assert.deepEqual(about("elapsed_ms", [40]), { kind: "duration", scale: 1000 })
    assert.deepEqual(about("duration", ["PT4M13S", "P1DT2H"]), { kind: "duration", scale: 1 })
    assert.strictEqual(kind("duration", 40), "number")
  })

  it("are places, years, ids, versions and phone numbers, which are never grouped", () => {
    assert.strictEqual(kind("latitude", 51.5074), "coordinate")
    assert.strictEqual(kind("long", 5000), "number")
    assert.strictEqual(kind("founded", 1998), "year")
    assert.strictEqual(kind("number", 1234), "id")
    assert.strictEqual(kind("phone", 4_915_112_345), "id")
    assert.strictEqual(kind("phone", "+4915112345678"), "text")
    assert.strictEqual(kind("version", "2.7", "2.10"), "text")
    assert.strictEqual(kind("statusCode", 4040), "text")
    assert.strictEqual(kind("card", "4111111111111111"), "id")
  })

  it("that were text are kept as they were written", () => {
    assert.deepEqual(about("age", ["36", "41"]), { kind: "number", written: true })
    assert.deepEqual(about("zip", ["01234"]), { kind: "text" })
  })
})

describe("words", () => {
  it("are states by name or by repetition, but names are not", () => {
    const six = ["Ada", "Bob", "Ada", "Bob", "Ada", "Bob"]
    assert.strictEqual(kind("city", ...six), "badge")
    assert.strictEqual(kind("name", ...six), "text")
    assert.strictEqual(kind("owner", ...six.fill("Ada")), "text")
    assert.strictEqual(kind("status", "it failed because of a long list of reasons"), "text")
  })

  it("are answers, unless they are countries or letters", () => {
    assert.strictEqual(kind("paid", "yes", "no"), "boolean")
    assert.strictEqual(kind("flag", "Y", "N"), "boolean")
    assert.strictEqual(kind("country", "NO", "NO"), "text")
    assert.strictEqual(kind("axis", "Y", "Y"), "text")
  })

  it("are colours, unless they may be issues", () => {
    assert.strictEqual(kind("fill", "#ff0000", "#123456"), "color")
    assert.strictEqual(kind("ref", "#123", "#456"), "text")
  })

  it("are ids when nobody can read them", () => {
    assert.strictEqual(kind("node", "I_kwDOABCD0000000ujvAbC9"), "id")
    assert.strictEqual(kind("x", "8ce4b7a5-9da3-485b-a9ee-a1a7c41191a2"), "id")
    assert.strictEqual(kind("x", "antidisestablishmentarianism"), "text")
  })
})

describe("leadingColumns", () => {
  const issues: ReadonlyArray<JsonRecord> = Array.from({ length: 12 }, (_, at) => ({
    node_id: `I_kwDOABCD${String(at).padStart(8, "0")}AbC9xyz`,
    url: `https://example.org/${at}`,
    number: 1200 + at,
    title: `Issue ${at}`,
    state: ["open", "closed"][at % 2],
    kind: "issue",
    body: "A very long text. ".repeat(60),
    user: { login: `user${at}`, id: at },
    reactions: { up: at, down: 0 },
    comments: at * 3,
    created_at: `2025-01-${String(at + 1).padStart(2, "0")}T10:00:00Z`,
    closed_at: at === 3 ? "2025-03-01T10:00:00Z" : null,
    score: at / 7
  }))

  it("puts what says most first in line, in the order of the data", () => {
    assert.deepEqual(
      leadingColumns(columnsOf(issues), issues).map(({ key }) => key),
      ["number", "title", "state", "comments", "created_at", "score"]
    )
  })

  it("keeps all of a few", () => {
    const few = columnsOf(issues.map(({ body, url, kind }) => ({ body, url, kind })))
    assert.lengthOf(leadingColumns(few, issues), 3)
  })

  it("keeps a column that differs in one row far below", () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      name: `Host ${at}`,
      cpu: at % 97,
      load: (at * 31) % 89,
      zone: `z${(at * 7) % 311}`,
      seen: `2025-01-${String((at % 28) + 1).padStart(2, "0")}`,
      state: at === 53 ? "down" : "up"
    }))
    assert.isFalse(sampleOf(rows).some(({ state }) => state === "down"))
    assert.include(
      leadingColumns(columnsOf(rows), rows).map(({ key }) => key),
      "state"
    )
    const same = rows.map((row) => Object.assign({}, row, { state: "up" }))
    assert.notInclude(
      leadingColumns(columnsOf(same), same).map(({ key }) => key),
      "state"
    )
  })

  it("leaves out what repeats another column, holds its text in an id, or is the same in every row of many columns", () => {
    const rows = ["Ada", "Bob", "Cai", "Dan"].map((name, at) => ({
      id: `people-x-${name}`,
      name,
      label: name,
      age: 30 + at,
      city: ["Oslo", "Bergen"][at % 2],
      kind: "person"
    }))
    const keysOf = (some: ReadonlyArray<JsonRecord>): ReadonlyArray<string> =>
      leadingColumns(columnsOf(some), some).map(({ key }) => key)
    assert.deepEqual(keysOf(rows), ["name", "age", "city"])
    assert.deepEqual(keysOf(rows.map(({ name, kind }) => ({ name, kind }))), ["name", "kind"])
  })

  it("takes any records, and answers with some of their columns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 })), { maxLength: 20 }),
        (rows) => {
          const columns = columnsOf(rows)
          const leading = leadingColumns(columns, rows)
          assert.isAtMost(leading.length, 6)
          assert.isAtLeast(leading.length, Math.min(columns.length, 2))
          assert.deepEqual(
            columns.filter((column) => leading.includes(column)),
            leading
          )
        }
      )
    )
  })
})

describe("large lists", () => {
  it("are judged over a sample from the beginning to the end", () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ at }))
    const sample = sampleOf(rows)
    assert.lengthOf(sample, 200)
    assert.strictEqual(sample[49]?.at, 49)
    assert.isAbove(sample.at(-1)?.at ?? 0, 99_000)
    assert.strictEqual(new Set(sample).size, 200)
    assert.deepEqual(sampleOf([1, 2]), [1, 2])
  })
})

describe("money", () => {
  it("is no rate between currencies, no count of files, and nothing in thousands or millions", () => {
    for (const key of ["eur_usd", "cad_files", "usd_volume_millions", "amount_usd_k"])
      assert.strictEqual(kind(key, 1.5, 3), "number")
    assert.deepInclude(about("price_usd", [1.5]), { kind: "money", currency: "USD" })
  })
})
