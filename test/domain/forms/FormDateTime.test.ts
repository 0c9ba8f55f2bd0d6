import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fromWallTime, toWallTime } from "../../../src/domain/forms/FormDateTime.ts"

describe("toWallTime", () => {
  it("gives the clock of a zone, from any offset, with seconds only where there are some", () => {
    assert.strictEqual(toWallTime("2026-07-01T10:00:00Z", "Europe/Oslo"), "2026-07-01T12:00")
    assert.strictEqual(toWallTime("2026-01-01T10:00:30+05:30", "America/New_York"), "2025-12-31T23:30:30")
    assert.strictEqual(toWallTime("2026-01-01T00:00:00Z", "UTC"), "2026-01-01T00:00")
  })

  it("leaves what is not a moment as it is", () => {
    for (const value of ["", "tomorrow", "2026-01-01", "2026-01-01T10:00", "2026-13-45T10:00:00Z"]) {
      assert.strictEqual(toWallTime(value, "Europe/Oslo"), value)
    }
  })

  it("takes the system's zone for one that does not exist", () => {
    const value = "2026-01-01T10:00:00Z"
    assert.strictEqual(toWallTime(value, "No/Where"), toWallTime(value))
  })
})

describe("fromWallTime", () => {
  it("gives the moment in UTC", () => {
    assert.strictEqual(fromWallTime("2026-07-01T12:00", "Europe/Oslo"), "2026-07-01T10:00:00Z")
    assert.strictEqual(fromWallTime("2026-07-01T12:00:05.5", "UTC"), "2026-07-01T12:00:05.500Z")
  })

  it("takes the first of a time that comes twice, and moves on one that does not exist", () => {
    assert.strictEqual(fromWallTime("2026-10-25T02:30", "Europe/Oslo"), "2026-10-25T00:30:00Z")
    assert.strictEqual(fromWallTime("2026-03-29T02:30", "Europe/Oslo"), "2026-03-29T01:30:00Z")
  })

  it("leaves what is not a wall time as it is", () => {
    for (const value of ["", "tomorrow", "2026-01-01T10:00:00Z", "2026-13-45T10:00"]) {
      assert.strictEqual(fromWallTime(value, "Europe/Oslo"), value)
    }
  })

  it("undoes toWallTime in every zone, but for the hour that comes twice", () => {
    const minute = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }).map((at) => at - (at % 60_000))
    const zone = fc.constantFrom("UTC", "Europe/Oslo", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia")
    fc.assert(
      fc.property(minute, zone, (at, timeZone) => {
        const wall = toWallTime(new Date(at).toISOString(), timeZone)
        const back = fromWallTime(wall, timeZone)
        assert.strictEqual(toWallTime(back, timeZone), wall)
        assert.isAtMost(Math.abs(Date.parse(back) - at), 3_600_000)
      })
    )
  })
})
