import { assert, describe, it } from "@effect/vitest"
import { estimateTokens } from "../../../src/domain/generation/PromptTokens.ts"

describe("estimateTokens", () => {
  // What OpenAI's o200k_base makes of them, counted by the rules that it splits text by.
  it.each([
    ["", 0],
    ["Hello world", 2],
    ["The quick brown fox jumps over the lazy dog.", 10],
    ['{"type":"object"}', 5],
    ["1234567", 3],
    ["\n\n    return x", 3]
  ] satisfies Array<[text: string, tokens: number]>)("counts %j", (text, tokens) => {
    assert.approximately(estimateTokens(text), tokens, tokens * 0.2)
  })

  it("grows with the text, one more for every piece", () => {
    assert.strictEqual(estimateTokens("word ".repeat(1000)), 1001)
    assert.isAbove(estimateTokens("漢字".repeat(100)), 190)
    assert.isAbove(estimateTokens("x".repeat(600)), 90)
  })

  it("takes no more time for text made to be slow", () => {
    for (const text of [" ".repeat(500_000), "A".repeat(500_000), "\n ".repeat(250_000), "-".repeat(500_000)]) {
      const start = performance.now()
      estimateTokens(text)
      assert.isBelow(performance.now() - start, 5000)
    }
  })
})
