/**
 * Writes the UI of one tool to standard output, refined once, with a language model and a store of refinements of our own:
 * `node examples/embed/main.ts`. The layers come from the package as any Effect program would import them.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, Stream } from "effect"
import {
  LanguageModel,
  layerUiCacheMemory,
  layerUiLibrary,
  type ModelPart,
  type Refinement,
  RefinementStore,
  toolFromDefinition,
  UiEdits,
  UiLibrary
} from "mcp-gen-ui"

const answer = (title: string) => `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("${title}"), table(data.items)])
</script>
`

/** Stands for whatever you call: any API that streams text is a LanguageModel. */
const model = Layer.succeed(
  LanguageModel,
  LanguageModel.of({
    provider: "house",
    model: "house-model",
    stream: ({ prompt }) =>
      Stream.fromIterable<ModelPart>([
        { type: "text", text: answer(prompt.includes("Call it Inventory") ? "Inventory" : "Stock") },
        { type: "end", truncated: false, usage: null }
      ])
  })
)

/** Stands for your database. */
const kept = new Map<string, ReadonlyArray<Refinement>>()
const refinements = Layer.succeed(
  RefinementStore,
  RefinementStore.of({
    read: ({ name }) => Effect.sync(() => kept.get(name) ?? []),
    update: ({ name }, change) =>
      Effect.sync(() => {
        const list = change(kept.get(name) ?? [])
        kept.set(name, list)
        return list
      }),
    retire: ({ name }) => Effect.sync(() => void kept.delete(name))
  })
)

/** Effect logs to standard output unless told otherwise; here that is where the document goes. */
const logs = Layer.succeed(Logger.LogToStderr, true)

const uis = layerUiLibrary({ theme: "dark", prompt: "Calm colors." }).pipe(
  Layer.provide([model, refinements, layerUiCacheMemory])
)

const program = Effect.gen(function* () {
  const library = yield* UiLibrary
  const edits = yield* UiEdits
  const tool = toolFromDefinition({
    name: "list_stock",
    description: "Items in stock",
    inputSchema: { type: "object", properties: { warehouse: { type: "string" } } }
  })
  if (tool === undefined) return yield* Effect.die("a definition with a name is a tool")
  yield* library.read(tool)
  yield* edits.refine(tool, "Call it Inventory")
  const { entry, html } = yield* library.read(tool)
  const page = yield* html
  for (const { state, text } of kept.get(tool.name) ?? []) yield* Console.error(`${state}: ${text}`)
  yield* Console.error(`level ${entry.level}, ${entry.uiType}, ${page.length} characters`)
  yield* Console.log(page)
})

program.pipe(Effect.provide(Layer.provideMerge(uis, logs)), NodeRuntime.runMain)
