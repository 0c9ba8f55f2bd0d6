import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { serverIdentity } from "../../src/adapters/serverIdentity.ts"
import type { UpstreamSettings } from "../../src/services/Settings.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-identity-"))
afterAll(() => rmSync(folder, { recursive: true }))

const identityOf = (upstream: UpstreamSettings) =>
  serverIdentity({ upstream, http: undefined, llm: { apiKey: undefined }, cache: { url: undefined } }, {})

const started = (command: string, args: ReadonlyArray<string>, cwd?: string) =>
  identityOf({ transport: "stdio", command, args, env: {}, cwd })

const reached = (url: string) =>
  identityOf({
    transport: "auto",
    url,
    headers: { "x-key": Redacted.make("header-secret-1") },
    token: undefined,
    reconnectDelayMs: 1,
    maxReconnectDelayMs: 1
  })

it("a server is known by its command line, whichever version of it runs", () => {
  const { id, name } = started("npx", ["-y", "@acme/server@1.2.3", "/data"])
  assert.strictEqual(name, "npx @acme/server")
  assert.match(id, /^[0-9a-f]{8}$/)
  assert.strictEqual(started("/usr/bin/npx", ["-y", "@acme/server@2.0.0", "/data"]).id, id)
  assert.notStrictEqual(started("npx", ["-y", "@acme/server", "/other"]).id, id)
  assert.notStrictEqual(started("npx", ["-y", "@acme/another", "/data"]).id, id)
})

it("files of the same name in two folders are two servers, however their paths are written", () => {
  for (const one of ["index.js", "other.js"]) writeFileSync(join(folder, one), "")
  assert.strictEqual(started("node", ["index.js"], folder).id, started("node", [join(folder, "index.js")]).id)
  assert.notStrictEqual(started("node", ["index.js"], folder).id, started("node", ["index.js"], tmpdir()).id)
})

it("neither name nor id says anything of a secret", () => {
  const one = started("server", ["--api-key", "secret-value-1", "postgres://u:password-1@host/db"])
  const other = started("server", ["--api-key", "secret-value-2", "postgres://u:password-2@host/db"])
  assert.deepStrictEqual(one, other)
  assert.strictEqual(one.name, "server")
  const [left, right] = [1, 2].map((key) =>
    reached(`https://user:passwd-${key}@host/s/long-path-key-${key}/mcp?token=abcdefgh${key}`)
  )
  assert.deepStrictEqual(left, right)
  assert.strictEqual(left?.name, "https://host")
  assert.notStrictEqual(reached("https://host/a/mcp").id, reached("https://host/b/mcp").id)
})
