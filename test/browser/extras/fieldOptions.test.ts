import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { openShop } from "../../fixtures/shopPage.ts"
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

  it("is a plain box when the list does not come", async () => {
    const before = (name: string) => {
      if (name === "list_customers") throw new Error("no way")
    }
    const { view } = await openShop("get_customer", { before })
    const id = view.frame.getByRole("combobox", { name: "ID" })
    await id.click()
    await view.frame.getByText("The choices could not be loaded").waitFor()
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
