import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { Environment } from "../../../src/domain/settings/ConfigText.ts"
import { resolveSettings, type SettingsSources } from "../../../src/layers/settings/Settings.ts"
import { assertLike, problemLine } from "../../fixtures/assertLike.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"

const folder = fileFolder()
let files = 0

/** A file with this text, as `--config`. */
const configured = (content: unknown): Partial<SettingsSources> => ({
  flags: { config: fileIn(folder, `slip-${++files}.json`, content) }
})
const settle = (sources: Partial<SettingsSources>, environment: Environment = {}) =>
  Effect.runPromise(
    Effect.result(resolveSettings({ flags: {}, command: ["node", "server.js"], environment, ...sources }))
  )

describe("a slip is answered with the line to write", () => {
  it.each<readonly [string, Partial<SettingsSources>, string]>([
    [
      "a path of Windows in one text",
      { command: undefined, flags: { upstream: "C:\\tools\\node.exe C:\\my\\server.js" } },
      '--upstream: a backslash outside quotes is lost; write the words after "--", as they are: mcp-gen-ui -- C:\\tools\\node.exe …, or each path in single quotes (character 1)'
    ],
    [
      "a share of Windows",
      { command: undefined, flags: { upstream: "node \\\\box\\share\\server.js" } },
      '--upstream: a backslash outside quotes is lost; write the words after "--", as they are: mcp-gen-ui -- node …, or each path in single quotes (character 6)'
    ],
    [
      "a variable before the command",
      { command: ["API_KEY=s3cret", "MODE=x", "node", "server.js"] },
      '--: "API_KEY=…" is no command; write variables before mcp-gen-ui (API_KEY=… MODE=… mcp-gen-ui -- node server.js), or into "env", in a host\'s file or in upstream of a configuration'
    ],
    [
      "a variable in one text",
      { command: undefined, flags: { upstream: "API_KEY=s3cret node server.js" } },
      '--upstream: "API_KEY=…" is no command; write variables before mcp-gen-ui (API_KEY=… mcp-gen-ui -- node server.js), or into "env", in a host\'s file or in upstream of a configuration'
    ],
    [
      "a path of Windows in JSON, half of it escapes",
      { command: undefined, ...configured('{ "upstream": { "command": "C:\\tools\\node.exe" } }') },
      "….json: upstream.command: has a tab or a line break after the drive; in JSON write each backslash of a path twice, or as /"
    ],
    [
      "a path of Windows in JSON",
      configured('{ "upstream": { "command": "C:\\Program Files\\node.exe" } }'),
      "…json: line 1, column 31: expected an escape …, found another one; in a path write each backslash twice, or as /"
    ],
    [
      "a comment",
      configured('{\n  // the model\n  "llm": {} }'),
      "…json: line 2, column 3: expected a key in double quotes, found a comment, which JSON does not have; remove it"
    ],
    [
      "a last comma",
      configured('{\n  "llm": {},\n}'),
      '…json: line 3, column 1: expected another key after ",", found "}"; remove the last comma'
    ]
  ])("%s", async (_name, sources, expected) => {
    const result = await settle(sources)
    assert(Result.isFailure(result))
    assert.lengthOf(result.failure.problems, 1)
    assertLike(problemLine(result.failure.problems[0]), expected)
    assert.notInclude(result.failure.message, "s3cret")
  })
})

describe("a key that has another name here says so", () => {
  it.each([
    [{ server: { command: "node" } }, "server", "upstream"],
    [{ upstream: { type: "stdio", command: "node" } }, "upstream.type", "upstream.transport"],
    [{ llm: { timeoutMs: 1000 } }, "llm.timeoutMs", "generation.timeoutMs"],
    [{ cache: { ttlSeconds: 60 } }, "cache.ttlSeconds", "cache.ttlMs"],
    [{ cache: { enabled: false } }, "cache.enabled", "--no-cache"],
    [{ generation: { theme: "dark" } }, "generation.theme", "generation.defaultTheme"],
    [{ generation: { allowedTools: ["a"] } }, "generation.allowedTools", "generation.enabledTools"],
    [{ enabledTools: ["a"] }, "enabledTools", "generation.enabledTools"],
    [{ tools: {} }, "tools", "generation.tools"],
    [{ limits: {} }, "limits", "generation.limits"]
  ])("%j", async (config, path, name) => {
    const result = await settle(configured(config))
    assert(Result.isFailure(result))
    const problem = result.failure.problems.find((one) => one.path === path)
    assert.strictEqual(problem?.text, `is not a known key; it is called ${name} here`)
  })
})

describe("what older configurations say", () => {
  const hintsOf = async (hints: object) => {
    const result = await settle(configured({ generation: { tools: { search: hints } } }))
    return Result.getOrThrow(result).settings.generation.tools.search
  }

  it.each([
    [{ uiType: "table" }, { uiType: "rich", prompt: "Show it as a table." }],
    [
      { uiType: "chart", prompt: "In euro." },
      { uiType: "rich", prompt: "Show it as a chart.\nIn euro." }
    ],
    [{ uiType: "dashboard" }, { uiType: "rich", prompt: "Show it as a dashboard." }],
    [
      { interactivity: "readonly" },
      { interactivity: "low", prompt: "It only shows: offer nothing that changes data or calls the tool again." }
    ],
    [
      { uiType: "minimal", examples: [{ input: { q: "x" }, output: { a: 1 } }] },
      { uiType: "minimal", examples: [{ input: { q: "x" }, output: { a: 1 } }] }
    ]
  ])("%j", async (hints, expected) => {
    assert.deepEqual<unknown>(await hintsOf(hints), expected)
  })

  it("names what is allowed where a hint is none of them", async () => {
    const result = await settle(configured({ generation: { tools: { search: { uiType: "fancy" } } } }))
    assert(Result.isFailure(result))
    assert.match(result.failure.message, /uiType: found "fancy"; allowed: "rich", "minimal", "table"/)
  })
})

describe("Ollama's key", () => {
  it("is read, but neither needed nor what chooses Ollama", async () => {
    const key = { OLLAMA_API_KEY: "ollama-0123456789" }
    const chosen = Result.getOrThrow(await settle({ flags: { llm: "ollama" } }, key)).settings.llm
    assert.isDefined(chosen.apiKey)
    assert.isUndefined(Result.getOrThrow(await settle({ flags: { llm: "ollama" } })).settings.llm.apiKey)
    assert.strictEqual(Result.getOrThrow(await settle({}, key)).settings.llm.provider, "host")
  })
})

describe("a cache in memory", () => {
  it.each([
    ["where a model writes", { OPENAI_API_KEY: "sk-0123456789" }, {}, true],
    ["not where nothing is written", {}, {}, false],
    ["not where UIs are kept", { OPENAI_API_KEY: "sk-0123456789" }, { cacheDir: "uis" }, false],
    ["not where none is wanted", { OPENAI_API_KEY: "sk-0123456789" }, { noCache: true as const }, false]
  ])("is said to be one %s", async (_name, environment, flags, isSaid) => {
    const { notices } = Result.getOrThrow(await settle({ flags }, environment))
    const said = notices.filter(({ event }) => event === "cache-in-memory").map(({ message }) => message)
    const expected = "UIs are kept in memory and written anew after the next start; --cache-dir DIR keeps them"
    assert.deepStrictEqual(said, isSaid ? [expected] : [])
  })
})
