import { AnswerBroken, answerCutOff } from "../../domain/generation/ProviderErrors.ts"
import type { ModelPart } from "../../services/generation/LanguageModel.ts"

/** What we read of a line of Ollama's streamed chat answer (Ollama, "API", `POST /api/chat`). */
interface ChatLine {
  readonly message?: { readonly content?: string }
  readonly done?: boolean
  readonly done_reason?: string
  readonly prompt_eval_count?: number
  readonly eval_count?: number
  readonly error?: string
}

/** Characters of a line, at most: a server that sends no line end would fill memory. */
const MAX_LINE_CHARACTERS = 1_000_000

const isLine = (value: unknown): value is ChatLine => typeof value === "object" && value !== null

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ChatLine> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > MAX_LINE_CHARACTERS) {
      throw new AnswerBroken({ code: "SERVER_ERROR", detail: "a line of the answer does not end" })
    }
    for (const line of lines) {
      if (line.trim() === "") continue
      const value: unknown = JSON.parse(line)
      if (isLine(value)) yield value
    }
  }
}

/**
 * Reads the lines of a streamed answer of Ollama's own chat API. Thinking is left out.
 *
 * Throws `AnswerBroken`: SERVER_ERROR for a line that reports an error, NETWORK_ERROR when the lines end before the one
 * that says `done`; `SyntaxError` for a line that is not JSON.
 */
export async function* readOllamaChat(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ModelPart> {
  for await (const line of linesOf(bytes)) {
    if (line.error !== undefined) throw new AnswerBroken({ code: "SERVER_ERROR", detail: line.error })
    const text = line.message?.content
    if (typeof text === "string" && text !== "") yield { type: "text", text }
    if (line.done !== true) continue
    const { eval_count: outputTokens, prompt_eval_count: inputTokens } = line
    const known = inputTokens !== undefined && outputTokens !== undefined
    yield {
      type: "end",
      truncated: line.done_reason === "length",
      usage: known ? { inputTokens, outputTokens } : null
    }
    return
  }
  throw answerCutOff()
}
