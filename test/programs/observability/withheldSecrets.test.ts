import { afterEach, assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { bin, initialize, noModel, type RawClient, root, startWrapper } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { factsOf } from "../../fixtures/wrapperWithModel.ts"

const KEY = "key-of-the-model-0123456789"

const page = `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show(() => [header("Forecast")])
</script>
`

const running: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of running.splice(0)) await stop()
})

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "mcp-gen-ui-withheld-"))
  running.push(() => rmSync(path, { recursive: true }))
  return path
}

const weather = `${root}examples/weather-server.mjs`

/** The weather server, which first writes down the environment that it was given. */
const telling = (file: string): ReadonlyArray<string> => [
  process.execPath,
  "--input-type=module",
  "--eval",
  `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))
await import(${JSON.stringify(pathToFileURL(weather).href)})`
]

const readUi = async (client: RawClient): Promise<string> => {
  await initialize(client)
  const { message } = await client.request("resources/read", { uri: "ui://get_forecast" })
  const { contents } = message.result as { readonly contents: ReadonlyArray<{ readonly text: string }> }
  return contents[0]?.text ?? ""
}

describe("the environment of a wrapped server", () => {
  it("has everything but what is said to the wrapper, whose own key reaches the model", async () => {
    const model = await startModelStandIn({ answer: page })
    running.push(model.close)
    const seen = join(folder(), "environment.json")
    const client = startWrapper(telling(seen), {
      env: {
        MCP_GEN_UI_LLM: "anthropic",
        MCP_GEN_UI_API_KEY: KEY,
        ANTHROPIC_BASE_URL: model.url,
        OPENAI_API_KEY: "key-that-the-server-needs"
      }
    })
    running.push(client.close)
    assert.isNull(factsOf(await readUi(client)).fallback, client.log())
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

describe("a prompt that can not be used", () => {
  it("is told in the log at the start with its path, and in the UI without it", async () => {
    const model = await startModelStandIn({ answer: page })
    running.push(model.close)
    const place = folder()
    mkdirSync(join(place, "prompts"))
    const prompt = join(place, "prompts", "generate.md")
    writeFileSync(prompt, "{{ nobody }}")
    const config = join(place, "config.json")
    writeFileSync(config, JSON.stringify({ generation: { promptsDirectory: "prompts", uiDirectory: "missing" } }))
    const client = startWrapper([process.execPath, weather], {
      flags: ["--config", config],
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url }
    })
    running.push(client.close)
    await initialize(client)
    // Nobody waits for it: it may come after the answers.
    while (!/prompts-unusable[^]*\n/.test(client.log()) || !/folder-unusable[^]*\n/.test(client.log())) await turn()
    await client.close()
    const lines = client.log().split("\n")
    const told = lines.find((line) => line.includes("prompts-unusable")) ?? ""
    assert.include(told, "generate.md: line 1, column 4: undefined variable: nobody")
    assert.include(told, prompt)
    const other = lines.find((line) => line.includes("folder-unusable")) ?? ""
    assert.include(other, "or leave generation.uiDirectory out")

    const again = startWrapper([process.execPath, weather], {
      flags: ["--config", config],
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url }
    })
    running.push(again.close)
    const html = await readUi(again)
    assert.deepInclude(factsOf(html).fallback, {
      code: "INTERNAL",
      message: "prompt generate.md: line 1, column 4: undefined variable: nobody"
    })
    assert.notInclude(html, place)
    assert.lengthOf(model.requests, 0)
  })
})

describe("the last words of a run", () => {
  const lastWords = (config: object): string => {
    const file = join(folder(), "config.json")
    writeFileSync(file, JSON.stringify(config))
    const env = { ...process.env, ...noModel }
    const { status, stderr } = spawnSync(process.execPath, [bin, "--config", file], {
      encoding: "utf8",
      input: "",
      env
    })
    assert.notStrictEqual(status, 0)
    return stderr.split("\n").find((line) => line.startsWith("mcp-gen-ui: ")) ?? assert.fail(stderr)
  }

  it("hold no secret that stands in the configuration file only", () => {
    const secret = "horse-battery-staple"
    const logging = { file: `/nowhere/${secret}/log.txt` }
    assert.include(lastWords({ upstream: { command: "x" }, logging }), secret)
    const url = "http://127.0.0.1:1/mcp"
    for (const upstream of [
      { url, headers: { "X-Tenant": secret } },
      { command: "x", env: { DB_PASSWORD: secret } }
    ]) {
      const told = lastWords({ upstream, logging })
      assert.notInclude(told, secret)
      assert.include(told, "/nowhere/[redacted]/log.txt can not be written")
    }
  })

  it("keep the words of a problem with a secret", () => {
    const told = lastWords({ upstream: { command: "x" }, http: { port: 1, token: "${MISSING_TOKEN}" } })
    assert.match(told, /http\.token: needs the environment variable MISSING_TOKEN, which is not set$/)
    const value = lastWords({ upstream: { command: "x" }, http: { port: 1, token: "not one word" } })
    assert.match(value, /http\.token: has a value that is not allowed/)
    assert.notInclude(value, "not one word")
  })
})
