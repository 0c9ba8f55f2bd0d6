import type { Anthropic } from "@anthropic-ai/sdk"
import { Layer, type Redacted } from "effect"
import { apiModel, keyText, SDK_OPTIONS, tokenUsage } from "../../adapters/generation/apiModel.ts"
import { boundedFetch } from "../../adapters/generation/boundedFetch.ts"
import { AnswerBroken, answerCutOff } from "../../domain/generation/ProviderErrors.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import type { ModelPart, ModelRequest } from "../../services/generation/LanguageModel.ts"

/** Anthropic's fastest model: with thinking off, an answer of a thousand tokens fits in the default budget. */
export const DEFAULT_MODEL = "claude-haiku-5-5"

export interface AnthropicOptions {
  /** May be absent for a gateway that adds its own. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Where `/v1/messages` is found; a `/v1` at its end is taken off, as the SDK adds its own. */
  readonly baseUrl?: string | undefined
  /** Any name; {@link DEFAULT_MODEL} if absent. */
  readonly model?: string | undefined
  /** The API's own default if absent. Models of the 5.5 generation accept no other. */
  readonly temperature?: number | undefined
}

/** Without this, models of the fifth generation think before they write, and thinking counts against budget and limit. */
const leastThinking = (model: string): Pick<Anthropic.MessageCreateParamsStreaming, "thinking" | "output_config"> => {
  if (model.startsWith("claude-haiku-5")) return { thinking: { type: "disabled" } }
  if (/^claude-[a-z]+-5/.test(model)) return { output_config: { effort: "low" } }
  return {}
}

const parameters = (
  request: ModelRequest,
  model: string,
  temperature: number | undefined
): Anthropic.MessageCreateParamsStreaming => ({
  model,
  max_tokens: request.maxOutputTokens,
  stream: true,
  system: [{ type: "text", text: request.system, cache_control: { type: "ephemeral" } }],
  messages: [{ role: "user", content: request.prompt }],
  ...leastThinking(model),
  ...(temperature === undefined ? {} : { temperature })
})

async function* readMessage(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<ModelPart> {
  let inputTokens = 0
  let cachedInputTokens = 0
  let outputTokens = 0
  let stopReason: string | null = null
  let explanation: string | null = null
  for await (const event of events) {
    switch (event.type) {
      case "message_start": {
        const { usage } = event.message
        inputTokens =
          usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
        cachedInputTokens = usage.cache_read_input_tokens ?? 0
        outputTokens = usage.output_tokens
        break
      }
      case "content_block_delta":
        if (event.delta.type === "text_delta" && event.delta.text !== "") yield { type: "text", text: event.delta.text }
        break
      case "message_delta":
        stopReason = event.delta.stop_reason ?? stopReason
        explanation = event.delta.stop_details?.explanation ?? explanation
        outputTokens = event.usage.output_tokens
        break
      case "message_stop":
        if (stopReason === "refusal") {
          throw new AnswerBroken({
            code: "CONTENT_FILTERED",
            detail: explanation === null ? "the model refused" : `the model refused: ${explanation}`
          })
        }
        yield {
          type: "end",
          truncated: stopReason === "max_tokens" || stopReason === "model_context_window_exceeded",
          usage: tokenUsage(inputTokens, outputTokens, cachedInputTokens)
        }
        return
    }
  }
  throw answerCutOff()
}

/**
 * Anthropic's Messages API, streamed, through the official SDK, which is loaded on the first request. The system
 * prompt is marked for the prompt cache; the request id goes along as `X-Client-Request-Id`. The SDK neither retries
 * nor times out: both belong to the caller.
 *
 * Fails with `ModelFailed`: AUTH (401, 402, 403), RATE_LIMIT (429), SERVER_ERROR (5xx, 529, an event that is not
 * JSON), NETWORK_ERROR (no connection, or one that closes before `message_stop`), CONTENT_FILTERED (stop reason
 * `refusal`), INVALID_REQUEST (every other 4xx).
 *
 * @example
 * import { Layer, Redacted } from "effect"
 * import { layerAnthropic, layerUiLibrary } from "mcp-gen-ui"
 *
 * const model = layerAnthropic({ apiKey: Redacted.make("sk-ant-…") })
 * const layerUis = layerUiLibrary().pipe(Layer.provide(model))
 */
export const layer = (options: AnthropicOptions): Layer.Layer<LanguageModel> =>
  Layer.sync(LanguageModel, () => {
    const model = options.model ?? DEFAULT_MODEL
    const key = keyText(options.apiKey)
    const baseURL = (options.baseUrl ?? "https://api.anthropic.com").replace(/(?<!\/)\/+$/, "").replace(/\/v1$/, "")

    let connected: Promise<Anthropic> | undefined
    const connect = async () => {
      const { Anthropic } = await import("@anthropic-ai/sdk")
      return new Anthropic({
        // Without a key the SDK would look for credentials of its own.
        apiKey: key === "" ? "none" : key,
        baseURL,
        fetch: boundedFetch,
        ...SDK_OPTIONS
      })
    }

    return apiModel({
      provider: "anthropic",
      model,
      key,
      open: async (request, signal) => {
        const client = await (connected ??= connect())
        const headers = { "X-Client-Request-Id": request.requestId }
        return readMessage(
          await client.messages.create(parameters(request, model, options.temperature), { signal, headers })
        )
      }
    })
  })
