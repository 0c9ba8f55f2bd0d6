import { assert, describe, it } from "@effect/vitest"
import { UiVersions } from "../../../src/domain/versions/UiVersions.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"

const numbers = (versions: UiVersions, toolName = "tool") => versions.of(toolName).map(({ number }) => number)

describe("UiVersions", () => {
  it("keeps the lineage: a refinement has the current version for its parent, a new one has none", () => {
    const versions = new UiVersions()
    versions.add("1", uiEntry("a"), { origin: "generated" })
    versions.add("1", uiEntry("b"), { origin: "refined", feedback: "bigger" })
    versions.add("1", uiEntry("c"), { origin: "refined", feedback: "bluer" })
    assert.strictEqual(versions.select("tool", 1)?.entry.key, uiEntry("a").key)
    versions.add("1", uiEntry("d"), { origin: "refined", feedback: "red" })
    versions.add("1", uiEntry("e"), { origin: "regenerated" })
    assert.deepStrictEqual(
      versions.of("tool").map(({ number, parent, feedback }) => [number, parent, feedback]),
      [
        [1, null, null],
        [2, 1, "bigger"],
        [3, 2, "bluer"],
        [4, 1, "red"],
        [5, null, null]
      ]
    )
    assert.strictEqual(versions.current("tool")?.number, 5)
    assert.isUndefined(versions.select("tool", 6))
    assert.strictEqual(versions.current("tool")?.number, 5)
  })

  it("keeps at most 20 of a tool, and the current one among them", () => {
    const versions = new UiVersions()
    for (let index = 0; index < 20; index += 1) versions.add("1", uiEntry(`${index}`), { origin: "generated" })
    versions.select("tool", 1)
    versions.add("1", uiEntry("more"), { origin: "refined" })
    assert.deepStrictEqual(numbers(versions).slice(0, 2), [1, 3])
    versions.select("tool", 3)
    for (let index = 0; index < 3; index += 1) {
      versions.add("1", uiEntry(`later ${index}`), { origin: "refined" })
      assert.include(numbers(versions), 3)
      versions.select("tool", 3)
    }
    assert.strictEqual(numbers(versions).length, 20)
  })

  it("is bounded by size over all tools, and the current ones stay", () => {
    const versions = new UiVersions()
    const large = "x".repeat(400_000)
    for (let tool = 0; tool < 10; tool += 1) {
      for (let index = 0; index < 3; index += 1) {
        versions.add("1", uiEntry(`${tool} ${index}`, { toolName: `tool ${tool}`, source: large }), {
          origin: "generated"
        })
      }
    }
    const all = Array.from({ length: 10 }, (_, tool) => versions.of(`tool ${tool}`).length)
    assert.isAtMost(all.reduce((sum, count) => sum + count, 0) * 400_000, 5_000_000)
    for (let tool = 0; tool < 10; tool += 1) assert.strictEqual(versions.current(`tool ${tool}`)?.number, 3)
  })

  it("begins anew with a tool that is defined anew, and forgets", () => {
    const versions = new UiVersions()
    versions.add("1", uiEntry("a"), { origin: "generated" })
    versions.add("2", uiEntry("b"), { origin: "generated" })
    assert.deepStrictEqual(numbers(versions), [1])
    versions.forget("tool")
    assert.deepStrictEqual(numbers(versions), [])
    assert.isUndefined(versions.current("tool"))
  })
})
