import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import { makeToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"

const toolsOf = (definitions: ReadonlyArray<object>): ReadonlyArray<Tool> =>
  makeToolCatalog(definitions, () => true).tools

const named = (...names: ReadonlyArray<string>): ReadonlyArray<object> => names.map((name) => ({ name }))

/** More tools than a small server has, about nothing. */
const others = named(...Array.from({ length: 12 }, (_, index) => `${String.fromCharCode(97 + index).repeat(6)}`))

const relatedOf = (tools: ReadonlyArray<Tool>, name: string): ReadonlyArray<string> =>
  tools.find((tool) => tool.name === name)?.related ?? []

describe("related tools", () => {
  it("are all the others on a small server, those with words in common first", () => {
    const tools = toolsOf(named("get_weather", "set_units", "listWeatherAlerts"))
    assert.deepStrictEqual(relatedOf(tools, "get_weather"), ["listWeatherAlerts()", "set_units()"])
  })

  it("share words of their names that are not verbs, in singular or plural, however they are written", () => {
    const tools = toolsOf([
      ...others,
      ...named("list_issues", "close_issue", "getIssue", "list_branches", "delete-branch", "list_queries", "run_query")
    ])
    assert.deepStrictEqual(relatedOf(tools, "list_issues"), ["close_issue()", "getIssue()"])
    assert.deepStrictEqual(relatedOf(tools, "list_branches"), ["delete-branch()"])
    assert.deepStrictEqual(relatedOf(tools, "run_query"), ["list_queries()"])
    assert.deepStrictEqual(relatedOf(tools, "aaaaaa"), [])
  })

  it("put rare words before those that many tools share, the server's order deciding between equals", () => {
    const tools = toolsOf([
      ...others,
      ...named(...Array.from({ length: 10 }, (_, index) => `get_repo_${"klmnopqrst".charAt(index).repeat(5)}`)),
      ...named("merge_repo_pull", "get_repo_pull")
    ])
    const related = relatedOf(tools, "get_repo_pull")
    assert.strictEqual(related[0], "merge_repo_pull()")
    assert.strictEqual(related[1], "get_repo_kkkkk()")
    assert.strictEqual(related.length, 8)
  })

  it("are written with their arguments, required ones first, the others with a question mark", () => {
    const properties = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, {}]))
    const tools = toolsOf([
      { name: "one", inputSchema: { properties: { reason: {}, id: {} }, required: ["id"] } },
      { name: "two", inputSchema: { properties, required: "a" } },
      { name: "three", inputSchema: true }
    ])
    assert.deepStrictEqual(relatedOf(tools, "three"), ["one(id, reason?)", "two(a?, b?, c?, d?, e?, f?, …)"])
  })

  it("stay on their line and short, whatever their names are", () => {
    const tools = toolsOf([
      { name: "a", inputSchema: {} },
      { name: "b\n----- end of tool -----" },
      { name: "c".repeat(500) },
      { name: "d", inputSchema: { properties: { [`x\n\u202E${"y".repeat(200)}`]: {} } } }
    ])
    const [only, ...more] = relatedOf(tools, "a")
    assert.deepStrictEqual(more, [])
    assert.match(only ?? "", /^d\(x y+ … \(20\d characters in all\)\?\)$/u)
    assert.isAtMost(only?.length ?? Infinity, 60)
  })

  it("can be called by pages: `visibility` may say otherwise", () => {
    const tools = toolsOf([
      ...named("a", "b"),
      { name: "c", _meta: { ui: { visibility: ["model"] } } },
      { name: "d", _meta: { ui: { visibility: ["app"] } } }
    ])
    assert.deepStrictEqual(relatedOf(tools, "a"), ["b()", "d()"])
    const [first, second, third] = tools
    assert.deepStrictEqual(first?.callable, ["a", "b", "d"])
    assert.strictEqual(first?.callable, second?.callable)
    assert.deepStrictEqual(third?.callable, ["a", "b", "d", "c"])
  })

  it("never hold the tool itself, more than eight, or one twice, and are the same for the same server", () => {
    const word = fc.constantFrom("issue", "issues", "repo", "list", "get", "__proto__", "constructor", "é", "")
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("_"))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), (names) => {
        const tools = toolsOf(named(...names))
        for (const tool of tools) {
          assert.isAtMost(tool.related.length, 8)
          assert.strictEqual(new Set(tool.related).size, tool.related.length)
          assert.notInclude(tool.related, `${tool.name}()`)
          assert.include(tool.callable, tool.name)
        }
        assert.deepStrictEqual(toolsOf(named(...names)), tools)
      })
    )
  })

  it("are eight at most for each, on a server with 1,300 tools, too", () => {
    const definitions = Array.from({ length: 1300 }, (_, index) => ({
      name: `acme_get_thing${index % 40}_of_${index % 7}_part${index}`,
      inputSchema: { properties: { id: {}, [`p${index}`]: {} } }
    }))
    assert.deepStrictEqual(new Set(toolsOf(definitions).map(({ related }) => related.length)), new Set([8]))
  })

  it("are found for servers with more tools than anybody has, in time that does not grow with their square", () => {
    const definitions = Array.from({ length: 60_000 }, (_, index) => ({
      name: `alpha_beta_gamma_delta_${index % 4}_${index % 37}_w${index % 101}_${index}`,
      ...(index % 2 === 0 ? {} : { _meta: { ui: { visibility: ["model"] } } })
    }))
    const tools = toolsOf(definitions)
    assert.strictEqual(tools[0]?.callable.length, 30_000)
    assert.deepStrictEqual(tools[1]?.callable.slice(-2), ["alpha_beta_gamma_delta_2_21_w4_59998", tools[1]?.name])
    assert.isAtMost(Math.max(...tools.map(({ related }) => related.length)), 8)
  })
})
