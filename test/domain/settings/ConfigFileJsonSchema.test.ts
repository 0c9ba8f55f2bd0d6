import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Result } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { decodeConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import { configFileJsonSchema } from "../../../src/domain/settings/ConfigFileJsonSchema.ts"
import { resolveSettings } from "../../../src/layers/settings/Settings.ts"
import { root } from "../../fixtures/RawClient.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

/** As an editor reads it: from the schema alone. */
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(configFileJsonSchema())

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-schema-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every key there is, also those of which a file has one or the other. */
const everything = {
  $schema: "./node_modules/mcp-gen-ui/dist/config.schema.json",
  upstream: {
    transport: "auto",
    url: "https://mcp.example.com/mcp",
    headers: { "X-Api-Key": "${ISSUES_KEY}" },
    token: "${TOKEN}",
    oauth: {
      clientId: "id",
      clientSecret: "${SECRET}",
      clientMetadataUrl: "https://example.com/client.json",
      scope: "a b",
      callbackPort: 3334,
      callbackHost: "localhost",
      loginTimeoutMs: 300_000
    },
    reconnectDelayMs: 1000,
    maxReconnectDelayMs: 30_000,
    command: "node",
    args: ["server.js"],
    env: { DEBUG: "1" },
    cwd: "."
  },
  llm: {
    provider: "openai",
    model: "m",
    apiKey: "${KEY}",
    baseUrl: "http://localhost:8000/v1",
    maxTokens: 8000,
    temperature: 0.2
  },
  cache: {
    type: "redis",
    directory: "uis",
    url: "redis://localhost:6379",
    prefix: "mcp-gen-ui:",
    maxEntries: 100,
    maxEntrySizeBytes: 512_000,
    maxTotalSizeBytes: 52_428_800,
    ttlMs: 60_000
  },
  theme: {
    accent: "#0a7d62",
    radius: "small",
    density: "compact",
    logo: "logo.svg",
    font: "Inter",
    monoFont: "Fira Code"
  },
  generation: {
    defaultTheme: "dark",
    promptsDirectory: "prompts",
    prompt: "Calm colors.",
    language: "de",
    baseTemplate: "house.html",
    uiDirectory: "ui",
    timeoutMs: 15_000,
    maxAttempts: 3,
    retryDelayMs: 1000,
    maxConcurrentGenerations: 2,
    delivery: "auto",
    onTimeout: "continue",
    library: false,
    secondDraft: "next",
    toolMemory: "shapes",
    enabledTools: ["get_*"],
    tools: {
      get_issue: {
        uiType: "rich",
        theme: "light",
        interactivity: "high",
        prompt: "A timeline.",
        examples: [{ id: 1 }, null, "text"],
        fields: { label_id: { from: "list_labels", value: "id", label: "name", search: "q", color: "color" } },
        records: { get: "get_issue", create: false, update: "edit_issue", delete: false, id: "number" },
        frames: ["https://dash.example.com", "http://localhost:8080"]
      },
      list_labels: { records: false }
    },
    limits: {
      maxPromptTokens: 5000,
      maxOutputTokens: 8000,
      maxRefinementHistory: 5,
      maxSchemaDepth: 5,
      maxOutputDisplayBytes: 102_400,
      maxHtmlBytes: 512_000
    }
  },
  refinements: { persist: true, directory: "state" },
  viewTools: "on",
  recall: "off",
  exportDirectory: "pages",
  logging: { level: "debug", format: "json", destination: "file", file: "log.txt", redactSensitiveData: true },
  dashboards: { sales: { title: "Sales", cards: [{ tool: "list_orders", arguments: { open: true }, title: "Open" }] } },
  toolRefresh: { enabled: true, intervalMs: 60_000, retryBackoffMs: [1000, 2000] },
  http: {
    host: "127.0.0.1",
    port: 8080,
    token: "${HOST_TOKEN}",
    allowedOrigins: ["https://example.com"],
    allowedHosts: ["example.com"],
    maxSessions: 10,
    sessionIdleMs: 60_000,
    maxBodyBytes: 1_000_000
  },
  toolPrefix: "ui_",
  wrapperTools: "few",
  translateEras: true,
  maxMessageBytes: 1_000_000
}

interface Described {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: Described | boolean
  readonly anyOf?: ReadonlyArray<Described>
  readonly items?: Described
}

/** Every key below a schema; `*` stands for any name. */
function* describedIn(schema: Described, path: string): Generator<readonly [string, Described]> {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield [`${path}${name}`, inner]
    yield* describedIn(inner, `${path}${name}.`)
  }
  for (const inner of schema.anyOf ?? []) yield* describedIn(inner, path)
  if (schema.items !== undefined) yield* describedIn(schema.items, `${path}*.`)
  if (typeof schema.additionalProperties === "object") yield* describedIn(schema.additionalProperties, `${path}*.`)
}

const MAPS: ReadonlySet<string> = new Set([
  "upstream.headers",
  "upstream.env",
  "generation.tools.*.examples",
  "dashboards.*.cards.*.arguments"
])
const NAMED = /^(?:generation\.tools|dashboards)\.$|\.fields\.$/

/** The keys of a file, named in the same way. */
function* pathsIn(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(value) && typeof inner !== "object") continue
    const here = `${path}${Array.isArray(value) || NAMED.test(path) ? "*" : name}`
    yield here
    if (!MAPS.has(here)) yield* pathsIn(inner, `${here}.`)
  }
}

describe("dist/config.schema.json", () => {
  it("is what the definition of the file says", () => {
    const shipped: unknown = JSON.parse(readFileSync(join(root, "dist/config.schema.json"), "utf8"))
    assert.deepStrictEqual(shipped, JSON.parse(JSON.stringify(configFileJsonSchema())))
  })

  it("takes every key in files that make sense, and the example has them all", () => {
    const { cache, upstream, ...others } = everything
    const { args, command, cwd, env, transport, ...reached } = upstream
    const { clientId, clientMetadataUrl, clientSecret, ...login } = reached.oauth
    const { token, ...withLogin } = reached
    const { directory, url, ...kept } = cache
    const { oauth: _oauth, ...withToken } = { ...reached, token, transport }
    const files: ReadonlyArray<object> = [
      { ...others, upstream: { command, args, env, cwd, transport: "stdio" }, cache: { ...kept, url } },
      { ...others, upstream: withToken, cache: { ...kept, type: "filesystem", directory } },
      { upstream: { ...withLogin, oauth: { ...login, clientId, clientSecret } } },
      { upstream: { ...withLogin, oauth: { ...login, clientMetadataUrl } } }
    ]
    for (const file of files) assert.isTrue(validate(file), JSON.stringify(validate.errors))
    assert.deepStrictEqual<unknown>(Result.getOrThrow(decodeConfigFile(everything)), everything)
    const known = [...describedIn(configFileJsonSchema(), "")].map(([path]) => path)
    assert.sameMembers(
      [...new Set(pathsIn(everything, ""))].filter((path) => !path.endsWith("*")),
      known
    )
  })

  it("says something about every key", () => {
    for (const [path, { description = "" }] of describedIn(configFileJsonSchema(), "")) {
      assert.match(description, /^\S.{5,}\.$/, path)
    }
  })

  it("takes a file without anything", () => {
    assert.isTrue(validate({}))
    assert.deepStrictEqual(Result.getOrThrow(decodeConfigFile({})), {})
  })

  it("takes references to the environment, which an editor cannot replace", () => {
    const file = { upstream: { url: "${SERVER}" }, cache: { url: "redis://${HOST}" }, toolPrefix: "${PREFIX}" }
    assert.isTrue(validate(file), JSON.stringify(validate.errors))
  })

  const wrong: ReadonlyArray<unknown> = [
    [],
    { llm: { modle: "x" } },
    { llm: { provider: "gpt" } },
    { cache: { maxEntries: 0 } },
    { cache: { maxEntries: 1.5 } },
    { generation: { enabledTools: "all" } },
    { generation: { tools: { a: { theme: "blue" } } } },
    { generation: { tools: { a: { fields: { b: true } } } } },
    { generation: { tools: { a: { fields: { b: { value: "id" } } } } } },
    { generation: { tools: { a: { fields: { b: { from: "list_b", name: "id" } } } } } },
    { generation: { tools: { a: { frames: ["https://dash.example.com/board"] } } } },
    { generation: { tools: { a: { frames: ["https://a.example; script-src *"] } } } },
    { generation: { limits: { maxHtmlBytes: "1" } } },
    { toolRefresh: { retryBackoffMs: [] } },
    { http: { port: 70_000 } },
    { exportDirectory: "" }
  ]
  for (const file of wrong) {
    it(`refuses ${JSON.stringify(file)}, as a start does`, () => {
      assert.isFalse(validate(file))
      assert.isTrue(Result.isFailure(decodeConfigFile(file)))
    })
  }

  /** Refused by both. */
  const refused: ReadonlyArray<object> = [
    { upstream: { command: "x", url: "http://x" } },
    { upstream: { command: "ftp://x" } },
    { upstream: { command: "x", token: "t" } },
    { upstream: { command: "x", headers: {} } },
    { upstream: { command: "x", transport: "http" } },
    { upstream: { url: "http://x", env: {} } },
    { upstream: { url: "http://x", transport: "stdio" } },
    { upstream: { args: ["x"] } },
    { upstream: { cwd: ".", reconnectDelayMs: 1 } },
    { upstream: { url: "ftp://x" } },
    { upstream: { url: "http:x" } },
    { upstream: { url: " http://x" } },
    { upstream: { url: "http://x", token: "two words" } },
    { upstream: { url: "http://x", token: "t", oauth: {} } },
    { upstream: { url: "http://x", headers: { "a b": "c" } } },
    { upstream: { url: "http://x", headers: { a: "" } } },
    { upstream: { url: "http://x", headers: { a: "\u00e4" } } },
    { upstream: { url: "http://x", oauth: { clientSecret: "s" } } },
    { upstream: { url: "http://x", oauth: { clientId: "i", clientSecret: "\t" } } },
    { upstream: { url: "http://x", oauth: { clientId: "i", clientMetadataUrl: "https://x/y" } } },
    { upstream: { url: "http://x", oauth: { clientMetadataUrl: "http://x/y" } } },
    { llm: { provider: "openai", baseUrl: "ftp://x" } },
    { cache: { type: "redis" } },
    { cache: { type: "redis", url: "redis://h", directory: "d" } },
    { cache: { type: "memory", directory: "d" } },
    { cache: { type: "memory", url: "redis://h" } },
    { cache: { type: "filesystem", url: "redis://h" } },
    { cache: { url: "redis://h", directory: "d" } },
    { cache: { url: "http://x" } },
    { cache: { url: "redis://" } },
    { cache: { url: "redis://h:port" } },
    { cache: { url: "redis://u:p@h/x" } },
    { cache: { url: "redis://u:p/w@h" } },
    { cache: { url: "redis://u#w@h" } },
    { logging: { destination: "stderr", file: "f" } },
    { logging: { destination: "stdout" } },
    { http: { port: 1, token: "two words" } },
    { http: { port: 1, allowedOrigins: ["*"] } },
    { http: { port: 1, allowedOrigins: ["https://x/path"] } },
    { http: { port: 1, allowedHosts: ["a b"] } },
    { http: { port: 1, allowedHosts: ["*.x"] } },
    { toolPrefix: "\u00fc_" },
    { toolPrefix: "ui" }
  ]
  /** Taken by both. */
  const taken: ReadonlyArray<object> = [
    { upstream: { command: "C:\\x.exe", args: [] } },
    { upstream: { command: "x", transport: "stdio", env: {}, cwd: "." } },
    { upstream: { url: "HTTPS://x", transport: "sse", headers: { A: " b\n" } } },
    { upstream: { url: "http://x", oauth: { clientId: "i", clientSecret: "s" } } },
    { upstream: { url: "${URL}", transport: "${SSE}", token: "${WORD}", headers: { a: "${WORD}" } } },
    { llm: { provider: "${NONE}" } },
    { llm: { provider: "ollama", baseUrl: "${URL}" } },
    { cache: { type: "${REDIS}", url: "${REDIS}://h" } },
    { cache: { url: "redis://u:p@@h:/?family=6" } },
    { cache: { type: "redis", url: "REDISS://u:p%25@[::1]:6380/2" } },
    { cache: { type: "filesystem", directory: "d" } },
    { cache: { type: "filesystem" } },
    { cache: { directory: "d" } },
    { logging: { file: "f" } },
    { logging: { destination: "file", file: "f" } },
    {
      http: { port: 0, token: "${WORD}", allowedOrigins: ["vscode://x", "${URL}"], allowedHosts: ["[::1]:80", "x:1"] }
    },
    { toolPrefix: "${WORD}_" },
    { toolPrefix: "-" }
  ]
  /** Refused by a start without flags only: a flag, a variable or what a reference stands for may say the rest. */
  const open: ReadonlyArray<object> = [
    { upstream: { env: {} } },
    { upstream: { transport: "http" } },
    { http: { token: "0123456789abcdef" } },
    { http: { host: "0.0.0.0", port: 1 } },
    { logging: { destination: "file" } },
    { llm: { provider: "anthropic" } },
    { llm: { apiKey: "k" } },
    { toolPrefix: "${WORD}" },
    { cache: { url: "redis://h:99999" } },
    { upstream: { url: "http://x", headers: { Host: "x" } } },
    { upstream: { url: "http://x", reconnectDelayMs: 2, maxReconnectDelayMs: 1 } }
  ]

  /** Sections that contradict themselves, which a start does not look at where a flag takes their place. */
  const replaced: ReadonlyArray<object> = [
    { upstream: { command: "x", url: "http://x" } },
    { upstream: { command: "x", headers: {} } },
    { upstream: { url: "http://x", env: {} } }
  ]

  const takes = Effect.fn(function* (
    config: object,
    by: { readonly command?: ReadonlyArray<string>; readonly flags?: { readonly logFile: string } } = {}
  ) {
    const path = join(folder, "config.json")
    writeFileSync(path, JSON.stringify(config))
    const environment = { URL: "http://x", WORD: "word", SSE: "sse", NONE: "none", REDIS: "redis" }
    const defaultUpstream = { transport: "stdio", command: "x", args: [], env: {}, cwd: undefined } as const
    const flags = { config: path, ...by.flags }
    return Result.isSuccess(
      yield* Effect.result(resolveSettings({ flags, command: by.command, environment, defaultUpstream }))
    )
  })

  itEffect("refuses what a start refuses, as far as a schema can say it, and nothing else", function* () {
    const lists = [
      [refused, false, false],
      [taken, true, true],
      [open, true, false]
    ] as const
    for (const [files, bySchema, byStart] of lists) {
      for (const file of files) {
        const text = JSON.stringify(file)
        assert.deepStrictEqual([validate(file), yield* takes(file)], [bySchema, byStart], text)
      }
    }
  })

  itEffect("speaks of the file alone: of what a flag completes, and not of what one replaces", function* () {
    const completed = { logging: { destination: "file" } }
    assert.deepStrictEqual([validate(completed), yield* takes(completed, { flags: { logFile: "f" } })], [true, true])
    for (const file of replaced) {
      const text = JSON.stringify(file)
      assert.deepStrictEqual([validate(file), yield* takes(file)], [false, false], text)
      assert.isTrue(yield* takes(file, { command: ["node", "s.js"] }), text)
    }
  })

  it("is named where people look for it", () => {
    const page = readFileSync(join(root, "docs/configuration.md"), "utf8")
    assert.include(page, "dist/config.schema.json")
    for (const [, json = ""] of page.matchAll(/^```json\n([^]*?)^```/gm)) {
      const file: unknown = JSON.parse(json)
      if (typeof file === "object" && file !== null && "$schema" in file) {
        assert.isTrue(validate(file), JSON.stringify(validate.errors))
      }
    }
  })
})
