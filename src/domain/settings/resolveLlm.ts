import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import { httpUrlExpected, isHttpUrl } from "./ConfigFile.ts"
import { CONFIG_FLAGS, variableOf } from "./ConfigFlags.ts"
import { type Said, saidIn, type Told } from "./ConfigProblem.ts"
import type { Environment } from "./ConfigText.ts"
import { LLM_KEY_VARIABLE, quotedAddress, secretInFile } from "./Secrets.ts"

type Section = NonNullable<ConfigFile["llm"]>
type Provider = NonNullable<Section["provider"]>

interface ProviderVariables {
  readonly key?: string
  readonly url?: string
  /** The one that chooses the provider where nobody names one. */
  readonly chooses?: string
}

/** The variables with a provider's key and with the address of its server. Ollama needs no key but in the cloud. */
export const PROVIDER_VARIABLES: Readonly<Record<Provider, ProviderVariables>> = {
  anthropic: { key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", chooses: "ANTHROPIC_API_KEY" },
  openai: { key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", chooses: "OPENAI_API_KEY" },
  ollama: { key: "OLLAMA_API_KEY", url: "OLLAMA_HOST", chooses: "OLLAMA_HOST" },
  host: {},
  none: {}
}

/** Where the key of a provider stands: a variable, or a setting; if there is none, the variable to set. */
export const keyPlaceOf = (
  { apiKey, provider }: { readonly apiKey: unknown; readonly provider: Provider },
  environment: Environment
): string | undefined => {
  const { key } = PROVIDER_VARIABLES[provider]
  if (key === undefined || variableOf(environment, LLM_KEY_VARIABLE) !== undefined) return key && LLM_KEY_VARIABLE
  return apiKey === undefined || variableOf(environment, key) !== undefined ? key : "llm.apiKey"
}

/** `OLLAMA_HOST` as Ollama reads it: scheme and port may be missing; 0.0.0.0 is where it listens, not a target. */
const ollamaUrl = (host: string): string | undefined => {
  const withScheme = /^[a-z]+:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(withScheme)) return undefined
  const url = new URL(withScheme)
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"
  const namesPort = /^[a-z]+:\/\/[^/]*:\d+(?:\/|$)/i.test(withScheme)
  if (!namesPort && url.protocol === "http:") url.port = "11434"
  return url.href.replace(/\/$/, "")
}

export interface LlmSources {
  readonly provider: Said<Provider> | undefined
  readonly model: string | undefined
  readonly environment: Environment
  /** The section of the file, and the name of the file. */
  readonly section: Section | undefined
  readonly file: string
  /** A file was named and could not be read: do not miss what may stand in it. */
  readonly isFileUnread: boolean
  /** The key stands in the file itself, not as a reference to the environment. */
  readonly isKeyInFile: boolean
}

/** Settles the model: the provider that is said, else one whose key or address is in the environment, else the host's. */
export const resolveLlm = (sources: LlmSources, tell: Told) => {
  const { environment, file, isFileUnread, section } = sources
  const said = sources.provider ?? saidIn(file, "llm.provider", section?.provider)
  const variable = (name: string | undefined) => (name === undefined ? undefined : variableOf(environment, name))
  const found = CONFIG_FLAGS.llm.choices.find((name) => {
    return variable(PROVIDER_VARIABLES[name].chooses) !== undefined
  })
  const provider = said?.value ?? found ?? "host"
  const asksNobody = provider === "none" || provider === "host"
  const { key: keyVariable, url: urlVariable } = PROVIDER_VARIABLES[provider]
  // The file may speak of another provider: its server, key and model are not for this one.
  const own = section?.provider === undefined || section.provider === provider ? section : undefined
  const ownKey = variable(LLM_KEY_VARIABLE)?.trim()
  const keyInEnvironment = asksNobody ? undefined : (ownKey ?? variable(keyVariable))
  const apiKey = keyInEnvironment ?? own?.apiKey

  const urlInEnvironment = variable(urlVariable)
  const readUrl = provider === "ollama" ? ollamaUrl : (url: string) => (isHttpUrl(url) ? url : undefined)
  const baseUrl = urlInEnvironment === undefined ? own?.baseUrl : readUrl(urlInEnvironment.trim())
  if (urlVariable !== undefined && urlInEnvironment !== undefined && baseUrl === undefined) {
    const allowed = provider === "ollama" ? "host, host:port or a URL" : httpUrlExpected(urlInEnvironment.trim())
    tell.problem(urlVariable, "", `found ${quotedAddress(urlInEnvironment)}; allowed: ${allowed}`)
  }

  if (said === undefined && !isFileUnread) {
    const beside = (settings: string) => `needs ${settings} beside it, to say whose it is`
    if (ownKey !== undefined) {
      const text = `${beside("MCP_GEN_UI_LLM, --llm or llm.provider")}: anthropic, openai or ollama`
      tell.problem(LLM_KEY_VARIABLE, "", text)
    }
    for (const name of ["apiKey", "baseUrl"] as const) {
      if (section?.[name] !== undefined) tell.problem(file, `llm.${name}`, beside("llm.provider"))
    }
  }
  const needsKey = provider !== "ollama" && keyVariable !== undefined && apiKey === undefined && baseUrl === undefined
  if (said !== undefined && needsKey && !isFileUnread) {
    const text =
      `${provider} needs a key and ${keyVariable} is not set, nor is ${LLM_KEY_VARIABLE}; ` +
      "set one of them, or choose none for built-in UIs"
    tell.problem(said.source, said.path, text)
  }
  if (sources.isKeyInFile) {
    const { message, ...notice } = secretInFile("llm.apiKey", file, keyVariable)
    const instead = ownKey === undefined ? keyVariable : LLM_KEY_VARIABLE
    const used = keyInEnvironment === undefined ? "" : `; it is not used, because ${instead} is set`
    tell.notice({ ...notice, message: `${message}${used}` })
  }
  const model = sources.model ?? own?.model
  if (asksNobody) {
    const reason =
      said === undefined ? "no ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST is set" : `provider is ${provider}`
    const until = provider === "host" ? " until the host's model is asked for another" : ""
    tell.notice({ level: "info", event: "no-model", message: `every tool gets the built-in UI${until}: ${reason}` })
    if (model !== undefined) {
      tell.notice({ level: "warn", event: "model-unused", message: `the model ${model} is not used: ${reason}` })
    }
  } else {
    const because = said === undefined ? ` (${PROVIDER_VARIABLES[provider].chooses} is set)` : ""
    tell.notice({ level: "info", event: "model-chosen", message: `${provider} writes the UIs${because}` })
  }
  return {
    provider,
    model,
    apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey, { label: "apiKey" }),
    baseUrl,
    maxTokens: section?.maxTokens ?? CONFIG_DEFAULTS.llm.maxTokens,
    temperature: own?.temperature
  }
}
