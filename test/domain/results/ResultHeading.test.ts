import { assert, describe, it } from "@effect/vitest"
import { headingOf } from "../../../src/domain/results/ResultHeading.ts"
import { resultShape } from "../../../src/domain/results/ResultShape.ts"

const rows = [{ a: 1 }, { a: 2 }]
const files = [
  { name: "a", type: "file" },
  { name: "b", type: "file" }
]
const folder = [...files, { name: "c", type: "directory" }]

describe("headingOf", () => {
  it.each([
    ["git_log", { commits: rows }, {}, "2 commits"],
    ["list_open_issues", rows, {}, "2 issues"],
    ["getRecipesByCategory", rows, {}, "2 recipes"],
    ["fetch", { data: { openTasks: rows } }, {}, "2 tasks"],
    ["list_directory_with_sizes", files, {}, "2 files"],
    ["ls", folder, {}, "3 items"],
    ["get_weather", { temp: 4 }, { city: "New York" }, "Weather in New York"],
    ["search_hotels", [], { location: "Oslo" }, "Hotels in Oslo"],
    ["get_status", rows, {}, undefined],
    ["query", { rows }, {}, undefined],
    ["list_issues", { issues: [{ a: 1 }] }, {}, undefined],
    ["get_weather", { temp: 4 }, { city: 7 }, undefined],
    ["get_weather", undefined, { city: "Oslo" }, undefined]
  ] as const)("%s: %j, asked %j: %s", (tool, structuredContent, args, heading) => {
    assert.strictEqual(headingOf(resultShape({ content: [], structuredContent }), tool, args, String), heading)
  })

  it("counts in the words of the reader, and leaves failures to the tool's name", () => {
    const shape = resultShape({ content: [], structuredContent: Array.from({ length: 1200 }, (_, a) => ({ a })) })
    const written = (count: number): string => count.toLocaleString("en")
    assert.strictEqual(headingOf(shape, "list_users", {}, written), "1,200 users")
    assert.isUndefined(headingOf({ ...shape, isError: true }, "list_users", {}, written))
  })
})
