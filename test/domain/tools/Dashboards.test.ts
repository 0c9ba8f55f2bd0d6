import { assert, describe, it } from "@effect/vitest"
import { makeDashboards } from "../../../src/domain/tools/Dashboards.ts"
import { makeToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"

const { tools } = makeToolCatalog(
  [
    { name: "list_orders", inputSchema: {}, annotations: { readOnlyHint: true } },
    { name: "show_orders", inputSchema: {}, annotations: { readOnlyHint: true, destructiveHint: true } },
    { name: "add_order", inputSchema: {} },
    { name: "drop_order", inputSchema: {}, annotations: { destructiveHint: true } },
    { name: "claims", inputSchema: {}, annotations: { readOnlyHint: "true" } },
    { name: "think", inputSchema: {}, annotations: { readOnlyHint: true }, _meta: { ui: { visibility: ["model"] } } },
    { name: "map", inputSchema: {}, _meta: { ui: { resourceUri: "ui://dashboard/map" } } }
  ],
  () => true
)

describe("the cards of a dashboard", () => {
  it.each<readonly [string, object, string | undefined]>([
    ["list_orders", { runs: true }, undefined],
    ["show_orders", { runs: true }, undefined],
    ["add_order", {}, undefined],
    ["drop_order", { asks: true }, undefined],
    ["claims", {}, undefined],
    ["think", {}, 'Pages may not call the tool "think".'],
    ["list_order", {}, 'The server has no tool "list_order". Did you mean "list_orders"?'],
    ["weather", {}, 'The server has no tool "weather".']
  ])("%s", (tool, flags, problem) => {
    const { pages, problems } = makeDashboards({ a: { cards: [{ tool: "list_orders" }, { tool }] } }, tools)
    const { runs, asks, problem: told } = pages[0]?.cards[1] ?? assert.fail("no card")
    assert.deepStrictEqual({ ...(runs && { runs }), ...(asks && { asks }) }, flags)
    assert.strictEqual(told, problem)
    assert.deepStrictEqual(problems, problem === undefined ? [] : [`dashboards.a.cards[1].tool: ${problem}`])
  })
})

describe("the address of a dashboard", () => {
  const dashboards = makeDashboards({ shop: { cards: [] }, Shop: { cards: [] }, map: { cards: [] } }, tools)

  it("has its name, and differs from all others in any case", () => {
    const [shop, other, map] = dashboards.pages.map(({ uri }) => uri)
    assert.strictEqual(shop, "ui://dashboard/shop")
    assert.match(other ?? "", /^ui:\/\/dashboard\/Shop~\w+$/)
    assert.match(map ?? "", /^ui:\/\/dashboard\/map~\w+$/)
  })

  it("leads to its page", () => {
    assert.strictEqual(dashboards.pageAt("ui://dashboard/SHOP")?.name, "dashboard/shop")
    assert.isUndefined(dashboards.pageAt("ui://dashboard/none"))
  })
})
