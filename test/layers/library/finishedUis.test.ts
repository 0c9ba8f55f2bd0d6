import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import { LIBRARY } from "../../../src/domain/tools/UiEntry.ts"
import { fingerprintOf } from "../../../src/layers/library/finishedUis.ts"
import { entryOf, finishedServers, finishedUisOf, recordedTools, withoutVerdict } from "../../fixtures/finishedUis.ts"
import { aTurn } from "../../fixtures/refinements.ts"
import { answers, fails } from "../../fixtures/scriptedModel.ts"
import { page, withLibrary } from "../../fixtures/uiLibraries.ts"

const { tools } = recordedTools("memory")
const tool = tools.find(({ name }) => name === "read_graph") ?? assert.fail("the server of the test has it")
const [source = ""] = finishedUisOf("memory").flatMap((ui) =>
  ui.tool.name === tool.name ? [withoutVerdict(ui.source)] : []
)

const ON = { generation: { library: true } }
const NO_MODEL = { ...ON, llm: { provider: "none" as const } }
const unasked = [fails("AUTH")] as const

describe.each(finishedServers)("the entry of %s", (server) => {
  it("names the tools that it has UIs for, and the structure that each was made for", () => {
    const made = finishedUisOf(server).map((ui) => [ui.tool.name, fingerprintOf(ui.tool)])
    assert.deepStrictEqual(entryOf(server).tools, Object.fromEntries(made))
  })
})

describe("a UI of the library", () => {
  it.effect("is what is served without a model, as a version of its own kind", () =>
    withLibrary(
      unasked,
      function* (library) {
        const { cached, entry } = yield* library.read(tool)
        assert.isTrue(cached)
        assert.deepInclude(entry, { source, provider: LIBRARY, fallback: null, uiType: "rich", model: null })
        const { entry: served, versions } = yield* library.overview(tool)
        assert.strictEqual(served?.provider, LIBRARY)
        assert.deepStrictEqual(
          versions.map(({ number, origin }) => [number, origin]),
          [[1, "library"]]
        )
        const news = yield* library.news(tool, "another version")
        assert.strictEqual(news.state, "changed")
      },
      NO_MODEL
    )
  )

  it.effect("is not refined without a model; gives way to what is imported, and can be gone back to", () =>
    withLibrary(
      unasked,
      function* (library) {
        yield* library.read(tool)
        const refused = yield* Effect.flip(library.refine(tool, "bigger"))
        assert.strictEqual(refused.reason.code, "NO_MODEL")
        assert.strictEqual((yield* library.read(tool)).entry.source, source)
        yield* library.adopt(tool, page("Imported"))
        assert.include((yield* library.read(tool)).entry.source, "Imported")
        yield* library.revert(tool, 1)
        assert.strictEqual((yield* library.read(tool)).entry.source, source)
      },
      NO_MODEL
    )
  )

  it.effect("is shown until the model's answer is there, and is no version then", () =>
    withLibrary(
      [answers(page("Written"))],
      function* (library, model) {
        const first = yield* library.read(tool, { delivery: "live" })
        assert.deepInclude(first.entry, { source, provider: LIBRARY })
        assert.strictEqual(first.entry.fallback?.code, "PENDING")
        assert.strictEqual(model.requests.length, 0)
        yield* library.news(tool, "0")
        while ((yield* library.read(tool, { delivery: "live" })).entry.provider === LIBRARY) yield* aTurn
        const { versions } = yield* library.overview(tool)
        assert.deepStrictEqual(
          versions.map(({ origin }) => origin),
          ["generated"]
        )
      },
      ON
    )
  )

  it.effect("stands in with the reason when the model fails, and a refinement starts from it", () =>
    withLibrary(
      [fails("AUTH"), answers(page("Refined"))],
      function* (library, model) {
        const { entry } = yield* library.read(tool)
        assert.deepInclude(entry, { source, provider: LIBRARY })
        assert.strictEqual(entry.fallback?.code, "AUTH")
        yield* library.refine(tool, "bigger")
        assert.include(model.requests.at(-1)?.prompt, 'accent: "plum"')
        const { versions } = yield* library.overview(tool)
        assert.deepStrictEqual(
          versions.map(({ number, origin, parent }) => [number, origin, parent]),
          [
            [1, "library", null],
            [2, "refined", 1]
          ]
        )
      },
      ON
    )
  )

  const other = (change: Partial<Tool>): Tool => ({ ...tool, ...change })
  it.each<[string, Tool, Parameters<typeof withLibrary>[2]]>([
    ["with --no-library", tool, { ...NO_MODEL, generation: { library: false } }],
    [
      "where the built-in UI is asked for",
      tool,
      { ...NO_MODEL, generation: { library: true, tools: { [tool.name]: { uiType: "minimal" } } } }
    ],
    [
      "for an output of another structure",
      other({ outputSchema: { type: "object", properties: { nodes: {} } } }),
      NO_MODEL
    ],
    ["for a server with few of the tools", other({ callable: [tool.name] }), NO_MODEL]
  ])("is not served %s", (_, asked, settings) =>
    withLibrary(
      unasked,
      function* (library) {
        assert.strictEqual((yield* library.read(asked)).entry.source, null)
      },
      settings
    ).pipe(Effect.scoped, Effect.runPromise)
  )

  it.effect("is found whatever the words of the definition are", () =>
    withLibrary(
      unasked,
      function* (library) {
        const described = other({ description: "Another text", definition: { ...tool.definition, title: "T" } })
        assert.strictEqual((yield* library.read(described)).entry.source, source)
      },
      NO_MODEL
    )
  )
})
