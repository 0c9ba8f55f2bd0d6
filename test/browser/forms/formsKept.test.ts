import { assert, describe, it } from "@effect/vitest"
import { button, days } from "../builtin/builtinPage.ts"
import { json, tool, withForm } from "./formsPage.ts"
import { rich } from "./formsTools.ts"

const HOSTILE: ReadonlyArray<Record<string, unknown>> = [
  {},
  { unknown: { "a.b": [null, ""] }, seats: "3", title: "" },
  { title: null, contact: 7, class: "Cattle", currency: ["EUR"], seats: 1e21, budget: "much", flexible: "yes" },
  { departure: "tomorrow", returning: "", apiKey: { a: 1 }, notes: ["x"], labels: "one", meals: [null, "Tea"] },
  {
    address: "here",
    travellers: { 0: { name: 1 } },
    payment: "cash",
    position: [1, 2, 3, [4]],
    metadata: { a: { b: 1 } }
  },
  { address: {}, travellers: [null, 1, {}], payment: { kind: "gold" }, position: [], metadata: [], options: null },
  { z: 1, a: 2, "": 3, __proto__x: 4, title: "a\r\nb", labels: ["", "a,b", "x".repeat(200)], old: false },
  {
    travellers: Array.from({ length: 250 }, (_, index) => ({ name: `N${index}` })),
    labels: Array.from({ length: 300 }, String)
  }
]

describe("arguments that nobody changed", () => {
  for (const [index, args] of HOSTILE.entries()) {
    it(`are sent as they came, whatever they are (${index})`, async () => {
      await withForm(
        rich,
        async ({ view, frame, send, edit }) => {
          for (const summary of await frame.locator("summary").all()) await summary.click()
          assert.strictEqual(await send(), json(args))
          await edit()
          await button(view, "Edit as JSON").click()
          assert.strictEqual(await send(), json(args))
        },
        { toolInput: args, toolResult: days }
      )
    })
  }

  it("stay beside what was changed", async () => {
    const args = { unknown: { "a.b": [null] }, title: "Trip", seats: "3", class: "First", payment: "cash" }
    await withForm(
      rich,
      async ({ frame, view, refuse, send }) => {
        await frame.getByLabel("Title").fill("Journey")
        await refuse()
        assert.strictEqual(await frame.getByRole("textbox", { name: "Seats" }).inputValue(), '"3"')
        await button(view, "Replace Seats").click()
        await view.page.keyboard.type("3")
        await button(view, "Edit as JSON").click()
        const editor = frame.getByLabel("Input as JSON")
        const now = JSON.parse(await editor.inputValue())
        assert.deepStrictEqual(now, { ...args, title: "Journey", seats: 3 })
        await editor.fill(json({ ...now, payment: { kind: "invoice", holder: "Ada" } }))
        await button(view, "Edit as form").click()
        assert.deepStrictEqual(JSON.parse(await send()), { ...now, payment: { kind: "invoice", holder: "Ada" } })
      },
      { toolInput: args, toolResult: days }
    )
  })
})

it("the line ends of a text are kept when it is edited", async () => {
  const notes = { type: "string", format: "multiline" }
  await withForm(
    tool({ crlf: { ...notes, title: "Windows" }, mixed: { ...notes, title: "Mixed" } }),
    async ({ frame, send }) => {
      await frame.getByLabel("Windows").fill("a\nb\nc")
      await frame.getByLabel("Mixed").fill("a\nb\nc!")
      assert.strictEqual(await send(), json({ crlf: "a\r\nb\r\nc", mixed: "a\nb\nc!" }))
    },
    { toolInput: { crlf: "a\r\nb", mixed: "a\r\nb\nc" }, toolResult: days }
  )
})

describe("values that the form cannot offer", () => {
  const filter = tool({
    unit: { title: "Unit", enum: ["C", "F"] },
    kinds: { type: "array", title: "Kinds", items: { enum: ["rain", "sun"] } },
    on: { type: "boolean", title: "On" },
    note: { type: "string", title: "Note" }
  })

  it("show as what they are, and are mended one by one", async () => {
    const args = { unit: "K", kinds: ["sun", "hail", "hail"], on: "maybe", note: "a" }
    await withForm(
      filter,
      async ({ frame, refuse, send, edit }) => {
        const unit = frame.getByRole("radiogroup", { name: "Unit" })
        const on = frame.getByRole("radiogroup", { name: "On" })
        assert.isTrue(await unit.getByLabel("K").isChecked())
        assert.isTrue(await on.getByLabel("maybe").isChecked())
        assert.isTrue(await frame.getByLabel("hail").isChecked())
        assert.isFalse(await frame.getByLabel("rain").isChecked())
        assert.strictEqual(await send(), json(args))
        await edit()
        await frame.getByLabel("Note").fill("b")
        await refuse()
        assert.strictEqual(await unit.getAttribute("aria-invalid"), "true")
        await unit.getByLabel("F").check()
        await on.getByLabel("Yes").check()
        await frame.getByLabel("hail").uncheck()
        await frame.getByLabel("rain").check()
        assert.strictEqual(await send(), json({ unit: "F", kinds: ["sun", "rain"], on: true, note: "b" }))
      },
      { toolInput: args, toolResult: days }
    )
  })
})
