/**
 * Writes the UI of one tool to standard output, with a language model of our own: `node examples/embed/main.ts`.
 * The layers come from the package as any Effect program would import them.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, Stream } from "effect"
import { LanguageModel, layerSettings, layerUiLibrary, type ModelPart, toolFromDefinition, UiLibrary } from "mcp-gen-ui"

const answer = `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("Stock"), table(data.items)])
</script>
`

/** Stands for whatever you call: any API that streams text is a LanguageModel. */
const model = Layer.succeed(
  LanguageModel,
  LanguageModel.of({
    provider: "anthropic",
    model: "house-model",
    stream: () =>
      Stream.fromIterable<ModelPart>([
        { type: "text", text: answer },
        { type: "end", truncated: false, usage: null }
      ])
  })
)

/** Effect logs to standard output unless told otherwise; here that is where the document goes. */
const logs = Layer.succeed(Logger.LogToStderr, true)

const settings = layerSettings({ flags: { llm: "none" }, command: ["unused"], environment: {} })

const program = Effect.gen(function* () {
  const library = yield* UiLibrary
  const tool = toolFromDefinition({
    name: "list_stock",
    description: "Items in stock",
    inputSchema: { type: "object", properties: { warehouse: { type: "string" } } }
  })
  if (tool === undefined) return yield* Effect.die("a definition with a name is a tool")
  const { entry, html } = yield* library.read(tool)
  const page = yield* html
  yield* Console.error(`level ${entry.level}, ${entry.uiType}, ${page.length} characters`)
  yield* Console.log(page)
})

program.pipe(
  Effect.provide(layerUiLibrary.pipe(Layer.provide([model, settings]), Layer.provideMerge(logs))),
  NodeRuntime.runMain
)
