import { assert, it } from "@effect/vitest"
import { memberNames } from "../../../src/domain/tools/memberNames.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"

it("names the members of each kind of object: in the schema, in what was seen, and in the shape", () => {
  const outputSchema = { type: "object", properties: { days: { items: { properties: { wind: {} } } } } }
  const tool = toolFromDefinition({ name: "forecast", inputSchema: { type: "object" }, outputSchema })
  assert.isDefined(tool)
  if (tool === undefined) return
  const shape = '{ days: { rain?: number, sky: "clear" | "grey" }[], city-name: string }'
  assert.deepStrictEqual(memberNames(tool, { shape, results: [{ args: {}, data: [{ sun: 1 }] }] }), [
    ["days"],
    ["wind"],
    ["sun"],
    ["days", "city-name"],
    ["rain", "sky"]
  ])
})
