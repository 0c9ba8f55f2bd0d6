import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { serverIdentity } from "../../../src/adapters/documents/serverIdentity.ts"
import type { UpstreamSettings } from "../../../src/services/settings/Settings.ts"

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

it("leaves out the version of the package that a launcher runs, however that is called", () => {
  const versions = ["1.2.3", "v2", "^1.0.0", "~2.1", "1.0.0-rc.1", "latest", "next", "beta"]
  const launchers: ReadonlyArray<readonly [string, ...Array<string>]> = [
    ["npx", "-y"],
    ["npx", "-p", "other@1", "-y"],
    ["C:\\nodejs\\npx.cmd", "-y"],
    ["cmd", "/c", "npx", "-y"],
    ["uvx", "--python", "3.12"],
    ["bunx"],
    ["pnpm", "dlx"],
    ["yarn", "dlx"],
    ["npm", "exec", "--"],
    ["uv", "tool", "run"]
  ]
  for (const [command, ...words] of launchers) {
    const ids = versions.map((version) => started(command, [...words, `@acme/server@${version}`, "x"]).id)
    const expected = started(command, [...words, "@acme/server", "x"]).id
    assert.deepStrictEqual([...new Set(ids)], [expected], [command, ...words].join(" "))
  }
  const from = (version: string) => started("uvx", [`--from=server${version}`, "run-server"]).id
  assert.strictEqual(from("@1.0"), from(""))
})

it("what stands behind an @ elsewhere tells servers apart", () => {
  const apart = (...commands: ReadonlyArray<readonly [string, ...Array<string>]>) => {
    const ids = commands.map(([command, ...args]) => started(command, args).id)
    assert.strictEqual(new Set(ids).size, commands.length, commands.join(" | "))
  }
  apart(["node", "server.js", "--account", "a@work.com"], ["node", "server.js", "--account", "a@home.org"])
  apart(["node", "server.js", "db@1"], ["node", "server.js", "db@2"], ["node", "server.js", "db"])
  apart(["npx", "-y", "server@1", "db@1"], ["npx", "-y", "server@1", "db@2"])
  apart(["npx", "-y", "me@eu"], ["npx", "-y", "me@us"])
  apart(["pnpm", "start", "a@1"], ["pnpm", "start", "a@2"])
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
