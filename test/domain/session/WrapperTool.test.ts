import { assert, describe, it } from "@effect/vitest"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { makeDashboards } from "../../../src/domain/tools/Dashboards.ts"
import {
  isForPages,
  mayBeWrapperTool,
  type WrapperToolSet,
  wrapperTools
} from "../../../src/domain/session/WrapperTool.ts"

const toolsWith = (given: Partial<WrapperToolSet> = {}) =>
  wrapperTools({ prefix: "_ui_", isTaken: () => false, ...given })

const namesWith = (prefix: string, taken: ReadonlyArray<string> = []) =>
  toolsWith({ prefix, isTaken: (name) => taken.includes(name) }).map(({ name }) => name)

const own = [
  "refine",
  "write",
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
    const tools = toolsWith({ listing: "all" })
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
    const studio = toolsWith({ isStudio: true }).find(({ kind }) => kind === "studio")
    assert.deepStrictEqual(studio?.definition["_meta"], { ui: { visibility: ["model"] } })
  })

  it("say of themselves what they change: nothing but UIs, and nothing is destroyed", () => {
    const changing = new Set(["refine", "write", "regenerate", "revert"])
    for (const { definition, kind } of toolsWith({ listing: "all" })) {
      assert.deepStrictEqual(definition.annotations, {
        readOnlyHint: !changing.has(kind),
        destructiveHint: false,
        idempotentHint: kind === "revert" || !changing.has(kind),
        openWorldHint: false
      })
    }
  })

  it("are for the model alone, but for those that only UIs call", () => {
    for (const { definition, kind } of toolsWith()) {
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
    assert.strictEqual(toolsWith({ dashboards: pages }).at(-1)?.name, "_ui_dashboard_shop")
    assert.strictEqual(toolsWith({ dashboards: pages, isTaken }).at(-1)?.name, "_ui2_dashboard_shop")
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

  const listed = (given: Partial<WrapperToolSet>) => toolsWith(given).filter(({ isListed }) => isListed)
  const forModel = (given: Partial<WrapperToolSet>) => listed(given).filter(({ kind }) => !isForPages(kind))

  it.each([
    ["host", ["refine", "write", "list"]],
    ["model", ["refine", "list"]],
    ["nobody", ["list"]]
  ] as const)("are few for a model to read, where UIs are written by: %s", (writer, kinds) => {
    const few = forModel({ writer })
    assert.deepStrictEqual(
      few.map(({ kind }) => String(kind)),
      [...kinds]
    )
    // By a real tokenizer (o200k), as they stand in tools/list.
    const tokens = few.reduce((sum, { definition }) => sum + encode(JSON.stringify(definition)).length, 0)
    assert.isAtMost(tokens, 300)
    assert.isAtMost(encode(JSON.stringify(listed({ writer }).map(({ definition }) => definition))).length, 400)
  })

  it.each([
    ["all", own],
    ["none", ["select", "current"]]
  ] as const)("are listed as the configuration has it: %s", (listing, kinds) => {
    assert.deepStrictEqual(
      listed({ listing, writer: "host" }).map(({ kind }) => kind),
      kinds
    )
    assert.lengthOf(toolsWith({ listing }), own.length)
  })

  it("name each other with the prefix that they got", () => {
    const [refine] = toolsWith({ prefix: "ui-", writer: "host", isTaken: (name) => name === "ui-list" })
    assert.include(String(refine?.definition["description"]), "ui2-write")
  })
})
