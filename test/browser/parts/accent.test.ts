import { assert, describe, it } from "@effect/vitest"
import { openView, viewDocument } from "../harness/index.ts"

const hueOf = async (tool: { readonly name: string; readonly family?: string }): Promise<string> => {
  const view = await openView({ html: await viewDocument({ tool }) })
  await view.frame.waitForSelector(".mg-app")
  return view.frame.evaluate<string>("document.documentElement.style.getPropertyValue('--mg-hue')")
}

describe("the accent of a tool", () => {
  it("is like that of the other tools of its server, but not the same for all", async () => {
    const names = ["list_issues", "get_issue", "close_issue", "create_issue", "search_code"]
    const hues: Array<string> = []
    for (const name of names) hues.push(await hueOf({ name, family: "list_issues" }))
    const different = new Set(hues)
    assert.isAtLeast(different.size, 2)
    assert.isAtMost(different.size, 3)
    assert.strictEqual(await hueOf({ name: "get_issue", family: "list_issues" }), hues[1])
    assert.isFalse(different.has(await hueOf({ name: "list_issues", family: "get_forecast" })))
  })

  it("is its own where no server is known", async () => {
    assert.notStrictEqual(await hueOf({ name: "list_issues" }), await hueOf({ name: "get_forecast" }))
  })
})
