import { assert, describe, it } from "@effect/vitest"
import { columnsOf, type JsonRecord } from "../../../src/domain/results/ResultColumn.ts"
import { seriesOf, type ResultSeries } from "../../../src/domain/results/ResultSeries.ts"

const series = (rows: ReadonlyArray<JsonRecord>): ResultSeries | undefined => seriesOf(rows, columnsOf(rows))

const rows = (count: number, row: (at: number) => JsonRecord): ReadonlyArray<JsonRecord> =>
  Array.from({ length: count }, (_, at) => row(at))

/** Numbers without order. */
const noise = (at: number): number => 10 + ((at * 7919) % 97)

describe("seriesOf", () => {
  it("draws a line through times, of the measures that fit together, also when they rise evenly", () => {
    const days = rows(4, (at) => ({
      date: `2025-11-0${at + 1}`,
      high: at * 2 + 2,
      low: at + 1,
      total: 9000 + noise(at)
    }))
    assert.deepEqual(series(days), {
      type: "line",
      x: "date",
      y: ["high", "low"],
      measures: ["high", "low", "total"]
    })
    assert.deepInclude(series(rows(3, (at) => ({ month: `2025-0${at + 1}`, orders: noise(at) }))), {
      type: "line",
      x: "month"
    })
  })

  it("draws no line through the dates that things carry, but bars by their names", () => {
    const things = rows(4, (at) => ({ title: `T${at}`, created_at: `2025-11-0${at + 1}T10:00:00Z`, views: noise(at) }))
    assert.deepInclude(series(things), { type: "bar", x: "title", y: ["views"] })
  })

  it("prefers a name over another text as the label of bars", () => {
    const products = rows(5, (at) => ({ sku: `S-${at}a`, name: `Product ${at}`, price: noise(at) }))
    assert.deepInclude(series(products), { type: "bar", x: "name" })
  })

  it("draws a pie only of few parts that make a whole", () => {
    const shares = [50, 30, 20].map((share, at) => ({ name: `n${at}`, share }))
    assert.strictEqual(series(shares)?.type, "pie")
    assert.strictEqual(series(shares.map(({ name }, at) => ({ name, share: [50, 53, 51][at] })))?.type, "bar")
    assert.strictEqual(series(shares.map(({ name, share }) => ({ name, age: share })))?.type, "bar")
  })

  it("draws nothing of ids, flags, row numbers, places, years, or values that do not differ", () => {
    const named = (of: (at: number) => JsonRecord): ResultSeries | undefined =>
      series(rows(5, (at) => ({ name: `n${at}`, ...of(at) })))
    assert.isUndefined(named((at) => ({ user_id: noise(at) })))
    assert.isUndefined(named((at) => ({ vip: at % 2 })))
    assert.isUndefined(named((at) => ({ cid: at, step: at })))
    assert.isUndefined(named((at) => ({ latitude: noise(at), lng: noise(at) })))
    assert.isUndefined(named((at) => ({ year: 1990 + noise(at) })))
    assert.isUndefined(named((at) => ({ page: noise(at), line_number: noise(at), rank: noise(at) })))
    assert.isUndefined(named(() => ({ score: 5 })))
    assert.isDefined(named((at) => ({ score: noise(at) })))
  })
})
