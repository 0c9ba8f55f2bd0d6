import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { LogEvent } from "../../../src/domain/observability/LogLine.ts"
import { LONGEST_LOG_LINE, logLine } from "../../../src/domain/observability/LogLine.ts"
import { makeRedactor } from "../../../src/domain/observability/Redaction.ts"

const event = (more: Partial<LogEvent> = {}): LogEvent => ({
  time: new Date("2026-01-31T12:00:00.000Z"),
  level: "Info",
  message: ["tools listed"],
  annotations: { component: "session", event: "tools-listed", tool: "get weather", durationMs: 3, requestId: "r-1" },
  cause: undefined,
  ...more
})
const FORMATS = ["text", "json"] as const
const redactor = makeRedactor(["correct horse battery"])

describe("logLine", () => {
  it("writes text", () => {
    assert.strictEqual(
      logLine(event(), "text", undefined),
      '2026-01-31T12:00:00.000Z INFO  session tools-listed tools listed tool="get weather" durationMs=3 requestId=r-1\n'
    )
  })

  it("writes JSON", () => {
    assert.deepStrictEqual(JSON.parse(logLine(event({ cause: "Error: no" }), "json", undefined)), {
      timestamp: "2026-01-31T12:00:00.000Z",
      level: "info",
      component: "session",
      event: "tools-listed",
      message: "tools listed",
      tool: "get weather",
      durationMs: 3,
      requestId: "r-1",
      cause: "Error: no"
    })
  })

  it("keeps its own members when an annotation has their name", () => {
    const line = JSON.parse(logLine(event({ annotations: { level: "x", message: "y" } }), "json", undefined))
    assert.deepInclude(line, { level: "info", message: "tools listed", level_: "x", message_: "y" })
  })

  it("takes every kind of value", () => {
    const cyclic: Record<string, unknown> = { big: 10n, no: undefined, bytes: new Uint8Array(5), at: new Date(0) }
    cyclic.self = cyclic
    const message = [new Error("boom", { cause: new Error("inner") }), Number.NaN, Symbol("s"), new Set([1]), cyclic]
    for (const format of FORMATS) {
      const line = logLine(event({ message }), format, redactor)
      for (const part of ["boom", "inner", "NaN", "Symbol(s)", "5 bytes", "1970-01-01"]) assert.include(line, part)
    }
  })

  it("cuts what is too long, and says so", () => {
    const long = "x".repeat(50_000)
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, "v".repeat(30)]))
    for (const format of FORMATS) {
      for (const more of [{ message: long }, { cause: long }, { annotations: { long } }, { annotations: many }]) {
        const line = logLine(event(more), format, redactor)
        assert.isAtMost(line.length, LONGEST_LOG_LINE)
        assert.include(line, "cut")
        if (format === "json") assert.doesNotThrow(() => JSON.parse(line))
      }
    }
  })

  it("redacts before it cuts", () => {
    const secret = "correct horse battery"
    for (const format of FORMATS) {
      for (let before = 11_970; before < 12_010; before++) {
        const message = `${" ".repeat(before)}${secret}`
        assert.notInclude(logLine(event({ message, annotations: {} }), format, redactor), "corr", `${before}`)
      }
    }
  })

  it("cannot be made to look like two lines, or to steer a terminal", () => {
    const nasty = fc.string({
      unit: fc.constantFrom("\n", "\r", "\u2028", "\u0085", "\u001B", '"', "a", " ", "=", "\u202E")
    })
    fc.assert(
      fc.property(nasty, nasty, nasty, (message, key, value) => {
        const annotations = { component: value, event: value, [`k${key}`]: value }
        for (const format of FORMATS) {
          const line = logLine(event({ message, annotations, cause: value }), format, redactor)
          assert.match(line, /^[^\p{Cc}\u2028\u2029\u202E]*\n$/u)
          if (format === "json") assert.strictEqual(JSON.parse(line).cause, value)
        }
      })
    )
  })

  it("holds no secret, whatever is logged", () => {
    const secret = fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 30 }).map((text) => `k3y!${text}`)
    fc.assert(
      fc.property(secret, fc.string(), (secret, text) => {
        const redactor = makeRedactor([secret])
        const annotations = { a: secret, apiKey: text, [secret]: [text + secret], error: new Error(secret) }
        const all = event({
          message: [text + secret, { deep: { secret } }],
          annotations,
          cause: `Error: ${secret}${text}`
        })
        for (const format of FORMATS) {
          const line = logLine(all, format, redactor)
          assert.isFalse(line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1)), line)
        }
      })
    )
  })
})
