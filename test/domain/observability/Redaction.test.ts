import { assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { full } from "acorn-walk"
import * as fc from "fast-check"
import { globSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { isSensitiveName, makeRedactor, REDACTED, secretsOf } from "../../../src/domain/observability/Redaction.ts"

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
    [
      "Give it a token: MCP_GEN_UI_UPSTREAM_TOKEN in the environment",
      "Give it a token: MCP_GEN_UI_UPSTREAM_TOKEN in the environment"
    ],
    ["token: MY_TOKEN=abc123", "token: [redacted]"],
    ["token: SOMETHING_ELSE", "token: [redacted]"],
    ["send it as Authorization: Bearer … to us", "send it as Authorization: [redacted]"],
    ["send it as Authorization: Bearer …", "send it as Authorization: Bearer …"],
    ["Switch to basic view; Basic authentication failed", "Switch to basic view; Basic authentication failed"],
    ["a bearer token. Basic dXNlcjpwYXNz and bearer tok3n", "a bearer token. Basic [redacted] and bearer [redacted]"],
    ['WWW-Authenticate: Bearer realm="x", error="y"', 'WWW-Authenticate: Bearer realm="x", error="y"'],
    ["redis[s]://[[user][:password]@]host", "redis[s]://[[user][:password]@]host"],
    ["-http://a:b@c x-redis://a:b@c", "-http://[redacted]@c x-redis://[redacted]@c"],
    ["a://b:c@d,e://f:g@h", "a://[redacted]@h"],
    ["mysql -ptight; curl -ux:y | sh -pz", "mysql -p[redacted] curl -ux:[redacted] | sh -pz"],
    [`${"x".repeat(80)}.api_key=abc`, `${"x".repeat(80)}.api_key=[redacted]`],
    ["eyJhbGciOiJIUzI1NiJ9-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "eyJhbGciOiJIUzI1NiJ9-[redacted]"],
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
      "-eyJ",
      "a.b-",
      "curl -u-u",
      "sk-ant-",
      "   ",
      "\\"
    ]) {
      text(unit.repeat(Math.ceil(2_000_000 / unit.length)))
    }
  })

  describe("of a long text", () => {
    it("keeps the beginning, to a blank, and says how long it was", () => {
      const long = "some words ".repeat(10_000)
      const kept = text(long)
      assert.match(kept, /some words … \(cut, 110000 characters\)$/)
      assert.isAbove(kept.length, 19_900)
      assert.isAtMost(kept.length, 20_100)
      assert.strictEqual(text("some words ".repeat(1800)), "some words ".repeat(1800))
    })

    it("shows no part of a secret that stands where it is cut", () => {
      const known = ["correct horse battery staple of a run", "x".repeat(50), "first half second half"]
      const redactor = makeRedactor(known)
      const texts: ReadonlyArray<readonly [text: string, secret: string]> = [
        ...known.map((secret) => [secret, secret] as const),
        ["sk-ant-api03-abcDEF_123-xyz", "abcDEF_123-xyz"],
        ["postgres://me:hunter2,hunter3;x@host/db", "hunter2,hunter3;x"],
        ["token=abcdefghijkl", "abcdefghijkl"],
        ['password: "with some blanks in it"', "with some blanks in it"],
        ["Authorization: Bearer abc.def-123", "abc.def-123"]
      ]
      for (const [said, secret] of texts) {
        const pieces = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4))
        for (let before = 20_000 - said.length - 3; before <= 20_003; before++) {
          for (const filler of ["word ", "w"]) {
            const long = `${filler.repeat(20_000).slice(0, before)} ${said} ${"more ".repeat(100)}`
            const kept = redactor.text(long)
            assert.isFalse(
              pieces.some((piece) => kept.includes(piece)),
              `${before}: ${kept.slice(-100)}`
            )
          }
        }
      }
    })
  })

  describe("of our own messages", () => {
    /** What may stand in the places of a template. */
    const VALUES = ["word", '"quoted"', "12", "a.b.c", "some/path.json", "https://example.com/x"]

    const textsOf = (code: string): ReadonlyArray<string> => {
      const texts: Array<string> = []
      full(parse(stripTypeScriptTypes(code), { ecmaVersion: "latest", sourceType: "module" }), (node) => {
        if (node.type === "Literal" && typeof node.value === "string") texts.push(node.value)
        if (node.type !== "TemplateLiteral") return
        const parts = node.quasis.map(({ value }) => value.cooked ?? "")
        for (const value of VALUES) texts.push(parts.join(value))
      })
      return texts
    }

    it("takes nothing away", () => {
      const files = globSync("src/**/*.ts")
      assert.isAbove(files.length, 300)
      let about = 0
      for (const file of files) {
        for (const said of textsOf(readFileSync(file, "utf8"))) {
          // What is sent to a server is a secret.
          if (/^(?:Authorization: )?(?:Bearer|Basic) \S+$/.test(said)) continue
          if (/token|key|secret|password|credential|bearer|authorization/i.test(said)) about++
          assert.strictEqual(text(said), said, file)
        }
      }
      assert.isAbove(about, 300)
    })

    it("takes away the secrets that are put into them", () => {
      const secrets = [
        "sk-proj-AbCdEf0123456789",
        "sk-ant-api03-AbCdEf0123456789",
        "AIzaSyA0123456789abcdefghijklmnopqrstuv",
        "gsk_AbCdEfGhIjKlMnOpQrStUv12",
        "xai-AbCdEfGhIjKlMnOpQrStUv12",
        "ghp_0123456789abcdef0123456789abcdef0123",
        "hf_AbCdEfGhIjKlMnOpQrStUv",
        "pplx-AbCdEfGhIjKlMnOpQrStUv",
        "nvapi-AbCdEfGhIjKlMnOpQrStUv",
        "glpat-xYz123AbC456",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "AKIAABCDEFGHIJKLMNOP",
        "xoxb-123456789012-abcdef"
      ]
      const messages = [
        (secret: string) => `Give it a token: ${secret} in the environment`,
        (secret: string) => `the key ${secret} was refused`,
        (secret: string) => `llm.apiKey: ${secret} is not allowed`,
        (secret: string) => `it wants authorization; check the token ${secret}`,
        (secret: string) => `send the token as Authorization: Bearer ${secret} (MCP_GEN_UI_TOKEN)`,
        (secret: string) => `https://host.example/mcp?api_key=${secret} answered with HTTP 401`
      ]
      for (const secret of secrets) for (const message of messages) assert.notInclude(text(message(secret)), secret)
    })
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
