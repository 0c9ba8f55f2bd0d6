import { Layer, type Redacted } from "effect"
import type { OpenAI } from "openai"
import { apiModel, keyText, SDK_OPTIONS, tokenUsage } from "../../adapters/generation/apiModel.ts"
import { boundedFetch } from "../../adapters/generation/boundedFetch.ts"
import { readChatCompletion } from "../../adapters/generation/readChatCompletion.ts"
import { AnswerBroken, answerCutOff, codeOfName } from "../../domain/generation/ProviderErrors.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import type { ModelPart, ModelRequest } from "../../services/generation/LanguageModel.ts"

/** OpenAI's fastest current model. It can answer without reasoning first, which the default budget asks for. */
export const DEFAULT_MODEL = "gpt-6-luna"

export interface OpenAiOptions {
  /** May be absent for a compatible server that asks for none. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Including its version, as for the SDK (`https://host/v1`); `/v1` is added to an address without any path. */
  readonly baseUrl?: string | undefined
  /** Any name; {@link DEFAULT_MODEL} if absent. */
  readonly model?: string | undefined
  /** The API's own default if absent. */
  readonly temperature?: number | undefined
  /** Which of OpenAI's two APIs to speak; see {@link layer} for what is taken if absent. */
  readonly api?: "responses" | "chat-completions" | undefined
}

const withVersion = (baseUrl: string): string => {
  const trimmed = baseUrl.replace(/(?<!\/)\/+$/, "")
  return URL.canParse(trimmed) && new URL(trimmed).pathname === "/" ? `${trimmed}/v1` : trimmed
}

const isOpenAi = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && /(?:^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname)

/** Reasoning spends the budget before the first character. A model without this setting refuses it. */
const leastReasoning = (model: string): Pick<OpenAI.Responses.ResponseCreateParams, "reasoning"> => {
  if (/-(?:chat|pro|codex)\b/.test(model)) return {}
  if (/^gpt-(?:6-luna|5\.6)/.test(model)) return { reasoning: { effort: "none" } }
  return /^(?:gpt-[5-9]|o[1-9])/.test(model) ? { reasoning: { effort: "low" } } : {}
}

/**
 * From GPT-5.6 on, a prompt is cached only up to a breakpoint. OpenAI sets one behind the tool's part, which is never the
 * same again, so we set one before it. Older models find the longest prefix by themselves, and refuse a breakpoint.
 */
const hasBreakpoints = (model: string): boolean => /^gpt-(?:5\.[6-9]|[6-9])/.test(model)

/** Sends our requests to the servers that have our system prompt cached. */
const CACHE_KEY = "mcp-gen-ui"

const prompts = (
  request: ModelRequest,
  model: string
): Pick<OpenAI.Responses.ResponseCreateParams, "input" | "instructions" | "prompt_cache_options"> =>
  hasBreakpoints(model)
    ? {
        input: [
          {
            role: "developer",
            content: [{ type: "input_text", text: request.system, prompt_cache_breakpoint: { mode: "explicit" } }]
          },
          { role: "user", content: request.prompt }
        ],
        prompt_cache_options: { mode: "explicit" }
      }
    : { instructions: request.system, input: request.prompt }

const responseParameters = (
  request: ModelRequest,
  model: string,
  temperature: number | undefined
): OpenAI.Responses.ResponseCreateParamsStreaming => ({
  model,
  ...prompts(request, model),
  prompt_cache_key: CACHE_KEY,
  max_output_tokens: request.maxOutputTokens,
  store: false,
  stream: true,
  ...leastReasoning(model),
  ...(temperature === undefined ? {} : { temperature })
})

const chatParameters = (
  request: ModelRequest,
  model: string,
  temperature: number | undefined
): OpenAI.ChatCompletionCreateParamsStreaming => ({
  model,
  messages: [
    { role: "system", content: request.system },
    { role: "user", content: request.prompt }
  ],
  // The newer max_completion_tokens is unknown to most compatible servers.
  max_tokens: request.maxOutputTokens,
  stream: true,
  stream_options: { include_usage: true },
  ...(temperature === undefined ? {} : { temperature })
})

const broken = (code: string | null | undefined, detail: string): AnswerBroken => {
  const known = codeOfName(code)
  const usable = known === "RATE_LIMIT" || known === "INVALID_REQUEST" || known === "CONTENT_FILTERED"
  return new AnswerBroken({ code: usable ? known : "SERVER_ERROR", detail })
}

/** Gateways leave the details out. */
type Usage = Omit<OpenAI.Responses.ResponseUsage, "input_tokens_details"> &
  Partial<Pick<OpenAI.Responses.ResponseUsage, "input_tokens_details">>

const usageOf = ({ input_tokens: input, input_tokens_details: details, output_tokens: output }: Usage) =>
  tokenUsage(input, output, details?.cached_tokens)

async function* readResponse(events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>): AsyncGenerator<ModelPart> {
  for await (const event of events) {
    switch (event.type) {
      case "response.output_text.delta":
        if (event.delta !== "") yield { type: "text", text: event.delta }
        break
      case "response.refusal.done":
        throw new AnswerBroken({ code: "CONTENT_FILTERED", detail: `the model refused: ${event.refusal}` })
      case "response.failed":
        throw broken(event.response.error?.code, event.response.error?.message ?? "the response failed")
      case "error":
        throw broken(event.code, event.message)
      case "response.completed":
      case "response.incomplete": {
        const { incomplete_details: incomplete, usage } = event.response
        if (incomplete?.reason === "content_filter") {
          throw new AnswerBroken({ code: "CONTENT_FILTERED", detail: "a content filter stopped the answer" })
        }
        yield {
          type: "end",
          truncated: event.type === "response.incomplete",
          usage: usage == null ? null : usageOf(usage)
        }
        return
      }
    }
  }
  throw answerCutOff()
}

/**
 * OpenAI and every server that speaks its API, streamed, through the official SDK, which is loaded on the first
 * request. OpenAI's own hosts (`api.openai.com` and its regions) are asked through the Responses API, where newer
 * models are at their best; every other address through Chat Completions, the one API that compatible servers
 * (vLLM, LM Studio, llama.cpp, OpenRouter, …) have in common. `api` overrides the choice.
 *
 * On OpenAI the system prompt is marked for the prompt cache. The request id goes along as `X-Client-Request-Id`. The SDK
 * neither retries nor times out: both belong to the caller. Organization and project of the environment are sent to OpenAI
 * only.
 *
 * Fails with `ModelFailed`: AUTH (401, 402, 403, exhausted quota), RATE_LIMIT (429), SERVER_ERROR (5xx, an event that
 * is not JSON), NETWORK_ERROR (no connection, or one that closes before the answer is complete), CONTENT_FILTERED
 * (refusal or content filter), INVALID_REQUEST (every other 4xx).
 *
 * @example
 * import { Layer } from "effect"
 * import { layerOpenAi, layerUiLibrary } from "mcp-gen-ui"
 *
 * const model = layerOpenAi({ baseUrl: "http://127.0.0.1:8000/v1", model: "our-model" })
 * const layerUis = layerUiLibrary().pipe(Layer.provide(model))
 */
export const layer = (options: OpenAiOptions): Layer.Layer<LanguageModel> =>
  Layer.sync(LanguageModel, () => {
    const model = options.model ?? DEFAULT_MODEL
    const key = keyText(options.apiKey)
    const baseURL = withVersion(options.baseUrl ?? "https://api.openai.com/v1")
    const official = isOpenAi(baseURL)
    const api = options.api ?? (official ? "responses" : "chat-completions")

    let connected: Promise<OpenAI> | undefined
    const connect = async () => {
      const { OpenAI } = await import("openai")
      return new OpenAI({
        // The SDK refuses to start without a key; servers that need none ignore it.
        apiKey: key === "" ? "none" : key,
        baseURL,
        fetch: boundedFetch,
        ...SDK_OPTIONS,
        ...(official ? {} : { organization: null, project: null })
      })
    }

    const { temperature } = options
    return apiModel({
      provider: "openai",
      model,
      key,
      open: async (request, signal) => {
        const client = await (connected ??= connect())
        const more = { signal, headers: { "X-Client-Request-Id": request.requestId } }
        return api === "responses"
          ? readResponse(await client.responses.create(responseParameters(request, model, temperature), more))
          : readChatCompletion(await client.chat.completions.create(chatParameters(request, model, temperature), more))
      }
    })
  })
