import { assert, describe, it } from "@effect/vitest"
import { openView, type View } from "../harness/index.ts"
import { widePage } from "./widePage.ts"

interface Answer {
  readonly content: ReadonlyArray<{ readonly text: string }>
  readonly isError?: boolean
}

const tool = {
  name: "list_cities",
  inputSchema: {
    type: "object",
    properties: {
      country: { type: "string", title: "Country" },
      big: { type: "boolean", title: "Big" },
      key: { type: "string", title: "Key", format: "password" }
    }
  }
}

const names = ["Paris", "Lyon", "Nice", "Lille", "Brest", "Metz", "Nantes", "Reims", "Tours", "Dijon"]
const rows = names.map((city, at) => ({ city, high: (at * 7) % 10 }))
const toolResult = { content: [], structuredContent: { rows } }

const SOURCE = `<!-- rich -->
<script type="module">
import { show, table, tabs } from "mcp-gen-ui/parts"
show((data) => tabs([
  { label: "Rows", content: () => table(data.rows, { select: true }) },
  { label: "Words", content: () => "Only words" }
]), { form: "open" })
</script>`

const open = async (source: string | null, result: object = toolResult): Promise<View> =>
  openView({
    html: await widePage(tool, { viewTools: true }, source),
    toolInput: { country: "FR" },
    toolResult: { ...result }
  })

/** The names of what the view offers, once it has drawn `words`. */
const offered = async (view: View, words: string): Promise<ReadonlyArray<string>> => {
  await view.frame.getByText(words).first().waitFor()
  const { tools } = (await view.host("listTools")) as { tools: ReadonlyArray<{ name: string; description: string }> }
  for (const { description } of tools) assert.notInclude(description, "\n")
  return tools.map(({ name }) => name)
}

const use = async (view: View, name: string, args: object = {}): Promise<Answer> =>
  (await view.host("callTool", name, args)) as Answer

const said = ({ content }: Answer): string => content[0]?.text ?? ""

const cities = (view: View): Promise<ReadonlyArray<string>> =>
  view.frame.evaluate(`[...document.querySelectorAll("tbody td.mg-key")].map((cell) => cell.innerText.trim())`)

describe("a view that an agent drives", () => {
  it("offers what the page has, and does what is asked for", async () => {
    const view = await open(SOURCE)
    assert.deepStrictEqual(await offered(view, "Paris"), [
      "get_view",
      "filter",
      "sort",
      "select",
      "open_tab",
      "fill_form"
    ])
    assert.deepStrictEqual(await view.host("appCapabilities"), {
      availableDisplayModes: ["inline", "fullscreen", "pip"],
      tools: { listChanged: true }
    })

    const seen = said(await use(view, "get_view"))
    for (const words of ["Paris", "Words", '"Country":"FR"', '"Big":"Not set"']) assert.include(seen, words)
    assert.notInclude(seen, 'Key":')

    await use(view, "sort", { column: "High", descending: true })
    assert.deepStrictEqual((await cities(view)).slice(0, 3), ["Reims", "Brest", "Lyon"])
    await use(view, "sort", { column: "High" })
    assert.strictEqual((await cities(view))[0], "Paris")

    await use(view, "filter", { text: "ri" })
    assert.deepStrictEqual(await cities(view), ["Paris"])
    assert.include(said(await use(view, "filter", { text: "" })), "Dijon")

    await use(view, "select", { rows: ["Nice", "Lyon"] })
    assert.strictEqual(await view.frame.locator("td .mg-pick:checked").count(), 2)
    await use(view, "select", { rows: ["Metz"] })
    assert.isTrue(await view.frame.getByLabel("Select Metz").isChecked())
    assert.strictEqual(await view.frame.locator("td .mg-pick:checked").count(), 1)

    await use(view, "fill_form", { values: { Country: "IT", Big: true } })
    assert.strictEqual(await view.frame.getByLabel("Country").inputValue(), "IT")
    assert.isTrue(await view.frame.getByLabel("Yes").isChecked())

    const words = said(await use(view, "open_tab", { tab: "Words" }))
    assert.include(words, "Only words")
    assert.notInclude(words, "Paris")
    assert.notInclude(await offered(view, "Only words"), "sort")
    // Nothing of this went to the server.
    assert.isEmpty(view.calls)
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("says what there is where something is missing, and offers no more than the page has", async () => {
    const view = await open(null, { content: [{ type: "text", text: "A few words only." }] })
    assert.deepStrictEqual(await offered(view, "A few words only."), ["get_view"])
    for (const [name, args] of [
      ["sort", { column: "High" }],
      ["click_anything", {}]
    ] as const) {
      const answer = await use(view, name, args)
      assert.isTrue(answer.isError)
      assert.include(said(answer), `There is no tool "${name}" here. There is: get_view`)
    }
    const other = await open(SOURCE)
    await offered(other, "Paris")
    for (const [name, args, expected] of [
      ["sort", { column: "Low" }, `There is no "Low". There is: City, High`],
      ["open_tab", {}, "There is no undefined. There is: Rows, Words"],
      ["select", { rows: ["Rome"] }, `There is no "Rome". There is: Paris, Lyon`],
      ["fill_form", { values: { Planet: "Mars" } }, `There is no field "Planet". There is: Country, Big`],
      ["fill_form", { values: { Big: "maybe" } }, `There is no "maybe" in "Big". There is: Not set, Yes, No`]
    ] as const) {
      const answer = await use(other, name, args)
      assert.isTrue(answer.isError)
      assert.include(said(answer), expected)
    }
  })

  it("tells the host when there is more or less to use", async () => {
    const view = await open(SOURCE)
    await offered(view, "Paris")
    await view.page.evaluate(
      `addEventListener("message", ({ data }) => { if (data.method?.endsWith("tools/list_changed")) globalThis.changes = (globalThis.changes ?? 0) + 1 })`
    )
    await view.send("sendToolResult", { content: [{ type: "text", text: "none" }] })
    await view.page.waitForFunction("globalThis.changes === 1")
  })

  it("leaves it to a page that has tools of its own", async () => {
    const view = await open(
      `<!-- rich --><p>Mine</p><script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "mine", version: "1" })
app.registerTool("mine", { description: "Mine" }, () => ({ content: [{ type: "text", text: "mine" }] }))
app.connect()
</script>`
    )
    assert.deepStrictEqual(await offered(view, "Mine"), ["mine"])
    assert.strictEqual(said(await use(view, "mine")), "mine")
  })
})
