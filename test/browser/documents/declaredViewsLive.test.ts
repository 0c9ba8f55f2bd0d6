import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { type Json, startModel, withConfig } from "../../fixtures/wrapperWithModel.ts"
import { openView, type View } from "../harness/index.ts"

const TOOL = "get_forecast"
const args = { location: "Oslo", days: 3 }

const REFINED = `<!-- rich -->
<script type="module">
import { show, header, list } from "mcp-gen-ui/parts"
show((data) => [header("Refined"), list(data.days)])
</script>
`

/** The wrapper around the weather server, with a folder of views, and a page of it on screen. */
const open = async (view?: unknown) => {
  const folder = testFolder()
  const declare = (changed: unknown) => void fileIn(folder, `${TOOL}.view.json`, changed)
  if (view !== undefined) declare(view)
  const prompts: Array<string> = []
  const { env } = await startModel((_, prompt) => {
    prompts.push(prompt)
    return { text: view === undefined ? REFINED.replace("Refined", "Written") : REFINED }
  })
  const client = await overStdio("legacy", weather, { env, flags: withConfig({ generation: { uiDirectory: folder } }) })
  await client.listTools()
  const { ask, call, read } = sdkHost(client)
  const page = await openView({
    html: await read(TOOL),
    toolInput: args,
    toolResult: await call(TOOL, args),
    onCall: (params, method) => (method === "tools/call" ? call(String(params.name), params.arguments as Json) : {})
  })
  await page.frame.evaluate("void (globalThis.mark = 1)")
  return { declare, prompts, page, ask: (name: string, more?: Json) => ask(name, { toolName: TOOL, ...more }) }
}

/** A page asks when it comes into view. */
const untilShown = async ({ frame }: View, text: string): Promise<void> => {
  await frame.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`)
  await frame.getByText(text).filter({ visible: true }).first().waitFor()
  assert.strictEqual(await frame.evaluate("globalThis.mark"), 1)
}

describe("a declared view behind the wrapper", () => {
  it("is on screen without a model, and changes with its file, also to a part that its page did not have", async () => {
    const { declare, page, prompts } = await open({ kind: "table", title: "Days in {args.location}", from: "days" })
    await page.frame.getByRole("heading", { name: "Days in Oslo" }).waitFor()
    assert.strictEqual(await page.frame.getByRole("row").count(), 4)

    declare({
      kind: "wizard",
      title: "Ask",
      steps: [
        { title: "Where", fields: ["location"] },
        { title: "How long", fields: ["days"] }
      ]
    })
    await untilShown(page, "2. How long")
    assert.strictEqual(await page.frame.getByLabel("City").inputValue(), "Oslo")

    declare({ kind: "tabel" })
    await page.frame.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`)
    await page.settle()
    await untilShown(page, "2. How long")

    declare({ kind: "list", title: "Again", from: "days" })
    await untilShown(page, "Again")
    assert.deepStrictEqual([page.violations, page.consoleErrors, prompts], [[], [], []])
  })

  it("becomes a version of its own when it is refined, and is back when that is taken back", async () => {
    const { ask, page, prompts } = await open({ kind: "table", title: "Declared", from: "days" })
    await page.frame.getByRole("heading", { name: "Declared" }).waitFor()
    assert.deepInclude(await ask("_ui_refine", { feedback: "as a list" }), { level: 0 })
    assert.include(prompts[0], "table(data?.days)")
    await untilShown(page, "Refined")
    const { versions } = await ask("_ui_history")
    assert.deepStrictEqual(
      (versions as ReadonlyArray<Json>).map(({ current, number, origin }) => [number, origin, current]),
      [
        [1, "imported", false],
        [2, "refined", true]
      ]
    )
    await ask("_ui_revert", { version: 1 })
    await untilShown(page, "Declared")
    await ask("_ui_refine", { feedback: "as a list" })
    await untilShown(page, "Refined")
    await ask("_ui_regenerate", { clearRefinements: true })
    await untilShown(page, "Declared")
    assert.lengthOf(prompts, 2)
    assert.deepStrictEqual([page.violations, page.consoleErrors], [[], []])
  })

  it("is what a model in the conversation shows instead, and no model writes it", async () => {
    const { ask, page, prompts } = await open()
    await page.frame.getByRole("heading", { name: "Written" }).waitFor()
    const asked = (view: Json) => ask("_ui_refine", { feedback: "only date and high, hottest first", view })
    await asked({ kind: "table", title: "Hot days", from: "days", columns: ["date", "high"], sort: "-high" })
    await untilShown(page, "Hot days")
    const names = async () => (await page.frame.locator("th").allTextContents()).slice(1)
    await expect.poll(names).toEqual(["Date", "High"])
    const { versions } = await ask("_ui_history")
    assert.deepInclude((versions as ReadonlyArray<Json>).at(-1), {
      origin: "refined",
      feedback: "only date and high, hottest first"
    })
    assert.lengthOf(prompts, 1)
  })
})
