import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import type { ConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import type { SettingsSources } from "../../../src/layers/settings/Settings.ts"
import { layer, resolveSettings } from "../../../src/layers/settings/Settings.ts"
import type { HttpUpstream, StdioUpstream, UpstreamSettings } from "../../../src/services/settings/Settings.ts"
import { Settings } from "../../../src/services/settings/Settings.ts"
import { assertLike, problemLine } from "../../fixtures/assertLike.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const folder = fileFolder()

let files = 0
const file = (content: unknown): string => fileIn(folder, `config-${++files}.json`, content)

const from = (sources: Partial<SettingsSources>): SettingsSources => ({
  flags: {},
  command: ["node"],
  environment: {},
  ...sources
})
const settle = (sources: Partial<SettingsSources>) =>
  Effect.map(resolveSettings(from(sources)), ({ settings }) => settings)
const problems = Effect.fn(function* (sources: Partial<SettingsSources>) {
  const result = yield* Effect.result(resolveSettings(from(sources)))
  return Result.isSuccess(result) ? [] : result.failure.problems
})
const started = (upstream: UpstreamSettings): StdioUpstream => {
  assert(upstream.transport === "stdio")
  return upstream
}
const reached = (upstream: UpstreamSettings): HttpUpstream => {
  assert(upstream.transport !== "stdio")
  return upstream
}
/** Where this system's programs keep such things. */
const isMac = process.platform === "darwin"
const CACHES = isMac ? ["Library", "Caches"] : [".cache"]
const STATES = isMac ? ["Library", "Application Support"] : [".local", "state"]

const notices = (sources: Partial<SettingsSources>) =>
  Effect.map(resolveSettings(from(sources)), ({ notices }) => notices)

/** One problem, as it is told. */
const refuses = (sources: Partial<SettingsSources>, expected: string): void =>
  itEffect(expected, function* () {
    const [found, ...more] = yield* problems(sources)
    assert.isEmpty(more)
    assertLike(problemLine(found), expected)
  })

describe("resolveSettings", () => {
  itEffect("takes the defaults when nothing is said", function* () {
    assert.deepStrictEqual(yield* settle({ command: ["node", "server.js"] }), {
      upstream: { transport: "stdio", command: "node", args: ["server.js"], env: {}, cwd: undefined },
      http: undefined,
      toolPrefix: "_ui_",
      wrapperTools: "few",
      translateEras: false,
      maxMessageBytes: 268_435_456,
      toolRefresh: { enabled: false, intervalMs: 300_000, retryBackoffMs: [30_000, 60_000, 120_000] },
      llm: {
        provider: "host",
        model: undefined,
        apiKey: undefined,
        baseUrl: undefined,
        maxTokens: 8000,
        temperature: undefined
      },
      cache: {
        enabled: true,
        ...CONFIG_DEFAULTS.cache,
        directory: join(homedir(), ...CACHES, "mcp-gen-ui"),
        url: undefined,
        ttlMs: undefined
      },
      dashboards: {},
      viewTools: "off",
      recall: "on",
      refinements: { persist: false, directory: join(homedir(), ...STATES, "mcp-gen-ui") },
      exportDirectory: undefined,
      theme: {},
      generation: {
        ...CONFIG_DEFAULTS.generation,
        promptsDirectory: undefined,
        prompt: undefined,
        baseTemplate: undefined,
        uiDirectory: undefined,
        enabledTools: undefined,
        tools: {}
      },
      logging: {
        level: "info",
        format: "text",
        destination: "stderr",
        file: undefined,
        redactSensitiveData: true
      },
      forceUi: false,
      embedUi: false,
      debug: false
    })
  })

  describe("flag over environment over file over default", () => {
    const config: ConfigFile = {
      upstream: { command: "from-file" },
      llm: { provider: "ollama", model: "from-file" },
      logging: { level: "error", format: "json", file: "/from/file" },
      http: { port: 3 },
      toolPrefix: "file_",
      translateEras: true
    }
    const environment = {
      MCP_GEN_UI_UPSTREAM: "from-environment",
      MCP_GEN_UI_LLM: "openai",
      OPENAI_API_KEY: "key-of-environment",
      ANTHROPIC_API_KEY: "key-of-environment",
      MCP_GEN_UI_MODEL: "from-environment",
      MCP_GEN_UI_LOG_LEVEL: "warn",
      MCP_GEN_UI_LOG_FORMAT: "json",
      MCP_GEN_UI_LOG_FILE: "/from/environment",
      MCP_GEN_UI_DEBUG: "1",
      MCP_GEN_UI_NO_CACHE: "yes",
      MCP_GEN_UI_FORCE_UI: "on",
      MCP_GEN_UI_EMBED_UI: "on",
      MCP_GEN_UI_HTTP: "2",
      MCP_GEN_UI_TOOL_PREFIX: "environment_"
    }
    const flags = {
      upstream: "from-flag",
      llm: "anthropic",
      model: "from-flag",
      logLevel: "debug",
      logFormat: "text",
      logFile: "/from/flag",
      http: "1",
      toolPrefix: "flag_"
    } as const
    type Read = (settings: Settings["Service"]) => unknown
    const rows: ReadonlyArray<readonly [string, Read, unknown, unknown, unknown, unknown]> = [
      [
        "upstream",
        ({ upstream }) => started(upstream).command,
        "from-flag",
        "from-environment",
        "from-file",
        "example"
      ],
      ["provider", ({ llm }) => llm.provider, "anthropic", "openai", "ollama", "host"],
      ["model", ({ llm }) => llm.model, "from-flag", "from-environment", "from-file", undefined],
      ["level", ({ logging }) => logging.level, "debug", "warn", "error", "info"],
      ["format", ({ logging }) => logging.format, "text", "json", "json", "text"],
      ["log file", ({ logging }) => logging.file, "/from/flag", "/from/environment", "/from/file", undefined],
      ["debug", ({ debug }) => debug, true, true, false, false],
      ["no cache", ({ cache }) => !cache.enabled, true, true, false, false],
      ["HTTP", ({ http }) => http?.port, 1, 2, 3, undefined],
      ["tool prefix", ({ toolPrefix }) => toolPrefix, "flag_", "environment_", "file_", "_ui_"],
      ["eras", ({ translateEras }) => translateEras, true, true, true, false],
      ["force UI", ({ forceUi }) => forceUi, true, true, false, false],
      ["embed UI", ({ embedUi }) => embedUi, true, true, false, false]
    ]
    const example = { transport: "stdio", command: "example", args: [], env: {}, cwd: undefined } as const
    const levels = [
      { flags: { ...flags, debug: true, noCache: true, forceUi: true, embedUi: true } as const, environment, config },
      { environment, config },
      { config },
      {}
    ]
    for (const [name, read, ...expected] of rows) {
      itEffect(name, function* () {
        for (const [index, level] of levels.entries()) {
          const settings = yield* settle({ ...level, command: undefined, defaultUpstream: example })
          assert.strictEqual(read(settings), expected[index], `level ${index}`)
        }
      })
    }

    itEffect("an empty variable says nothing", function* () {
      const settings = yield* settle({
        config,
        command: undefined,
        environment: { MCP_GEN_UI_MODEL: "", MCP_GEN_UI_LLM: " " }
      })
      assert.deepInclude(settings.llm, { provider: "ollama", model: "from-file" })
    })

    itEffect("--debug lowers the log level unless the command line names one", function* () {
      const level = (sources: Partial<SettingsSources>) =>
        Effect.map(settle(sources), ({ debug, logging }) => [debug, logging.level] as const)
      assert.deepStrictEqual(yield* level({ flags: { debug: true }, config }), [true, "debug"])
      assert.deepStrictEqual(yield* level({ flags: { debug: true, logLevel: "warn" } }), [true, "warn"])
      const warn = { MCP_GEN_UI_LOG_LEVEL: "warn" }
      assert.deepStrictEqual(yield* level({ flags: { debug: true }, environment: warn }), [true, "debug"])
      assert.deepStrictEqual(yield* level({ environment: { ...warn, MCP_GEN_UI_DEBUG: "1" } }), [true, "warn"])
    })
  })

  describe("the server to wrap", () => {
    itEffect("comes as words, as a line, or from the file with its environment", function* () {
      const config = file({ upstream: { command: "node", args: ["a b"], env: { A: "1" }, cwd: "servers" } })
      const settings = yield* settle({ command: undefined, flags: { config } })
      assert.deepStrictEqual(settings.upstream, {
        transport: "stdio",
        command: "node",
        args: ["a b"],
        env: { A: "1" },
        cwd: join(folder, "servers")
      })
      const line = yield* settle({ command: undefined, flags: { config, upstream: `node 'c d'` } })
      assert.deepStrictEqual(line.upstream, {
        transport: "stdio",
        command: "node",
        args: ["c d"],
        env: {},
        cwd: undefined
      })
    })

    const url = "https://mcp.example/mcp?a=1&b='2"
    const urls: ReadonlyArray<readonly [string, Partial<SettingsSources>]> = [
      ["after --", { command: [url] }],
      ["by --upstream", { command: undefined, flags: { upstream: url } }],
      ["by MCP_GEN_UI_UPSTREAM", { command: undefined, environment: { MCP_GEN_UI_UPSTREAM: ` ${url}\n` } }],
      ["in the file", { command: undefined, config: { upstream: { url } } }]
    ]
    for (const [name, sources] of urls) {
      itEffect(`is reached by a URL ${name}`, function* () {
        const { upstream } = yield* settle(sources)
        assert.deepStrictEqual<unknown>(upstream, {
          transport: "auto",
          url,
          headers: {},
          token: undefined,
          oauth: {
            clientId: undefined,
            clientSecret: undefined,
            clientMetadataUrl: undefined,
            scope: undefined,
            callbackPort: undefined,
            callbackHost: undefined,
            loginTimeoutMs: 300_000
          },
          reconnectDelayMs: 1000,
          maxReconnectDelayMs: 30_000
        })
      })
    }

    itEffect("gets headers of the file, a variable and flags, with references to the environment", function* () {
      const config = file({
        upstream: { transport: "sse", url, headers: { "X-A": "file", "x-b": "file ${T}", "X-C": "file" } }
      })
      const { upstream } = yield* settle({
        command: undefined,
        flags: { config, header: ["x-c: flag ${T}"] },
        environment: {
          T: "secret",
          MCP_GEN_UI_HEADERS: "X-C: variable\r\n\nX-B:variable: $${T} ",
          MCP_GEN_UI_UPSTREAM_TOKEN: "t"
        }
      })
      const { headers, token, transport } = reached(upstream)
      assert.strictEqual(transport, "sse")
      assert.deepStrictEqual(
        Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]),
        [
          ["x-c", "flag secret"],
          ["X-B", "variable: ${T}"],
          ["X-A", "file"]
        ]
      )
      assert.strictEqual(token && Redacted.value(token), "t")
      assert.notInclude(JSON.stringify(upstream), "secret")
    })

    itEffect("warns of secrets in the file and in the command line, and shows none", function* () {
      const secret = "S3cretOfMine"
      const warnings = (sources: Partial<SettingsSources>) =>
        Effect.map(notices({ command: undefined, ...sources }), (notices) =>
          notices.flatMap(({ level, message }) => {
            assert.notInclude(message, secret)
            return level === "warn" ? [message.split(/ stands | goes /)[0]] : []
          })
        )
      const literal = {
        upstream: {
          url: `https://u:${secret}@h/`,
          headers: { "X-Api-Key": secret, "X-Tenant": secret },
          token: secret
        },
        http: { port: 0, token: secret + secret }
      }
      assert.deepStrictEqual(yield* warnings({ flags: { config: file(literal) } }), [
        "upstream.token",
        "upstream.url",
        'upstream.headers["X-Api-Key"]',
        "http.token"
      ])
      const client = { upstream: { url, oauth: { clientId: "c", clientSecret: secret } } }
      assert.deepStrictEqual(yield* warnings({ flags: { config: file(client) } }), ["upstream.oauth.clientSecret"])
      const referring = JSON.parse(JSON.stringify(literal).replaceAll(secret, "${S}")) as unknown
      const environment = { S: secret }
      assert.deepStrictEqual(yield* warnings({ flags: { config: file(referring) }, environment }), [])
      const clientReferring = { upstream: { url, oauth: { clientId: "c", clientSecret: "${S}" } } }
      const sources = { command: undefined, flags: { config: file(clientReferring) }, environment }
      assert.deepStrictEqual(yield* warnings(sources), [])
      const { upstream } = yield* settle(sources)
      const { clientSecret } = reached(upstream).oauth ?? assert.fail("no login")
      assert.strictEqual(clientSecret && Redacted.value(clientSecret), secret)
      assert.notInclude(JSON.stringify(upstream), secret)
      const header = [`Authorization: Bearer ${secret}`, "X-Api-Key: ${S}", `X-Tenant: ${secret}`]
      assert.deepStrictEqual(yield* warnings({ flags: { upstream: url, header }, environment }), [
        "the value of Authorization"
      ])
    })

    const wrong: ReadonlyArray<readonly [Partial<SettingsSources>, string]> = [
      [{ command: undefined }, "…mcp-gen-ui -- node server.js…"],
      [{ command: [] }, "--: no command follows; write the server's command after it: mcp-gen-ui -- node server.js"],
      [{ command: [""] }, "--: no command follows; write the server's command after it: mcp-gen-ui -- node server.js"],
      [{ flags: { upstream: "x" } }, '--upstream: a server is named after "--" as well; keep one of the two'],
      [{ command: undefined, flags: { upstream: "'x" } }, "--upstream: a single quote is not closed (character 1)"],
      [{ command: undefined, environment: { MCP_GEN_UI_UPSTREAM: '"x' } }, "MCP_GEN_UI_UPSTREAM: …not closed…"],
      [{ command: undefined, flags: { upstream: "''" } }, "--upstream: the command is empty"],
      [{ command: [url, "--header", "A: b"] }, "--: found 2 more words after …stands alone…"],
      [{ command: undefined, flags: { upstream: `${url} x` } }, "--upstream: found 1 more word after…"],
      [{ command: undefined, config: { upstream: {} } }, "config: …is missing…"]
    ]
    for (const [sources, expected] of wrong) refuses(sources, expected)
  })

  describe("the provider", () => {
    /** Who writes the UIs, with which key, at which address. */
    const providers: ReadonlyArray<readonly [Partial<SettingsSources>, string, (string | undefined)?, string?]> = [
      [{ environment: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" } }, "anthropic", "a"],
      [{ environment: { OPENAI_API_KEY: "o", OLLAMA_HOST: "h" } }, "openai", "o"],
      [{ environment: { OLLAMA_HOST: "gpu:1" } }, "ollama", undefined, "http://gpu:1"],
      [{ environment: {} }, "host"],
      [{ flags: { llm: "host" }, environment: { OPENAI_API_KEY: "o" } }, "host"],
      [{ flags: { llm: "none" }, environment: { OPENAI_API_KEY: "o" } }, "none"],
      [{ flags: { llm: "openai" }, environment: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" } }, "openai", "o"],
      [{ config: { llm: { provider: "openai", apiKey: "f" } }, environment: { OPENAI_API_KEY: "o" } }, "openai", "o"],
      [{ config: { llm: { provider: "openai", apiKey: "f", baseUrl: "http://f" } } }, "openai", "f", "http://f"],
      [
        {
          config: { llm: { provider: "anthropic", apiKey: "f", baseUrl: "http://f" } },
          environment: { ANTHROPIC_BASE_URL: "http://e" }
        },
        "anthropic",
        "f",
        "http://e"
      ],
      [
        {
          config: { llm: { provider: "anthropic", apiKey: "f" } },
          environment: { ANTHROPIC_API_KEY: "a", MCP_GEN_UI_API_KEY: " ours\n" }
        },
        "anthropic",
        "ours"
      ],
      [{ environment: { MCP_GEN_UI_LLM: "ollama", MCP_GEN_UI_API_KEY: "ours" } }, "ollama", "ours"],
      [
        { flags: { llm: "openai" }, environment: { OPENAI_BASE_URL: "http://local:1/v1" } },
        "openai",
        undefined,
        "http://local:1/v1"
      ]
    ]
    for (const [sources, provider, key, baseUrl] of providers) {
      itEffect(`${provider} for ${JSON.stringify(sources)}`, function* () {
        const { llm } = yield* settle(sources)
        assert.deepStrictEqual<unknown>([llm.provider, llm.baseUrl], [provider, baseUrl])
        assert.strictEqual(llm.apiKey && Redacted.value(llm.apiKey), key)
      })
    }

    itEffect("gets nothing that the file says of another one", function* () {
      const llm = { provider: "openai", apiKey: "f", baseUrl: "http://f", model: "m", temperature: 1 } as const
      const settings = yield* settle({
        config: { llm },
        flags: { llm: "anthropic" },
        environment: { ANTHROPIC_API_KEY: "a" }
      })
      const { apiKey, ...rest } = settings.llm
      assert.strictEqual(apiKey === undefined ? undefined : Redacted.value(apiKey), "a")
      assert.deepStrictEqual(rest, {
        provider: "anthropic",
        model: undefined,
        baseUrl: undefined,
        maxTokens: 8000,
        temperature: undefined
      })
      assert.lengthOf(yield* problems({ config: { llm }, flags: { llm: "anthropic" } }), 1)
    })

    itEffect("of Ollama is at its host, wherever OLLAMA_HOST says", function* () {
      for (const [host, url] of [
        ["127.0.0.1", "http://127.0.0.1:11434"],
        ["0.0.0.0:9999", "http://127.0.0.1:9999"],
        ["http://gpu", "http://gpu:11434"],
        ["http://gpu:80/", "http://gpu"],
        ["https://gpu.example/ollama/", "https://gpu.example/ollama"],
        ["[::1]:1", "http://[::1]:1"]
      ] as const) {
        assert.strictEqual((yield* settle({ environment: { OLLAMA_HOST: host } })).llm.baseUrl, url, host)
      }
    })

    itEffect("is not asked with a key of ours for nobody in particular, and none is needed for nobody", function* () {
      const environment = { MCP_GEN_UI_API_KEY: "ours", ANTHROPIC_API_KEY: "a" }
      const [problem, ...others] = yield* problems({ environment })
      assert.deepStrictEqual([problem?.source, problem?.path, others], ["MCP_GEN_UI_API_KEY", "", []])
      assert.match(problem?.text ?? "", /needs MCP_GEN_UI_LLM, --llm or llm\.provider beside it/)
      assert.isUndefined((yield* settle({ environment, flags: { llm: "none" } })).llm.apiKey)
    })

    const wrong: ReadonlyArray<readonly [Partial<SettingsSources>, string]> = [
      [{ flags: { llm: "anthropic" } }, "--llm: …ANTHROPIC_API_KEY is not set…"],
      [{ config: { llm: { provider: "openai" } } }, "config: llm.provider: …OPENAI_API_KEY is not set…"],
      [
        { environment: { MCP_GEN_UI_LLM: "gpt" } },
        'MCP_GEN_UI_LLM: found "gpt"; allowed: anthropic, openai, ollama, host, none'
      ],
      [{ config: { llm: { apiKey: "k" } } }, "config: llm.apiKey: needs llm.provider beside it, to say whose it is"],
      [{ environment: { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "local" } }, 'OPENAI_BASE_URL: found "local"…'],
      [{ environment: { OLLAMA_HOST: "a b" } }, 'OLLAMA_HOST: found "a b"; allowed: host, host:port or a URL'],
      [
        { flags: { toolPrefix: "ui" } },
        '--tool-prefix: found "ui"; allowed: 1 to 20 letters, digits, _ and -, the last of them _ or -…'
      ],
      [{ environment: { MCP_GEN_UI_TOOL_PREFIX: "a b_" } }, 'MCP_GEN_UI_TOOL_PREFIX: found "a b_"…'],
      [
        { environment: { MCP_GEN_UI_TRANSPORT: "tcp" } },
        'MCP_GEN_UI_TRANSPORT: found "tcp"; allowed: stdio, http, sse, auto'
      ],
      [{ environment: { MCP_GEN_UI_DEBUG: "maybe" } }, "MCP_GEN_UI_DEBUG: …allowed: 1, true…"]
    ]
    for (const [sources, expected] of wrong) refuses(sources, expected)

    itEffect("is told in one line", function* () {
      assert.deepStrictEqual(yield* notices({}), [
        {
          level: "info",
          event: "no-model",
          message:
            "every tool gets the built-in UI until the host's model is asked for another: no ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST is set"
        }
      ])
      assert.deepStrictEqual(yield* notices({ environment: { OPENAI_API_KEY: "o" } }), [
        { level: "info", event: "model-chosen", message: "openai writes the UIs (OPENAI_API_KEY is set)" },
        {
          level: "info",
          event: "cache-in-memory",
          message: "UIs are kept in memory and written anew after the next start; --cache-dir DIR keeps them"
        }
      ])
      const unused = yield* notices({ flags: { model: "m" } })
      assert.deepStrictEqual(
        unused.map(({ event }) => event),
        ["no-model", "model-unused"]
      )
    })
  })

  describe("what is kept", () => {
    const settled = (sources: Partial<SettingsSources>) => settle({ command: ["node", "server.js"], ...sources })

    itEffect("is in memory, in a folder or in Redis, as the keys that are given say", function* () {
      const typeOf = (cache: NonNullable<ConfigFile["cache"]>) =>
        Effect.map(settled({ config: { cache } }), (settings) => settings.cache.type)
      assert.strictEqual(yield* typeOf({}), "memory")
      assert.strictEqual(yield* typeOf({ directory: "uis" }), "filesystem")
      assert.strictEqual(yield* typeOf({ type: "filesystem" }), "filesystem")
      assert.strictEqual(yield* typeOf({ url: "redis://127.0.0.1:1" }), "redis")
      const { cache } = yield* settled({ flags: { cacheDir: "here" }, config: { cache: { type: "memory" } } })
      assert.deepInclude(cache, { type: "filesystem", directory: resolve("here") })
    })

    itEffect("takes folders of the environment, and those of the file beside the file", function* () {
      const environment = { XDG_CACHE_HOME: "/caches", XDG_STATE_HOME: "/states", MCP_GEN_UI_EXPORT_DIR: "/pages" }
      const first = yield* settled({ environment })
      assert.strictEqual(first.cache.directory, "/caches/mcp-gen-ui")
      assert.strictEqual(first.refinements.directory, "/states/mcp-gen-ui")
      assert.strictEqual(first.exportDirectory, "/pages")
      const path = file({ exportDirectory: "p", refinements: { directory: "r" }, generation: { uiDirectory: "u" } })
      const second = yield* settled({ flags: { config: path } })
      assert.strictEqual(second.exportDirectory, join(folder, "p"))
      assert.strictEqual(second.refinements.directory, join(folder, "r"))
      assert.strictEqual(second.generation.uiDirectory, join(folder, "u"))
    })

    itEffect("is refused where two keys contradict each other", function* () {
      const refused = (cache: NonNullable<ConfigFile["cache"]>) =>
        Effect.map(Effect.flip(resolveSettings(from({ command: ["node"], config: { cache } }))), ({ problems }) =>
          problems.map(({ path, text }) => `${path} ${text}`)
        )
      assert.deepStrictEqual(yield* refused({ type: "redis" }), ['cache.url is missing; cache.type is "redis"'])
      assert.deepStrictEqual(yield* refused({ type: "memory", directory: "d" }), [
        'cache.directory is given, but cache.type is "memory"; remove one of the two'
      ])
    })
  })

  describe("the house style", () => {
    const promptOf = (sources: Partial<SettingsSources>) =>
      Effect.map(settle({ command: ["node", "server.js"], ...sources }), ({ generation }) => generation.prompt)

    itEffect("comes from words or from a file, the flag before the variable before the file", function* () {
      const style = join(folder, "style.md")
      writeFileSync(style, "\uFEFFUse blue.\n")
      const config = { generation: { prompt: "From the file." } }
      assert.strictEqual(yield* promptOf({ config }), "From the file.")
      assert.strictEqual(yield* promptOf({ config, flags: { prompt: "Words." } }), "Words.")
      assert.strictEqual(yield* promptOf({ config, flags: { promptFile: style } }), "Use blue.\n")
      const environment = { MCP_GEN_UI_PROMPT: "Of the environment." }
      assert.strictEqual(yield* promptOf({ config, environment }), "Of the environment.")
      assert.strictEqual(yield* promptOf({ environment, flags: { promptFile: style } }), "Use blue.\n")
    })

    itEffect("is refused twice, and from a file that is not there", function* () {
      const refused = (flags: SettingsSources["flags"]) =>
        Effect.map(Effect.flip(resolveSettings(from({ command: ["node"], flags }))), ({ problems }) =>
          problems.map(({ source, text }) => `${source} ${text}`)
        )
      assert.include((yield* refused({ prompt: "a", promptFile: "b" })).join(), "leave one of the two out")
      assert.deepStrictEqual(yield* refused({ promptFile: "/nowhere/style.md" }), [
        '--prompt-file "/nowhere/style.md" does not exist; check the path'
      ])
    })

    itEffect("is refused from what is no text, and so is the configuration", function* () {
      const pipe = join(folder, "pipe")
      execFileSync("mkfifo", [pipe])
      const bytes = join(folder, "bytes")
      writeFileSync(bytes, Buffer.from([0x61, 0xff, 0xfe, 0x00]))
      const long = join(folder, "long")
      writeFileSync(long, "a".repeat(100_001))
      const empty = join(folder, "empty")
      writeFileSync(empty, " \n")
      const textFor = (flags: SettingsSources["flags"]) =>
        Effect.map(problems({ flags }), (all) => all.map(({ text }) => text))
      const both: ReadonlyArray<readonly [string, RegExp]> = [
        [pipe, /is a pipe or a device; name a file/],
        ["/dev/zero", /is a pipe or a device; name a file/],
        [bytes, /is no text in UTF-8; save it as such/],
        [folder, /is a folder; name the file in it/]
      ]
      for (const [path, text] of both) {
        assert.match((yield* textFor({ promptFile: path })).join("\n"), text)
        assert.match((yield* textFor({ config: path })).join("\n"), text)
      }
      assert.match((yield* textFor({ promptFile: long })).join("\n"), /is larger than 100,000 bytes/)
      assert.match((yield* textFor({ promptFile: empty })).join("\n"), /is empty; write in it/)
      writeFileSync(long, "a".repeat(100_000))
      assert.deepStrictEqual(yield* textFor({ promptFile: long }), [])
    })
  })

  describe("the file", () => {
    itEffect("may hold a key, which is told, and refer to one, which is not", function* () {
      const events = (apiKey: string) =>
        Effect.map(
          notices({
            flags: { config: file({ llm: { provider: "openai", apiKey } }), noCache: true },
            environment: { MY_KEY: "from-there" }
          }),
          (notices) => notices.map(({ event, level }) => `${level} ${event}`)
        )
      assert.deepStrictEqual(yield* events("sk-written-here"), ["warn key-in-file", "info model-chosen"])
      assert.deepStrictEqual(yield* events("${MY_KEY}"), ["info model-chosen"])
      const told = yield* notices({
        flags: { config: file({ llm: { provider: "openai", apiKey: "sk-written-here" } }) }
      })
      assert.notInclude(JSON.stringify(told), "sk-written-here")
    })

    itEffect("resolves its relative paths, a flag those of the caller", function* () {
      const config = file({ generation: { promptsDirectory: "prompts" }, logging: { file: "logs/a.log" } })
      const { generation, logging } = yield* settle({ flags: { config } })
      assert.strictEqual(generation.promptsDirectory, join(folder, "prompts"))
      assert.deepInclude(logging, { destination: "file", file: join(folder, "logs/a.log") })
      const flag = yield* settle({ flags: { config, logFile: "here.log" } })
      assert.strictEqual(flag.logging.file, "here.log")
    })

    itEffect("replaces variables and takes a byte order mark", function* () {
      const config = file(`\uFEFF${JSON.stringify({ upstream: { command: "x", env: { T: "a${T}", L: "$${T}" } } })}`)
      const { upstream } = yield* settle({ command: undefined, flags: { config }, environment: { T: "1" } })
      assert.deepStrictEqual(started(upstream).env, { T: "a1", L: "${T}" })
    })

    itEffect("sets what has no flag", function* () {
      const settings = yield* settle({
        config: { maxMessageBytes: 2048, toolRefresh: { enabled: true, retryBackoffMs: [100] } }
      })
      assert.strictEqual(settings.maxMessageBytes, 2048)
      assert.deepStrictEqual(settings.toolRefresh, { enabled: true, intervalMs: 300_000, retryBackoffMs: [100] })
    })

    itEffect("warns when redaction is off", function* () {
      const told = yield* notices({ config: { logging: { redactSensitiveData: false } } })
      assert.include(
        told.map(({ event }) => event),
        "redaction-off"
      )
    })

    mkdirSync(join(folder, "a-folder"))
    const wrong: ReadonlyArray<readonly [string, () => string, ReadonlyArray<readonly [string, RegExp]>]> = [
      ["missing", () => join(folder, "nope.json"), [["", /does not exist.*--config/]]],
      ["below a file", () => join(file("{}"), "x.json"), [["", /not a folder/]]],
      ["a folder", () => join(folder, "a-folder"), [["", /is a folder/]]],
      [
        "not JSON",
        () => file('{\n  "llm": {,}\n}'),
        [["", /line 2, column 11: expected a key in double quotes, found ","/]]
      ],
      [
        "a missing variable",
        () => file({ llm: { provider: "none", model: "${NOPE}" } }),
        [["llm.model", /NOPE, which is not set/]]
      ],
      [
        "several things",
        () =>
          file({
            cache: { maxEntires: 1 },
            generation: { limits: { maxHtmlBytes: "1" } },
            llm: { baseUrl: "${NOPE}" }
          }),
        [
          ["llm.baseUrl", /NOPE/],
          ["cache.maxEntires", /did you mean "maxEntries"/],
          ["generation.limits.maxHtmlBytes", /found "1"; allowed: a whole number from 1024/]
        ]
      ],
      ["a file log without a file", () => file({ logging: { destination: "file" } }), [["logging.file", /is missing/]]],
      [
        "two destinations",
        () => file({ logging: { destination: "stderr", file: "x" } }),
        [["logging.destination", /remove one/]]
      ]
    ]
    for (const [name, make, expected] of wrong) {
      itEffect(name, function* () {
        const config = make()
        const found = yield* problems({ command: undefined, flags: { config, upstream: "x" } })
        assert.deepStrictEqual(
          found.map(({ path, source }) => [source, path]),
          expected.map(([path]) => [config, path])
        )
        for (const [index, [, text]] of expected.entries()) assert.match(found[index]?.text ?? "", text)
      })
    }

    itEffect("is not blamed twice: when it cannot be read, what it may have said is not missed", function* () {
      const found = yield* problems({ command: undefined, flags: { config: "/nope", llm: "anthropic" } })
      assert.deepStrictEqual(
        found.map(({ source }) => source),
        ["/nope"]
      )
    })

    itEffect("and the rest are told together", function* () {
      const config = file({ cache: { x: 1 } })
      const found = yield* problems({
        command: undefined,
        flags: { config, upstream: "'" },
        environment: { MCP_GEN_UI_LOG_LEVEL: "loud" }
      })
      assert.deepStrictEqual(
        found.map(({ source }) => source),
        ["MCP_GEN_UI_LOG_LEVEL", config, "--upstream"]
      )
    })
  })
})

describe("layer", () => {
  it.effect("gives an embedding program its settings", () =>
    Effect.gen(function* () {
      const { generation, upstream } = yield* Settings
      assert.strictEqual(started(upstream).command, "node")
      assert.strictEqual(generation.maxAttempts, 1)
    }).pipe(
      Effect.provide(
        layer({ flags: {}, command: ["node"], environment: {}, config: { generation: { maxAttempts: 1 } } })
      )
    )
  )
})
