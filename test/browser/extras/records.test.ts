import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished } from "vitest"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { type Json, startModel, withConfig } from "../../fixtures/wrapperWithModel.ts"
import { button, clean } from "../builtin/builtinPage.ts"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"

const server = fileURLToPath(new URL("../../../examples/database-server/main.ts", import.meta.url))

interface Given extends Partial<OpenViewOptions> {
  readonly args?: Json
  /** What the model writes; the built-in UI without it. */
  readonly page?: string
  readonly generation?: Json
}

/** The UI of a tool of the database server, as a host gets it through the wrapper, with a shop of its own. */
const open = async (tool: string, { args = {}, generation = {}, page, ...options }: Given = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "records-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const prompts: Array<string> = []
  const answer = (_: number, prompt: string) => {
    prompts.push(prompt)
    return { text: page ?? "" }
  }
  const { env } = page === undefined ? { env: {} } : await startModel(answer)
  const command = [process.execPath, server, join(folder, "shop.sqlite")]
  const client = await overStdio("legacy", command, { env, flags: withConfig({ generation }) })
  await client.listTools()
  const { ask, call, read } = sdkHost(client)
  const view = await openView({
    html: await read(tool),
    toolInput: args,
    toolResult: await call(tool, args),
    onCall: (params, method) => (method === "tools/call" ? call(String(params.name), params.arguments as Json) : {}),
    ...options
  })
  await view.frame.locator("tbody tr").first().waitFor()
  /** Calls of the server's tools by the page. */
  const called = () => view.calls.filter(({ name }) => !String(name).startsWith("_ui_"))
  return { view, ask, called, prompts, rows: view.frame.locator("tbody tr") }
}

const shown = (view: View, text: string) => view.frame.getByText(text, { exact: true }).first().waitFor()

const box = (view: View, name: string) => view.frame.getByRole("textbox", { name })

describe("the records of a list", () => {
  it("open in place and come back, and nothing is called before a press", async () => {
    const { called, view } = await open("list_customers")
    await view.settle()
    assert.deepStrictEqual(called(), [])
    await view.frame.locator("tbody td").filter({ hasText: "ines.costa.2@example.com" }).click()
    await view.frame.getByText("Tag ids").waitFor()
    assert.deepStrictEqual(called(), [{ name: "get_customer", arguments: { id: 2 } }])
    await clean(view)
    await button(view, "Back to the list").click()
    await button(view, "Mina Jansen").waitFor()
    assert.lengthOf(called(), 1)
  })

  it("offers nothing that the host does not let a view call, and says so", async () => {
    const { view } = await open("list_tags", { hostCapabilities: { openLinks: {} } })
    const make = button(view, "New tag")
    assert.strictEqual(await make.getAttribute("aria-disabled"), "true")
    assert.strictEqual(await make.getAttribute("title"), "This host does not let a view call tools.")
    await make.click({ force: true })
    assert.strictEqual(await box(view, "Name").count(), 0)
  })

  it("are changed from a fresh get, and the list is read again", async () => {
    const { ask, called, view } = await open("list_tags")
    await ask("update_tag", { id: 1, name: "Meanwhile" })
    await button(view, "Newsletter").click()
    await button(view, "Edit").click()
    await box(view, "Name").waitFor()
    assert.strictEqual(await box(view, "Name").inputValue(), "Meanwhile")
    await box(view, "Name").fill("Letters")
    await button(view, "Save tag").click()
    await button(view, "Run it").click()
    await shown(view, "Saved.")
    await button(view, "Back to the list").click()
    await button(view, "Letters").waitFor()
    const names = called().map(({ name }) => name)
    assert.deepStrictEqual(names.slice(0, 3), ["get_tag", "get_tag", "update_tag"])
    assert.sameMembers(names.slice(3), ["get_tag", "list_tags"])
    await clean(view)
  })

  it("are made, and what the server refuses stays in the form", async () => {
    const { ask, view } = await open("list_tags")
    await button(view, "New tag").click()
    await box(view, "Name").fill("Spring")
    await box(view, "Color").fill("#00aa00")
    await clean(view)
    await button(view, "Create tag").click()
    await shown(view, "Created Spring.")
    await button(view, "Spring").waitFor()
    assert.include(JSON.stringify(await ask("list_tags")), "Spring")
  })

  it("are deleted after a question; what the server says against it stands there", async () => {
    const { called, rows, view } = await open("list_tags")
    const count = await rows.count()
    await button(view, "Newsletter").click()
    await button(view, "Delete").click()
    await button(view, "Delete Newsletter?").waitFor()
    assert.notInclude(
      called().map(({ name }) => name),
      "delete_tag"
    )
    await button(view, "Delete Newsletter?").click()
    await shown(view, "Deleted Newsletter.")
    assert.strictEqual(await rows.count(), count - 1)

    const other = await open("list_locations")
    await other.rows.first().locator("button").click()
    await button(other.view, "Delete").click()
    await other.view.frame.getByRole("button", { name: /^Delete .*\?$/ }).click()
    await other.view.frame.getByRole("alert").filter({ hasText: "FOREIGN KEY" }).waitFor()
  })

  it("are changed and deleted together after one question, also more than a press allows", async () => {
    const { ask, called, rows, view } = await open("list_order_items", { args: { limit: 30 } })
    const { total } = await ask("list_order_items", { limit: 1 })
    const count = await rows.count()
    await view.frame.getByLabel("Select all rows on this page").check()
    await button(view, `Edit ${count} order items`).click()
    await view.frame.getByLabel("Quantity").fill("4")
    await button(view, `Save ${count} order items`).click()
    await button(view, "Run it").click()
    await shown(view, `Changed ${count} order items.`)
    const changed = called().filter(({ name }) => name === "update_order_item")
    assert.lengthOf(changed, count)
    assert.deepStrictEqual(Object.keys(changed[0]?.arguments as Json), ["quantity", "id"])

    await view.frame.getByLabel("Select all rows on this page").check()
    await button(view, `Delete ${count} order items`).click()
    await button(view, `Delete ${count} order items for good?`).click()
    await shown(view, `Deleted ${count} order items.`)
    assert.isUndefined(total)
    await clean(view)
  })

  it("are paged, searched, filtered and ordered by their server", async () => {
    const { called, view } = await open("list_customers")
    const lastArgs = () => called().at(-1)?.arguments
    await shown(view, "1–25 of 1,800")
    await button(view, "Next").click()
    await shown(view, "26–50 of 1,800")
    assert.deepInclude(lastArgs(), { offset: 25 })
    await view.frame.getByRole("searchbox").fill("costa")
    await view.frame.getByRole("searchbox").press("Enter")
    await view.frame.getByText(/^1–25 of 1\d\d$/).waitFor()
    assert.deepStrictEqual(lastArgs(), { search: "costa" })
    await view.frame.locator("th button", { hasText: "Email" }).click()
    await view.frame.locator("th[aria-sort=ascending]", { hasText: "Email" }).waitFor()
    assert.deepStrictEqual(lastArgs(), { search: "costa", sort: "email", order: "asc" })
    await view.frame.getByRole("combobox", { name: "Active" }).selectOption("No")
    await view.frame
      .getByText(/^\d+–\d+ of \d{1,2}$|^\d+ rows?$/)
      .first()
      .waitFor()
    assert.deepStrictEqual(lastArgs(), { search: "costa", sort: "email", order: "asc", active: false })
    await clean(view)
  })

  it.each(["list_orders", "list_products"])("%s goes to the next page and back", async (tool) => {
    const { rows, view } = await open(tool)
    const first = await rows.first().innerText()
    await button(view, "Next").click()
    await view.frame
      .getByText(/^Page 2/)
      .first()
      .waitFor()
    await expect.poll(() => rows.first().innerText()).not.toBe(first)
    await button(view, "Previous").click()
    await view.frame
      .getByText(/^Page 1/)
      .first()
      .waitFor()
    await expect.poll(() => rows.first().innerText()).toBe(first)
  })

  it("are all selected by what they match, and the model hears of the filter", async () => {
    const { ask, view } = await open("list_customers", { args: { active: true } })
    await view.frame.getByLabel("Select all rows on this page").check()
    await view.frame.getByRole("button", { name: /^Select all 1,\d+ that match$/ }).click()
    await view.requested("tools/call")
    const [kept] = await expectSelection(ask)
    assert.deepInclude(kept, { noun: "customers", filter: { active: true } })
    assert.isAbove(Number(kept?.total), 1000)
  })
})

/** The selection is told with a pause. */
const expectSelection = async (ask: (name: string) => Promise<Json>): Promise<ReadonlyArray<Json>> => {
  for (;;) {
    const { selections } = (await ask("_ui_selection")) as { readonly selections: ReadonlyArray<Json> }
    if (selections.some(({ filter }) => filter !== undefined)) return selections
  }
}

describe("a generated page", () => {
  const page = `<!-- rich -->
<script type="module">
import { show, header, records } from "mcp-gen-ui/parts"
show((data, ctx) => [header("Our tags"), records(ctx, { columns: ["name", "color"] })])
</script>
`
  it("joins the records with one part, of which its prompt tells", async () => {
    const { called, prompts, view } = await open("list_tags", { page })
    assert.include(prompts[0], "records(ctx, {columns})")
    await view.frame.getByRole("heading", { name: "Our tags" }).waitFor()
    // Boxes come to whoever points at a row.
    const opacity = () =>
      view.frame.evaluate(`getComputedStyle(document.querySelector('[aria-label="Select Newsletter"]')).opacity`)
    assert.strictEqual(await opacity(), "0")
    await button(view, "Newsletter").hover()
    assert.strictEqual(await opacity(), "1")
    await button(view, "Newsletter").click()
    await button(view, "Edit").click()
    await box(view, "Name").fill("Letters")
    await button(view, "Save tag").click()
    await button(view, "Run it").click()
    await shown(view, "Saved.")
    await button(view, "Back to the list").click()
    await button(view, "Letters").waitFor()
    assert.include(
      called().map(({ name }) => name),
      "update_tag"
    )
    await clean(view)
  })
})

describe("the configuration", () => {
  it("corrects the rule", async () => {
    const { view } = await open("list_tags", { generation: { tools: { list_tags: { records: { delete: false } } } } })
    await button(view, "Newsletter").click()
    await button(view, "Edit").waitFor()
    assert.strictEqual(await button(view, "Delete").count(), 0)
  })

  it("turns it off", async () => {
    const generation = { tools: { list_order_items: { records: false } } }
    const { rows, view } = await open("list_order_items", { generation })
    assert.strictEqual(await button(view, "New order item").count(), 0)
    assert.strictEqual(await rows.first().locator(".mg-linkbutton").count(), 0)
  })
})
