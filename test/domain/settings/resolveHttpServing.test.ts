import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import type { ConfigProblem } from "../../../src/domain/settings/ConfigProblem.ts"
import type { HttpServingSources } from "../../../src/domain/settings/resolveHttpServing.ts"
import { resolveHttpServing } from "../../../src/domain/settings/resolveHttpServing.ts"
import type { SettingsNotice } from "../../../src/domain/settings/ConfigProblem.ts"
import { tellInto } from "../../../src/domain/settings/ConfigProblem.ts"
import { assertLike, problemLine } from "../../fixtures/assertLike.ts"

const TOKEN = "a-token-that-is-long-enough"
const environment = { MCP_GEN_UI_TOKEN: TOKEN }

const resolve = (address: string | undefined, more: Partial<HttpServingSources> = {}) => {
  const problems: Array<ConfigProblem> = []
  const notices: Array<SettingsNotice> = []
  const http = resolveHttpServing(
    {
      address: address === undefined ? undefined : { value: address, source: "--http", path: "" },
      environment: {},
      section: undefined,
      file: "a.json",
      ...more
    },
    tellInto(problems, notices)
  )
  return { http, problems, notices }
}
const settled = (address: string | undefined, more?: Partial<HttpServingSources>) => {
  const { http, problems } = resolve(address, more)
  assert.deepStrictEqual(problems, [])
  return http ?? assert.fail("not over HTTP")
}

describe("resolveHttpServing", () => {
  it("is for those who ask for it", () => {
    assert.deepStrictEqual(resolve(undefined, { environment }), { http: undefined, problems: [], notices: [] })
    assert.deepStrictEqual(settled("0"), {
      host: "127.0.0.1",
      port: 0,
      token: undefined,
      allowedOrigins: [],
      allowedHosts: [],
      maxSessions: 100,
      sessionIdleMs: 1_800_000,
      maxBodyBytes: 67_108_864
    })
    assert.deepInclude(settled(undefined, { section: { port: 3000 } }), { host: "127.0.0.1", port: 3000 })
  })

  it("goes back to standard input and output with off, whatever the file says", () => {
    const section = { host: "0.0.0.0", port: 3000 }
    for (const off of ["off", " OFF "]) {
      assert.deepStrictEqual(resolve(off, { section }), { http: undefined, problems: [], notices: [] })
    }
  })

  it("takes port, and host if it is there, from the flag, and the rest from the file", () => {
    const section = {
      host: "[::1]",
      port: 1,
      allowedOrigins: ["HTTPS://Example.com:443", "http://localhost:8080", "vscode-webview://AbC"],
      allowedHosts: ["MCP.example.com", "a:1", "[::1]:2", "10.0.0.1"],
      maxSessions: 2,
      sessionIdleMs: 3000,
      maxBodyBytes: 4096
    }
    const expected = {
      ...section,
      host: "::1",
      port: 9,
      token: undefined,
      allowedOrigins: ["https://example.com", "http://localhost:8080", "vscode-webview://AbC"],
      allowedHosts: ["mcp.example.com", "a:1", "[::1]:2", "10.0.0.1"]
    }
    assert.deepStrictEqual(settled("9", { section }), expected)
    assert.deepStrictEqual(settled("localhost:9", { section }), { ...expected, host: "localhost" })
  })

  it("takes the token from the environment before the file, and does not show it", () => {
    const section = { port: 1, token: `${TOKEN}-of-the-file` }
    const { token } = settled(undefined, { section, environment })
    assert.strictEqual(token && Redacted.value(token), TOKEN)
    assert.strictEqual(String(token).includes(TOKEN), false)
    const { token: inFile } = settled(undefined, { section, environment: { MCP_GEN_UI_TOKEN: " " } })
    assert.strictEqual(inFile && Redacted.value(inFile), section.token)
  })

  it("listens beyond this machine with a token only, and says what a host elsewhere needs", () => {
    for (const address of ["0.0.0.0:80", "[::]:80", "192.168.1.2:80", "mcp.example.com:80", "[::ffff:10.0.0.1]:80"]) {
      const { http, problems } = resolve(address)
      assert.deepStrictEqual([problems.length, problems[0]?.source], [1, "--http"], address)
      assert.match(
        problems[0]?.text ?? "",
        /can be reached by other machines.*set MCP_GEN_UI_TOKEN \(make one: node -p/
      )
      assert.isDefined(http)
      assert.strictEqual(settled(address, { environment }).port, 80)
    }
    const { problems } = resolve("80", { section: { host: "0.0.0.0" } })
    assert.deepInclude(problems[0], { source: "a.json", path: "http.host" })

    const notices = (section: NonNullable<HttpServingSources["section"]>) =>
      resolve("0.0.0.0:80", { environment, section }).notices.map(({ event }) => event)
    assert.deepStrictEqual(notices({}), ["no-allowed-hosts"])
    assert.deepStrictEqual(notices({ allowedHosts: ["a"] }), [])
  })

  it("warns of a token that can be guessed", () => {
    const { http, notices } = resolve("0", { environment: { MCP_GEN_UI_TOKEN: "pa55word" } })
    assert.isDefined(http)
    assert.deepStrictEqual(
      notices.map(({ event }) => event),
      ["short-token"]
    )
    assert.notInclude(JSON.stringify(notices), "pa55word")
  })

  const wrong: ReadonlyArray<readonly [string | undefined, Partial<HttpServingSources>, string]> = [
    ["on", {}, '--http: found "on"; allowed: PORT, HOST:PORT or [IPV6]:PORT with a port from 0 to 65535…'],
    ["65536", {}, '--http: found "65536"…'],
    ["::1:80", {}, '--http: found "::1:80"…'],
    [undefined, { section: { host: "localhost" } }, "a.json: http.port: is missing…"],
    [
      "1",
      { section: { host: "localhost:80" } },
      'a.json: http.host: found "localhost:80"; allowed: a name or an IP address…'
    ],
    ["1", { section: { host: "a b" } }, 'a.json: http.host: found "a b"…'],
    ["1", { environment: { MCP_GEN_UI_TOKEN: `Bearer ${TOKEN}` } }, "MCP_GEN_UI_TOKEN: …not shown…"],
    ["1", { section: { token: `${TOKEN}é` } }, "a.json: http.token: …not shown…"],
    [
      "1",
      { section: { allowedOrigins: ["https://a.example", "*"] } },
      'a.json: http.allowedOrigins[1]: found "*"; allowed: an origin…'
    ],
    ["1", { section: { allowedOrigins: ["https://a.example/"] } }, "a.json: http.allowedOrigins[0]: …without a path…"],
    ["1", { section: { allowedOrigins: ["https://*.example"] } }, "a.json: http.allowedOrigins[0]: …without *"],
    ["1", { section: { allowedOrigins: ["null"] } }, 'a.json: http.allowedOrigins[0]: found "null"…'],
    [
      "1",
      { section: { allowedHosts: ["http://a"] } },
      'a.json: http.allowedHosts[0]: found "http://a"; allowed: a name…'
    ],
    ["1", { section: { allowedHosts: ["*"] } }, "a.json: http.allowedHosts[0]: …without *"],
    ["1", { section: { allowedHosts: ["a:70000"] } }, "a.json: http.allowedHosts[0]: found…"]
  ]
  for (const [address, more, expected] of wrong) {
    it(expected, () => {
      const { problems } = resolve(address, more)
      assert.lengthOf(problems, 1, JSON.stringify(problems))
      assertLike(problemLine(problems[0]), expected)
      assert.notInclude(JSON.stringify(problems), TOKEN)
    })
  }
})
