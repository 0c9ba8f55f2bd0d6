import { assert, describe, it } from "@effect/vitest"
import { UiVersions } from "../../../src/domain/library/UiVersions.ts"
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

  it("notes once that the current version failed, and no other one", () => {
    const versions = new UiVersions()
    versions.add("1", uiEntry("a"), { origin: "generated" })
    versions.add("1", uiEntry("b"), { origin: "refined" })
    assert.isFalse(versions.fail("tool", 1, 10))
    assert.isFalse(versions.fail("tool", 3, 10))
    assert.isFalse(versions.fail("other", 2, 10))
    assert.isTrue(versions.fail("tool", 2, 10))
    assert.isFalse(versions.fail("tool", 2, 20))
    assert.deepStrictEqual(
      versions.of("tool").map(({ failedAt }) => failedAt),
      [null, 10]
    )
    assert.strictEqual(versions.current("tool")?.failedAt, 10)
  })

  it("rules out a source that failed, as long as nobody makes it the current one", () => {
    const versions = new UiVersions()
    const { source } = versions.add("1", uiEntry("a"), { origin: "generated" }).entry
    const failed = versions.add("1", uiEntry("b"), { origin: "refined" }).entry.source
    versions.fail("tool", 2, 10)
    assert.isFalse(versions.isRuledOut("tool", "1", failed))
    versions.select("tool", 1)
    assert.isTrue(versions.isRuledOut("tool", "1", failed))
    assert.isFalse(versions.isRuledOut("tool", "2", failed))
    assert.isFalse(versions.isRuledOut("tool", "1", source))
    assert.isFalse(versions.isRuledOut("tool", "1", null))
    versions.select("tool", 2)
    assert.isFalse(versions.isRuledOut("tool", "1", failed))
  })

  it("finds what was served before, past all that failed, else the newest older one", () => {
    const versions = new UiVersions()
    const add = (name: string, isGood = true) => {
      const { number } = versions.add("1", uiEntry(name), { origin: "regenerated" })
      if (!isGood) versions.fail("tool", number, 1)
    }
    const before = () => versions.goodBefore("tool")?.number
    assert.isUndefined(before())
    add("a", false)
    assert.isUndefined(before())
    add("b")
    assert.isUndefined(before())
    add("c")
    versions.select("tool", 2)
    add("d")
    assert.strictEqual(before(), 2)
    add("e", false)
    assert.strictEqual(before(), 4)
    add("d", false)
    assert.strictEqual(before(), 2, "version 4 has the source that failed as version 6")
    versions.select("tool", 2)
    versions.fail("tool", 2, 1)
    assert.isUndefined(before())
    add("f")
    assert.strictEqual(before(), 3, "served at no time before it, but good")
  })

  it("keeps the good version that the current one would give way to", () => {
    const versions = new UiVersions()
    versions.add("1", uiEntry("good"), { origin: "generated" })
    for (let index = 0; index < 30; index += 1) {
      const { number } = versions.add("1", uiEntry(`${index}`), { origin: "refined" })
      versions.fail("tool", number, 1)
    }
    assert.strictEqual(numbers(versions).length, 20)
    assert.strictEqual(versions.goodBefore("tool")?.number, 1)
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
