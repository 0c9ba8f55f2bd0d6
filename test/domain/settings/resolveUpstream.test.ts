import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import type { ConfigProblem } from "../../../src/domain/settings/ConfigProblem.ts"
import type { OAuthLogin } from "../../../src/domain/settings/resolveOAuthLogin.ts"
import type { UpstreamSources } from "../../../src/domain/settings/resolveUpstream.ts"
import { resolveUpstream } from "../../../src/domain/settings/resolveUpstream.ts"
import type { SettingsNotice } from "../../../src/domain/settings/ConfigProblem.ts"
import { tellInto } from "../../../src/domain/settings/ConfigProblem.ts"
import { assertLike, problemLine } from "../../fixtures/assertLike.ts"

const url = "https://example.com/mcp"
const SECRET = "S3cret-of-mine"

const flag = <Value>(name: string, value: Value) => ({ value, source: `--${name}`, path: "" })
const header = (...values: ReadonlyArray<string>) => flag("header", values)
const headers = (...values: ReadonlyArray<string>) => ({ value: values, source: "MCP_GEN_UI_HEADERS", path: "" })

const resolve = (more: Partial<UpstreamSources>) => {
  const problems: Array<ConfigProblem> = []
  const notices: Array<SettingsNotice> = []
  const { named, upstream } = resolveUpstream(
    {
      words: undefined,
      line: undefined,
      transport: undefined,
      headerFlag: undefined,
      headerVariable: undefined,
      environment: {},
      section: undefined,
      file: "a.json",
      fromFile: (path) => `/folder/${path}`,
      ...more
    },
    tellInto(problems, notices)
  )
  return { named, upstream, problems, events: notices.map(({ event }) => event), notices }
}

/** What was said of a login; without the keys of which nothing was said. */
const loginOf = ({ clientSecret, ...login }: OAuthLogin) => ({
  ...Object.fromEntries(Object.entries(login).filter(([, value]) => value !== undefined)),
  ...(clientSecret === undefined ? {} : { clientSecret: Redacted.value(clientSecret) })
})

/** An upstream without problems; secrets as they are sent. */
const settled = (more: Partial<UpstreamSources>): unknown => {
  const { problems, upstream } = resolve(more)
  assert.deepStrictEqual(problems, [])
  if (upstream === undefined || upstream.transport === "stdio") return upstream
  return {
    ...upstream,
    headers: Object.fromEntries(Object.entries(upstream.headers).map(([name, value]) => [name, Redacted.value(value)])),
    token: upstream.token === undefined ? undefined : Redacted.value(upstream.token),
    oauth: loginOf(upstream.oauth)
  }
}

const plain = {
  transport: "auto",
  url,
  headers: {},
  token: undefined,
  oauth: { loginTimeoutMs: 300_000 },
  reconnectDelayMs: 1000,
  maxReconnectDelayMs: 30_000
}

describe("resolveUpstream", () => {
  it("names nothing when nothing was said", () => {
    assert.deepInclude(resolve({}), { named: false, upstream: undefined, problems: [] })
  })

  describe("a command", () => {
    const words = ["node", "a b", "", "https://example.com"]
    const node = { transport: "stdio", command: "node", args: words.slice(1), env: {}, cwd: undefined }

    it("keeps its words as they are", () => {
      assert.deepStrictEqual(settled({ words }), node)
      assert.deepStrictEqual(settled({ words, transport: flag("transport", "stdio") }), node)
      assert.deepStrictEqual(settled({ line: flag("upstream", `node 'a b' "" https://example.com`) }), node)
    })

    it("gets environment and folder of a section that names no server, and nothing of one that does", () => {
      const section = { env: { A: "1" }, cwd: "x" }
      assert.deepStrictEqual(settled({ words, section }), { ...node, env: { A: "1" }, cwd: "/folder/x" })
      assert.deepStrictEqual(settled({ words, section: { ...section, command: "other" } }), node)
      assert.deepStrictEqual(settled({ words, section: { url, token: SECRET } }), node)
    })

    it("leaves a token of the environment alone, and says so", () => {
      const { events, notices } = resolve({ words, environment: { MCP_GEN_UI_UPSTREAM_TOKEN: SECRET } })
      assert.deepStrictEqual(events, ["token-unused"])
      assert.notInclude(JSON.stringify(notices), SECRET)
    })
  })

  describe("a URL", () => {
    it("takes a transport from a flag or the file", () => {
      assert.deepStrictEqual(settled({ words: [url] }), plain)
      assert.deepStrictEqual(settled({ words: [url], transport: flag("transport", "sse") }), {
        ...plain,
        transport: "sse"
      })
      const section = { url, transport: "http" } as const
      assert.deepStrictEqual(settled({ section }), { ...plain, transport: "http" })
      assert.deepStrictEqual(settled({ section, transport: flag("transport", "auto") }), plain)
    })

    it("gets everything of a section that names no server, and nothing of one that does", () => {
      const section = {
        transport: "http",
        headers: { A: "1" },
        token: "t",
        reconnectDelayMs: 5,
        maxReconnectDelayMs: 6
      } as const
      assert.deepStrictEqual(settled({ words: [url], section }), { ...plain, ...section })
      assert.deepStrictEqual(settled({ words: [url], section: { ...section, url: "https://other" } }), plain)
      assert.deepStrictEqual(settled({ words: [url], section: { command: "other", env: {} } }), plain)
    })

    it("keeps the longer of two waits at least as long as the shorter", () => {
      const waits = (section: { readonly reconnectDelayMs?: number; readonly maxReconnectDelayMs?: number }) =>
        settled({ section: { url, ...section } })
      assert.deepInclude(waits({ reconnectDelayMs: 40_000 }), { reconnectDelayMs: 40_000, maxReconnectDelayMs: 40_000 })
      assert.deepInclude(waits({ maxReconnectDelayMs: 5 }), { reconnectDelayMs: 5, maxReconnectDelayMs: 5 })
      assert.deepInclude(waits({ reconnectDelayMs: 2, maxReconnectDelayMs: 2 }), { reconnectDelayMs: 2 })
    })

    it("gets of two fields with one name the stronger, and of a token and a field too", () => {
      const of = (more: Partial<UpstreamSources>) => settled({ words: [url], ...more })
      const inFile = { headers: { authorization: "file" } }
      assert.deepInclude(
        of({ headerFlag: header("AUTHORIZATION: flag"), headerVariable: headers("Authorization: v"), section: inFile }),
        {
          headers: { AUTHORIZATION: "flag" }
        }
      )
      const environment = { MCP_GEN_UI_UPSTREAM_TOKEN: " environment\n" }
      assert.deepInclude(of({ environment, section: inFile }), { headers: {}, token: "environment" })
      assert.deepInclude(of({ environment, headerFlag: header("Authorization: flag") }), {
        headers: { Authorization: "flag" },
        token: undefined
      })
      assert.deepInclude(of({ environment, section: { token: "file" } }), { token: "environment" })
      assert.deepInclude(of({ headerVariable: headers("Authorization: v"), section: { token: "file" } }), {
        headers: { Authorization: "v" },
        token: undefined
      })
    })

    describe("with a login", () => {
      const oauth = {
        clientId: "c",
        clientSecret: SECRET,
        scope: "a b",
        callbackPort: 0,
        callbackHost: "localhost",
        loginTimeoutMs: 1000
      } as const

      it("takes it from a section for that server, and its secret from the environment first", () => {
        assert.deepInclude(settled({ section: { url, oauth } }), { oauth })
        assert.deepInclude(settled({ words: [url], section: { oauth } }), { oauth })
        assert.deepInclude(settled({ words: [url], section: { url: "https://other", oauth } }), plain)
        const { clientSecret: _, ...public_ } = oauth
        const environment = { MCP_GEN_UI_OAUTH_CLIENT_SECRET: ` ${SECRET}-2\n` }
        for (const section of [{ oauth }, { oauth: public_ }]) {
          assert.deepInclude(settled({ words: [url], section, environment }), {
            oauth: { ...oauth, clientSecret: `${SECRET}-2` }
          })
        }
        assert.deepInclude(settled({ section: { url, oauth }, environment: { MCP_GEN_UI_OAUTH_CLIENT_SECRET: " " } }), {
          oauth
        })
      })

      it("tells that it is not used when something stronger says who we are", () => {
        const section = { headers: { "X-A": "1" }, oauth: { scope: "a" } }
        const told = (more: Partial<UpstreamSources>) => {
          const { notices, problems } = resolve({ words: [url], section, ...more })
          assert.deepStrictEqual(problems, [])
          assert.notInclude(JSON.stringify(notices), SECRET)
          return notices.flatMap(({ event, message }) => (event === "login-unused" ? [message] : []))
        }
        assert.deepStrictEqual(told({}), [])
        for (const [source, more] of [
          ["MCP_GEN_UI_UPSTREAM_TOKEN", { environment: { MCP_GEN_UI_UPSTREAM_TOKEN: SECRET } }],
          ["--header", { headerFlag: header(`authorization: ${SECRET}`) }],
          ["MCP_GEN_UI_HEADERS", { headerVariable: headers(`Authorization: ${SECRET}`) }],
          ["--", { words: [`https://me:${SECRET}@example.com/mcp`] }]
        ] as const) {
          assert.deepStrictEqual(told(more), [`upstream.oauth is not used: ${source} says who you are`])
        }
      })
    })

    it("replaces references to the environment in values", () => {
      const environment = { A: "x: y", B: "" }
      assert.deepInclude(settled({ words: [url], headerFlag: header("T:Bearer ${A}${B}", "L: $${A}"), environment }), {
        headers: { T: "Bearer x: y", L: "${A}" }
      })
    })

    it("warns of a secret that would travel in the clear", () => {
      const events = (words: string, more: Partial<UpstreamSources> = {}) => resolve({ words: [words], ...more }).events
      const environment = { MCP_GEN_UI_UPSTREAM_TOKEN: SECRET }
      assert.deepStrictEqual(events("http://example.com/mcp", { environment }), ["clear-text"])
      assert.deepStrictEqual(events("http://u:p@example.com/mcp"), ["clear-text"])
      assert.deepStrictEqual(events("http://example.com", { headerVariable: headers(`X-Api-Key: ${SECRET}`) }), [
        "clear-text"
      ])
      assert.deepStrictEqual(events("http://example.com", { headerVariable: headers("X-Tenant: a") }), [])
      for (const near of ["https://example.com", "http://localhost:1/", "http://127.0.0.1", "http://[::1]:1"]) {
        assert.deepStrictEqual(events(near, { environment }), [], near)
      }
    })
  })

  const wrong: ReadonlyArray<readonly [Partial<UpstreamSources>, string]> = [
    [{ section: { command: "x", url } }, "a.json: upstream.url: stands beside upstream.command; …keep one…"],
    [{ section: { command: url } }, "a.json: upstream.command: is a URL; write it as upstream.url"],
    [{ section: { transport: "http" } }, 'a.json: upstream.url: is missing; upstream.transport is "http"'],
    [{ section: { headers: {} } }, "a.json: upstream.command: is missing…"],
    [
      { section: { transport: "stdio", url } },
      'a.json: upstream.transport: found "stdio"; allowed: "http", "sse", "auto", because upstream.url names a URL'
    ],
    [{ words: [url], transport: flag("transport", "stdio") }, "--transport: …because -- names a URL"],
    [
      { words: ["x"], transport: flag("transport", "http") },
      '--transport: found "http"; allowed: "stdio", because -- names a command'
    ],
    [{ words: ["x"], section: { transport: "sse" } }, 'a.json: upstream.transport: found "sse"; allowed: "stdio"…'],
    [
      { section: { url, cwd: "x" } },
      "a.json: upstream.cwd: is for a server that is started by a command; upstream.url names a URL"
    ],
    [{ words: [url], section: { env: {} } }, "a.json: upstream.env: …-- names a URL"],
    [{ section: { url, args: [] } }, "a.json: upstream.args: is for a server that is started…"],
    [
      { words: ["x"], section: { args: ["y"] } },
      "a.json: upstream.args: belongs to upstream.command, but -- names the server…"
    ],
    [
      { section: { command: "x", token: SECRET } },
      "a.json: upstream.token: is for a server that is reached by a URL; upstream.command names a command"
    ],
    [{ section: { command: "x", headers: { a: SECRET } } }, "a.json: upstream.headers: …reached by a URL…"],
    [
      { words: ["x"], section: { reconnectDelayMs: 1 } },
      "a.json: upstream.reconnectDelayMs: …reached by a URL; -- names a command"
    ],
    [
      { section: { command: "x", oauth: { clientId: "c", clientSecret: SECRET } } },
      "a.json: upstream.oauth: is for a server that is reached by a URL; upstream.command names a command"
    ],
    [
      { section: { url, token: SECRET, oauth: {} } },
      "a.json: upstream.oauth: stands beside upstream.token; both say who you are, keep one of the two"
    ],
    [
      { section: { url, token: SECRET, oauth: {} }, environment: { MCP_GEN_UI_UPSTREAM_TOKEN: SECRET } },
      "a.json: upstream.oauth: stands beside upstream.token…"
    ],
    [
      { words: [url], section: { headers: { AUTHORIZATION: SECRET }, oauth: {} } },
      "a.json: upstream.oauth: stands beside upstream.headers.AUTHORIZATION; …keep one…"
    ],
    [
      { section: { url: `https://me:${SECRET}@example.com`, oauth: {} } },
      "a.json: upstream.oauth: stands beside upstream.url; …keep one…"
    ],
    [
      { section: { url, oauth: { clientSecret: SECRET } } },
      "a.json: upstream.oauth.clientSecret: needs upstream.oauth.clientId beside it…"
    ],
    [
      { section: { url, oauth: { clientId: "c", clientSecret: `${SECRET}\n` } } },
      "a.json: upstream.oauth.clientSecret: …not shown…allowed: visible ASCII…"
    ],
    [
      { words: [url], environment: { MCP_GEN_UI_OAUTH_CLIENT_SECRET: `${SECRET}\u0007` } },
      "MCP_GEN_UI_OAUTH_CLIENT_SECRET: …not shown…"
    ],
    [
      { section: { url, oauth: { clientId: "c", clientMetadataUrl: "https://example.com/c.json" } } },
      "a.json: upstream.oauth.clientMetadataUrl: stands beside upstream.oauth.clientId; …keep one…"
    ],
    [{ words: ["x"], headerFlag: header("A: b") }, "--header: …reached by a URL…"],
    [{ words: ["x"], headerVariable: headers("A: b") }, "MCP_GEN_UI_HEADERS: …reached by a URL…"],
    [
      { section: { url, reconnectDelayMs: 9, maxReconnectDelayMs: 8 } },
      "a.json: upstream.maxReconnectDelayMs: found 8; allowed: at least upstream.reconnectDelayMs, which is 9"
    ],
    [{ words: ["ftp://x"] }, '--: found "ftp://x"; allowed: a URL that begins with http:// or https://'],
    [{ line: flag("upstream", "ws://x/mcp") }, '--upstream: found "ws:…http://…'],
    [{ words: ["https://"] }, '--: found "https://"; allowed: a URL that begins with http:// or https://'],
    [{ line: flag("upstream", `http://me:${SECRET}@x:99999`) }, '--upstream: found "http://[redacted]@x:99999"…'],
    [{ words: [url], headerFlag: header(SECRET) }, '--header: …not shown…allowed: "Name: value"'],
    [{ words: [url], headerFlag: header(`X Y: ${SECRET}`) }, '--header: "X Y" is not the name of a header…'],
    [
      { section: { url, headers: { A: `b\r\nC: ${SECRET}` } } },
      "a.json: upstream.headers.A: the value of A has a character…"
    ],
    [
      { section: { url, headers: { "Mcp-Session-Id": SECRET } } },
      'a.json: upstream.headers["Mcp-Session-Id"]: …set by mcp-gen-ui itself…'
    ],
    [{ words: [url], headerFlag: header("X-A: 1", "x-a: 1") }, "--header: x-a is given twice"],
    [
      { words: [url], headerFlag: header("X-A: ${NOPE}") },
      "--header: X-A needs the environment variable NOPE, which is not set"
    ],
    [
      { words: [url], headerVariable: headers("X-A: ${NO-PE}") },
      "MCP_GEN_UI_HEADERS: X-A has a ${ that no variable name…"
    ],
    [{ words: [url], headerFlag: header("X-A: ${E}"), environment: { E: "" } }, "--header: X-A has no value"],
    [
      { words: [url], environment: { MCP_GEN_UI_UPSTREAM_TOKEN: `Bearer ${SECRET}` } },
      "MCP_GEN_UI_UPSTREAM_TOKEN: …not shown…allowed: one word…without Bearer…"
    ],
    [{ section: { url, token: `${SECRET}\n` } }, "a.json: upstream.token: …not shown…"],
    [
      { section: { url, token: SECRET, headers: { authorization: SECRET } } },
      "a.json: upstream.token: stands beside an Authorization header (a.json: upstream.headers.authorization)…"
    ],
    [
      { words: [url], headerVariable: headers("Authorization: x"), environment: { MCP_GEN_UI_UPSTREAM_TOKEN: SECRET } },
      "MCP_GEN_UI_UPSTREAM_TOKEN: …(MCP_GEN_UI_HEADERS); keep one…"
    ]
  ]
  for (const [more, expected] of wrong) {
    it(expected, () => {
      const { named, problems } = resolve(more)
      assert.isTrue(named)
      assert.lengthOf(problems, 1, JSON.stringify(problems))
      assertLike(problemLine(problems[0]), expected)
      assert.notInclude(JSON.stringify(problems), SECRET)
    })
  }
})
