import { assert, describe, it } from "@effect/vitest"
import { makeRedactor } from "../../../../src/domain/observability/Redaction.ts"
import { LearnedTool } from "../../../../src/domain/library/memory/LearnedTool.ts"
import { BudgetSpent, timeBudget } from "../../../../src/domain/library/memory/WorkBudget.ts"
import { NOTHING_LEARNED } from "../../../../src/domain/tools/LearnedResults.ts"

const redactor = makeRedactor([])
const result = { structuredContent: { rows: [{ id: 1, name: "a" }], total: 1, notes: ["x", "y"] } }

describe("a budget of work", () => {
  it("that is spent leaves what was learned before, and nothing of what was being read", () => {
    for (const keepsResults of [true, false]) {
      let steps = 0
      new LearnedTool({ redactor, keepsResults }).add({ q: "a" }, result, () => void steps++)
      assert.isAbove(steps, 5)
      for (let allowed = 0; allowed < steps; allowed++) {
        const tool = new LearnedTool({ redactor, keepsResults })
        const spend = (): void => {
          if (left-- <= 0) throw new BudgetSpent("enough")
        }
        let left = allowed
        assert.throws(() => tool.add({ q: "a" }, result, spend), BudgetSpent)
        assert.deepStrictEqual(tool.learned, NOTHING_LEARNED)
        assert.isTrue(tool.isEmpty)
        tool.add({}, { structuredContent: { ok: true } })
        const { learned } = tool
        left = allowed
        assert.throws(() => tool.add({ q: "a" }, result, spend), BudgetSpent)
        assert.deepStrictEqual(tool.learned, learned)
      }
    }
  })

  it("of time ends when the time is over", () => {
    timeBudget(60_000)()
    const spend = timeBudget(-1)
    assert.throws(spend, BudgetSpent)
  })
})
