import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { makeDashboards } from "../../../src/domain/tools/Dashboards.ts"
import { makeToolCatalog, type ToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"
import { PrintedJson } from "../../../src/domain/wire/PrintedJson.ts"
import { makeUiResources, type UiResources } from "../../../src/layers/session/UiResources.ts"
import type { ServerTools } from "../../../src/layers/session/ServerTools.ts"
import type { UiLibrary } from "../../../src/services/library/UiLibrary.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"

const catalogOf = (tools: number, described = 0): ToolCatalog => {
  const description = "d".repeat(described)
  const definitions = Array.from({ length: tools }, (_, at) => ({ name: `tool${at}`, description, inputSchema: {} }))
  return makeToolCatalog(definitions, () => true)
}

const serverToolsWith = (catalog: ToolCatalog, dashboards = makeDashboards({}, [])): ServerTools => ({
  known: () => ({ catalog, dashboards, wrapperTools: [], isSettled: true, firstPage: undefined }),
  tell: () => undefined,
  onNotification: () => false,
  whenSettled: Effect.void,
  refresh: Effect.never,
  onChange: () => undefined
})

/** A library whose documents are of one size. */
const libraryOf = (bytes: number) => {
  const library: Pick<UiLibrary["Service"], "read"> = {
    read: (tool) => {
      const text = "x".repeat(bytes - 2)
      return Effect.succeed({
        html: Effect.succeed(text),
        printed: Effect.succeed(new PrintedJson(text)),
        entry: uiEntry(tool.name),
        cached: true
      })
    }
  }
  return library as UiLibrary["Service"]
}

const withResources = (
  catalog: ToolCatalog,
  use: (resources: UiResources, log: ReadonlyArray<string>) => Effect.Effect<void>
) => {
  const log: Array<string> = []
  return Effect.gen(function* () {
    yield* use(
      yield* makeUiResources(libraryOf(400_000), serverToolsWith(catalog), {
        canChange: false,
        takesReports: false,
        keeps: false
      }),
      log
    )
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])))
}

const listed = (resources: UiResources) => resources.list().map(({ name }) => String(name))

describe("resources/list", () => {
  it.effect("names UIs in the order of the tools until their documents come to 4 MB, and says so once", () =>
    withResources(catalogOf(40), (resources, log) =>
      Effect.sync(() => {
        assert.deepStrictEqual(
          listed(resources),
          Array.from({ length: 31 }, (_, at) => `tool${at}`)
        )
        listed(resources)
        assert.lengthOf(log, 1)
        assert.include(log[0], "first 31 tools: with those of 9 more")
        assert.strictEqual(resources.toolAt("ui://tool39")?.name, "tool39")
        assert.match(resources.missing("ui://none", "legacy").detail, /and 32 more \(tools\/list\)\.$/)
      })
    )
  )

  it.effect("counts the tool's definition, and the real size of a document that was read", () =>
    withResources(catalogOf(25, 75_000), (resources) =>
      Effect.gen(function* () {
        assert.lengthOf(listed(resources), 19)
        const tool = resources.toolAt("ui://tool0")
        if (tool === undefined) return assert.fail("no tool")
        yield* yield* resources.read("ui://tool0", tool, "blocking")
        assert.lengthOf(listed(resources), 18)
        resources.retire("ui://tool0", "tool0")
        assert.lengthOf(listed(resources), 19)
      })
    )
  )

  it.effect("names all where they are less, and says nothing", () =>
    withResources(catalogOf(30), (resources, log) =>
      Effect.sync(() => {
        assert.lengthOf(listed(resources), 30)
        assert.deepStrictEqual(log, [])
      })
    )
  )
})
