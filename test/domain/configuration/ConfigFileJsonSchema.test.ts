import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decodeConfigFile } from "../../../src/domain/configuration/ConfigFile.ts"
import { configFileJsonSchema } from "../../../src/domain/configuration/ConfigFileJsonSchema.ts"
import { root } from "../../fixtures/RawClient.ts"

/** As an editor reads it: from the schema alone. */
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(configFileJsonSchema())

/** Every key there is, but for the two ways to name a server, of which each file has one. */
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
  generation: {
    defaultTheme: "dark",
    promptsDirectory: "prompts",
    prompt: "Calm colors.",
    uiDirectory: "ui",
    timeoutMs: 15_000,
    maxAttempts: 3,
    retryDelayMs: 1000,
    maxConcurrentGenerations: 2,
    delivery: "auto",
    onTimeout: "continue",
    toolMemory: "shapes",
    enabledTools: ["get_*"],
    tools: {
      get_issue: {
        uiType: "rich",
        theme: "light",
        interactivity: "high",
        prompt: "A timeline.",
        examples: [{ id: 1 }, null, "text"]
      }
    },
    limits: {
      maxPromptTokens: 4000,
      maxOutputTokens: 8000,
      maxRefinementHistory: 5,
      maxSchemaDepth: 5,
      maxOutputDisplayBytes: 102_400,
      maxHtmlBytes: 512_000
    }
  },
  refinements: { persist: true, directory: "state" },
  exportDirectory: "pages",
  logging: { level: "debug", format: "json", destination: "file", file: "log.txt", redactSensitiveData: true },
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
  translateEras: true,
  maxMessageBytes: 1_000_000
}

interface Described {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: Described | boolean
}

/** Every key below a schema; `*` stands for any name. */
function* describedIn(schema: Described, path: string): Generator<readonly [string, Described]> {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield [`${path}${name}`, inner]
    yield* describedIn(inner, `${path}${name}.`)
  }
  if (typeof schema.additionalProperties === "object") yield* describedIn(schema.additionalProperties, `${path}*.`)
}

const MAPS: ReadonlySet<string> = new Set(["upstream.headers", "upstream.env"])

/** The keys of a file, named in the same way. */
function* pathsIn(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const here = `${path}${path === "generation.tools." ? "*" : name}`
    yield here
    if (!MAPS.has(here)) yield* pathsIn(inner, `${here}.`)
  }
}

describe("dist/config.schema.json", () => {
  it("is what the definition of the file says", () => {
    const shipped: unknown = JSON.parse(readFileSync(join(root, "dist/config.schema.json"), "utf8"))
    assert.deepStrictEqual(shipped, JSON.parse(JSON.stringify(configFileJsonSchema())))
  })

  it("takes a file with every key, and the example has them all", () => {
    assert.isTrue(validate(everything), JSON.stringify(validate.errors))
    const known = [...describedIn(configFileJsonSchema(), "")].map(([path]) => path)
    assert.sameMembers(
      [...pathsIn(everything, "")].filter((path) => path !== "generation.tools.*"),
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
  })

  it("takes references to the environment, which an editor can not replace", () => {
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

  it("is named where people look for it", () => {
    for (const page of ["README.md", "docs/configuration.md"]) {
      assert.include(readFileSync(join(root, page), "utf8"), "dist/config.schema.json", page)
    }
    for (const [, json = ""] of readFileSync(join(root, "docs/configuration.md"), "utf8").matchAll(
      /^```json\n([^]*?)^```/gm
    )) {
      const file: unknown = JSON.parse(json)
      if (typeof file === "object" && file !== null && "$schema" in file) {
        assert.isTrue(validate(file), JSON.stringify(validate.errors))
      }
    }
  })
})
