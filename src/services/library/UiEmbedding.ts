import { Context, type Effect, Schema } from "effect"
import type { Tool } from "../../domain/tools/Tool.ts"

/**
 * The result of a call, as MCP has it.
 *
 * @example
 * import type { EmbeddableResult } from "mcp-gen-ui"
 *
 * const listed: EmbeddableResult = { content: [{ type: "text", text: "1 item" }] }
 */
export interface EmbeddableResult {
  readonly content?: ReadonlyArray<unknown> | undefined
  readonly isError?: boolean | undefined
}

/**
 * What a view of a result is made from.
 *
 * @example
 * import type { EmbeddingOptions } from "mcp-gen-ui"
 *
 * const options: EmbeddingOptions = { toolName: "list_stock", renderData: { items: [{ sku: "A-1", stock: 3 }] } }
 */
export interface EmbeddingOptions {
  readonly toolName: string
  /** The data of the view: an object that fits the `outputSchema` of the tool. */
  readonly renderData: unknown
  /** The arguments of the call, which the view shows beside the data and starts from when it calls again. */
  readonly toolInput?: unknown
}

/**
 * An address that no host would open in a frame.
 *
 * @example
 * import { Effect } from "effect"
 * import { type AddressRejected, UiEmbedding } from "mcp-gen-ui"
 *
 * const mapped: Effect.Effect<void, AddressRejected, UiEmbedding> = Effect.flatMap(UiEmbedding, (embedding) =>
 *   embedding.registerExternalToolMapping("list_stock", "https://stock.example.com/view")
 * )
 */
export class AddressRejected extends Schema.TaggedError<AddressRejected>()("AddressRejected", {
  toolName: Schema.String,
  address: Schema.String
}) {
  override get message(): string {
    return `${this.toolName}: found ${JSON.stringify(this.address)}; allowed: an address that begins with http:// or https://`
  }
}

/**
 * Puts the UI of a tool into the results of its calls, for hosts that speak mcp-ui. It owns the addresses of UIs that are
 * served elsewhere, not the UIs of tools: `UiLibrary` has those.
 *
 * @example
 * import { Effect } from "effect"
 * import { UiEmbedding } from "mcp-gen-ui"
 *
 * const listStock = Effect.gen(function* () {
 *   const { augmentWithUI } = yield* UiEmbedding
 *   const renderData = { items: [{ sku: "A-1", stock: 3 }] }
 *   return yield* augmentWithUI({ content: [{ type: "text", text: "1 item" }] }, { toolName: "list_stock", renderData })
 * })
 */
export class UiEmbedding extends Context.Service<
  UiEmbedding,
  {
    /**
     * The result with the UI of the tool, or with the address that stands for it. Never fails: if there is none, or the
     * data do not fit, it is the result as it was, and the log says why.
     */
    readonly augmentWithUI: <Result extends EmbeddableResult>(
      result: Result,
      options: EmbeddingOptions
    ) => Effect.Effect<Result>
    /** The same for a tool that the caller knows, with the data that the result has. */
    readonly augmentResultOf: <Result extends EmbeddableResult>(
      tool: Tool,
      result: Result,
      toolInput: unknown
    ) => Effect.Effect<Result>
    /** The UI of a tool is served elsewhere. The host gives its page the data. */
    readonly registerExternalToolMapping: (toolName: string, address: string) => Effect.Effect<void, AddressRejected>
  }
>()("mcp-gen-ui/services/UiEmbedding") {}
