import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeRedactor } from "../../../../src/domain/observability/Redaction.ts"
import { LearnedTool } from "../../../../src/domain/library/memory/LearnedTool.ts"
import { resultSample } from "../../../../src/domain/library/memory/ResultSample.ts"

const redactor = makeRedactor([])
const sample = (value: unknown): unknown => resultSample(value, redactor, 8000)

const HIDDEN = "hunter2-0815"

describe("private members", () => {
  const leaks: ReadonlyArray<unknown> = [
    { pass: HIDDEN },
    { pwd: HIDDEN },
    { pw: HIDDEN },
    { db_pass: HIDDEN },
    { smtpPass: HIDDEN },
    { X_PASS: HIDDEN },
    { passcode: HIDDEN },
    { mnemonic: HIDDEN },
    { authHeader: HIDDEN },
    { session: HIDDEN },
    { tokens: HIDDEN },
    { tokens: [HIDDEN] },
    { api_keys: [{ id: 1, value: HIDDEN }] },
    { secrets: { db: HIDDEN } },
    { cookies: `sid=${HIDDEN}` },
    { name: "DB_PASSWORD", value: HIDDEN },
    [{ key: "apiKey", value: HIDDEN }],
    { header: "Authorization", value: { raw: HIDDEN } },
    ["password", HIDDEN],
    [["password", "hunter"]],
    { args: ["--port", "80", "--password", HIDDEN] }
  ]
  for (const leak of leaks) {
    it(`keeps nothing of ${JSON.stringify(leak)}`, () => {
      assert.notInclude(JSON.stringify(sample(leak)), "hunter")
      const tool = new LearnedTool({ redactor, keepsResults: true })
      for (const n of [1, 2, 3, 4, 5]) tool.add({}, { content: [], structuredContent: { n, list: [leak, leak] } })
      assert.notInclude(JSON.stringify(tool.learned), "hunter")
    })
  }

  it("hides a code that a text beside it calls one", () => {
    assert.deepStrictEqual(sample({ code: "482913", id: "482914", message: "Your verification code is 482913" }), {
      code: "[redacted]",
      id: "482914",
      message: "Your verification code is [code]"
    })
  })

  const harmless: ReadonlyArray<unknown> = [
    { passenger: "Ada", tokenCount: 12, compass: "north", session_count: 3, bypass: "A40", passengers: ["Ada"] },
    { pass: 12, fail: 0, skipped: 1, tests: "passed" },
    { boarding_pass: "Gold", seasonPass: "family", first_pass: "ok", session: "Opening keynote" },
    { tokens: 1200, max_tokens: "8,000", usage: { tokens: { input: 12, output: 3 } }, tokens_per_second: 31.5 },
    { pwd: "/home/ada/project", PWD: "C:\\work", session: { title: "Keynote", room: "A1" } },
    { code: "DE", isbn: "978-3-16-148410-0", ean: "4006381333931", price: "1,299.00 €", sku: "AB-1234-5678" },
    { date: "2026-01-01", at: "2026-01-01T10:00:00.000Z", ms: "1712345678901", phone: "+49 151 23456789" },
    { id: "3f2504e0-4f89-11d3-9a0c-0305e82c3301", tracking: "1234567890123456", order: "4111-22" },
    { name: "size", value: "large", key: "region" },
    [{ name: "token_count", value: "3" }],
    { required: ["password", "email"], columns: ["id", "secret", "name"] },
    { text: "Verification of the 2026 report: 4 of 5 done. pass: the tests are green; secrets: none of them." },
    { text: "docker run -u 1000:1000 image; git push -u origin main" },
    { version: "v1.2.3", text: "task-force, risk-taking, pk_users, 10:30 to 11:45, ratio 16:9" }
  ]
  for (const value of harmless) {
    it(`keeps ${JSON.stringify(value).slice(0, 60)}`, () => assert.deepStrictEqual(sample(value), value))
  }

  it("keeps numbers, dates and short words under ordinary names", () => {
    const name = fc.constantFrom("passenger", "tokenCount", "compass", "session_count", "author", "keyword", "spinner")
    const date = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
    const value = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.uuid(),
      date.map((day) => day.toISOString()),
      fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,3}$/)
    )
    fc.assert(fc.property(fc.dictionary(name, value), (data) => assert.deepStrictEqual(sample(data), { ...data })))
  })
})
