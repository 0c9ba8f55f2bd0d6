import { assert, describe, it } from "@effect/vitest"
import { button } from "../builtin/builtinPage.ts"
import { json, tool, withForm } from "./formsPage.ts"
import { rich } from "./formsTools.ts"

const { address, travellers, payment, position, metadata } = rich.inputSchema.properties

describe("nested values", () => {
  it("an optional group is added, filled in, and removed", async () => {
    await withForm(tool({ address }), async ({ view, frame, send, edit, refuse }) => {
      assert.strictEqual(await frame.getByLabel("Street").count(), 0)
      await button(view, "Add address").click()
      await view.page.keyboard.type("1 Rue A")
      await refuse()
      assert.strictEqual(await frame.getByLabel("City").getAttribute("aria-invalid"), "true")
      await frame.getByLabel("City").fill("Paris")
      assert.strictEqual(await send(), json({ address: { country: "France", street: "1 Rue A", city: "Paris" } }))
      await edit()
      await button(view, "Remove Address").click()
      assert.strictEqual(await frame.evaluate("document.activeElement.textContent"), "Add address")
      assert.strictEqual(await send(), "{}")
    })
  })

  it("cards are added, duplicated, moved, folded to a line, and removed", async () => {
    await withForm(tool({ travellers }), async ({ view, frame, send, edit }) => {
      const add = frame.getByRole("button", { name: "Add traveller" })
      await add.click()
      await view.page.keyboard.type("Ada")
      await add.click()
      await view.page.keyboard.type("Bob")
      await frame.getByRole("group", { name: "Traveller 2" }).first().getByLabel("Age").fill("7")
      await button(view, "Duplicate Traveller 1").click()
      await frame.locator("[data-path='/travellers/2/name'] input").fill("Bobby")
      await button(view, "Move Traveller 3 up").click()
      assert.strictEqual(await frame.evaluate("document.activeElement.ariaLabel"), "Move Traveller 2 up")
      assert.strictEqual(
        await send(),
        json({ travellers: [{ name: "Ada" }, { name: "Bobby", age: 7 }, { name: "Ada" }] })
      )
      await edit()
      await frame.getByRole("button", { name: /^Traveller 2/, expanded: true }).click()
      await frame.getByText("Bobby · 7").waitFor()
      await button(view, "Remove Traveller 1").click()
      await frame.getByRole("button", { name: /^Traveller 1/, expanded: false }).click()
      assert.strictEqual(await frame.locator("[data-path='/travellers/0/name'] input").inputValue(), "Bobby")
      assert.strictEqual(await send(), json({ travellers: [{ name: "Bobby", age: 7 }, { name: "Ada" }] }))
    })
  })

  it("an error in a folded card opens it", async () => {
    await withForm(
      tool({ travellers }),
      async ({ view, frame, refuse, send }) => {
        await button(view, "Duplicate Traveller 1").click()
        await button(view, "Edit as JSON").click()
        await frame.getByLabel("Input as JSON").fill(json({ travellers: [{ name: "Ada" }, { age: 3 }] }))
        await button(view, "Edit as form").click()
        assert.strictEqual(await frame.getByLabel("Name").count(), 0)
        await refuse()
        assert.strictEqual(
          await frame.evaluate("document.activeElement.closest('[data-path]').dataset.path"),
          "/travellers/1/name"
        )
        await view.page.keyboard.type("Bob")
        await view.until("document.querySelector('.mf-problem').textContent === ''")
        assert.strictEqual(await frame.locator(".mf-error").count(), 0)
        assert.strictEqual(await send(), json({ travellers: [{ name: "Ada" }, { age: 3, name: "Bob" }] }))
      },
      { toolInput: { travellers: [{ name: "Ada" }] }, toolResult: { content: [] } }
    )
  })

  it("a union keeps what its variants share, and gives back what was entered in each", async () => {
    await withForm(tool({ payment }, { required: ["payment"] }), async ({ frame, send, edit }) => {
      await frame.getByLabel("Holder").fill("Ada")
      await frame.getByLabel("Number").fill("42")
      await frame.getByLabel("Invoice").check()
      assert.strictEqual(await frame.getByLabel("Holder").inputValue(), "Ada")
      await frame.getByLabel("Days").fill("30")
      assert.strictEqual(await send(), json({ payment: { kind: "invoice", holder: "Ada", days: 30 } }))
      await edit()
      await frame.getByLabel("Card").check()
      assert.strictEqual(await frame.getByLabel("Number").inputValue(), "42")
      assert.strictEqual(await send(), json({ payment: { kind: "card", holder: "Ada", number: "42" } }))
    })
  })

  it("a union that is an item of a list is of some kind always", async () => {
    const item = {
      oneOf: [
        { title: "Word", type: "string" },
        { title: "Figure", type: "integer" }
      ]
    }
    await withForm(tool({ items: { type: "array", items: item } }), async ({ view, frame, send }) => {
      await frame.getByRole("button", { name: /^Add/ }).click()
      assert.strictEqual(await frame.getByLabel("Not set").count(), 0)
      await frame.getByLabel("Figure", { exact: true }).check()
      await frame.getByRole("textbox").or(frame.getByRole("spinbutton")).last().fill("7")
      assert.deepStrictEqual(JSON.parse(await send()), { items: [7] })
      assert.deepStrictEqual(await view.axe(), [])
    })
  })

  it("a union takes of a shared group only what the chosen variant has", async () => {
    const variant = (kind: string, own: string): Record<string, unknown> => ({
      title: kind,
      type: "object",
      properties: {
        kind: { const: kind },
        query: {
          type: "object",
          properties: { limit: { type: "integer" }, [own]: { type: "string" } },
          required: [own]
        }
      },
      required: ["kind", "query"]
    })
    const way = { title: "Way", oneOf: [variant("Find", "filter"), variant("Count", "field")] }
    await withForm(tool({ way }, { required: ["way"] }), async ({ frame, send }) => {
      await frame.getByLabel("Filter").fill("a")
      await frame.getByLabel("Limit").fill("5")
      await frame.getByLabel("Count", { exact: true }).check()
      await frame.getByLabel("Field").fill("b")
      assert.deepStrictEqual(JSON.parse(await send()), { way: { kind: "Count", query: { limit: 5, field: "b" } } })
    })
  })

  it("a union takes what was entered last in a member that its variants share", async () => {
    const variant = (kind: string, own: string, type: string): Record<string, unknown> => ({
      title: kind,
      type: "object",
      properties: { kind: { const: kind }, [own]: { type: "string" }, note: { type: "string" }, size: { type } },
      required: ["kind"]
    })
    const way = { title: "Way", oneOf: [variant("Card", "number", "string"), variant("Iban", "code", "integer")] }
    await withForm(tool({ way }, { required: ["way"] }), async ({ frame, send, edit }) => {
      await frame.getByLabel("Number").fill("42")
      await frame.getByLabel("Note").fill("old")
      await frame.getByLabel("Size").fill("large")
      await frame.getByLabel("Iban", { exact: true }).check()
      await frame.getByLabel("Note").fill("new")
      assert.strictEqual(await frame.getByLabel("Size").inputValue(), "")
      await frame.getByLabel("Card", { exact: true }).check()
      assert.strictEqual(await frame.getByLabel("Note").inputValue(), "new")
      await frame.getByLabel("Size").fill("large")
      await frame.getByLabel("Iban", { exact: true }).check()
      await frame.getByLabel("Note").fill("")
      await frame.getByLabel("Card", { exact: true }).check()
      assert.deepStrictEqual(JSON.parse(await send()), { way: { kind: "Card", number: "42" } })
      await edit()
    })
  })

  it("a union of scalars sends the type that was chosen", async () => {
    await withForm(
      tool({ id: { title: "Id", type: ["string", "integer"] } }, { required: ["id"] }),
      async ({ frame, send, edit, refuse }) => {
        await refuse()
        await frame.getByText("This is required.").waitFor()
        await frame.getByRole("textbox").fill("7")
        assert.strictEqual(await send(), json({ id: "7" }))
        await edit()
        await frame.getByRole("radio").nth(1).check()
        await frame.getByRole("textbox").fill("7")
        assert.strictEqual(await send(), json({ id: 7 }))
      }
    )
  })

  it("a map takes names and values, renames in place, and refuses a name twice", async () => {
    await withForm(tool({ metadata }), async ({ view, frame, send, edit, refuse }) => {
      const { keyboard } = view.page
      await button(view, "Add metadata").click()
      await frame.getByLabel("New name in Metadata").click()
      await keyboard.type("ref")
      await keyboard.press("Tab")
      await keyboard.type("x1")
      await frame.getByLabel("New name in Metadata").click()
      await keyboard.type("empty")
      await keyboard.press("Enter")
      await frame.getByLabel("New name in Metadata").fill("ref")
      await refuse()
      await frame.getByText("There is one of that name.").waitFor()
      await frame.getByLabel("New name in Metadata").fill("")
      await view.until("document.querySelector('.mf-problem').textContent === ''")
      await frame.getByLabel("Name of Metadata").first().fill("reference")
      assert.strictEqual(await send(), json({ metadata: { reference: "x1", empty: "" } }))
      assert.strictEqual(await frame.locator("[data-path='/metadata/reference']").count(), 1)
      await edit()
      await button(view, "Remove empty").click()
      assert.strictEqual(await send(), json({ metadata: { reference: "x1" } }))
    })
  })

  it("a tuple has a field for each place", async () => {
    await withForm(tool({ position }), async ({ frame, refuse, send }) => {
      await frame.getByLabel("Longitude").fill("2.3")
      await refuse()
      await frame.getByLabel("Latitude").fill("48.9")
      assert.strictEqual(await send(), json({ position: [48.9, 2.3] }))
    })
  })

  it("conditions are followed with the value, and the focus stays", async () => {
    const inputSchema: unknown = JSON.parse(`{
      "type": "object",
      "properties": { "to": { "title": "To", "type": "string" }, "note": { "title": "Note", "type": "string" } },
      "if": { "properties": { "to": { "const": "all" } }, "required": ["to"] },
      "then": { "properties": { "reason": { "title": "Reason", "type": "string" } }, "required": ["reason"] },
      "dependentRequired": { "note": ["to"] }
    }`)
    await withForm({ name: "send", inputSchema }, async ({ view, frame, refuse, send }) => {
      assert.strictEqual(await frame.getByLabel("Reason").count(), 0)
      await frame.getByLabel("To").click()
      await view.page.keyboard.type("all")
      await frame.getByLabel("Reason").waitFor()
      assert.strictEqual(await frame.evaluate("document.activeElement.closest('[data-path]').dataset.path"), "/to")
      await refuse()
      await frame.getByLabel("Reason").fill("because")
      await frame.getByLabel("To").click()
      await view.page.keyboard.press("End")
      await view.page.keyboard.type("en")
      assert.strictEqual(await frame.getByLabel("To").inputValue(), "allen")
      assert.strictEqual(await frame.getByLabel("Reason").count(), 0)
      await frame.getByLabel("Note").fill("n")
      assert.strictEqual(await send(), json({ to: "allen", note: "n" }))
    })
  })

  it("recursion opens when it is asked for", async () => {
    const tree = {
      name: "send",
      inputSchema: {
        $ref: "#/$defs/node",
        $defs: {
          node: {
            type: "object",
            properties: { name: { title: "Name", type: "string" }, next: { $ref: "#/$defs/node", title: "Next" } }
          }
        }
      }
    }
    await withForm(tree, async ({ view, frame, send }) => {
      await frame.getByLabel("Name").fill("a")
      await button(view, "Add next").click()
      await view.page.keyboard.type("b")
      await button(view, "Add next").click()
      await view.page.keyboard.type("c")
      assert.strictEqual(await send(), json({ name: "a", next: { name: "b", next: { name: "c" } } }))
    })
  })

  it("null can be told from nothing", async () => {
    await withForm(
      tool({
        owner: { title: "Owner", type: ["string", "null"] },
        limit: { title: "Limit", type: ["integer", "null"] }
      }),
      async ({ view, frame, send, edit }) => {
        await button(view, "Set to null: Owner").click()
        assert.strictEqual(await send(), json({ owner: null }))
        await edit()
        await button(view, "Enter a value for Owner").click()
        await view.page.keyboard.type("Ada")
        assert.strictEqual(await frame.getByRole("textbox", { name: "Limit" }).inputValue(), "")
        assert.strictEqual(await send(), json({ owner: "Ada" }))
      }
    )
  })
})
