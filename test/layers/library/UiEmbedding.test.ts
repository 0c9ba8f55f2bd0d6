import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { layer } from "../../../src/layers/library/UiEmbedding.ts"
import { layerUiLibrary } from "../../../src/programs/layerUiLibrary.ts"
import { layerOfSetup } from "../../../src/programs/uiLibrarySetup.ts"
import { makeUiEmbedder } from "../../../src/programs/makeUiEmbedder.ts"
import { UiEmbedding } from "../../../src/services/library/UiEmbedding.ts"

const tools = [
  {
    name: "list_databases",
    inputSchema: { type: "object" },
    outputSchema: {
      type: "object",
      properties: { databases: { type: "array", items: { properties: { size: { type: "number" } } } } },
      required: ["databases"]
    }
  }
]

const result = { content: [{ type: "text", text: "1 database" }], structuredContent: { kept: true } }
const databases = [{ name: "a", size: 1 }]
const circle: Record<string, unknown> = {}
circle.itself = circle

interface ResourceBlock {
  readonly resource: {
    readonly uri?: string
    readonly mimeType?: string
    readonly text?: string
    readonly _meta?: unknown
  }
}

const lastBlock = ({ content }: { readonly content: ReadonlyArray<unknown> }) => content.at(-1) as ResourceBlock

/** What `work` makes of a service whose log is kept. */
const withLog = <A, E>(work: (embedding: UiEmbedding["Service"]) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const made = yield* Effect.flatMap(UiEmbedding, work).pipe(
      Effect.provide(
        layer(tools).pipe(Layer.provide(layerUiLibrary()), Layer.provide(layerOfSetup({})), Layer.provideMerge(log))
      )
    )
    return { made, lines }
  })

describe("augmentWithUI", () => {
  it.effect("adds the UI of the tool with the data, for the person", () =>
    Effect.gen(function* () {
      const toolInput = { prefix: "</script>" }
      const { lines, made } = yield* withLog(({ augmentWithUI }) =>
        augmentWithUI(result, { toolName: "list_databases", toolInput, renderData: { databases } })
      )
      assert.deepStrictEqual({ ...made, content: made.content.slice(0, 1) }, result)
      const { resource, ...block } = lastBlock(made)
      assert.deepStrictEqual(block, { type: "resource", annotations: { audience: ["user"] } })
      assert.match(resource.uri ?? "", /^ui:\/\/list_databases\/[\w-]{36}$/)
      assert.strictEqual(resource.mimeType, "text/html")
      assert.deepStrictEqual(resource._meta, { "mcpui.dev/ui-initial-render-data": { databases } })
      assert.include(resource.text, String.raw`"extras":{"embedded":{"toolInput":{"prefix":"\u003c/script`)
      assert.deepStrictEqual(lines, [])
    })
  )

  it.effect("adds the address that stands for the UI of a tool, whose page waits for the data", () =>
    Effect.gen(function* () {
      const { made } = yield* withLog(({ augmentWithUI, registerExternalToolMapping }) =>
        Effect.andThen(
          registerExternalToolMapping("elsewhere", "https://uis.example/list?theme=dark"),
          augmentWithUI(result, { toolName: "elsewhere", renderData: { any: 1 } })
        )
      )
      const { resource } = lastBlock(made)
      assert.strictEqual(resource.mimeType, "text/uri-list")
      assert.strictEqual(resource.text, "https://uis.example/list?theme=dark&waitForRenderData=true")
      assert.deepStrictEqual(resource._meta, { "mcpui.dev/ui-initial-render-data": { any: 1 } })
    })
  )

  it.effect.each([
    ["list_databases", {}, 'databases: found nothing, which breaks "required" of the outputSchema'],
    [
      "list_databases",
      { databases: [{ size: 1 }, { size: "big" }] },
      'databases[1].size: found "big", which breaks "type" of the outputSchema'
    ],
    ["list_databases", [1], "the data are not an object"],
    ["list_databases", undefined, "the data are not an object"],
    ["list_databases", { databases: [], at: 1n }, "BigInt"],
    ["list_databases", circle, "circular"],
    ["unknown", {}, "neither a UI nor an address is known for it"]
  ] as const)("leaves the result as it is and says why: %s %o", ([toolName, renderData, reason]) =>
    Effect.gen(function* () {
      const { lines, made } = yield* withLog(({ augmentWithUI }) => augmentWithUI(result, { toolName, renderData }))
      assert.strictEqual(made, result)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "a result is left without its UI")
      assert.include(lines[0], reason)
    })
  )

  it.effect("leaves a failed call alone", () =>
    Effect.gen(function* () {
      const failed = { ...result, isError: true }
      const { made } = yield* withLog(({ augmentWithUI }) =>
        augmentWithUI(failed, { toolName: "list_databases", renderData: { databases } })
      )
      assert.strictEqual(made, failed)
    })
  )

  it.effect.each(["javascript:alert(1)", "/list", "https://", "ftp://x"])("takes no address like %s", (address) =>
    Effect.gen(function* () {
      const { made } = yield* withLog(({ registerExternalToolMapping }) =>
        Effect.flip(registerExternalToolMapping("list_databases", address))
      )
      assert.strictEqual(
        made.message,
        `list_databases: found ${JSON.stringify(address)}; allowed: an address that begins with http:// or https://`
      )
    })
  )
})

describe("makeUiEmbedder", () => {
  it("does the same by promises", async () => {
    const { augmentWithUI, close, registerExternalToolMapping } = makeUiEmbedder({ tools })
    registerExternalToolMapping("elsewhere", "https://uis.example")
    assert.throws(() => registerExternalToolMapping("elsewhere", "no address"), /allowed: an address/)
    for (const toolName of ["list_databases", "elsewhere"])
      assert.lengthOf((await augmentWithUI(result, { toolName, renderData: { databases } })).content, 2)
    await close()
  })
})
