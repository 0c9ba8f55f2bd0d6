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
    ["postgres://me:hunt/er2@host/db", "postgres://[redacted]@host/db"],
    ["redis://me:123/er2#?x@host:6379/0 is away", "redis://[redacted]@host:6379/0 is away"],
    ["https://me:p@hunter2@host/db", "https://[redacted]@host/db"],
    ["https://me:hunt/er2@host/db", "https://[redacted]@host/db"],
    ["http://localhost:3000/@me and https://a.example/@me", "http://localhost:3000/@me and https://a.example/@me"],
    ["http://[::1]:3000/@me", "http://[::1]:3000/@me"],
    ['detail="x-api-key: abc"', 'detail="x-api-key: [redacted]"'],
    ["ghp_0123456789abcdef0123 and AKIAABCDEFGHIJKLMNOP", "[redacted] and [redacted]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[redacted]"],
    ["inputTokens: 12, maxTokens=8000, progressToken: 7", "inputTokens: 12, maxTokens=8000, progressToken: 7"],
    ["DB_PASS=hunter2\nSECRET_KEY_BASE=abcdef", "DB_PASS=[redacted]\nSECRET_KEY_BASE=[redacted]"],
    ["Server=db;Password=p@ss word1;Timeout=3", "Server=db;Password=[redacted];Timeout=3"],
    ["user: ada\nPassword: p@ss word1\nhost: x", "user: ada\nPassword: [redacted]\nhost: x"],
    ["invalid password: abc was refused", "invalid password: [redacted] was refused"],
    ["Cookie: a=1; b=2", "Cookie: [redacted]"],
    ['{"pass":"hunter2","pwd":"/home/me"}', '{"pass":"[redacted]","pwd":"/home/me"}'],
    ["curl -s -u admin:hunter2 http://x", "curl -s -u admin:[redacted] http://x"],
    ["mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"],
    ["docker run -u 1000:1000 x", "docker run -u 1000:1000 x"],
    ["https://a/c?sv=2020&sig=Zm9v%3D&se=24", "https://a/c?sv=2020&sig=[redacted]&se=24"],
    ["https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/services/[redacted]"],
    ["second pass: compile; tokens: 12; cookies: none", "second pass: compile; tokens: 12; cookies: none"],
    ["passenger: Ada, compass=north, PWD=/work", "passenger: Ada, compass=north, PWD=/work"],
    ["ask-me-anything about task-force and risk-taking", "ask-me-anything about task-force and risk-taking"]
  ]
  for (const [line, expected] of lines) it(line, () => assert.strictEqual(text(line), expected))

  const keys = [
    ["rk_live_", "51H8abcdEFGH"],
    ["whsec_", "5fK2abc9dE3f"],
    ["glpat-", "xYz123AbC456"],
    ["npm_", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY"],
    ["SG.", "aB3dE5fG7hI9.M3nO5pQ7rS9t"],
    ["ya29.", "a0AfH6SMBx12"],
    ["1//0", "gabcdefghijkLM"],
    ["hvs.", "CAESIJ1234ab"],
    ["AGE-SECRET-KEY-", "1QQPQ"],
    ["dop_v1_", "0123456789abcdef".repeat(4)],
    ["xapp-1-", "A0123456789"],
    ["hf_", "AbCdEfGhIjKlMnOpQrStUv"],
    ["MTk4NjIyNDgzNDcxOTI1MjQ4.", "Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"],
    ["110201543:", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"]
  ]
  for (const [prefix = "", rest = ""] of keys) {
    it(`knows ${prefix}…`, () => assert.strictEqual(text(`got ${prefix}${rest} here`), "got [redacted] here"))
  }

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
      "https://a:",
      "a://b:",
      "password=a ",
      "\npassword: ",
      "curl -u ",
      "mysql ",
      "sig=",
      "MAAAAAAAAAAAAAAAAAAAAAAAAA.",
      "   ",
      "\\"
    ]) {
      text(unit.repeat(Math.ceil(100_000 / unit.length)))
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
    assert.deepStrictEqual(secretsOf({ DB_PASS: "abc", PWD: "/x", PROXY: "http://u:pw@h" }), ["abc", "pw"])
    assert.deepStrictEqual(secretsOf({ REDIS: "redis://u:a/b#c@d@h:1", SITE: "http://h:3000/@me" }), ["a/b#c@d"])
  })
})
