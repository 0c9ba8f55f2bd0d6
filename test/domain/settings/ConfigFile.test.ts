import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import type { ConfigFileProblem } from "../../../src/domain/settings/configFileProblems.ts"
import { decodeConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import { configFileJsonSchema } from "../../../src/domain/settings/ConfigFileJsonSchema.ts"

const problems = (document: unknown): ReadonlyArray<ConfigFileProblem> =>
  Result.match(decodeConfigFile(document), { onSuccess: () => [], onFailure: (problems) => problems })

const FULL = {
  $schema: "./node_modules/mcp-gen-ui/dist/config.schema.json",
  upstream: { transport: "stdio", command: "node", args: ["server.js"], env: { A: "1" }, cwd: "." },
  http: {
    host: "0.0.0.0",
    port: 0,
    token: "t",
    allowedOrigins: ["https://example.com"],
    allowedHosts: ["example.com"],
    maxSessions: 1,
    sessionIdleMs: 100,
    maxBodyBytes: 1024
  },
  toolPrefix: "ui-",
  translateEras: true,
  maxMessageBytes: 1024,
  llm: {
    provider: "openai",
    model: "m",
    apiKey: "k",
    baseUrl: "http://localhost:8080/v1",
    maxTokens: 4000,
    temperature: 0.2
  },
  cache: {
    type: "redis",
    directory: "uis",
    url: "rediss://example.com",
    prefix: "p:",
    maxEntries: 10,
    maxEntrySizeBytes: 2048,
    maxTotalSizeBytes: 4096,
    ttlMs: 1000
  },
  refinements: { persist: true, directory: "refined" },
  exportDirectory: "pages",
  generation: {
    defaultTheme: "dark",
    promptsDirectory: "prompts",
    prompt: "Be brief.",
    uiDirectory: "ui",
    toolMemory: "off",
    timeoutMs: 1000,
    maxAttempts: 1,
    retryDelayMs: 1,
    maxConcurrentGenerations: 1,
    delivery: "blocking",
    onTimeout: "abort",
    enabledTools: ["get_*"],
    tools: {
      "my tool": { uiType: "minimal", theme: "light", interactivity: "low", prompt: "p", examples: [{ a: 1 }] }
    },
    limits: {
      maxPromptTokens: 1000,
      maxOutputTokens: 1000,
      maxRefinementHistory: 1,
      maxSchemaDepth: 1,
      maxOutputDisplayBytes: 1024,
      maxHtmlBytes: 1024
    }
  },
  logging: { level: "warn", format: "json", destination: "file", file: "log", redactSensitiveData: false },
  toolRefresh: { enabled: true, intervalMs: 1000, retryBackoffMs: [100] }
}

describe("decodeConfigFile", () => {
  it("accepts every key of the file, and none of them", () => {
    assert.deepStrictEqual<unknown>(Result.getOrThrow(decodeConfigFile(FULL)), FULL)
    const upstream = {
      transport: "auto",
      url: "https://example.com/mcp",
      headers: { A: "1" },
      token: "t",
      oauth: {
        clientId: "c",
        clientSecret: "s",
        clientMetadataUrl: "https://example.com/client.json",
        scope: "a b",
        callbackPort: 0,
        callbackHost: "localhost",
        loginTimeoutMs: 1000
      },
      reconnectDelayMs: 1,
      maxReconnectDelayMs: 1
    }
    assert.deepStrictEqual<unknown>(Result.getOrThrow(decodeConfigFile({ upstream })), { upstream })
    assert.deepStrictEqual(Result.getOrThrow(decodeConfigFile({})), {})
  })

  const wrong: ReadonlyArray<readonly [unknown, string, string]> = [
    [[], "", "found a list; allowed: an object in { }"],
    [{ loging: {} }, "loging", 'is not a known key; did you mean "logging"?'],
    [{ cache: { maxentries: 1 } }, "cache.maxentries", 'is not a known key; did you mean "maxEntries"?'],
    [
      { zzz: 1 },
      "zzz",
      "is not a known key; known here: upstream, llm, cache, generation, refinements, exportDirectory, logging, toolRefresh, http, toolPrefix, translateEras, maxMessageBytes"
    ],
    [
      { generation: { limits: { maxHtmlBytes: "500kb" } } },
      "generation.limits.maxHtmlBytes",
      'found "500kb"; allowed: a whole number from 1024 to 5242880'
    ],
    [{ generation: { maxAttempts: 1.5 } }, "generation.maxAttempts", "found 1.5; allowed: a whole number from 1 to 10"],
    [{ generation: { maxAttempts: 0 } }, "generation.maxAttempts", "found 0; allowed: a whole number from 1 to 10"],
    [
      { generation: { tools: { "a b": { uiType: "x" } } } },
      'generation.tools["a b"].uiType',
      'found "x"; allowed: "rich", "minimal"'
    ],
    [{ generation: { enabledTools: "all" } }, "generation.enabledTools", 'found "all"; allowed: a list in [ ]'],
    [{ upstream: "node x" }, "upstream", 'found "node x"; allowed: an object in { }'],
    [{ upstream: { command: "" } }, "upstream.command", 'found ""; allowed: a text that is not empty'],
    [{ upstream: { args: ["a", 1] } }, "upstream.args[1]", "found 1; allowed: a text in double quotes"],
    [{ upstream: { transport: "tcp" } }, "upstream.transport", 'found "tcp"; allowed: "stdio", "http", "sse", "auto"'],
    [
      { upstream: { url: "ws://me:S3cret@x" } },
      "upstream.url",
      'found "ws://[redacted]@x"; allowed: a URL that begins with http:// or https://'
    ],
    [
      { upstream: { reconnectDelayMs: 0 } },
      "upstream.reconnectDelayMs",
      "found 0; allowed: a whole number from 1 to 3600000"
    ],
    [{ upstream: { oauth: true } }, "upstream.oauth", "found true; allowed: an object in { }"],
    [
      { upstream: { oauth: { clientID: "x" } } },
      "upstream.oauth.clientID",
      'is not a known key; did you mean "clientId"?'
    ],
    [{ upstream: { oauth: { scope: "" } } }, "upstream.oauth.scope", 'found ""; allowed: a text that is not empty'],
    ...["http://example.com/client.json", "https://example.com/", "client.json"].map(
      (address) =>
        [
          { upstream: { oauth: { clientMetadataUrl: address } } },
          "upstream.oauth.clientMetadataUrl",
          `found "${address}"; allowed: a URL that begins with https:// and has a path`
        ] as const
    ),
    [
      { upstream: { oauth: { callbackPort: 65_536 } } },
      "upstream.oauth.callbackPort",
      "found 65536; allowed: a whole number from 0 to 65535"
    ],
    [
      { upstream: { oauth: { callbackHost: "0.0.0.0" } } },
      "upstream.oauth.callbackHost",
      'found "0.0.0.0"; allowed: "127.0.0.1", "localhost"'
    ],
    [
      { upstream: { oauth: { loginTimeoutMs: 5 } } },
      "upstream.oauth.loginTimeoutMs",
      "found 5; allowed: a whole number from 1000 to 3600000"
    ],
    [{ http: { port: 65_536 } }, "http.port", "found 65536; allowed: a whole number from 0 to 65535"],
    [{ http: { port: "80" } }, "http.port", 'found "80"; allowed: a whole number from 0 to 65535'],
    [{ http: { allowedHosts: "x" } }, "http.allowedHosts", 'found "x"; allowed: a list in [ ]'],
    [{ http: { maxSessions: 0 } }, "http.maxSessions", "found 0; allowed: a whole number from 1 to 100000"],
    [
      { http: { origin: 1 } },
      "http.origin",
      "is not a known key; known here: host, port, token, allowedOrigins, allowedHosts, maxSessions, sessionIdleMs, maxBodyBytes"
    ],
    [
      { toolPrefix: "ui" },
      "toolPrefix",
      'found "ui"; allowed: 1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_'
    ],
    [
      { toolPrefix: 1 },
      "toolPrefix",
      "found 1; allowed: 1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_"
    ],
    [{ translateEras: "yes" }, "translateEras", 'found "yes"; allowed: true or false'],
    [{ maxMessageBytes: 1 }, "maxMessageBytes", "found 1; allowed: a whole number from 1024 to 1073741824"],
    [{ cache: { type: "disk" } }, "cache.type", 'found "disk"; allowed: "memory", "filesystem", "redis"'],
    [
      { generation: { delivery: "later" } },
      "generation.delivery",
      'found "later"; allowed: "blocking", "live", "auto"'
    ],
    [{ toolRefresh: { enabled: 1 } }, "toolRefresh.enabled", "found 1; allowed: true or false"],
    [
      { toolRefresh: { intervalMs: 999 } },
      "toolRefresh.intervalMs",
      "found 999; allowed: a whole number from 1000 to 86400000"
    ],
    [
      { toolRefresh: { retryBackoffMs: [] } },
      "toolRefresh.retryBackoffMs",
      "found a list; allowed: a list of at least one number"
    ],
    [
      { toolRefresh: { retryBackoffMs: [100, 1] } },
      "toolRefresh.retryBackoffMs[1]",
      "found 1; allowed: a whole number from 100 to 3600000"
    ],
    [{ llm: { temperature: "hot" } }, "llm.temperature", 'found "hot"; allowed: a number from 0 to 2'],
    [
      { llm: { baseUrl: "localhost:80" } },
      "llm.baseUrl",
      'found "localhost:80"; allowed: a URL that begins with http:// or https://'
    ],
    [{ logging: { level: "loud" } }, "logging.level", 'found "loud"; allowed: "debug", "info", "warn", "error"'],
    [{ logging: { redactSensitiveData: "yes" } }, "logging.redactSensitiveData", 'found "yes"; allowed: true or false']
  ]
  for (const [document, path, text] of wrong) {
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
