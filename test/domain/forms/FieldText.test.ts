import { assert, describe, it } from "@effect/vitest"
import { choiceLabel, textFormat } from "../../../src/domain/forms/FieldText.ts"

describe("textFormat", () => {
  const formats = (names: ReadonlyArray<string>, schema: Record<string, unknown> = {}): ReadonlySet<string> =>
    new Set(names.map((name) => textFormat({ type: "string", ...schema }, name)))

  it("follows the format that the schema names", () => {
    for (const [format, expected] of Object.entries({
      date: "date",
      time: "time",
      "date-time": "date-time",
      "idn-email": "email",
      url: "uri",
      uuid: "uuid",
      password: "password",
      markdown: "multiline"
    })) {
      assert.deepStrictEqual(formats(["message", "token", "member"], { format }), new Set([expected]))
    }
    assert.deepStrictEqual(formats(["member"], { format: "ipv4" }), new Set(["text"]))
    assert.deepStrictEqual(formats(["member"], { format: "toString" }), new Set(["text"]))
  })

  it("masks what is secret by its name", () => {
    const secret = [
      "password",
      "userPassword",
      "client_secret",
      "api_key",
      "apiKey",
      "API-KEY",
      "token",
      "accessToken",
      "credentials",
      "privateKey",
      "Auth.Token"
    ]
    assert.deepStrictEqual(formats(secret), new Set(["password"]))
  })

  it("does not mask what only sounds like it", () => {
    const open = [
      "tokens",
      "max_tokens",
      "key",
      "issue_key",
      "page_token",
      "nextPageToken",
      "token_count",
      "secret_name",
      "passwordless",
      "author",
      "folder_token",
      "keyboard"
    ]
    assert.deepStrictEqual(formats(open), new Set(["text"]))
    assert.deepStrictEqual(formats(["token"], { description: "Symbol of the token, such as ETH" }), new Set(["text"]))
    assert.deepStrictEqual(formats(["app_token"], { description: "Unique identifier of the app" }), new Set(["text"]))
    assert.deepStrictEqual(formats(["token"], { description: "The token to log in with" }), new Set(["password"]))
  })

  it("gives room to what is long by name, limit or example", () => {
    assert.deepStrictEqual(
      formats(["body", "newText", "sqlQuery", "sql", "commit-message", "description", "instructions"]),
      new Set(["multiline"])
    )
    assert.deepStrictEqual(formats(["query"], { description: "A GraphQL query" }), new Set(["multiline"]))
    assert.deepStrictEqual(formats(["reason"], { maxLength: 2000 }), new Set(["multiline"]))
    assert.deepStrictEqual(formats(["x"], { default: "a\nb" }), new Set(["multiline"]))
    assert.deepStrictEqual(formats(["x"], { examples: ["a".repeat(200)] }), new Set(["multiline"]))
    assert.deepStrictEqual(formats(["x"], { contentMediaType: "text/html" }), new Set(["multiline"]))
  })

  it("gives one line to the rest", () => {
    assert.deepStrictEqual(
      formats(["query", "source", "path", "title", "context", "textual", "code_style"]),
      new Set(["text"])
    )
    assert.deepStrictEqual(formats(["message", "text"], { maxLength: 80 }), new Set(["text"]))
    assert.deepStrictEqual(formats(["path", "search", "file_name"], { maxLength: 5000 }), new Set(["text"]))
    assert.deepStrictEqual(formats(["anything"], { maxLength: 4096 }), new Set(["text"]))
  })
})

describe("choiceLabel", () => {
  it("shows any value", () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    assert.deepStrictEqual(["a", "", null, 1.5, { a: [1] }, deep].map(choiceLabel), [
      "a",
      "(empty)",
      "None (null)",
      "1.5",
      '{"a":[1]}',
      "…"
    ])
  })
})
