import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { runBin, runHere } from "../../fixtures/commandLine.ts"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { initialize, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { factsOf, hostOn, pageTitled, startModel, startWithModel } from "../../fixtures/wrapperWithModel.ts"

const KEY = "key-of-the-model-0123456789"

/** The weather server, which first writes down the environment that it was given. */
const telling = (file: string): ReadonlyArray<string> => [
  process.execPath,
  "--input-type=module",
  "--eval",
  `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))
await import(${JSON.stringify(pathToFileURL(weather[1] ?? "").href)})`
]

describe("the environment of a wrapped server", () => {
  it("has everything but what is said to the wrapper, whose own key reaches the model", async () => {
    const seen = join(testFolder(), "environment.json")
    const { client, model, read } = await startWithModel({
      answer: pageTitled("Forecast"),
      server: telling(seen),
      env: (url) => ({
        MCP_GEN_UI_LLM: "anthropic",
        MCP_GEN_UI_API_KEY: KEY,
        ANTHROPIC_BASE_URL: url,
        OPENAI_API_KEY: "key-that-the-server-needs"
      })
    })
    assert.isNull(factsOf(await read("get_forecast")).fallback, client.log())
    const [request] = model.requests
    assert.include([request?.headers["x-api-key"], request?.headers.authorization].join(" "), KEY)
    const environment: Readonly<Record<string, string>> = JSON.parse(readFileSync(seen, "utf8"))
    assert.strictEqual(environment.OPENAI_API_KEY, "key-that-the-server-needs")
    assert.notInclude(JSON.stringify(environment), KEY)
    assert.deepStrictEqual(
      Object.keys(environment).filter((name) => name.startsWith("MCP_GEN_UI_")),
      []
    )
  })
})

describe("a prompt that cannot be used", () => {
  it("is told in the log at the start with its path, and in the UI without it", async () => {
    const { env, model } = await startModel(pageTitled("Forecast"))
    const place = testFolder()
    mkdirSync(join(place, "prompts"))
    const prompt = fileIn(place, "prompts/generate.md", "{{ nobody }}")
    const generation = { promptsDirectory: "prompts", uiDirectory: "missing" }
    const flags = ["--config", fileIn(place, "config.json", { generation })]
    const client = startSession(weather, { env, flags })
    await initialize(client)
    // Nobody waits for it: it may come after the answers.
    await client.logged(/prompts-unusable[^]*\n/)
    await client.logged(/folder-unusable[^]*\n/)
    const lines = client.log().split("\n")
    const told = lines.find((line) => line.includes("prompts-unusable")) ?? ""
    assert.include(told, "generate.md: line 1, column 4: undefined variable: nobody")
    assert.include(told, prompt)
    const other = lines.find((line) => line.includes("folder-unusable")) ?? ""
    assert.include(other, "or leave generation.uiDirectory out")

    const html = await hostOn(client).read("get_forecast")
    assert.deepInclude(factsOf(html).fallback, {
      code: "INTERNAL",
      message: "prompt generate.md: line 1, column 4: undefined variable: nobody"
    })
    assert.notInclude(html, place)
    assert.lengthOf(model.requests, 0)
  })
})

describe("the last words of a run", () => {
  const lastWords = async (config: object, run: typeof runHere | typeof runBin = runHere): Promise<string> => {
    const { status, stderr } = await run(["--config", fileIn(testFolder(), "config.json", config)])
    assert.notStrictEqual(status, 0)
    return stderr.split("\n").find((line) => line.startsWith("mcp-gen-ui: ")) ?? assert.fail(stderr)
  }

  it("hold no secret that stands in the configuration file only", async () => {
    const secret = "horse-battery-staple"
    const logging = { file: `/nowhere/${secret}/log.txt` }
    assert.include(await lastWords({ upstream: { command: "x" }, logging }, runBin), secret)
    const url = "http://127.0.0.1:1/mcp"
    for (const upstream of [
      { url, headers: { "X-Tenant": secret } },
      { command: "x", env: { DB_PASSWORD: secret } }
    ]) {
      const told = await lastWords({ upstream, logging })
      assert.notInclude(told, secret)
      assert.include(told, "/nowhere/[redacted]/log.txt cannot be written")
    }
  })

  it("keep the words of a problem with a secret", async () => {
    const told = await lastWords({ upstream: { command: "x" }, http: { port: 1, token: "${MISSING_TOKEN}" } })
    assert.match(told, /http\.token: needs the environment variable MISSING_TOKEN, which is not set$/)
    const value = await lastWords({ upstream: { command: "x" }, http: { port: 1, token: "not one word" } })
    assert.match(value, /http\.token: has a value that is not allowed/)
    assert.notInclude(value, "not one word")
  })
})
