import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { afterAll } from "vitest"
import { toolFromDefinition } from "../../src/domain/tools/Tool.ts"
import { UI_ENTRY_FORMAT } from "../../src/domain/documents/UiEntry.ts"
import type { UiEntry } from "../../src/domain/documents/UiEntry.ts"
import * as DocumentLinkerLayer from "../../src/layers/DocumentLinker.ts"
import * as HtmlInspectorLayer from "../../src/layers/HtmlInspector.ts"
import { DocumentLinker } from "../../src/services/DocumentLinker.ts"
import { HtmlInspector } from "../../src/services/HtmlInspector.ts"
import { PackageFiles } from "../../src/services/PackageFiles.ts"
import { closeChromium, openView, runtimeScript } from "./harness/index.ts"
import type { OpenViewOptions, View } from "./harness/index.ts"

/** The inspector and the linker with the runtime as it is in the sources now. */
const layers = Layer.mergeAll(
  HtmlInspectorLayer.layer,
  DocumentLinkerLayer.layer({ theme: "system", maxOutputDisplayBytes: 102_400 })
).pipe(
  Layer.provide(
    Layer.succeed(PackageFiles, PackageFiles.of({ root: "", text: () => Effect.promise(() => runtimeScript()) }))
  )
)

const tool = toolFromDefinition({
  name: "count",
  title: "Count </script><img src=x>",
  inputSchema: { type: "object", properties: { location: { type: "string" } } }
})

const entry = (source: string | null): UiEntry => ({
  format: UI_ENTRY_FORMAT,
  toolName: "count",
  key: "key",
  source,
  uiType: source === null ? "minimal" : "rich",
  level: source === null ? 2 : 0,
  repairs: [],
  warnings: [],
  fallback: null,
  provider: "none",
  model: null,
  promptVersion: null,
  templateVersion: "1",
  examples: 0,
  usage: null,
  refinements: [],
  requestId: "-",
  createdAt: 0,
  durationMs: 0
})

/** The document that a host reads for this answer of a model. */
const documentFor = (answer: string): Promise<string> =>
  Effect.gen(function* () {
    const inspector = yield* HtmlInspector
    const linker = yield* DocumentLinker
    const inspection = yield* inspector.inspect(answer, { toolNames: ["count"], maxHtmlBytes: 512_000 })
    if (inspection._tag === "Rejected") return assert.fail(JSON.stringify(inspection.problems))
    if (tool === undefined) return assert.fail("the tool has no name")
    return yield* linker.link(tool, entry(inspection.source))
  }).pipe(Effect.provide(layers), Effect.runPromise)

const recorded = (name: string): Promise<string> =>
  readFile(new URL(`../fixtures/answers/${name}`, import.meta.url), "utf8")

const open = async (answer: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> =>
  openView({ html: await documentFor(answer), toolInput: { location: "Oslo" }, ...options })

const clean = (view: View): void => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
}

const structured = (structuredContent: Record<string, unknown>): Record<string, unknown> => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent
})

const CASES: ReadonlyArray<readonly [name: string, result: Record<string, unknown>, shown: string]> = [
  ["good-parts.html", structured({ days: [{ date: "2026-01-02", high: 31, low: 22 }] }), "Forecast for Oslo"],
  ["good-style-and-markup.html", structured({ items: [{ title: "First", parent: null }] }), "First"],
  ["good-app-document.html", { content: [{ type: "text", text: "41 counted" }] }, "41 counted"],
  ["sloppy-fence.md", structured({ text: "shown as code" }), "shown as code"],
  ["sloppy-unclosed.html", structured({ rows: [{ name: "Ada" }] }), "Ada"],
  ["sloppy-no-module-type.html", structured({ rows: [{ name: "Grace" }] }), "Grace"],
  ["sloppy-cdn-import.html", structured({ from: "a CDN" }), "a CDN"],
  ["sloppy-cdn-script.html", { content: [], isError: false }, "false"],
  ["good-minimal.html", { content: [{ type: "text", text: "the standard view" }] }, "the standard view"]
]

afterAll(closeChromium)

describe("a recorded answer, linked, under the default CSP", () => {
  for (const [name, toolResult, shown] of CASES) {
    it(`${name} shows its result`, async () => {
      const view = await open(await recorded(name), { toolResult })
      await view.until(`document.body.innerText.includes(${JSON.stringify(shown)})`)
      assert.strictEqual(await view.frame.evaluate("document.images.length"), 0)
      clean(view)
      await view.close()
    })
  }

  it("calls its tool and shows the answer", async () => {
    const view = await open(await recorded("good-app-document.html"), {
      toolResult: { content: [{ type: "text", text: "1" }] },
      onCall: () => ({ content: [{ type: "text", text: "42 from the call" }] })
    })
    await view.until(`document.querySelector("output").textContent === "1"`)
    await view.frame.click("button")
    await view.until(`document.body.innerText.includes("42 from the call")`)
    assert.deepStrictEqual(view.calls, [{ name: "count", arguments: {} }])
    clean(view)
    await view.close()
  })

  it("keeps its words when its scripts hold the sequences that end scripts", async () => {
    const view = await open(
      `<!-- rich -->
<script type="module">
import { show, text } from "mcp-gen-ui/parts"
const open = "<!-- <script>"
show((data) => text(open + data.word + /<!--/.test(open)))
</script>
<p id="after">after</p>`,
      { toolResult: structured({ word: " and " }) }
    )
    await view.until(`document.body.innerText.includes("<!-- <script> and true")`)
    assert.strictEqual(await view.frame.evaluate(`document.querySelector("#after").textContent`), "after")
    clean(view)
    await view.close()
  })
})
