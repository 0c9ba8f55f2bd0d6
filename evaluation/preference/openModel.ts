import { Effect, Layer, Stream } from "effect"
import { resolveSettings } from "../../src/layers/settings/Settings.ts"
import { languageModel } from "../../src/programs/MainLayer.ts"
import { LanguageModel } from "../../src/services/generation/LanguageModel.ts"
import { Settings } from "../../src/services/settings/Settings.ts"

/** Nothing is cut off: a whole page takes some 10,000 tokens. */
const MOST_TOKENS = 32_000

/** One prompt, one answer. Rejects with what the provider says, or when the answer was cut off. */
export type Ask = (question: { readonly system: string; readonly prompt: string }) => Promise<string>

const model = languageModel.pipe(
  Layer.provide(
    Layer.effect(
      Settings,
      // The settings want the name of a server; none is started.
      Effect.map(
        resolveSettings({ flags: {}, command: ["none"], environment: process.env }),
        ({ settings }) => settings
      )
    )
  )
)

/** The model that the environment names, as for a run of the product. */
export const openModel = async (): Promise<Ask> => {
  const { provider, stream } = await Effect.runPromise(Effect.provide(LanguageModel, model))
  if (provider === "none") {
    throw new Error(
      "No model is there to answer: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST. Or have the prompts answered elsewhere: " +
        "what system.md and prompt.md of a folder ask for goes into its answer.html, what rival.md asks for into rival.html."
    )
  }
  return async (question) => {
    const request = { ...question, maxOutputTokens: MOST_TOKENS, requestId: crypto.randomUUID() }
    const parts = await Effect.runPromise(Stream.runCollect(stream(request)))
    if (parts.some((part) => part.type === "end" && part.truncated)) throw new Error("The answer was cut off.")
    return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  }
}
