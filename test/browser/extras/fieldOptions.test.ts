import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { openShop } from "../../fixtures/shopPage.ts"
import type { Json } from "../../fixtures/wrapperWithModel.ts"
import { button, clean, overflow, text } from "../builtin/builtinPage.ts"
import type { View } from "../harness/index.ts"

const option = (view: View, name: string) => view.frame.getByRole("option", { name })
const submit = (view: View) => view.frame.locator("form button[type=submit]").click()
const sent = async (view: View, tool: string) => {
  await expect.poll(() => view.calls.some(({ name }) => name === tool)).toBe(true)
  return view.calls.find(({ name }) => name === tool)?.arguments
}
const labels = (view: View, of = "[role=option]"): Promise<ReadonlyArray<string>> =>
  view.frame.evaluate(`[...document.querySelectorAll("${of}")].map(({ textContent }) => textContent)`)

describe("a field whose values another tool lists", () => {
  it("asks when it is opened, has pages and search, and sends the value", async () => {
    const { view } = await openShop("create_order")
    const customer = view.frame.getByRole("combobox", { name: "Customer ID" })
    await customer.waitFor()
    await customer.focus()
    await view.settle()
    assert.deepStrictEqual(view.calls, [])

    await customer.click()
    await option(view, "Quinn").first().waitFor()
    assert.lengthOf(await labels(view), 25)
    await view.press(view.frame.getByRole("button", { name: "Show more" }))
    await expect.poll(async () => (await labels(view)).length).toBe(50)
    assert.deepStrictEqual(view.calls, [
      { name: "list_customers", arguments: {} },
      { name: "list_customers", arguments: { offset: 25 } }
    ])

    await customer.pressSequentially("clara adler")
    await expect.poll(async () => (await labels(view))[0]).toMatch(/^Clara Adler/)
    await customer.press("ArrowDown")
    await customer.press("Enter")
    assert.strictEqual(await customer.inputValue(), "Clara Adler")
    await clean(view)

    await view.frame.getByRole("combobox", { name: "Location ID" }).click()
    await option(view, "Oslo shop").click()
    await view.frame.getByLabel("Ordered on").fill("2026-05-04")
    await view.frame.getByLabel("Total").fill("12.5")
    await submit(view)
    const order = await sent(view, "create_order")
    assert.deepInclude(order, { location_id: 12, total: 12.5 })
    assert.match(JSON.stringify(order), /"customer_id":\d+,/)
  })

  it("takes several, with their colors", async () => {
    const { view } = await openShop("update_customer", {
      toolInput: { id: 7, tag_ids: [2] },
      toolResult: text("Changed.")
    })
    const tags = view.frame.getByRole("combobox", { name: "Tag ids" })
    await button(view, "Edit input").click()
    await tags.click()
    for (const name of ["VIP", "Web", "Business"]) await option(view, name).click()
    assert.deepStrictEqual(await labels(view, ".mf-tag"), ["VIP", "Web"])
    assert.strictEqual(
      await view.frame.evaluate("getComputedStyle(document.querySelector('.mf-tag>span')).backgroundColor"),
      "rgb(140, 86, 75)"
    )
    await clean(view)
    await tags.press("Escape")
    await submit(view)
    await view.frame.getByRole("button", { name: "Run it" }).click()
    assert.deepStrictEqual(await sent(view, "update_customer"), { id: 7, tag_ids: [5, 9] })
  })

  it("gets pages by cursor, and shows what there is where rows have no name", async () => {
    const { view } = await openShop("create_order_item")
    await view.frame.getByRole("combobox", { name: "Product ID" }).click()
    await option(view, "Lamp").first().waitFor()
    await view.press(view.frame.getByRole("button", { name: "Show more" }))
    await expect.poll(async () => (await labels(view)).length).toBe(50)
    assert.deepStrictEqual(Object.keys(Object(view.calls[1]?.arguments)), ["cursor"])
    await view.frame.getByRole("combobox", { name: "Order ID" }).click()
    await option(view, "1 287 · 2 · shipped").waitFor()
    await view.press(view.frame.getByRole("button", { name: "Show more" }))
    await expect.poll(() => view.calls.at(-1)?.arguments).toEqual({ page: 2 })
  })

  it("is there in a form that a row opens", async () => {
    const { view } = await openShop("list_customers")
    await submit(view)
    await button(view, "New customer").click()
    const customer = view.frame.getByRole("region", { name: "New customer" })
    await customer.getByRole("combobox", { name: "Location ID" }).click()
    await option(view, "Oslo shop").click()
    await customer.getByText("More options").click()
    await customer.getByRole("combobox", { name: "Tag ids" }).click()
    await option(view, "VIP").click()
    await clean(view)
  })

  const branches = {
    name: "list_branches",
    inputSchema: {
      type: "object",
      properties: { repo: { type: "string" }, q: { type: "string" } },
      required: ["repo", "q"]
    }
  }
  const merge = {
    name: "merge",
    inputSchema: { type: "object", properties: { repo: { type: "string" }, branch: { type: "string" } } }
  }

  it("waits for what the list needs: other fields, and words to search for", async () => {
    const answer = (name: string, { q }: Json) =>
      name === "list_branches" ? { content: [{ type: "text", text: JSON.stringify([`${String(q)}/one`]) }] } : undefined
    const { view } = await openShop("merge", { answer, tools: [merge, branches] })
    const branch = view.frame.getByRole("combobox", { name: "Branch" })
    await branch.click()
    await view.frame.getByText("First enter Repo.").waitFor()
    await view.frame.getByLabel("Repo").pressSequentially("site")
    await branch.click()
    await view.frame.getByText("Type to search.").waitFor()
    assert.deepStrictEqual(view.calls, [])
    await branch.pressSequentially("fix")
    await option(view, "fix/one").click()
    assert.deepStrictEqual(view.calls, [{ name: "list_branches", arguments: { repo: "site", q: "fix" } }])
    await submit(view)
    assert.deepStrictEqual(await sent(view, "merge"), { repo: "site", branch: "fix/one" })
  })

  it("is a plain box when the list does not come", async () => {
    const answer = (name: string) => (name === "list_customers" ? { ...text("No way."), isError: true } : undefined)
    const { view } = await openShop("get_customer", { answer })
    const id = view.frame.getByRole("combobox", { name: "ID" })
    await id.click()
    await view.frame.getByText("The choices could not be loaded: No way. Type the value instead.").waitFor()
    await id.pressSequentially("12")
    await submit(view)
    assert.deepStrictEqual(await sent(view, "get_customer"), { id: 12 })
    await id.waitFor({ state: "hidden" })
  })

  it("stays at its schema: what is typed and no value is told", async () => {
    const { view } = await openShop("get_customer")
    const id = view.frame.getByRole("combobox", { name: "ID" })
    await id.click()
    await option(view, "Mina").first().waitFor()
    await id.pressSequentially("nobody")
    await view.frame.getByText("Nothing matches.").waitFor()
    await id.press("Tab")
    await view.frame.getByText("Enter a whole number.").waitFor()
    await clean(view)
  })

  it("is told by _ui_inspect and set by the configuration", async () => {
    const fields = {
      customer_id: { from: "list_customers", label: "{name} <{email}>", value: "id", search: "search" },
      location_id: false
    }
    const { ask, view } = await openShop("create_order", { generation: { tools: { create_order: { fields } } } })
    assert.deepStrictEqual((await ask("_ui_inspect", { toolName: "create_order" })).fields, [
      {
        field: "customer_id",
        from: "list_customers",
        value: "id",
        label: "{name} <{email}>",
        search: "search",
        by: "configuration"
      }
    ])
    // The only one: the location is a plain box.
    await view.frame.getByRole("combobox").click()
    await option(view, "@example.com>").first().waitFor()
  })

  it.each([
    { width: 320, colorScheme: "light" },
    { width: 320, colorScheme: "dark" },
    { width: 1000, colorScheme: "light" },
    { width: 1000, colorScheme: "dark" }
  ] as const)("fits $width pixels, $colorScheme", async ({ colorScheme, width }) => {
    const { view } = await openShop("create_customer", { width, colorScheme })
    await view.frame.getByText("More options").click()
    await view.frame.getByRole("combobox", { name: "Tag ids" }).click()
    await option(view, "VIP").click()
    await option(view, "Local").click()
    assert.strictEqual(await overflow(view), 0)
    await clean(view)
    const { SHOTS } = process.env
    if (SHOTS !== undefined) await view.page.screenshot({ path: `${SHOTS}/options-${width}-${colorScheme}.png` })
  })
})

describe("a field that takes a file", () => {
  const file = (name: string, bytes: number) => ({ name, mimeType: "image/png", buffer: Buffer.alloc(bytes, 7) })

  it("has a picker, says the size, and sends base64", async () => {
    const { view } = await openShop("create_product")
    const photo = view.frame.getByLabel("Photo")
    await photo.setInputFiles(file("large.png", 400_000))
    await view.frame.getByText("“large.png” has 400 kB; the tool takes 300 kB at most.").waitFor()
    await photo.setInputFiles(file("lamp.png", 3000))
    await view.frame.getByText("lamp.png 3 kB, 4,000 characters as base64").waitFor()
    await clean(view)
    const { SHOTS } = process.env
    if (SHOTS !== undefined) await view.page.screenshot({ path: `${SHOTS}/file.png` })
    await view.frame.getByLabel("Name").fill("Lamp")
    await view.frame.getByLabel("Sku").fill("L1")
    await view.frame.getByLabel("Price").fill("3")
    await view.frame.getByLabel("Stock").fill("4")
    await view.frame.getByRole("combobox", { name: "Category ID" }).pressSequentially("1")
    await submit(view)
    const photoSent = Buffer.alloc(3000, 7).toString("base64")
    assert.deepInclude(await sent(view, "create_product"), { photo: photoSent, category_id: 1 })
  })

  it("takes several as data URLs, and lets go of one", async () => {
    const items = { type: "string", format: "data-url" }
    const upload = { name: "upload", inputSchema: { type: "object", properties: { files: { type: "array", items } } } }
    const { view } = await openShop("upload", { tools: [upload] })
    await view.frame.getByLabel("Files").setInputFiles([file("one.png", 3), file("two.png", 6)])
    await button(view, "Remove one.png").click()
    await submit(view)
    assert.deepStrictEqual(await sent(view, "upload"), { files: ["data:image/png;base64,BwcHBwcH"] })
  })
})
