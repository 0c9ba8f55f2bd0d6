import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeRedactor } from "../../../../src/domain/observability/Redaction.ts"
import { resultSample } from "../../../../src/domain/library/memory/ResultSample.ts"
import { sampleText } from "../../../../src/domain/library/memory/SampleText.ts"

const redactor = makeRedactor(["the-servers-own-secret"])
const sample = (value: unknown, bytes = 8000): unknown => resultSample(value, redactor, bytes)
const text = (value: string): string => sampleText(value, redactor, 600)

const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEA7".repeat(20)}\n-----END RSA PRIVATE KEY-----`

describe("an example", () => {
  it("keeps what it is an example of", () => {
    const value = {
      days: [{ date: "2026-01-01", high: 21.5, id: "3f2504e0-4f89-11d3-9a0c-0305e82c3301" }],
      next_cursor: null,
      page: "https://example.com/reports/2026/annual_report_of_everything.html?page=2",
      path: "/home/someone/Projects/2026/AnotherFolder/src/components/Button.tsx",
      ok: true
    }
    assert.deepStrictEqual(sample(value), value)
  })

  it("has no values under the names of secrets", () => {
    assert.deepStrictEqual(
      sample({
        api_key: "abc",
        nested: { Password: "hunter22", pin: 1234, sessionId: { a: 1 }, token: null },
        keys: 2
      }),
      {
        api_key: "[redacted]",
        nested: { Password: "[redacted]", pin: "[redacted]", sessionId: "[redacted]", token: null },
        keys: 2
      }
    )
  })

  it("has none of what looks like a secret, wherever it stands", () => {
    const secrets = [
      "the-servers-own-secret",
      "sk-live-0123456789abcdef",
      "ghp_0123456789abcdefghij",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
      "Bearer abcdefgh12345678",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      "Zm9vYmFyQ2F0RG9nMTIzNDU2Nzg5MEFCQ0RFRg",
      "postgres://admin:pa55word@db.example/main",
      "ada.lovelace@analytical.example"
    ]
    for (const secret of secrets) {
      const told = text(`see ${secret} here`)
      assert.match(told, /^see .* here$/)
      assert.notInclude(told, secret)
      assert.notInclude(JSON.stringify(sample({ deep: [{ [secret]: [secret] }] })), secret)
    }
    assert.strictEqual(text("DB_PASSWORD=correct-horse"), "DB_PASSWORD=[redacted]")
    assert.strictEqual(text(`key:\n${privateKey}\nend`), "key:\n[private key]\nend")
    assert.strictEqual(text(`cut off:\n${privateKey.slice(0, 200)}`), "cut off:\n[private key]")
    assert.notInclude(text(`${"x ".repeat(1980)}${privateKey}`), "MIIE")
  })

  it("keeps an e-mail address an e-mail address", () => {
    assert.strictEqual(
      text("Ada <ada@example.org>, bob+x@mail.example"),
      "Ada <someone@example.com>, someone@example.com"
    )
  })

  it("tells of encoded files only how large they are", () => {
    const bytes = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 256)).toString("base64")
    assert.strictEqual(text(bytes), "[base64, 9 kB]")
    assert.strictEqual(text(`data:image/png;base64,${bytes}`), "[data URL, image/png, 9 kB]")
    assert.strictEqual(text(`![](data:image/png;base64,${bytes.slice(0, 600)})`), "![]([data URL])")
  })

  it("has no colours of terminals", () => {
    assert.strictEqual(text("\u001B[31mred\u001B[0m"), "red")
  })

  it("shows the beginning of lists and texts, and says how much is missing", () => {
    const rows = Array.from({ length: 50 }, (_, id) => ({ id }))
    assert.deepStrictEqual(sample({ rows }), { rows: [...rows.slice(0, 11), "… 39 more"] })
    assert.deepStrictEqual(sample([1, 2, 3]), [1, 2, 3])
    const long = String(sample("word ".repeat(1000)))
    assert.strictEqual(long.length, 600)
    assert.isTrue(long.endsWith("…"))
  })

  it("is never larger than it may be, and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), fc.integer({ min: 30, max: 2000 }), (value, bytes) => {
        assert.isAtMost(Buffer.byteLength(JSON.stringify(sample(value, bytes))), bytes)
      }),
      { numRuns: 200 }
    )
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`member ${at}`, "ä".repeat(500)]))
    assert.isAtMost(Buffer.byteLength(JSON.stringify(sample({ wide, list: [wide, wide, wide] }))), 8000)
    assert.strictEqual(sample(wide, 20), "too large to be kept")
    const cut = text(`${"a".repeat(598)}\u{1F600}\u{1F600}`)
    assert.strictEqual(cut, cut.toWellFormed())
  })
})
