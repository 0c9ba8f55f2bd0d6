import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import type { FileProblem } from "../../../src/domain/schemaProblems.ts"
import { decodeConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import { configFileJsonSchema } from "../../../src/domain/settings/ConfigFileJsonSchema.ts"

const problems = (document: unknown): ReadonlyArray<FileProblem> =>
  Result.match(decodeConfigFile(document), { onSuccess: () => [], onFailure: (problems) => problems })

describe("decodeConfigFile", () => {
  /** Where a value stands, the value, and what is allowed there. */
  const values: ReadonlyArray<readonly [string, unknown, string]> = [
    ["generation.limits.maxHtmlBytes", "500kb", "a whole number from 1024 to 5242880"],
    ["generation.maxAttempts", 1.5, "a whole number from 1 to 10"],
    ["generation.maxAttempts", 0, "a whole number from 1 to 10"],
    ["generation.enabledTools", "all", "a list in [ ]"],
    ["upstream", "node x", "an object in { }"],
    ["upstream.command", "", "a text that is not empty"],
    ["upstream.transport", "tcp", '"stdio", "http", "sse", "auto"'],
    ["upstream.reconnectDelayMs", 0, "a whole number from 1 to 3600000"],
    ["upstream.oauth", true, "an object in { }"],
    ["upstream.oauth.scope", "", "a text that is not empty"],
    [
      "upstream.oauth.clientMetadataUrl",
      "http://example.com/client.json",
      "a URL that begins with https:// and has a path"
    ],
    ["upstream.oauth.clientMetadataUrl", "https://example.com/", "a URL that begins with https:// and has a path"],
    ["upstream.oauth.clientMetadataUrl", "client.json", "a URL that begins with https:// and has a path"],
    ["upstream.oauth.callbackPort", 65_536, "a whole number from 0 to 65535"],
    ["upstream.oauth.callbackHost", "0.0.0.0", '"127.0.0.1", "localhost"'],
    ["upstream.oauth.loginTimeoutMs", 5, "a whole number from 1000 to 3600000"],
    ["http.port", 65_536, "a whole number from 0 to 65535"],
    ["http.port", "80", "a whole number from 0 to 65535"],
    ["http.allowedHosts", "x", "a list in [ ]"],
    ["http.maxSessions", 0, "a whole number from 1 to 100000"],
    ["toolPrefix", "ui", "1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_"],
    ["toolPrefix", 1, "1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_"],
    ["translateEras", "yes", "true or false"],
    ["maxMessageBytes", 1, "a whole number from 1024 to 1073741824"],
    ["cache.type", "disk", '"memory", "filesystem", "redis"'],
    ["generation.delivery", "later", '"blocking", "live", "auto"'],
    ["dashboards.sales.cards", [], "a list of 1 to 40 cards"],
    ["toolRefresh.enabled", 1, "true or false"],
    ["toolRefresh.intervalMs", 999, "a whole number from 1000 to 86400000"],
    ["toolRefresh.retryBackoffMs", [], "a list of at least one number"],
    ["llm.temperature", "hot", "a number from 0 to 2"],
    ["llm.baseUrl", "localhost:80", "a URL that begins with http:// or https://"],
    ["logging.level", "loud", '"debug", "info", "warn", "error"'],
    ["logging.redactSensitiveData", "yes", "true or false"]
  ]
  for (const [path, value, allowed] of values) {
    const document = path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
    const found = Array.isArray(value) ? "a list" : JSON.stringify(value)
    it(JSON.stringify(document), () =>
      assert.deepStrictEqual(problems(document), [{ path, text: `found ${found}; allowed: ${allowed}` }])
    )
  }

  const others: ReadonlyArray<readonly [unknown, string, string]> = [
    [[], "", "found a list; allowed: an object in { }"],
    [{ loging: {} }, "loging", 'is not a known key; did you mean "logging"?'],
    [{ cache: { maxentries: 1 } }, "cache.maxentries", 'is not a known key; did you mean "maxEntries"?'],
    [
      { zzz: 1 },
      "zzz",
      "is not a known key; known here: upstream, llm, cache, theme, generation, dashboards, refinements, viewTools, recall, exportDirectory, logging, toolRefresh, http, toolPrefix, wrapperTools, translateEras, maxMessageBytes"
    ],
    [
      { generation: { tools: { "a b": { uiType: "x" } } } },
      'generation.tools["a b"].uiType',
      'found "x"; allowed: "rich", "minimal", "table", "form", "chart", "cards", "list", "tree", "timeline", "calendar", "map", "gallery", "dashboard", "wizard"'
    ],
    [
      { dashboards: { "a b": { cards: [{ tool: "x" }] } } },
      'dashboards["a b"]',
      "is not allowed as a name; allowed: letters, digits, _ and -, 30 at most"
    ],
    [
      { dashboards: { a: { cards: [{ tool: "" }] } } },
      "dashboards.a.cards[0].tool",
      'found ""; allowed: a text that is not empty'
    ],
    [
      { dashboards: { a: { cards: [{ tool: "x", args: {} }] } } },
      "dashboards.a.cards[0].args",
      "is not a known key; known here: tool, arguments, title"
    ],
    [
      { dashboards: { a: { cards: [{ tool: "x", arguments: [] }] } } },
      "dashboards.a.cards[0].arguments",
      "found a list; allowed: an object in { }"
    ],
    [
      { theme: { accent: "#12345" } },
      "theme.accent",
      'found "#12345"; allowed: blue, indigo, violet, plum, rose, orange, amber, green, teal, sky, slate, or a colour such as #0a7d62'
    ],
    [{ theme: { radius: "big" } }, "theme.radius", 'found "big"; allowed: "none", "small", "large"'],
    [
      { theme: { font: 'Inter"}' } },
      "theme.font",
      'found "Inter\\"}"; allowed: the name of one font: letters, digits, blanks, . _ and -, 60 at most'
    ],
    [{ upstream: { args: ["a", 1] } }, "upstream.args[1]", "found 1; allowed: a text in double quotes"],
    [
      { upstream: { url: "ws://me:S3cret@x" } },
      "upstream.url",
      'found "ws://[redacted]@x"; allowed: a URL that begins with http:// or https://'
    ],
    [
      { upstream: { oauth: { clientID: "x" } } },
      "upstream.oauth.clientID",
      'is not a known key; did you mean "clientId"?'
    ],
    [
      { http: { origin: 1 } },
      "http.origin",
      "is not a known key; known here: host, port, token, allowedOrigins, allowedHosts, maxSessions, sessionIdleMs, maxBodyBytes"
    ],
    [
      { toolRefresh: { retryBackoffMs: [100, 1] } },
      "toolRefresh.retryBackoffMs[1]",
      "found 1; allowed: a whole number from 100 to 3600000"
    ]
  ]
  for (const [document, path, text] of others) {
    it(JSON.stringify(document), () => assert.deepStrictEqual(problems(document), [{ path, text }]))
  }

  it("reports all problems at once", () => {
    const paths = problems({ zzz: 1, llm: { provider: "x", temprature: 1 }, cache: { maxEntries: -1 } }).map(
      ({ path }) => path
    )
    assert.sameMembers([...paths], ["zzz", "llm.provider", "llm.temprature", "cache.maxEntries"])
  })

  it("never shows a value that may be secret", () => {
    const secret = "S3cret-value"
    const documents = [
      { llm: { apiKey: [secret] } },
      { llm: { apiKey: { [secret]: 1 } } },
      { upstream: { headers: { "X-Plain": { [secret]: 1 }, Other: 12_345_678 } } },
      { upstream: { token: [secret] } },
      { upstream: { oauth: secret } },
      { upstream: { oauth: { clientSecret: [secret] } } },
      { http: { token: { [secret]: 1 } } },
      { upstream: { env: { PLAIN: { [secret]: 1 }, OTHER: 12_345_678 } } }
    ]
    for (const document of documents) {
      const told = JSON.stringify(problems(document))
      assert.notInclude(told, secret)
      assert.notInclude(told, "12345678")
      assert.include(told, "may be secret")
    }
  })

  it("shortens what it shows", () => {
    const [problem] = problems({ logging: { level: "x".repeat(5000) } })
    assert.isBelow(problem?.text.length ?? Infinity, 150)
  })
})

describe("configFileJsonSchema", () => {
  const at = (...path: ReadonlyArray<string>): unknown =>
    path.reduce<unknown>((schema, name) => {
      const { properties } = schema as { readonly properties: Record<string, unknown> }
      return properties[name]
    }, configFileJsonSchema())

  it("is closed, described, and has the defaults of a run", () => {
    assert.deepInclude(configFileJsonSchema(), { type: "object", additionalProperties: false })
    assert.deepInclude(at("generation", "limits", "maxHtmlBytes"), {
      type: "integer",
      maximum: 5_242_880,
      default: CONFIG_DEFAULTS.generation.limits.maxHtmlBytes
    })
    assert.property(at("llm", "provider"), "description")
    assert.property(at("llm", "apiKey"), "description")
  })

  it("has the default of every key that has one", () => {
    const walk = (defaults: object, path: ReadonlyArray<string>): void => {
      for (const [name, value] of Object.entries(defaults)) {
        if (typeof value === "object" && !Array.isArray(value)) walk(value, [...path, name])
        else assert.deepInclude(at(...path, name), { default: value }, [...path, name].join("."))
      }
    }
    walk(CONFIG_DEFAULTS, [])
  })
})
