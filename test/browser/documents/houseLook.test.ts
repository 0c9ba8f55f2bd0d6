import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { HouseTheme } from "../../../src/domain/tools/HouseTheme.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"

const folder = fileFolder()

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 28"><rect width="120" height="28" rx="6" fill="#0a2540"/><circle cx="16" cy="14" r="7" fill="#ffd400"/></svg>`

const TEMPLATE = `<style>
  .bar { display: flex; justify-content: space-between; padding: 0 0 12px; color: var(--mg-muted); font-size: 12px }
  .mg-button { text-transform: uppercase }
</style>
<header class="bar"><strong>Nordwind AG</strong><a href="https://nordwind.example/help">Help</a></header>
<slot></slot>
<footer class="bar">For internal use only</footer>`

const SOURCE = `<!-- rich -->
<script type="module">
import { show, header, table, button, badge } from "mcp-gen-ui/parts"
show((data) => [header("Stock", { badge: "open" }), table(data.items), button("Order", () => {}, { kind: "primary" })], { accent: "rose" })
</script>`

const ITEMS = [
  { item: "Bolts", amount: 12, state: "open" },
  { item: "Nuts", amount: 7, state: "closed" }
]

const definition = {
  name: "list_stock",
  description: "What is there.",
  inputSchema: { type: "object", properties: { place: { type: "string" } } }
}

const open = async (
  source: string | null,
  theme: HouseTheme,
  baseTemplate?: string,
  options: Omit<OpenViewOptions, "html"> = {}
): Promise<View> => {
  const tool = toolFromDefinition(definition) ?? assert.fail("the definition has no name")
  const kind = source === null ? ({ uiType: "minimal", level: 2 } as const) : ({ uiType: "rich", level: 0 } as const)
  const entry = uiEntry("key", { toolName: tool.name, source, ...kind })
  const limits = { theme: "system", maxOutputDisplayBytes: 100_000 } as const
  const html = await Effect.flatMap(DocumentLinker, (linker) => linker.link(tool, entry)).pipe(
    Effect.provide(
      DocumentLinkerLayer.layer({ ...limits, house: { theme, baseTemplate } }).pipe(Layer.provide(PackageFiles.layer))
    ),
    Effect.runPromise
  )
  const result = { content: [], structuredContent: { items: ITEMS } }
  const view = await openView({ html, toolInput: {}, toolResult: result, ...options })
  await view.frame.getByRole("table").waitFor()
  return view
}

const styleOf = (view: View, selector: string, name: string): Promise<string> =>
  view.frame.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue("${name}")`
  )

describe("the look of the house", () => {
  const theme: HouseTheme = {
    accent: "#0a7d62",
    radius: "none",
    density: "compact",
    logo: fileIn(folder, "logo.svg", LOGO),
    font: "Georgia",
    monoFont: "Courier"
  }
  const template = fileIn(folder, "house.html", TEMPLATE)

  it.each([
    ["built-in", null],
    ["generated", SOURCE]
  ])("is that of a %s UI, whatever it asks for and whatever colours the host sends", async (_, source) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const view = await open(source, theme, template, { colorScheme, width: colorScheme === "dark" ? 320 : 720 })

      assert.deepStrictEqual(await view.axe(), [])
      assert.strictEqual(await styleOf(view, "html", "--mg-hue"), "rgb(10 125 98)")
      assert.strictEqual(await styleOf(view, ".mg-button", "border-radius"), "0px")
      assert.strictEqual(await styleOf(view, ".mg-button", "text-transform"), "uppercase")
      assert.match(await styleOf(view, "body", "font-family"), /^Georgia/)
      assert.match(
        await view.frame.evaluate(`getComputedStyle(document.body, "::before").backgroundImage`),
        /^url\("data:image\/svg/
      )
      await view.frame.getByText("For internal use only").waitFor()
      assert.deepStrictEqual([view.violations, view.consoleErrors], [[], []])
    }
  })

  it("stays around the view when another one takes its place", async () => {
    const view = await open(SOURCE, {}, template)
    await view.frame.evaluate("mcpGenUiTest = document.body.replaceChildren()")
    await view.frame.getByText("Nordwind AG").waitFor()
  })

  it("hands its links to the host, as those of views", async () => {
    const view = await open(SOURCE, {}, template)
    await view.press(view.frame.getByRole("link", { name: "Help" }))
    assert.deepStrictEqual(await view.requested("ui/open-link"), [{ url: "https://nordwind.example/help" }])
  })

  it("costs nothing where nothing is said", async () => {
    const view = await open(null, {})
    assert.strictEqual(await view.frame.evaluate("document.body.shadowRoot"), null)
    assert.strictEqual(await view.frame.locator("style").count(), 1)
  })
})
