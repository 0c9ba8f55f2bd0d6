import { Layer, Redacted, Stream } from "effect"
import type { OpenAI } from "openai"
import { readChatCompletion } from "../adapters/readChatCompletion.ts"
import { answerStream, NO_SDK_TIMEOUT_MS } from "../adapters/answerStream.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import type { ModelRequest } from "../services/LanguageModel.ts"

/** A small model of Ollama's library that writes code and does not reason first. */
export const DEFAULT_MODEL = "qwen2.5-coder:7b"

export interface OllamaOptions {
  /** Only for an Ollama behind a proxy, or in the cloud, that asks for one. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Every form of `OLLAMA_HOST`: see {@link ollamaBaseUrl}. */
  readonly baseUrl?: string | undefined
  /** Any name that `ollama list` shows; {@link DEFAULT_MODEL} if absent. */
  readonly model?: string | undefined
  /** Ollama's own default if absent. */
  readonly temperature?: number | undefined
}

const DEFAULT_PORT = "11434"

/** An address to listen on is not always one to connect to. */
const connectable = (hostname: string): string => {
  if (hostname === "" || hostname === "0.0.0.0") return "127.0.0.1"
  return hostname === "[::]" ? "[::1]" : hostname
}

/**
 * The address of Ollama's OpenAI-compatible API from a value of `OLLAMA_HOST`: `host`, `host:port`, `:port`, a URL
 * with or without a path or `/v1`, and the addresses one listens on (`0.0.0.0`, `[::]`). As for Ollama itself the
 * port is 11434, or the scheme's own when a scheme is given without a port. A value that makes no URL is returned
 * as it is, and the request fails with it in its message.
 */
export const ollamaBaseUrl = (host: string | undefined): string => {
  const value = (host ?? "").trim().replace(/\/+$/, "")
  const [, scheme, rest = ""] = /^(?:(https?):\/\/)?(.*)$/i.exec(value) ?? []
  const [, authority = "", path = ""] = /^([^/]*)(.*)$/.exec(rest) ?? []
  const [, credentials = "", hostname = "", port] = /^(.*@)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? []
  const defaultPort = scheme === undefined ? `:${DEFAULT_PORT}` : ""
  const url = `${scheme ?? "http"}://${credentials}${connectable(hostname)}${port === undefined ? defaultPort : `:${port}`}`
  return URL.canParse(url) ? `${url}${path.replace(/\/v1$/, "")}/v1` : value
}

const parameters = (
  request: ModelRequest,
  model: string,
  temperature: number | undefined
): OpenAI.ChatCompletionCreateParamsStreaming => ({
  model,
  messages: [
    { role: "system", content: request.system },
    { role: "user", content: request.prompt }
  ],
  max_tokens: request.maxOutputTokens,
  // Ollama's word for "do not think"; models that can not think ignore it.
  reasoning_effort: "none",
  stream: true,
  stream_options: { include_usage: true },
  ...(temperature === undefined ? {} : { temperature })
})

/**
 * A local or remote Ollama through its OpenAI-compatible endpoint (`/v1/chat/completions`), streamed, with OpenAI's
 * SDK, which is loaded on the first request. A model that is not pulled is INVALID_REQUEST (404), an Ollama that
 * does not run is NETWORK_ERROR; the detail says which.
 *
 * Gotcha: this endpoint can not set the context length, and Ollama cuts prompts that do not fit without a word. It
 * is `OLLAMA_CONTEXT_LENGTH` of the Ollama server.
 */
export const layer = (options: OllamaOptions = {}): Layer.Layer<LanguageModel> =>
  Layer.sync(LanguageModel, () => {
    const model = options.model ?? DEFAULT_MODEL
    const key = options.apiKey === undefined ? "" : Redacted.value(options.apiKey).trim()
    const baseURL = ollamaBaseUrl(options.baseUrl)

    let connected: Promise<OpenAI> | undefined
    const connect = async () => {
      const { OpenAI } = await import("openai")
      return new OpenAI({
        apiKey: key === "" ? "ollama" : key,
        organization: null,
        project: null,
        baseURL,
        maxRetries: 0,
        timeout: NO_SDK_TIMEOUT_MS,
        logLevel: "off"
      })
    }
    const client = () => (connected ??= connect())

    return LanguageModel.of({
      provider: "ollama",
      model,
      stream: (request) =>
        answerStream({
          open: async (signal) =>
            (await client()).chat.completions.create(parameters(request, model, options.temperature), {
              signal,
              headers: { "X-Client-Request-Id": request.requestId }
            }),
          read: readChatCompletion,
          provider: "ollama",
          secrets: [key]
        }).pipe(Stream.withSpan("LanguageModel.stream", { attributes: { provider: "ollama", model } }))
    })
  })
