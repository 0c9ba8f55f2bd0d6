import { Console, Effect, Option, Redacted } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { existsSync } from "node:fs"
import { userModelPath, type UserModel, writeUserModel } from "../../adapters/settings/userModel.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { PROVIDER_VARIABLES } from "../../domain/settings/resolveLlm.ts"
import type { Settings } from "../../services/settings/Settings.ts"
import { NO_SERVER, settingsFor } from "./commandSettings.ts"
import { shownPath } from "./hostFiles.ts"

const asksNobody = (provider: Llm["provider"]): boolean => provider === "none" || provider === "host"

type Llm = Settings["Service"]["llm"]

const keep = Effect.fnUntraced(function* (llm: UserModel) {
  const path = userModelPath(process.env)
  yield* writeUserModel(path, llm).pipe(
    Effect.mapError((code) => rejected(`cannot be written (${code}); check the rights of its folder`, path))
  )
  const what = llm.provider === "none" ? "That no model writes UIs" : "Who writes the UIs"
  yield* Console.log(`${what} is kept in ${shownPath(path)}, for you alone; all wrapped servers read it.`)
})

const keptOf = ({ apiKey, baseUrl, model, provider }: Llm): UserModel => ({
  provider,
  ...(apiKey === undefined ? {} : { apiKey: Redacted.value(apiKey) }),
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(model === undefined ? {} : { model })
})

/** `--save-key`: keeps the model that flags and environment name. */
export const saveKey = Effect.fnUntraced(function* ({ flags }: CommandLineArguments) {
  const { llm } = (yield* settingsFor({ flags, command: undefined }, {}, NO_SERVER)).settings
  if (asksNobody(llm.provider) && flags.llm === undefined) {
    const text =
      "there is no key to keep; set ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST, or say --llm host or none"
    return yield* rejected(text, "--save-key")
  }
  yield* keep(keptOf(llm))
})

const askForKey = Effect.gen(function* () {
  const provider = yield* Prompt.Select({
    message: "Who writes the UIs? The key is asked once, for all servers",
    choices: [
      { title: "Anthropic", value: "anthropic" as const },
      { title: "OpenAI, or a server that speaks its API", value: "openai" as const },
      { title: "Ollama, on this machine", value: "ollama" as const },
      { title: "The model you talk to, when you ask it; no key", value: "host" as const },
      { title: "Nobody: every tool gets the built-in UI", value: "none" as const }
    ]
  })
  if (provider === "host" || provider === "none") return yield* keep({ provider })
  if (provider === "ollama") {
    const baseUrl = yield* Prompt.String({ message: "Where is it?", default: "http://127.0.0.1:11434" })
    const model = yield* Prompt.String({ message: "Which model?" })
    return yield* keep({ provider, baseUrl, ...(model === "" ? {} : { model }) })
  }
  const key = Redacted.value(
    yield* Prompt.Password({ message: `Key of ${provider} (leave it empty for later)` })
  ).trim()
  if (key !== "") yield* keep({ provider, apiKey: key })
})

/** On a terminal, once: asks who writes the UIs, or whether the key of the terminal is to be there for hosts too. */
export const askForModel = Effect.fnUntraced(function* ({ flags }: CommandLineArguments) {
  if (existsSync(userModelPath(process.env))) return
  const settled = yield* Effect.option(settingsFor({ flags, command: undefined }, {}, NO_SERVER))
  const llm = Option.map(settled, ({ settings }) => settings.llm)
  if (Option.isNone(llm) || asksNobody(llm.value.provider)) return yield* askForKey
  const { key, url } = PROVIDER_VARIABLES[llm.value.provider]
  const isKept = yield* Prompt.Confirm({
    message: `${key ?? url ?? "It"} is set in this terminal; most hosts do not see that. Keep it for them in ${shownPath(userModelPath(process.env))}?`,
    initial: true
  })
  if (isKept) yield* keep(keptOf(llm.value))
})
