import { assert, describe, it } from "@effect/vitest"
import { runHere } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { initialize, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

type Generation = Readonly<Record<string, unknown>>

const folder = fileFolder()
const fileWith = (generation: Generation): string => fileIn(folder, "config.json", { generation })

/** The lines of the prompt about `get_forecast`, as the program would send it; marks are no part of it. */
const promptWith = async (
  generation: Generation,
  flags: ReadonlyArray<string> = []
): Promise<ReadonlyArray<string>> => {
  const words = ["prompt", "get_forecast", "--json", "--config", fileWith(generation), ...flags, "--", ...weather]
  const { status, stderr, stdout } = await runHere(words)
  assert.strictEqual(status, 0, stderr)
  const { prompt }: { prompt: string } = JSON.parse(stdout)
  return prompt.replaceAll(/\b[0-9a-f]{16}\b/g, "MARK").split("\n")
}

const plain = await promptWith({})

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
    it(`says ${JSON.stringify(hint)} of its tool`, async () => {
      assert.deepStrictEqual(added(await promptWith({ tools: { get_forecast: hint } })), lines)
    })
  }

  it("says of no other tool what is hinted of one", async () => {
    const hint = Object.assign({}, ...hints.map(([hint]) => hint))
    assert.deepStrictEqual(await promptWith({ tools: { get_current_weather: hint } }), plain)
  })

  it("says a house style of every tool, from the file, a flag or a file of its own, the flag first", async () => {
    const style = (text: string) => ["What the user asks of every view:", text]
    assert.deepStrictEqual(added(await promptWith({ prompt: "Be calm." })), style("Be calm."))
    assert.deepStrictEqual(added(await promptWith({ prompt: "Be calm." }, ["--prompt", "Be loud."])), style("Be loud."))
    const file = fileIn(folder, "style.md", "\uFEFFBe square.\n")
    assert.deepStrictEqual(
      added(await promptWith({ prompt: "Be calm." }, ["--prompt-file", file])),
      style("Be square.")
    )
  })
})

describe("generation.enabledTools", () => {
  it("gives a UI to the tools that a glob takes, and leaves the others as they are", async () => {
    const client = startSession(weather, { flags: ["--config", fileWith({ enabledTools: ["get_cur*", "*_units"] })] })
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
