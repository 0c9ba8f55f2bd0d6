import { afterAll, assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, initialize, noModel, root, startWrapper } from "../../fixtures/RawClient.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-hints-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const weather = [process.execPath, join(root, "examples/weather-server.mjs")]

const fileWith = (generation: Readonly<Record<string, unknown>>): string => {
  const file = join(folder, "config.json")
  writeFileSync(file, JSON.stringify({ generation }))
  return file
}

/** The lines of the prompt about `get_forecast`, as the program would send it; marks are no part of it. */
const promptWith = (
  generation: Readonly<Record<string, unknown>>,
  flags: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [bin, "prompt", "get_forecast", "--json", "--config", fileWith(generation), ...flags, "--", ...weather],
    { encoding: "utf8", input: "", env: { ...process.env, ...noModel } }
  )
  assert.strictEqual(status, 0, stderr)
  const { prompt }: { prompt: string } = JSON.parse(stdout)
  return prompt.replaceAll(/\b[0-9a-f]{16}\b/g, "MARK").split("\n")
}

const plain = promptWith({})

/** The lines that a hint adds. */
const added = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => line !== "" && !plain.includes(line))

describe("hints in the prompt", () => {
  const hints: ReadonlyArray<readonly [Readonly<Record<string, unknown>>, ReadonlyArray<string>]> = [
    [{ uiType: "rich" }, ["The user wants a rich view: answer with the verdict rich."]],
    [{ uiType: "minimal" }, ["The user wants the standard view: answer with the verdict minimal."]],
    [{ theme: "dark" }, ["The user wants the dark theme."]],
    [{ theme: "light" }, ["The user wants the light theme."]],
    [{ interactivity: "low" }, ["Interactivity: low."]],
    [{ interactivity: "high" }, ["Interactivity: high."]],
    [{ prompt: "Use {{ blue }}." }, ["What the user asks of this view:", "Use {{ blue }}."]],
    [{ examples: [{ given: "Oslo" }] }, ["result 1:", '{"given":"Oslo"}']]
  ]
  for (const [hint, lines] of hints) {
    it(`says ${JSON.stringify(hint)} of its tool, and of no other`, () => {
      assert.deepStrictEqual(added(promptWith({ tools: { get_forecast: hint } })), lines)
      assert.deepStrictEqual(promptWith({ tools: { get_current_weather: hint } }), plain)
    })
  }

  it("says a house style of every tool, from the file, a flag or a file of its own, the flag first", () => {
    const style = (text: string) => ["What the user asks of every view:", text]
    assert.deepStrictEqual(added(promptWith({ prompt: "Be calm." })), style("Be calm."))
    assert.deepStrictEqual(added(promptWith({ prompt: "Be calm." }, ["--prompt", "Be loud."])), style("Be loud."))
    const file = join(folder, "style.md")
    writeFileSync(file, "\uFEFFBe square.\n")
    assert.deepStrictEqual(added(promptWith({ prompt: "Be calm." }, ["--prompt-file", file])), style("Be square."))
  })
})

describe("generation.enabledTools", () => {
  it("gives a UI to the tools that a glob takes, and leaves the others as they are", async () => {
    const client = startWrapper(weather, { flags: ["--config", fileWith({ enabledTools: ["get_cur*", "*_units"] })] })
    await initialize(client)
    const { text } = await client.request("tools/list")
    const { tools }: { tools: ReadonlyArray<{ name: string; _meta?: object }> } = JSON.parse(text).result
    const withUi = tools.filter(({ name, _meta }) => !name.startsWith("_ui_") && _meta !== undefined)
    assert.deepStrictEqual(
      withUi.map(({ name }) => name),
      ["get_current_weather", "set_units"]
    )
    assert.include(
      tools.map(({ name }) => name),
      "get_forecast"
    )
    await client.close()
  })
})
