import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runBin, runHere } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { fixtureServer, root, weather } from "../../fixtures/RawClient.ts"

const folder = fileFolder()

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(["prompt", ...args], { cwd: folder, env })

describe("mcp-gen-ui prompt", () => {
  it("prints the two texts of a request, and says on standard error where each begins and how long it is", async () => {
    const { status, stderr, stdout } = runBin(["prompt", "get_forecast", "--", ...weather])
    assert.strictEqual(status, 0, stderr)
    const [system = "", prompt = ""] = stdout.split(/^(?=Write the page for this tool)/mu)
    assert.isTrue(system.startsWith(readFileSync(join(root, "prompts/system.md"), "utf8").slice(0, 100)))
    assert.include(system, "# Parts")
    assert.match(prompt, /^name: get_forecast$/mu)
    assert.match(prompt, /^get_current_weather\(location, units\?\)$/mu)
    assert.match(
      stderr,
      /^----- system: about 2\d{3} tokens, .* -----\n----- prompt: about \d{3} tokens, version [0-9a-f]{16} -----\n$/u
    )
  })

  it("prints one JSON object on demand, with the prompts and the hints of the configuration", async () => {
    mkdirSync(join(folder, "mine"), { recursive: true })
    writeFileSync(join(folder, "mine/generate.md"), "Mine: {{ tool.name }}, {{ toolPrompt }}")
    const file = fileIn(folder, "config.json", {
      generation: { promptsDirectory: "mine", tools: { get_forecast: { prompt: "Use blue." } } }
    })
    const { status, stderr, stdout } = await run(["get_forecast", "--json", "--config", file, "--", ...weather])
    assert.deepStrictEqual([status, stderr], [0, ""])
    const { prompt, system, tokens, version } = JSON.parse(stdout)
    assert.strictEqual(prompt, "Mine: get_forecast, Use blue.")
    assert.isAbove(system.length, 5000)
    assert.isAtMost(tokens.system, 3300)
    assert.isAbove(tokens.prompt, 3)
    assert.match(version, /^[0-9a-f]{16}$/u)
  })

  it("needs no key, whatever the configuration says of models", async () => {
    const file = fileIn(folder, "model.json", { llm: { provider: "openai", model: "some-model" } })
    const { status, stderr } = await run(["get_forecast", "--llm", "anthropic", "--config", file, "--", ...weather])
    assert.strictEqual(status, 0, stderr)
  })

  it("says which tool was meant, and ends with 2", async () => {
    const { status, stderr, stdout } = await run(["get_forcast", "--", ...weather])
    assert.strictEqual(stderr, 'mcp-gen-ui: the server has no tool "get_forcast"; did you mean "get_forecast"?\n')
    assert.deepStrictEqual([status, stdout], [2, ""])
    assert.match((await run(["paint", "--", ...weather])).stderr, /has no tool "paint"; it has 8 others/)
  })

  it("tells a server that does not start or does not answer, and a prompt that cannot be used", async () => {
    const missing = await run(["a", "--", "no-such-command-here"])
    assert.strictEqual(missing.status, 2)
    assert.match(missing.stderr, /"no-such-command-here" was not found on PATH/)
    const gone = await run(["a", "--", process.execPath, "-e", "process.exit(3)"])
    assert.strictEqual(gone.status, 1)
    assert.match(gone.stderr, /ended with exit code 3/)
    const toolless = await run(["--", ...weather])
    assert.match(toolless.stderr, /tool/)
    assert.strictEqual(toolless.status, 2)
    mkdirSync(join(folder, "slip"), { recursive: true })
    writeFileSync(join(folder, "slip/generat.md"), "")
    const file = fileIn(folder, "slip.json", { generation: { promptsDirectory: "slip" } })
    const slip = await run(["get_forecast", "--config", file, "--", ...weather])
    assert.match(slip.stderr, /generat\.md: there is no prompt of this name; did you mean generate\.md\?/)
    assert.strictEqual(slip.status, 2)
  })

  it("reads servers of either era, all pages", async () => {
    for (const server of ["legacy-only.mjs", "modern-only.mjs", "odd.mjs"]) {
      const { status, stderr } = await run([
        "no such tool, and none like it",
        "--",
        process.execPath,
        fixtureServer(server)
      ])
      assert.match(stderr, /it has [1-9]\d* others/, server)
      assert.strictEqual(status, 2)
    }
  })

  it("shows no secret that it was given, wherever that came from", async () => {
    const secrets = [
      "sk-ant-aaaaaaaaaaaaaaaa",
      "sk-bbbbbbbbbbbbbbbbbbbb",
      "token-cccccccccccccc",
      "env-dddddddddddddddd"
    ]
    const [anthropic = "", inFile = "", token = "", inEnv = ""] = secrets
    const [command, ...args] = weather
    const file = fileIn(folder, "secrets.json", {
      upstream: { command, args, env: { DB_PASSWORD: inEnv } },
      llm: { apiKey: inFile }
    })
    const { status, stderr, stdout } = await run(["get_forecast", "--config", file], {
      ANTHROPIC_API_KEY: anthropic,
      MCP_GEN_UI_UPSTREAM_TOKEN: token
    })
    assert.strictEqual(status, 0, stderr)
    assert.include(stdout, "get_forecast")
    for (const secret of secrets) assert.notInclude(stdout + stderr, secret)
  })
})
