import { assert, describe, it } from "@effect/vitest"
import { isoSeconds, momentOf } from "../../../src/domain/results/ResultMoment.ts"

const read = (value: unknown): unknown => {
  const moment = momentOf(value)
  return moment === undefined ? undefined : [moment.at.toISOString(), moment.floating, moment.hasTime]
}

describe("momentOf", () => {
  it("reads ISO 8601, worded dates, epochs of seconds and milliseconds", () => {
    for (const [value, ...expected] of [
      ["2025-03-04", "2025-03-04T00:00:00.000Z", true, false],
      ["2025-03", "2025-03-01T00:00:00.000Z", true, false],
      ["2025-03-04 10:05", "2025-03-04T10:05:00.000Z", true, true],
      ["2025-03-04T10:05:00+0200", "2025-03-04T08:05:00.000Z", false, true],
      ["Mar 4, 2025", "2025-03-04T00:00:00.000Z", true, false],
      ["Tue, 04 Mar 2025 23:30:00 GMT", "2025-03-04T23:30:00.000Z", false, true],
      [1_741_082_700, "2025-03-04T10:05:00.000Z", false, true],
      ["1741082700000", "2025-03-04T10:05:00.000Z", false, true]
    ] as const)
      assert.deepEqual(read(value), expected, String(value))
  })

  it("reads nothing that may be another day elsewhere, or none at all", () => {
    for (const value of [
      "03/04/2025",
      "2025-13-40",
      "2024-02-31",
      "Mayor 12, 2024",
      "May 5 people came in 2024",
      "12",
      "",
      null,
      new Date(Number.NaN)
    ])
      assert.isUndefined(read(value), String(value))
  })
})

describe("isoSeconds", () => {
  it("reads durations of days and less", () => {
    assert.deepEqual(["P1DT2H", "PT4M13.5S", "P", "PT", "P1M", 5].map(isoSeconds), [
      93_600,
      253.5,
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })
})
