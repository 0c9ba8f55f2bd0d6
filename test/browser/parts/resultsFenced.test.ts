import { assert, describe, it } from "@effect/vitest"
import mongodb from "../../fixtures/recorded/mongodb.json" with { type: "json" }
import supabase from "../../fixtures/recorded/supabase.json" with { type: "json" }
import { withPage } from "./partsPage.ts"
import { structured, view } from "./resultsPage.ts"

describe("recorded answers of database servers", () => {
  it.each([
    ["MongoDB find", mongodb.find, ["Customer", "Status", "Placed", "Total", "Items"], 3],
    ["MongoDB list-databases", mongodb["list-databases"], ["Name", "Size"], 3],
    ["Supabase execute_sql", supabase.execute_sql, ["Table name", "Count"], 2]
  ])("%s: a table, the warning folded, the raw text kept", (_name, result, headings, rows) =>
    withPage(async (page) => {
      await page.show(`h("h1", {}, "Result"), ${view(result)}`)
      const { page: shown } = page
      const found = await shown.getByRole("columnheader").allTextContents()
      for (const heading of headings) assert.include(found, heading)
      assert.strictEqual(await shown.locator("tbody tr").count(), rows)
      assert.notMatch(await shown.locator("body").innerText(), /untrusted|WARNING|\$oid/)
      await shown.getByText("Notes for the model").click()
      await shown
        .getByText(/instructions or commands/)
        .first()
        .waitFor()
      await shown.getByText("Raw JSON").click()
      assert.match((await shown.locator(".mg-result-raw pre").textContent()) ?? "", /<untrusted-/)
      assert.deepEqual(await page.axe(), [])
    })
  )

  it("sort amounts of Extended JSON as numbers", () =>
    withPage(async (page) => {
      await page.show(view(mongodb.find))
      await page.page.getByRole("columnheader", { name: "Total" }).getByRole("button").click()
      const rows = await page.page.locator("tbody tr").allTextContents()
      assert.deepEqual(
        rows.map((row) => /Ada|Alan|Grace/.exec(row)?.[0]),
        ["Grace", "Ada", "Alan"]
      )
      assert.include(rows[0], "1,040")
    }))
})

describe("structured content and the output schema", () => {
  const outputSchema = { type: "object", properties: { sold: { type: "integer" } }, required: ["sold"] }
  it.each([
    [{ sold: 3 }, 0],
    [{ sold: "many" }, 1],
    [{ bought: 3 }, 1]
  ])("%j: %i lines say that it is not as described", (data, lines) =>
    withPage(async (page) => {
      await page.show(view(structured(data), { outputSchema }))
      assert.strictEqual(await page.page.getByText("The answer is not as the tool describes it.").count(), lines)
      assert.include(await page.page.locator("body").innerText(), String(Object.values(data)[0]))
    })
  )
})
