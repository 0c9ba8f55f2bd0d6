import { Clock, Duration, Effect, Result, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { isKeyRefused } from "../../adapters/generation/namesItsKey.ts"
import { keyPlaceOf, PROVIDER_VARIABLES } from "../../domain/settings/resolveLlm.ts"
import { LanguageModel, type ModelFailed } from "../../services/generation/LanguageModel.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { languageModel } from "../MainLayer.ts"
import { type Finding, findingsOf } from "./Finding.ts"

const PATIENCE = Duration.seconds(30)

/** The smallest that OpenAI takes. */
const FEW_TOKENS = 16

const { fail, ok, warn } = findingsOf("model")

const PROVIDER_PAGES: Readonly<Record<string, string>> = {
  anthropic: "console.anthropic.com",
  openai: "platform.openai.com"
}

/** What a refused or failed request says about the settings. */
const findingOf = (failed: ModelFailed, model: string, { llm }: Settings["Service"]): Finding => {
  const { code, detail, status } = failed
  const { provider } = llm
  const { url = "llm.baseUrl" } = PROVIDER_VARIABLES[provider]
  const place = keyPlaceOf(llm, process.env) ?? ""
  if (isKeyRefused(failed)) {
    const key = llm.apiKey === undefined ? "holds no key, and" : "holds a key that"
    const text = `${place} ${key} ${provider} does not accept${llm.apiKey === undefined ? " that" : ""} (HTTP ${status})`
    return fail(text, `put a right one into ${place}, or choose --llm none for built-in UIs`)
  }
  if (code === "AUTH") {
    const page = PROVIDER_PAGES[provider] ?? "the page of your account"
    return fail(`${provider} takes the key, but not the account: ${detail}`, `see to the plan or the credit at ${page}`)
  }
  if (status === 404 || (code === "INVALID_REQUEST" && /\bmodel\b/i.test(detail))) {
    const pull = provider === "ollama" ? `ollama pull ${model}, or ` : ""
    return fail(`${provider} has no model "${model}": ${detail}`, `${pull}name another with --model NAME`)
  }
  if (code === "NETWORK_ERROR") {
    const mend = provider === "ollama" ? `start it (ollama serve), or mend ${url}` : `look at the network, or at ${url}`
    return fail(`${provider} cannot be reached: ${detail}`, mend)
  }
  if (code === "RATE_LIMIT") return warn(`${provider} takes no more requests for now: ${detail}`, "try again later")
  if (code === "SERVER_ERROR") return warn(`${provider} has a fault: ${detail}`, "try again later")
  return fail(`${provider} refuses a request for "${model}": ${detail}`, "name another model with --model NAME")
}

/** Asks the model for one word. Nothing of the server or its tools is sent, and no key is shown. */
export const checkModel = Effect.gen(function* () {
  const settings = yield* Settings
  const { model, provider, stream } = yield* LanguageModel
  if (model === null) {
    const text = "no model is chosen: every tool gets the built-in UI"
    return warn(text, "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or choose --llm ollama")
  }
  const from = yield* Clock.currentTimeMillis
  const asked = stream({
    system: "Answer with one word.",
    prompt: "Say ok.",
    maxOutputTokens: FEW_TOKENS,
    requestId: randomUUID()
  })
  const answer = yield* Effect.result(Effect.timeoutOption(Stream.runDrain(asked), PATIENCE))
  if (Result.isFailure(answer)) return findingOf(answer.failure, model, settings)
  if (answer.success._tag === "None") {
    const mend =
      provider === "ollama" ? "it may still be loading; try again, or take a smaller model" : "try again later"
    return fail(`${provider} has not answered within ${Duration.toSeconds(PATIENCE)} s`, mend)
  }
  const seconds = ((yield* Clock.currentTimeMillis) - from) / 1000
  const key = settings.llm.apiKey === undefined ? "" : ` takes the key of ${keyPlaceOf(settings.llm, process.env)}, and`
  return ok(`${provider}${key} answers as ${model}, in ${seconds.toFixed(1)} s`)
}).pipe(Effect.provide(languageModel))
