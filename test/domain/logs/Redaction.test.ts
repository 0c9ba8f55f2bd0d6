import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isSensitiveName, makeRedactor, REDACTED, secretsOf } from "../../../src/domain/logs/Redaction.ts"

const { text, value } = makeRedactor(["correct horse battery", "ollama"])

describe("makeRedactor", () => {
  const lines: ReadonlyArray<readonly [string, string]> = [
    ["key correct horse battery used", "key [redacted] used"],
    ["the url has correct%20horse%20battery", "the url has [redacted]"],
    ["short stand-ins such as ollama stay", "short stand-ins such as ollama stay"],
    ["401 for sk-ant-api03-abcDEF_123-xyz.", "401 for [redacted]."],
    ["Authorization: Bearer abc.def-123", "Authorization: [redacted]"],
    ["authorization: Token abc def, Host: x", "authorization: [redacted], Host: x"],
    ['{"apiKey":"cut off here', '{"apiKey":"[redacted]"'],
    ["got bearer  xyz12345", "got bearer [redacted]"],
    ['{"apiKey":"abc def","model":"m"}', '{"apiKey":"[redacted]","model":"m"}'],
    [String.raw`body: {\"api_key\":\"abc\",\"n\":1}`, String.raw`body: {\"api_key\":\"[redacted]\",\"n\":1}`],
    ["DB_PASSWORD=hunter2 PORT=80", "DB_PASSWORD=[redacted] PORT=80"],
    ["https://host/path?token=abc&page=2", "https://host/path?token=[redacted]&page=2"],
    ["postgres://me:hunter2@host/db", "postgres://[redacted]@host/db"],
    ['detail="x-api-key: abc"', 'detail="x-api-key: [redacted]"'],
    ["ghp_0123456789abcdef0123 and AKIAABCDEFGHIJKLMNOP", "[redacted] and [redacted]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[redacted]"],
    ["inputTokens: 12, maxTokens=8000, progressToken: 7", "inputTokens: 12, maxTokens=8000, progressToken: 7"],
    ["ask-me-anything about task-force and risk-taking", "ask-me-anything about task-force and risk-taking"]
  ]
  for (const [line, expected] of lines) it(line, () => assert.strictEqual(text(line), expected))

  it("replaces values under sensitive names, at any depth and of any type", () => {
    const cyclic: Record<string, unknown> = { token: 12345, nested: [{ password: { a: 1 }, name: "sk-abcdefgh" }] }
    cyclic.self = cyclic
    assert.deepStrictEqual(value(cyclic), {
      token: REDACTED,
      nested: [{ password: REDACTED, name: REDACTED }],
      self: "[circular]"
    })
    assert.deepStrictEqual(value({ secret: null, n: 1, list: [true] }), { secret: null, n: 1, list: [true] })
  })

  it("lets no known secret through, wherever it stands in text or data", () => {
    const secret = fc.string({ unit: "binary", minLength: 8, maxLength: 40 }).filter((s) => !REDACTED.includes(s))
    const around = fc.string({ unit: "binary" })
    fc.assert(
      fc.property(secret, around, around, (secret, before, after) => {
        const redactor = makeRedactor([secret])
        const json = JSON.stringify({ a: `${before}${secret}${after}` })
        for (const input of [`${before}${secret}${after}`, json]) {
          const kept = redactor.text(input)
          assert.isFalse(kept.includes(secret), kept)
          assert.isFalse(kept.includes(JSON.stringify(secret).slice(1, -1)), kept)
        }
        assert.isFalse(JSON.stringify(redactor.value({ [`${before}${secret}`]: [secret] })).includes(secret))
      })
    )
  })

  it("leaves JSON that it redacts parsable", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("apiKey", "name", "Authorization"), (json, name) => {
        JSON.parse(JSON.stringify(value({ [name]: json, nested: { json } })))
      })
    )
  })

  it("takes time in proportion to the text", () => {
    for (const unit of [
      "a".repeat(64),
      "a:",
      "token:",
      "token:'",
      "authorization: b ",
      'a:"',
      String.raw`tok:\"`,
      "x = ",
      "https://",
      "   ",
      "\\"
    ]) {
      const started = performance.now()
      text(unit.repeat(Math.ceil(100_000 / unit.length)))
      assert.isBelow(performance.now() - started, 2000, JSON.stringify(unit.slice(0, 8)))
    }
  })
})

describe("names", () => {
  it("knows the sensitive ones", () => {
    for (const name of [
      "apiKey",
      "x-api-key",
      "OPENAI_API_KEY",
      "authorization",
      "Set-Cookie",
      "clientSecret",
      "token"
    ]) {
      assert.isTrue(isSensitiveName(name), name)
    }
    for (const name of ["key", "tokens", "maxTokens", "progressToken", "author", "secretary", "tool"]) {
      assert.isFalse(isSensitiveName(name), name)
    }
  })

  it("collects their values from an environment", () => {
    assert.deepStrictEqual(secretsOf({ GITHUB_TOKEN: "abc", PATH: "/bin", EMPTY_SECRET: undefined }), ["abc"])
  })
})
