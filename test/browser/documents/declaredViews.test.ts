import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { DECLARED } from "../../../src/domain/tools/UiEntry.ts"
import { parseViewFile, viewProblemsText } from "../../../src/domain/views/ViewFile.ts"
import { viewSource } from "../../../src/domain/views/viewSource.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { declaredViews, stock, stockTool } from "../../fixtures/declaredViews.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"

const linkers = DocumentLinkerLayer.layer({ theme: "system", maxOutputDisplayBytes: 100_000 }).pipe(
  Layer.provide(PackageFiles.layer)
)

const open = async (kind: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> => {
  const read = Result.flatMap(parseViewFile(JSON.stringify(declaredViews[kind])), (view) => viewSource(view, stockTool))
  const source = Result.isSuccess(read) ? read.success : assert.fail(viewProblemsText(read.failure))
  const entry = uiEntry("key", { toolName: stockTool.name, source, provider: DECLARED })
  const html = await Effect.flatMap(DocumentLinker, (linker) => linker.link(stockTool, entry)).pipe(
    Effect.provide(linkers),
    Effect.runPromise
  )
  return openView({
    html,
    toolInput: { query: "bolts" },
    toolResult: { content: [], structuredContent: stock },
    onCall: (params) => ({
      content: [],
      structuredContent: params.name === "get_totals" ? { rows: [{ hall: "A", sum: 16 }] } : stock
    }),
    ...options
  })
}

/** What a view of each kind shows. */
const shown: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["table", ["Stock in Oslo", "€11.00", "Order Bolts", "Ask about it"]],
  ["detail", ["Shop", "City", "41 pieces"]],
  ["cards", ["Bolts (1)", "Amount", "Copy"]],
  ["list", ["Bolts", "Hall A"]],
  ["chart", ["Stock", "Plates"]],
  ["progress", ["Delivery", "75%", "Pack"]],
  ["form", ["How much", "In pieces.", "Look", "Nuts"]],
  ["wizard", ["Find stock", "2. When", "Next", "Nuts"]],
  ["search", ["closed", "Plates", "Page 1 of 14"]],
  ["picker", ["Order them", "Nuts"]],
  ["dashboard", ["Oslo today", "Pieces", "Amounts", "Totals", "16"]]
]

describe("a declared view in a browser", () => {
  it("has a test for each kind", () => {
    assert.deepStrictEqual(
      shown.map(([kind]) => kind),
      Object.keys(declaredViews)
    )
  })

  it.each(shown)("draws a %s", async (kind, parts) => {
    for (const [colorScheme, width] of [
      ["light", 720],
      ["dark", 320]
    ] as const) {
      const view = await open(kind, { colorScheme, width })
      await view.settle()
      for (const text of parts) await view.frame.getByText(text).filter({ visible: true }).first().waitFor()
      assert.deepStrictEqual(await view.axe(), [])
      assert.deepStrictEqual([view.violations, view.consoleErrors], [[], []])
    }
  })

  const button = (view: View, name: string) => view.frame.getByRole("button", { name, exact: true })

  it("asks step by step, keeps what was typed, and sends everything at the end", async () => {
    const view = await open("wizard", { toolInput: {} })
    await view.press(button(view, "Next"))
    await view.frame.getByText("Search for is needed.").waitFor()
    await view.frame.getByLabel("Search for").fill("nuts")
    await view.press(button(view, "Next"))
    assert.strictEqual(await view.frame.evaluate("document.activeElement.textContent"), "When")
    await view.frame.getByLabel("Since").fill("2026-11-23")
    await view.press(button(view, "Back"))
    assert.strictEqual(await view.frame.getByLabel("Search for").inputValue(), "nuts")
    await view.press(button(view, "Next"))
    await view.frame.getByLabel("Urgent").check()
    await view.press(button(view, "Next"))
    await view.frame.getByLabel("Amount").fill("3")
    assert.deepStrictEqual(view.calls, [])
    await view.frame.getByLabel("Amount").press("Enter")
    await view.requested("tools/call")
    const values = { query: "nuts", since: "2026-11-23", urgent: true, amount: 3 }
    assert.deepStrictEqual(view.calls, [{ name: "list_stock", arguments: values }])
    // What is on screen stays for the next try.
    assert.strictEqual(await view.frame.getByLabel("Amount").inputValue(), "3")
  })

  it("keeps its form where a call fails", async () => {
    const failed = { isError: true, content: [{ type: "text", text: "No such shop." }] }
    const view = await open("form", { toolResult: failed })
    await view.frame.getByText("No such shop.").waitFor()
    assert.strictEqual(await view.frame.getByLabel("Search for").inputValue(), "bolts")
    await view.frame.getByLabel("State").selectOption("Closed ones")
    await view.press(button(view, "Look"))
    await view.frame.getByText("Nuts").waitFor()
    assert.deepStrictEqual(view.calls, [
      { name: "list_stock", arguments: { query: "bolts", state: "closed", urgent: false } }
    ])
  })

  it("does with what is picked what it says", async () => {
    const view = await open("picker")
    await view.press(button(view, "Order them"))
    await view.frame.getByText("Choose something first.").waitFor()
    const boxes = view.frame.getByRole("row").getByRole("checkbox")
    await boxes.nth(1).check()
    await boxes.nth(3).check()
    await view.press(button(view, "Order them"))
    await view.requested("tools/call")
    assert.deepStrictEqual(view.calls, [{ name: "order_stock", arguments: { ids: [1, 3] } }])
  })

  it("searches, filters and pages by calls of the tool", async () => {
    const view = await open("search")
    await view.press(button(view, "Next"))
    await view.requested("tools/call")
    await view.press(button(view, "closed"))
    await view.requested("tools/call", 2)
    assert.deepStrictEqual(
      view.calls.map((call) => call.arguments),
      [
        { query: "bolts", page: 2 },
        { query: "bolts", page: 1, state: "closed" }
      ]
    )
  })

  it("calls with members of the row, and the tool again when that is done", async () => {
    const view = await open("table")
    await view.press(button(view, "Order Nuts"))
    await view.requested("tools/call", 2)
    assert.deepStrictEqual(view.calls, [
      { name: "order_stock", arguments: { id: 2, shop: "bolts" } },
      { name: "list_stock", arguments: { query: "bolts" } }
    ])
  })
})
