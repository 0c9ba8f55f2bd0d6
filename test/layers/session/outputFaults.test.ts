import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { makeOutputFaults } from "../../../src/layers/session/outputFaults.ts"

const tool = {
  name: "count",
  outputSchema: { type: "object", properties: { sold: { type: "integer" } }, required: ["sold"] }
}

const frameOf = (result: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, result }))

it.effect("a fault is told once for a tool and keyword, without values", () => {
  const said: Array<Effect.Effect<void>> = []
  const note = makeOutputFaults((line) => said.push(line))
  const told = (structuredContent: unknown, more = {}): number => {
    note(tool, frameOf({ content: [], structuredContent, ...more }))
    return said.length
  }
  assert.strictEqual(told({ sold: 1 }), 0)
  assert.strictEqual(told(undefined), 0)
  assert.strictEqual(told({ sold: "secret" }, { isError: true }), 0)
  assert.strictEqual(told({ sold: "secret" }), 1)
  assert.strictEqual(told({ sold: "another" }), 1)
  assert.strictEqual(told({ secret: 1 }), 2)
  note({ ...tool, name: "other" }, frameOf({ structuredContent: { sold: "secret" } }))
  assert.strictEqual(said.length, 3)
  note({ ...tool, name: "large" }, frameOf({ structuredContent: { sold: "s".repeat(140_000) } }))
  note({ name: "free", outputSchema: undefined }, frameOf({ structuredContent: { sold: "secret" } }))
  assert.strictEqual(said.length, 3)
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Effect.all(said).pipe(
    Effect.provide(Logger.layer([logger])),
    Effect.map(() => {
      assert.match(lines[0] ?? "", /breaks the output schema/)
      assert.match(lines[0] ?? "", /"keyword":"type"/)
      assert.match(lines[0] ?? "", /"member":"sold"/)
      assert.notInclude(lines.join(), "secret")
    })
  )
})
