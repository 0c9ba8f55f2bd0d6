import { AnswerBroken, answerCutOff } from "../../domain/generation/ProviderErrors.ts"
import type { TokenUsage } from "../../domain/tools/UiEntry.ts"
import { tokenUsage } from "./apiModel.ts"
import type { ModelPart } from "../../services/generation/LanguageModel.ts"

/** What we read of a chunk of a streamed OpenAI chat completion. Compatible servers leave out some of it. */
export interface ChatChunk {
  readonly choices?: ReadonlyArray<{
    readonly delta?: { readonly content?: string | null; readonly refusal?: string | null }
    readonly finish_reason?: string | null
  }>
  readonly usage?: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null
  } | null
}

/**
 * Reads the chunks of a streamed chat completion. The usage arrives in a chunk of its own after the finish reason,
 * on servers that report it, so the answer ends with the stream.
 *
 * Throws `AnswerBroken`: CONTENT_FILTERED for a refusal or a content filter, NETWORK_ERROR when the chunks stop
 * without a finish reason.
 */
export async function* readChatCompletion(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ModelPart> {
  let finishReason: string | null = null
  let refusal = ""
  let usage: TokenUsage | null = null
  for await (const chunk of chunks) {
    const choice = chunk.choices?.[0]
    const text = choice?.delta?.content
    if (typeof text === "string" && text !== "") yield { type: "text", text }
    refusal += choice?.delta?.refusal ?? ""
    finishReason = choice?.finish_reason ?? finishReason
    if (chunk.usage != null) {
      const { completion_tokens: output, prompt_tokens: input, prompt_tokens_details: details } = chunk.usage
      usage = tokenUsage(input, output, details?.cached_tokens ?? 0)
    }
  }
  if (refusal !== "") throw new AnswerBroken({ code: "CONTENT_FILTERED", detail: `the model refused: ${refusal}` })
  if (finishReason === "content_filter") {
    throw new AnswerBroken({ code: "CONTENT_FILTERED", detail: "a content filter stopped the answer" })
  }
  if (finishReason === null) throw answerCutOff()
  yield { type: "end", truncated: finishReason === "length", usage }
}
