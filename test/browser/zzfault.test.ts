import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { closeChromium, openView, viewDocument, readableRuntimeScript, runtimeScript } from "./harness/index.ts"
afterAll(closeChromium)
for (const [name, module] of [
  ["dom", `const { show } = globalThis.mcpGenUi.parts; let saved = localStorage.getItem("q"); show(() => "x" + saved)`],
  ["error", `throw new Error("plain")`]
] as const)
  for (const result of [true, false])
    it(`${name} ${result}`, async () => {
      const html = await viewDocument({ markup: `<input id="q"><a href="https://example.test/docs">Docs</a>`, module })
      const view = await openView({
        html,
        eager: true,
        ...(result ? { toolInput: { a: 1 }, toolResult: { content: [], structuredContent: { sum: "1+1" } } } : {})
      })
      await view.page.waitForTimeout(1500)
      console.log(
        name,
        result,
        await view.frame.locator("[data-boundary]").count(),
        view.consoleErrors,
        await view.frame.evaluate("document.documentElement.outerHTML.slice(-400)")
      )
      await view.close()
    })
