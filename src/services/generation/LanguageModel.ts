import { Context, Schema } from "effect"
import type { Stream } from "effect"
import { ModelFailureCode } from "../../domain/tools/ModelFailureCode.ts"
import type { TokenUsage } from "../../domain/tools/UiEntry.ts"

export { ModelFailureCode }

/** Of these the same request may go well later. */
const RETRYABLE: ReadonlySet<ModelFailureCode> = new Set(["TIMEOUT", "RATE_LIMIT", "SERVER_ERROR", "NETWORK_ERROR"])

/**
 * A model's API did not answer, or refused. `detail` is the provider's own words with every key taken out.
 *
 * @example
 * import { Stream } from "effect"
 * import { ModelFailed } from "mcp-gen-ui"
 *
 * const busy = Stream.fail(
 *   new ModelFailed({ provider: "house", code: "RATE_LIMIT", status: 429, retryAfterMs: 2000, detail: "try later" })
 * )
 */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  provider: Schema.String,
  code: ModelFailureCode,
  status: Schema.NullOr(Schema.Finite),
  /** What `Retry-After` asked for, in milliseconds. */
  retryAfterMs: Schema.NullOr(Schema.Finite),
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.provider}: ${this.code}${this.status === null ? "" : ` (HTTP ${this.status})`}: ${this.detail}`
  }
  /** Whether the same request may be sent again. */
  get retryable(): boolean {
    return RETRYABLE.has(this.code)
  }
}

/**
 * One request to a language model.
 *
 * @example
 * import type { ModelRequest } from "mcp-gen-ui"
 *
 * const messages = ({ prompt, system }: ModelRequest) => [
 *   { role: "system", content: system },
 *   { role: "user", content: prompt }
 * ]
 */
export interface ModelRequest {
  /** The stable part; providers that can, cache it. */
  readonly system: string
  /** The part about this tool. */
  readonly prompt: string
  readonly maxOutputTokens: number
  readonly requestId: string
}

/**
 * A piece of an answer.
 *
 * @example
 * import type { ModelPart } from "mcp-gen-ui"
 *
 * const parts: ReadonlyArray<ModelPart> = [
 *   { type: "text", text: "<!-- minimal -->" },
 *   { type: "end", truncated: false, usage: null }
 * ]
 */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  /** Ends every answer that was not cut off by the network. `truncated`: the output limit was reached. */
  | { readonly type: "end"; readonly truncated: boolean; readonly usage: TokenUsage | null }

/**
 * One language model behind one API. It owns the wire: a request out, text in pieces back, failures named.
 * It does not own budgets, retries or what the text means. Closing the stream closes the socket.
 *
 * @example
 * import { Layer, Stream } from "effect"
 * import { LanguageModel, type ModelPart } from "mcp-gen-ui"
 *
 * const layerOurModel = Layer.succeed(LanguageModel, {
 *   provider: "house",
 *   model: "house-model",
 *   stream: ({ prompt }) =>
 *     Stream.make<[ModelPart, ModelPart]>(
 *       { type: "text", text: `<!-- rich --><p>${prompt.length}</p>` },
 *       { type: "end", truncated: false, usage: null }
 *     )
 * })
 */
export class LanguageModel extends Context.Service<
  LanguageModel,
  {
    /** Any name; it is part of what UIs are kept under. `none` stands for no model: nothing is generated. */
    readonly provider: string
    /** The name the provider knows; `null` for provider `none`. */
    readonly model: string | null
    readonly stream: (request: ModelRequest) => Stream.Stream<ModelPart, ModelFailed>
  }
>()("mcp-gen-ui/services/LanguageModel") {}
