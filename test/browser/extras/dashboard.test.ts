import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { type Json, textOf, withConfig } from "../../fixtures/wrapperWithModel.ts"
import { clean } from "../builtin/builtinPage.ts"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"

const server = fileURLToPath(new URL("../../../examples/database-server/main.ts", import.meta.url))

const example = fileURLToPath(new URL("../../../examples/database-server/dashboard.json", import.meta.url))

const byStatus = "select status, count(*) as orders from orders group by status"
const cards = [
  { tool: "list_orders", arguments: { per_page: 5 }, title: "Newest orders" },
  { tool: "list_customers", arguments: { search: "nobody at all" }, title: "Nobody" },
  { tool: "query", arguments: { sql: byStatus }, title: "By status" },
  { tool: "query", arguments: { sql: "select nothing" } },
  { tool: "create_tag", arguments: { name: "Spring", color: "#00aa00" } },
  { tool: "delete_tag", arguments: { id: 1 } },
  { tool: "list_order" }
]

/** A host with the wrapper before the database server, which has a shop of its own. */
const connect = async (config: Json) => {
  const folder = mkdtempSync(join(tmpdir(), "dashboard-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const command = [process.execPath, server, join(folder, "shop.sqlite")]
  return overStdio("legacy", command, { flags: withConfig(config) })
}

type Answer = (call: Json, forward: () => Promise<Json>) => unknown

/** The dashboard on screen, opened by its tool. */
const open = async (shown: ReadonlyArray<Json> = cards, options: Partial<OpenViewOptions> = {}, answer?: Answer) => {
  const client = await connect({ dashboards: { shop: { title: "The shop", cards: shown } } })
  await client.listTools()
  const { ask, call, read } = sdkHost(client)
  const view = await openView({
    html: await read("dashboard/shop"),
    toolInput: {},
    toolResult: await call("_ui_dashboard_shop"),
    onCall: (params, method) => {
      if (method !== "tools/call") return {}
      const forward = () => call(String(params.name), params.arguments as Json)
      return answer?.(params, forward) ?? forward()
    },
    ...options
  })
  const card = (title: string) =>
    view.frame.locator(".mg-card", { has: view.frame.getByRole("heading", { name: title, exact: true }) })
  const control = (name: string) => view.frame.getByRole("button", { name, exact: true })
  return { ask, card, control, view }
}

const names = (view: View) => view.calls.map(({ name }) => name)

describe("a dashboard", () => {
  it.each<readonly [string, Partial<OpenViewOptions>]>([
    ["wide", { width: 1000 }],
    ["narrow and dark", { width: 320, hostContext: { theme: "dark" } }]
  ])("calls by itself what only reads, and each card has its own state: %s", async (_, options) => {
    const { card, control, view } = await open(cards, options)
    await card("Newest orders").locator("tbody tr").nth(4).waitFor()
    await card("Nobody").getByText("No customers.").waitFor()
    await card("By status").getByText("cancelled").first().waitFor()
    await card("Query").getByText("The tool reported an error").waitFor()
    await card("List order").getByText('The server has no tool "list_order". Did you mean "list_orders"?').waitFor()
    await card("Create tag").getByText("Nothing is called before you press Run.").waitFor()
    await card("Create tag").getByText("Spring").waitFor()
    await view.settle()
    const byItself = cards.slice(0, 4).map(({ arguments: args, tool }) => ({ name: tool, arguments: args }))
    assert.deepStrictEqual(view.calls, byItself)
    assert.strictEqual(await control("Refresh: Newest orders").count(), 1)
    assert.strictEqual(await card("List order").getByRole("button").count(), 0)
    await clean(view)
  })

  it("reads one card again, and runs what changes something by a press; what destroys is asked about", async () => {
    const { ask, card, control, view } = await open()
    await card("Newest orders").locator("tbody tr").nth(4).waitFor()
    await card("Query").getByText("The tool reported an error").waitFor()
    await control("Run: Create tag").click()
    await card("Create tag").getByText("Raw JSON").waitFor()
    assert.include(JSON.stringify(await ask("list_tags")), "Spring")
    await control("Run: Delete tag").click()
    await card("Delete tag").getByText("Run Delete tag?").waitFor()
    await control("Refresh: Newest orders").click()
    await view.requested("tools/call", 6)
    await view.settle()
    assert.deepStrictEqual(names(view).slice(4), ["create_tag", "list_orders"])
    await control("Run: Delete tag").click()
    await control("Run: Delete tag").click()
    await view.requested("tools/call", 7)
    assert.deepInclude(view.calls.at(-1), { name: "delete_tag", arguments: { id: 1 } })
  })

  it("says that it waits, keeps what it shows when a call fails, and tries again", async () => {
    let mode = "wait"
    const { card, control, view } = await open([{ tool: "list_locations" }, { tool: "list_tags" }], {}, ({ name }) => {
      if (name !== "list_locations" || mode === "pass") return undefined
      return mode === "wait" ? new Promise(() => undefined) : Promise.reject(new Error("The line is dead"))
    })
    await card("List tags").getByText("#1f77b4").waitFor()
    await card("List locations").getByText("Loading…").waitFor()

    mode = "fail"
    await view.reopen()
    await card("List locations").getByText("The call did not go through").waitFor()
    mode = "pass"
    await control("Retry: List locations").click()
    await card("List locations").locator("tbody tr").first().waitFor()
    mode = "fail"
    await control("Refresh: List locations").click()
    await card("List locations").getByText("The call did not go through").waitFor()
    await card("List locations").locator("tbody tr").first().waitFor()
    assert.strictEqual(await view.frame.getByRole("alert").count(), 1)
  })

  it("remembers the tab of each card", async () => {
    const orders = { tool: "list_orders", arguments: { per_page: 5 } }
    const { card, control, view } = await open([
      { ...orders, title: "One" },
      { ...orders, title: "Other" }
    ])
    await card("Other").locator("tbody tr").first().waitFor()
    await card("One").getByRole("tab", { name: "Chart" }).click()
    for (const title of ["One", "Other"]) await control(`Refresh: ${title}`).click()
    await view.requested("tools/call", 4)
    await view.settle()
    assert.strictEqual(await card("One").getByRole("tab", { selected: true }).innerText(), "Chart")
    assert.strictEqual(await card("Other").getByRole("tab", { selected: true }).innerText(), "Table")
  })
})

describe("the next page of a card", () => {
  it("is shown there, and Refresh goes back to the first", async () => {
    const { card, control, view } = await open([{ tool: "list_products", arguments: { limit: 5 } }])
    const first = card("List products").locator("tbody tr").first()
    const [begun = ""] = /SKU-\d+/.exec(await first.innerText()) ?? []
    assert.notStrictEqual(begun, "")
    await card("List products").getByRole("button", { name: "Next page" }).click()
    await view.requested("tools/call", 2)
    assert.hasAllKeys(view.calls[1]?.arguments, ["limit", "cursor"])
    await first.filter({ hasNotText: begun }).waitFor()
    await control("Refresh: List products").click()
    await view.requested("tools/call", 3)
    await first.filter({ hasText: begun }).waitFor()
  })
})

describe("a host", () => {
  it("finds a dashboard among the resources and the tools, which says what is on screen", async () => {
    const shown = JSON.parse(readFileSync(example, "utf8")) as { readonly dashboards: Json }
    const client = await connect({
      dashboards: { ...shown.dashboards, till: { title: "The till", cards: cards.slice(0, 1) } }
    })
    const { tools } = await client.listTools()
    const { resources } = await client.listResources()
    const uris = ["ui://dashboard/shop", "ui://dashboard/till"]
    assert.deepStrictEqual(
      resources.slice(0, 2).map(({ mimeType, title, uri }) => [uri, title, mimeType]),
      [
        [uris[0], "The shop today", "text/html;profile=mcp-app"],
        [uris[1], "The till", "text/html;profile=mcp-app"]
      ]
    )
    const opening = tools.filter(({ name }) => name.startsWith("_ui_dashboard_"))
    assert.deepStrictEqual(
      opening.map(({ _meta }) => _meta),
      uris.map((uri) => ({ ui: { resourceUri: uri, visibility: ["model"] }, "ui/resourceUri": uri }))
    )
    const { call } = sdkHost(client)
    assert.notInclude(textOf(await call("_ui_dashboard_shop")), "has no tool")
    assert.match(
      textOf(await call("_ui_dashboard_till")),
      /^The user sees the dashboard "The till".*\n- Newest orders \(list_orders\), with \{"per_page":5\}$/
    )
    const [document] = (await client.readResource({ uri: "ui://dashboard/till" })).contents
    const [tool] = (await client.readResource({ uri: "ui://list_orders" })).contents
    assert.deepStrictEqual(document?._meta, tool?._meta)
    assert.isBelow(Buffer.byteLength(String(document && "text" in document && document.text)), 145_000)
  })
})
