import { Layer, Predicate, type Redacted } from "effect"
import { apiModel, keyText } from "../../adapters/generation/apiModel.ts"
import { boundedFetch } from "../../adapters/generation/boundedFetch.ts"
import { readOllamaChat } from "../../adapters/generation/readOllamaChat.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import type { ModelRequest } from "../../services/generation/LanguageModel.ts"

/** A small model of Ollama's library that writes code and does not reason first. */
export const DEFAULT_MODEL = "qwen2.5-coder:7b"

export interface OllamaOptions {
  /** Only where a proxy, or the cloud, asks for one. */
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
 * The address of an Ollama, without a slash at its end, from a value of `OLLAMA_HOST`: `host`, `host:port`, `:port`, a URL
 * with or without a path or `/v1`, and the addresses one listens on (`0.0.0.0`, `[::]`). As for Ollama itself the
 * port is 11434, or the scheme's own when a scheme is given without a port. A value that makes no URL is returned
 * as it is, and the request fails with it in its message.
 */
export const ollamaBaseUrl = (host: string | undefined): string => {
  const value = (host ?? "").trim().replace(/(?<!\/)\/+$/, "")
  const [, scheme, rest = ""] = /^(?:(https?):\/\/)?(.*)$/i.exec(value) ?? []
  const [, authority = "", path = ""] = /^([^/]*)(.*)$/s.exec(rest) ?? []
  const [, credentials = "", hostname = "", port] = /^(.*@)?(\[[^\]@]*\]|[^:@]*)(?::(\d+))?$/.exec(authority) ?? []
  const defaultPort = scheme === undefined ? `:${DEFAULT_PORT}` : ""
  const url = `${scheme ?? "http"}://${credentials}${connectable(hostname)}${port === undefined ? defaultPort : `:${port}`}`
  return URL.canParse(url) ? `${url}${path.replace(/\/v1$/, "")}` : value
}

/** Characters of a token; code and English rarely have fewer. */
const CHARACTERS_PER_TOKEN = 3

/** Room for the answer: more than fits into the default budget. */
const ANSWER_TOKENS = 4096

const SMALLEST_CONTEXT = 16_384

/**
 * How many tokens of context to ask for. The same for nearly every prompt, because Ollama loads a model anew for
 * another length.
 */
const contextLength = (request: ModelRequest): number => {
  const prompt = Math.ceil((request.system.length + request.prompt.length) / CHARACTERS_PER_TOKEN)
  const needed = prompt + Math.min(request.maxOutputTokens, ANSWER_TOKENS)
  let length = SMALLEST_CONTEXT
  while (length < needed) length *= 2
  return length
}

const parameters = (request: ModelRequest, model: string, temperature: number | undefined) => ({
  model,
  messages: [
    { role: "system", content: request.system },
    { role: "user", content: request.prompt }
  ],
  stream: true,
  // Models that cannot think ignore it.
  think: false,
  options: {
    num_ctx: contextLength(request),
    num_predict: request.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature })
  }
})

const refused = async (response: Response): Promise<Error> => {
  const text = await response.text()
  let said = text
  try {
    const body: unknown = JSON.parse(text)
    if (Predicate.hasProperty(body, "error") && typeof body.error === "string") said = body.error
  } catch {
    // Not Ollama's own JSON: a gateway answered.
  }
  return Object.assign(new Error(said), { status: response.status, headers: response.headers })
}

/**
 * A local or remote Ollama through its own chat API (`POST /api/chat`), streamed. Its OpenAI-compatible one takes no
 * context length, and Ollama's default, 4,096 tokens on most machines, silently cuts off what the prompt begins with;
 * here every request asks for what it needs. How long a model stays loaded is left to the server.
 *
 * Fails with `ModelFailed`: INVALID_REQUEST for a model that is not pulled (404; the detail says which), NETWORK_ERROR
 * for an Ollama that does not run, or that goes before the answer is complete, SERVER_ERROR (5xx, an error in the
 * stream, a line that is not JSON), AUTH (401, 403: behind a proxy, or in the cloud), RATE_LIMIT (429).
 *
 * @example
 * import { Layer } from "effect"
 * import { layerOllama, layerUiLibrary } from "mcp-gen-ui"
 *
 * const layerUis = layerUiLibrary({ timeoutMs: 60_000 }).pipe(Layer.provide(layerOllama({ model: "qwen3-coder" })))
 */
export const layer = (options: OllamaOptions = {}): Layer.Layer<LanguageModel> =>
  Layer.sync(LanguageModel, () => {
    const model = options.model ?? DEFAULT_MODEL
    const key = keyText(options.apiKey)
    const url = `${ollamaBaseUrl(options.baseUrl)}/api/chat`

    return apiModel({
      provider: "ollama",
      model,
      key,
      open: async (request, signal) => {
        const response = await boundedFetch(url, {
          method: "POST",
          signal,
          headers: {
            "content-type": "application/json",
            "x-client-request-id": request.requestId,
            ...(key === "" ? {} : { authorization: `Bearer ${key}` })
          },
          body: JSON.stringify(parameters(request, model, options.temperature))
        })
        if (!response.ok || response.body === null) throw await refused(response)
        return readOllamaChat(response.body)
      }
    })
  })
