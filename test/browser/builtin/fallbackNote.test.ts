import { assert, describe, it } from "@effect/vitest"
import { FallbackReason } from "../../../src/domain/tools/UiEntry.ts"
import { fallbackText } from "../../../src/browser/builtin/fallbackText.ts"

import { button, clean, days, forecast, overflow } from "./builtinPage.ts"
import { openView, viewDocument } from "../harness/index.ts"

describe("the reason of a fallback", () => {
  it("has words for every code but the one that is no fault", () => {
    const { literals } = FallbackReason.fields.code
    const texts = literals.map((code) => fallbackText({ code, message: "", transient: false }, "builtin"))
    assert.isUndefined(texts[literals.indexOf("NO_MODEL")])
    assert.strictEqual(
      texts[literals.indexOf("PENDING")],
      "A view for this tool is being written; it appears here as soon as it is ready."
    )
    const told = texts.filter((_, index) => !["NO_MODEL", "PENDING"].includes(literals[index] ?? ""))
    assert.strictEqual(new Set(told).size, literals.length - 2)
    for (const text of told) assert.match(text ?? "", /^[A-Z][^_]+; this is the standard view\.$/)
  })

  it("says whether it is tried again, and what is shown in the meantime", () => {
    const reason = { code: "TIMEOUT", message: "", transient: true }
    assert.strictEqual(
      fallbackText(reason, "builtin"),
      "The generated view was not ready in time; this is the standard view. It will be tried again later."
    )
    assert.include(fallbackText(reason, "generated"), "this is the view from before.")
  })
})

describe("a generated view that stays because a newer one failed", () => {
  const probe = `<img src=x onerror="globalThis.hit=1">`
  const document = () =>
    viewDocument({
      tool: forecast,
      data: { fallback: { code: "REJECTED", message: `The answer was rejected: ${probe}`, transient: false } },
      markup: "<main><h1>Mine</h1><output></output></main>",
      style: "body{display:grid;min-height:50px} p,div{text-transform:uppercase;border:9px solid} button{display:none}",
      module: `const app = new globalThis.mcpGenUi.extApps.App({})
        app.ontoolresult = (result) => {
          document.body.innerHTML = "<main><h1>Mine</h1><p>drawn</p><p style='overflow-wrap:anywhere'></p></main>"
          document.querySelector("p:last-child").textContent = JSON.stringify(result)
        }
        app.connect()`
    })

  for (const colorScheme of ["light", "dark"] as const) {
    it(`says so above it in ${colorScheme}, whatever the view does with its body and its styles`, async () => {
      const view = await openView({ html: await document(), colorScheme, width: 320, toolResult: days })
      await view.frame.getByText("drawn").waitFor()
      const note = view.frame.getByRole("note")
      await note.getByText("this is the view from before.").waitFor()
      await note.getByText("Details").click()
      await note.getByText(probe).waitFor()
      assert.isUndefined(await view.frame.evaluate("globalThis.hit"))
      const [noteBox, heading] = [await note.boundingBox(), await view.frame.getByRole("heading").boundingBox()]
      assert.isBelow((noteBox?.y ?? 999) + (noteBox?.height ?? 0), heading?.y ?? 0)
      assert.strictEqual(await overflow(view), 0)
      assert.deepStrictEqual(await view.axe(), [])
      await button(view, "Dismiss").click()
      await view.send("sendToolResult", days)
      await view.frame.getByText("drawn").waitFor()
      assert.strictEqual(await note.count(), 0)
      await clean(view)
    })
  }
})
