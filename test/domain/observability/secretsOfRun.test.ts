import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { type SecretSettings, secretsOfRun } from "../../../src/domain/observability/secretsOfRun.ts"

const stdio: SecretSettings = {
  llm: { apiKey: undefined },
  http: undefined,
  cache: { url: undefined },
  upstream: { transport: "stdio", args: [], env: {} }
}

const over = (upstream: object): SecretSettings => ({
  ...stdio,
  upstream: { transport: "http", url: "https://host.example/mcp", headers: {}, token: undefined, ...upstream }
})

const sorted = (settings: SecretSettings, environment: Readonly<Record<string, string>> = {}): ReadonlyArray<string> =>
  [...new Set(secretsOfRun(settings, environment))].toSorted()

describe("secretsOfRun", () => {
  it("finds none where there are none", () => {
    assert.deepStrictEqual(sorted(stdio, { PATH: "/bin", PWD: "/home/me/project" }), [])
    assert.deepStrictEqual(sorted(over({ headers: { Accept: Redacted.make("application/json") } })), [])
  })

  it("finds the keys of the model, of hosts and of the cache", () => {
    const settings = {
      ...stdio,
      llm: { apiKey: Redacted.make("model-key") },
      http: { token: Redacted.make("host-token") },
      cache: { url: Redacted.make("rediss://me:p%40ss-word@host:6379/0") }
    }
    assert.deepStrictEqual(sorted(settings), [
      "host-token",
      "model-key",
      "p%40ss-word",
      "p@ss-word",
      "rediss://me:p%40ss-word@host:6379/0"
    ])
  })

  it("finds what a server is started with", () => {
    const upstream = {
      transport: "stdio" as const,
      args: ["server.js", "--api-key", "flag-key", "--token=flag-token", "--port", "80", "postgres://u:url-pass@db/x"],
      env: { DB_PASS: "env-pass", PORT: "80" }
    }
    assert.deepStrictEqual(sorted({ ...stdio, upstream }), ["env-pass", "flag-key", "flag-token", "url-pass"])
  })

  it("finds what a server over the network is sent, whatever the header is called", () => {
    const found = sorted(
      over({
        url: "https://me:url-pass@host.example/s/k3yk3yk3yk3yk3y/services/mcp?token=query-token&page=2",
        token: Redacted.make("upstream-token"),
        oauth: { clientSecret: Redacted.make("client-secret") },
        headers: {
          "X-Acme": Redacted.make("acme-value"),
          Authorization: Redacted.make(`Basic ${btoa("me:basic-pass")}`),
          Cookie: Redacted.make("sid=cookie-1; theme=cookie-2")
        }
      })
    )
    for (const secret of [
      "url-pass",
      "k3yk3yk3yk3yk3y",
      "query-token",
      "upstream-token",
      "client-secret",
      "acme-value",
      btoa("me:basic-pass"),
      "me:basic-pass",
      "basic-pass",
      "cookie-1",
      "cookie-2"
    ]) {
      assert.include(found, secret)
    }
    assert.notInclude(found, "services")
  })

  it("finds what the environment of this process holds", () => {
    const environment = { GITHUB_TOKEN: "env-token", DATABASE_URL: "mysql://u:db-pass@host/x", HOME: "/home/me" }
    assert.deepStrictEqual(sorted(stdio, environment), ["db-pass", "env-token"])
  })
})
