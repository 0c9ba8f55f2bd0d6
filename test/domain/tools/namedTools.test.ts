import { assert, describe, it } from "@effect/vitest"
import { namedToolProblems } from "../../../src/domain/tools/namedTools.ts"

const NAMES = ["search_films", "get_film", "update_film"]

describe("names of tools in the configuration", () => {
  it.each([
    [{ enabledTools: ["search_films", "get_*", "?pdate_film"] }, []],
    [
      { enabledTools: ["serch_films"] },
      ['generation.enabledTools: the server has no tool "serch_films"; did you mean "search_films"?']
    ],
    [
      { enabledTools: ["get_film", "list_*"] },
      [
        'generation.enabledTools: no tool of the server is named like "list_*"; it has search_films, get_film, update_film'
      ]
    ],
    [{ tools: { get_film: {}, search_films: { records: false as const } } }, []],
    [
      { tools: { get_flim: {}, quite_another: {} } },
      [
        'generation.tools: the server has no tool "get_flim"; did you mean "get_film"?',
        'generation.tools: the server has no tool "quite_another"; it has search_films, get_film, update_film'
      ]
    ],
    [
      {
        tools: {
          search_films: { records: { get: "get_flim", delete: false as const, update: "update_film", id: "x" } }
        }
      },
      ['generation.tools.search_films.records.get: the server has no tool "get_flim"; did you mean "get_film"?']
    ],
    [
      { tools: { search_films: { fields: { actor: { from: "list_actors" }, year: false as const } } } },
      [
        'generation.tools.search_films.fields.actor.from: the server has no tool "list_actors"; it has search_films, get_film, update_film'
      ]
    ]
  ])("%j", (configured, expected) => {
    assert.deepStrictEqual(namedToolProblems(NAMES, { enabledTools: undefined, tools: {}, ...configured }), expected)
  })

  it("lists a few of many names, and each problem once", () => {
    const many = Array.from({ length: 40 }, (_, index) => `tool_number_${index}`)
    const [problem, ...more] = namedToolProblems(many, { enabledTools: ["x", "x"], tools: {} })
    assert.isEmpty(more)
    assert.match(problem ?? "", /it has tool_number_0, .*tool_number_7 and 32 more$/)
  })
})
