import { Effect, Layer, ManagedRuntime } from "effect"
import * as UiEmbeddingLayer from "../layers/library/UiEmbedding.ts"
import { type EmbeddableResult, type EmbeddingOptions, UiEmbedding } from "../services/library/UiEmbedding.ts"
import { layerUiLibrary } from "./layerUiLibrary.ts"
import { layerOfSetup, type UiLibrarySetup } from "./uiLibrarySetup.ts"

/**
 * What `makeUiEmbedder` takes.
 *
 * @example
 * import type { UiEmbedderOptions } from "mcp-gen-ui"
 *
 * const options: UiEmbedderOptions = { tools: [{ name: "list_stock", inputSchema: { type: "object" } }], library: { theme: "dark" } }
 */
export interface UiEmbedderOptions {
  /** The tools of the server, as `tools/list` defines them. */
  readonly tools: ReadonlyArray<unknown>
  /** Where their UIs come from: a model, hand-made ones in a folder, a cache, a theme. */
  readonly library?: UiLibrarySetup
}

/**
 * As `UiEmbedding`, for programs without Effect.
 *
 * @example
 * import type { UiEmbedder } from "mcp-gen-ui"
 *
 * const mapStock = ({ registerExternalToolMapping }: UiEmbedder) =>
 *   registerExternalToolMapping("list_stock", "https://stock.example.com/view")
 */
export interface UiEmbedder {
  readonly augmentWithUI: <Result extends EmbeddableResult>(
    result: Result,
    options: EmbeddingOptions
  ) => Promise<Result>
  /** Throws an `AddressRejected` if no host would open the address. */
  readonly registerExternalToolMapping: (toolName: string, address: string) => void
  readonly close: () => Promise<void>
}

/**
 * Puts UIs into results of a server, by promises. Logs go to standard error.
 *
 * @example
 * import { makeUiEmbedder } from "mcp-gen-ui"
 *
 * const tools = [{ name: "list_stock", inputSchema: { type: "object" } }]
 * const { augmentWithUI } = makeUiEmbedder({ tools })
 * const listed = augmentWithUI(
 *   { content: [{ type: "text", text: "1 item" }] },
 *   { toolName: "list_stock", renderData: { items: [{ sku: "A-1", stock: 3 }] } }
 * )
 */
export const makeUiEmbedder = ({ library = {}, tools }: UiEmbedderOptions): UiEmbedder => {
  const layer = UiEmbeddingLayer.layer(tools).pipe(
    Layer.provide(layerUiLibrary(library)),
    Layer.provideMerge(layerOfSetup(library))
  )
  const runtime = ManagedRuntime.make(layer)
  return {
    augmentWithUI: (result, options) =>
      runtime.runPromise(Effect.flatMap(UiEmbedding, ({ augmentWithUI }) => augmentWithUI(result, options))),
    registerExternalToolMapping: (toolName, address) =>
      runtime.runSync(
        Effect.flatMap(UiEmbedding, ({ registerExternalToolMapping }) => registerExternalToolMapping(toolName, address))
      ),
    close: () => runtime.dispose()
  }
}
