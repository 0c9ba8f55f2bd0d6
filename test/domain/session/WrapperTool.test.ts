import { assert, describe, it } from "@effect/vitest"
import { makeDashboards } from "../../../src/domain/tools/Dashboards.ts"
import { mayBeWrapperTool, wrapperTools } from "../../../src/domain/session/WrapperTool.ts"

const namesWith = (prefix: string, taken: ReadonlyArray<string> = []) =>
  wrapperTools(prefix, (name) => taken.includes(name)).map(({ name }) => name)

const own = [
  "refine",
  "list",
  "inspect",
  "regenerate",
  "history",
  "revert",
  "refresh_tools",
  "selection",
  "select",
  "current"
]

describe("the wrapper's tools", () => {
  it("have names that a host can take, each with schemas and annotations", () => {
    const tools = wrapperTools("_ui_", () => false)
    assert.deepStrictEqual(
      tools.map(({ name }) => name),
      own.map((kind) => `_ui_${kind}`)
    )
    for (const { definition, name } of tools) {
      assert.match(name, /^[\w-]{1,64}$/)
      assert.strictEqual(definition.name, name)
      for (const member of ["inputSchema", "outputSchema"]) {
        assert.strictEqual((definition[member] as { type?: unknown }).type, "object", `${name}.${member}`)
      }
    }
  })

  it("have one more for the studio, which no page may call", () => {
    const studio = wrapperTools("_ui_", () => false, [], true).find(({ kind }) => kind === "studio")
    assert.deepStrictEqual(studio?.definition["_meta"], { ui: { visibility: ["model"] } })
  })

  it("say of themselves what they change: nothing but UIs, and nothing is destroyed", () => {
    const changing = new Set(["refine", "regenerate", "revert"])
    for (const { definition, kind } of wrapperTools("_ui_", () => false)) {
      assert.deepStrictEqual(definition.annotations, {
        readOnlyHint: !changing.has(kind),
        destructiveHint: false,
        idempotentHint: kind === "revert" || !changing.has(kind),
        openWorldHint: false
      })
    }
  })

  it("are for the model alone, but for those that only UIs call", () => {
    for (const { definition, kind } of wrapperTools("_ui_", () => false)) {
      const visibility = kind === "select" || kind === "current" ? ["app"] : ["model"]
      assert.deepStrictEqual(definition._meta, { ui: { visibility } }, kind)
    }
  })

  it("all move to another prefix when the server has one of the names", () => {
    for (const kind of own) assert.deepStrictEqual(namesWith("_ui_", [`_ui_${kind}`])[0], "_ui2_refine")
    assert.include(namesWith("ui-", ["ui-select", "ui2-selection"]), "ui3-select")
  })

  it("open the dashboards, under names that do not clash either", () => {
    const { pages } = makeDashboards({ shop: { cards: [{ tool: "a" }] } }, [])
    const isTaken = (name: string): boolean => name === "_ui_dashboard_shop"
    assert.strictEqual(wrapperTools("_ui_", () => false, pages).at(-1)?.name, "_ui_dashboard_shop")
    assert.strictEqual(wrapperTools("_ui_", isTaken, pages).at(-1)?.name, "_ui2_dashboard_shop")
    assert.isTrue(mayBeWrapperTool("_ui_", "_ui2_dashboard_shop"))
  })

  it("are known by name under every prefix they may get, and others are not", () => {
    for (const kind of own) {
      assert.isTrue(mayBeWrapperTool("_ui_", `_ui_${kind}`))
      assert.isTrue(mayBeWrapperTool("_ui_", `_ui12_${kind}`))
      assert.isFalse(mayBeWrapperTool("_ui_", kind))
    }
    assert.isFalse(mayBeWrapperTool("_ui_", "_ui_selected"))
  })
})
