import { assert, describe, it } from "@effect/vitest"
import { tool, withForm } from "./formsPage.ts"

const named = (count: number, field: object): Readonly<Record<string, object>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, field]))

describe("a wide form", () => {
  it("with 100,000 required names is drawn in part, and says what is missing", () =>
    withForm(
      tool({ field_0: { type: "string" } }, { required: Array.from({ length: 100_000 }, (_, at) => `field_${at}`) }),
      async ({ frame, refuse }) => {
        assert.strictEqual(await frame.locator("form .mf-fields>*").count(), 201)
        await refuse()
        assert.match((await frame.locator(".mf-problem").textContent()) ?? "", /^100 fields and more need attention\.$/)
        await frame.getByRole("button", { name: "Show more (99800)" }).click()
        assert.strictEqual(await frame.locator("form .mf-fields>*").count(), 401)
      }
    ))

  it("draws a field beyond the first ones when it is wrong, and sends what was there", () => {
    const args = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`field_${index}`, index === 950 ? "x" : 1])
    )
    return withForm(
      tool(named(1000, { type: "integer" })),
      async ({ frame, refuse, send }) => {
        const field = (index: number) => frame.locator(`[data-path="/field_${index}"]`)
        assert.strictEqual(await field(950).count(), 0)
        await field(0).locator("input").fill("2")
        await refuse()
        assert.include(await field(950).textContent(), "Enter a whole number.")
        assert.isBelow(await frame.locator("form .mf-fields>*").count(), 300)
        await field(950).getByRole("button", { name: "Replace" }).click()
        await field(950).locator("input").fill("3")
        const sent = JSON.parse(await send()) as Record<string, unknown>
        assert.deepEqual([sent.field_0, sent.field_950, Object.keys(sent).length], [2, 3, 1000])
      },
      { toolInput: args, toolResult: { content: [] } }
    )
  })

  it("with 20,000 choices draws the first, and finds the others", () =>
    withForm(
      tool({
        kinds: { type: "array", items: { enum: Array.from({ length: 20_000 }, (_, index) => `kind ${index}`) } }
      }),
      async ({ frame, send }) => {
        assert.strictEqual(await frame.locator(".mf-choice").count(), 100)
        await frame.getByRole("searchbox").fill("kind 19999")
        await frame.getByLabel("kind 19999").check()
        await frame.getByRole("searchbox").fill("")
        await frame.getByLabel("kind 0", { exact: true }).check()
        assert.strictEqual(await send(), '{"kinds":["kind 19999","kind 0"]}')
      }
    ))
})
