import { Effect, Layer, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { defaultDirectories } from "../adapters/defaultDirectories.ts"
import { CONFIG_DEFAULTS, TOOL_MEMORY_OVER_HTTP } from "../domain/configuration/ConfigDefaults.ts"
import type { ConfigFile } from "../domain/configuration/ConfigFile.ts"
import { decodeConfigFile, isHttpUrl } from "../domain/configuration/ConfigFile.ts"
import type { ConfigFlagName, ConfigFlagValue, ConfigFlagValues } from "../domain/configuration/ConfigFlags.ts"
import { CONFIG_FLAGS } from "../domain/configuration/ConfigFlags.ts"
import type { ConfigProblem } from "../domain/configuration/ConfigProblem.ts"
import { ConfigRejected } from "../domain/configuration/ConfigProblem.ts"
import type { Environment } from "../domain/configuration/ConfigText.ts"
import { findJsonTextProblem, formatConfigPath, resolveReferences } from "../domain/configuration/ConfigText.ts"
import { resolveHttpServing } from "../domain/configuration/resolveHttpServing.ts"
import { resolveKeeping } from "../domain/configuration/resolveKeeping.ts"
import { resolveUpstream } from "../domain/configuration/resolveUpstream.ts"
import type { Said, SettingsNotice, Told } from "../domain/configuration/Said.ts"
import { tellInto } from "../domain/configuration/Said.ts"
import { literalSecrets, quoted, secretInFile } from "../domain/configuration/Secrets.ts"
import { TOOL_PREFIX, TOOL_PREFIX_EXPECTED } from "../domain/configuration/ToolPrefix.ts"
import type { Provider, UpstreamSettings } from "../services/Settings.ts"
import { Settings } from "../services/Settings.ts"

/** Where a run is told what to do, strongest first: `flags` and `command`, `environment`, then the file. */
export interface SettingsSources {
  readonly flags: ConfigFlagValues
  /** The server's command as words that need no quoting; `undefined` if none was given. */
  readonly command: ReadonlyArray<string> | undefined
  readonly environment: Environment
  /** Stands in for a file that `flags` or `environment` name; for programs that embed the wrapper. */
  readonly config?: ConfigFile
  /** The server to wrap when no source names one; without it that is a problem. */
  readonly defaultUpstream?: UpstreamSettings
}

export interface ResolvedSettings {
  readonly settings: Settings["Service"]
  readonly notices: ReadonlyArray<SettingsNotice>
}

interface LoadedFile {
  readonly config: ConfigFile
  readonly name: string
  readonly directory: string
  /** Paths of secrets that stand in the file itself, not as references to the environment. */
  readonly secrets: ReadonlySet<string>
}

const ON: ReadonlySet<string> = new Set(["1", "true", "yes", "on"])
const OFF: ReadonlySet<string> = new Set(["0", "false", "no", "off"])

const variableOf = (environment: Environment, name: string): string | undefined => {
  const value = environment[name]
  return value === undefined || value.trim() === "" ? undefined : value
}

/** The variables that repeat flags, checked as the command line checks its own. */
const readVariables = (environment: Environment, problems: Array<ConfigProblem>): ConfigFlagValues => {
  const values: { -readonly [Name in ConfigFlagName]?: ConfigFlagValue } = {}
  for (const name of Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>) {
    const definition = CONFIG_FLAGS[name]
    const value = variableOf(environment, definition.variable)
    if (value === undefined) continue
    const refuse = (allowed: string) =>
      problems.push({
        source: definition.variable,
        path: "",
        text: `found ${JSON.stringify(value)}; allowed: ${allowed}`
      })
    if (definition.kind === "switch") {
      if (ON.has(value.toLowerCase())) values[name] = true
      else if (!OFF.has(value.toLowerCase())) refuse("1, true, yes, on, 0, false, no, off")
    } else if (definition.kind === "choice" && !(definition.choices as ReadonlyArray<string>).includes(value)) {
      refuse(definition.choices.join(", "))
    } else if (definition.kind === "list") {
      values[name] = value.split(/\r?\n/).filter((line) => line.trim() !== "")
    } else values[name] = value
  }
  return values as ConfigFlagValues
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check the path",
  ENOTDIR: "does not exist; a part of its path is not a folder",
  EISDIR: "is a folder; name the file in it",
  EACCES: "can not be read; check its permissions"
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : "UNKNOWN"

const absolute = (said: Said<string> | undefined): Said<string> | undefined =>
  said === undefined ? undefined : { ...said, value: resolve(said.value) }

const readPromptFile = (named: Said<string>, tell: Told): string | undefined => {
  try {
    return readFileSync(named.value, "utf8").replace(/^\uFEFF/, "")
  } catch (cause) {
    const code = codeOf(cause)
    tell.problem(named.source, "", `${quoted(named.value)} ${FILE_ERRORS[code] ?? `can not be read (${code})`}`)
    return undefined
  }
}

const loadFile = Effect.fn("Settings.loadFile")(function* (named: Said<string>, environment: Environment) {
  const name = named.value
  const rejected = (problems: ReadonlyArray<Omit<ConfigProblem, "source">>) =>
    new ConfigRejected({ problems: problems.map((problem) => ({ source: name, ...problem })) })
  const raw = yield* Effect.try({
    try: () => readFileSync(name, "utf8"),
    catch: (cause) => {
      const code = codeOf(cause)
      return rejected([
        { path: "", text: `${FILE_ERRORS[code] ?? `can not be read (${code})`} (named by ${named.source})` }
      ])
    }
  })
  const text = raw.replace(/^\uFEFF/, "")
  const malformed = findJsonTextProblem(text)
  if (malformed !== undefined) {
    const { line, column, expected, found } = malformed
    return yield* rejected([{ path: "", text: `line ${line}, column ${column}: expected ${expected}, found ${found}` }])
  }
  const written: unknown = JSON.parse(text)
  const { document, problems } = resolveReferences(written, environment)
  const unresolved = problems.map(({ path, text }) => ({ path: formatConfigPath(path), text }))
  const decoded = decodeConfigFile(document)
  if (Result.isFailure(decoded)) {
    const known = new Set(unresolved.map(({ path }) => path))
    return yield* rejected([...unresolved, ...decoded.failure.filter(({ path }) => !known.has(path))])
  }
  if (unresolved.length > 0) return yield* rejected(unresolved)
  const secrets = literalSecrets(written)
  return { config: decoded.success, name, directory: dirname(resolve(name)), secrets } satisfies LoadedFile
})

const KEY_VARIABLES = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" } as const
const URL_VARIABLES = { anthropic: "ANTHROPIC_BASE_URL", openai: "OPENAI_BASE_URL", ollama: "OLLAMA_HOST" } as const

/** `OLLAMA_HOST` as Ollama reads it: scheme and port may be missing, and 0.0.0.0 is where it listens, not a target. */
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

/**
 * Settles what a run does: flag over environment over file over default. Reads the configuration file and
 * nothing else. Fails with every problem found, not only the first.
 */
export const resolveSettings = Effect.fn("Settings.resolve")(function* (
  sources: SettingsSources
): Effect.fn.Return<ResolvedSettings, ConfigRejected> {
  const { environment, flags } = sources
  const problems: Array<ConfigProblem> = []
  const notices: Array<SettingsNotice> = []
  const tell = tellInto(problems, notices)
  const variables = readVariables(environment, problems)

  const told = <Name extends ConfigFlagName>(name: Name): Said<NonNullable<ConfigFlagValues[Name]>> | undefined => {
    const definition = CONFIG_FLAGS[name]
    const flag = flags[name]
    if (flag !== undefined) return { value: flag, source: `--${definition.flag}`, path: "" }
    const variable = variables[name]
    return variable === undefined ? undefined : { value: variable, source: definition.variable, path: "" }
  }

  const named = sources.config === undefined ? told("config") : undefined
  const loaded =
    named === undefined
      ? undefined
      : yield* loadFile(named, environment).pipe(
          Effect.catch((error) => {
            problems.push(...error.problems)
            return Effect.undefined
          })
        )
  const unread = named !== undefined && loaded === undefined
  const config = loaded?.config ?? sources.config ?? {}
  const file = loaded?.name ?? "config"
  const fromFile = (path: string): string => (loaded === undefined ? path : resolve(loaded.directory, path))

  const list = (value: ReadonlyArray<string> | undefined, source: string): Said<ReadonlyArray<string>> | undefined =>
    value === undefined ? undefined : { value, source, path: "" }
  const { named: isNamed, upstream: resolved } = resolveUpstream(
    {
      words: sources.command,
      line: told("upstream"),
      transport: told("transport"),
      headerFlag: list(flags.header, `--${CONFIG_FLAGS.header.flag}`),
      headerVariable: list(variables.header, CONFIG_FLAGS.header.variable),
      environment,
      section: config.upstream,
      file,
      fromFile
    },
    tell
  )
  const upstream: UpstreamSettings | undefined = resolved ?? (isNamed ? undefined : sources.defaultUpstream)
  // A file that could not be read may well name the server: its own problem is enough.
  if (!isNamed && upstream === undefined && !unread) {
    tell.problem(
      "",
      "",
      'no server to wrap was named; write its command after "--": mcp-gen-ui -- node server.js ' +
        "(or use --upstream, MCP_GEN_UI_UPSTREAM, or upstream.command or upstream.url in a --config file)"
    )
  }
  const http = resolveHttpServing({ address: told("http"), environment, section: config.http, file }, tell)

  const toolPrefix = told("toolPrefix")
  if (toolPrefix !== undefined && !TOOL_PREFIX.test(toolPrefix.value)) {
    tell.problem(toolPrefix.source, "", `found ${quoted(toolPrefix.value)}; allowed: ${TOOL_PREFIX_EXPECTED}`)
  }

  const llm = ((): Settings["Service"]["llm"] => {
    const said: Said<Provider> | undefined =
      told("llm") ??
      (config.llm?.provider === undefined
        ? undefined
        : { value: config.llm.provider, source: file, path: "llm.provider" })
    const found = (["anthropic", "openai"] as const).find(
      (name) => variableOf(environment, KEY_VARIABLES[name]) !== undefined
    )
    const provider: Provider =
      said?.value ?? found ?? (variableOf(environment, URL_VARIABLES.ollama) === undefined ? "none" : "ollama")
    // What the file says of another provider's server, key and model is not for this one.
    const own = config.llm?.provider === undefined || config.llm.provider === provider ? config.llm : undefined
    const keyVariable = provider === "anthropic" || provider === "openai" ? KEY_VARIABLES[provider] : undefined
    const keyInEnvironment = keyVariable === undefined ? undefined : variableOf(environment, keyVariable)
    const apiKey = keyInEnvironment ?? own?.apiKey

    const urlVariable = provider === "none" ? undefined : URL_VARIABLES[provider]
    const urlInEnvironment = urlVariable === undefined ? undefined : variableOf(environment, urlVariable)
    const readUrl = provider === "ollama" ? ollamaUrl : (url: string) => (isHttpUrl(url) ? url : undefined)
    const baseUrl = urlInEnvironment === undefined ? own?.baseUrl : readUrl(urlInEnvironment.trim())
    if (urlVariable !== undefined && urlInEnvironment !== undefined && baseUrl === undefined) {
      const allowed = provider === "ollama" ? "host, host:port or a URL" : "a URL that begins with http:// or https://"
      problems.push({
        source: urlVariable,
        path: "",
        text: `found ${JSON.stringify(urlInEnvironment)}; allowed: ${allowed}`
      })
    }

    if (said === undefined && !unread && config.llm !== undefined) {
      for (const name of ["apiKey", "baseUrl"] as const) {
        if (config.llm[name] === undefined) continue
        problems.push({ source: file, path: `llm.${name}`, text: "needs llm.provider beside it, to say whose it is" })
      }
    }
    if (said !== undefined && keyVariable !== undefined && apiKey === undefined && baseUrl === undefined && !unread) {
      const text = `${provider} needs a key and ${keyVariable} is not set; set it, or choose none for built-in UIs`
      problems.push({ source: said.source, path: said.path, text })
    }
    if (loaded?.secrets.has("llm.apiKey") === true) {
      const { message, ...notice } = secretInFile("llm.apiKey", file, keyVariable)
      const used = keyInEnvironment === undefined ? "" : `; it is not used, because ${keyVariable} is set`
      notices.push({ ...notice, message: `${message}${used}` })
    }
    const model = told("model")?.value ?? own?.model
    if (provider === "none") {
      const reason =
        said === undefined ? "no ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST is set" : "provider is none"
      notices.push({ level: "info", event: "no-model", message: `every tool gets the built-in UI: ${reason}` })
      if (model !== undefined) {
        notices.push({ level: "warn", event: "model-unused", message: `the model ${model} is not used: ${reason}` })
      }
    } else {
      const because = said === undefined ? ` (${keyVariable ?? URL_VARIABLES.ollama} is set)` : ""
      notices.push({ level: "info", event: "model-chosen", message: `${provider} writes the UIs${because}` })
    }
    return {
      provider,
      model,
      apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey, { label: "apiKey" }),
      baseUrl,
      maxTokens: config.llm?.maxTokens ?? CONFIG_DEFAULTS.llm.maxTokens,
      temperature: own?.temperature
    }
  })()

  const logging = ((): Settings["Service"]["logging"] => {
    const level =
      flags.logLevel ??
      (flags.debug === true ? "debug" : undefined) ??
      variables.logLevel ??
      (variables.debug === true ? "debug" : undefined) ??
      config.logging?.level ??
      CONFIG_DEFAULTS.logging.level
    const written = config.logging
    const otherFile = told("logFile")?.value
    if (otherFile === undefined && written?.destination === "file" && written.file === undefined) {
      problems.push({ source: file, path: "logging.file", text: 'is missing; logging.destination is "file"' })
    }
    if (written?.destination === "stderr" && written.file !== undefined) {
      const text = 'is "stderr", but logging.file is given; remove one of the two'
      problems.push({ source: file, path: "logging.destination", text })
    }
    const target = otherFile ?? (written?.file === undefined ? undefined : fromFile(written.file))
    const redactSensitiveData = written?.redactSensitiveData ?? CONFIG_DEFAULTS.logging.redactSensitiveData
    if (!redactSensitiveData) {
      const message = "logging.redactSensitiveData is false: keys and personal data may stand in the log"
      notices.push({ level: "warn", event: "redaction-off", message })
    }
    return {
      level,
      format: told("logFormat")?.value ?? written?.format ?? CONFIG_DEFAULTS.logging.format,
      destination: target === undefined ? "stderr" : "file",
      file: target,
      redactSensitiveData
    }
  })()

  const keeping = resolveKeeping(
    {
      cacheDirectory: absolute(told("cacheDir")),
      exportDirectory: absolute(told("exportDir")),
      noCache: told("noCache") !== undefined,
      config,
      file,
      fromFile,
      defaults: defaultDirectories(environment)
    },
    tell
  )

  const housePrompt = ((): string | undefined => {
    const words = told("prompt")
    const named = told("promptFile")
    // The flag wins over the variable, whichever of the two it is.
    const isFile =
      named !== undefined && (words === undefined || (flags.prompt === undefined && flags.promptFile !== undefined))
    if (flags.prompt !== undefined && flags.promptFile !== undefined) {
      tell.problem("--prompt-file", "", "is given beside --prompt; leave one of the two out")
    }
    if (!isFile) return words?.value ?? config.generation?.prompt
    const text = readPromptFile(named, tell)
    return text === undefined || text.trim() === "" ? undefined : text
  })()

  for (const path of loaded?.secrets ?? []) if (path !== "llm.apiKey") notices.push(secretInFile(path, file))

  if (problems.length > 0 || upstream === undefined) return yield* new ConfigRejected({ problems })

  const { generation = {} } = config
  const promptsDirectory = generation.promptsDirectory
  const settings: Settings["Service"] = {
    upstream,
    http,
    toolPrefix: toolPrefix?.value ?? config.toolPrefix ?? CONFIG_DEFAULTS.toolPrefix,
    translateEras: told("translateEras")?.value ?? config.translateEras ?? CONFIG_DEFAULTS.translateEras,
    maxMessageBytes: config.maxMessageBytes ?? CONFIG_DEFAULTS.maxMessageBytes,
    toolRefresh: { ...CONFIG_DEFAULTS.toolRefresh, ...config.toolRefresh },
    llm,
    ...keeping,
    generation: {
      defaultTheme: generation.defaultTheme ?? CONFIG_DEFAULTS.generation.defaultTheme,
      promptsDirectory: promptsDirectory === undefined ? undefined : fromFile(promptsDirectory),
      prompt: housePrompt,
      uiDirectory: generation.uiDirectory === undefined ? undefined : fromFile(generation.uiDirectory),
      delivery: generation.delivery ?? CONFIG_DEFAULTS.generation.delivery,
      timeoutMs: generation.timeoutMs ?? CONFIG_DEFAULTS.generation.timeoutMs,
      maxAttempts: generation.maxAttempts ?? CONFIG_DEFAULTS.generation.maxAttempts,
      retryDelayMs: generation.retryDelayMs ?? CONFIG_DEFAULTS.generation.retryDelayMs,
      maxConcurrentGenerations:
        generation.maxConcurrentGenerations ?? CONFIG_DEFAULTS.generation.maxConcurrentGenerations,
      onTimeout: generation.onTimeout ?? CONFIG_DEFAULTS.generation.onTimeout,
      toolMemory:
        generation.toolMemory ?? (http === undefined ? CONFIG_DEFAULTS.generation.toolMemory : TOOL_MEMORY_OVER_HTTP),
      enabledTools: generation.enabledTools,
      tools: generation.tools ?? {},
      limits: { ...CONFIG_DEFAULTS.generation.limits, ...generation.limits }
    },
    logging,
    forceUi: told("forceUi") !== undefined,
    debug: told("debug") !== undefined
  }
  return { settings, notices }
})

/** Writes the notices to the log, as component `settings`. */
export const logNotices = (notices: ReadonlyArray<SettingsNotice>): Effect.Effect<void> =>
  Effect.forEach(
    notices,
    ({ event, level, message }) =>
      (level === "warn" ? Effect.logWarning(message) : Effect.logInfo(message)).pipe(
        Effect.annotateLogs({ component: "settings", event })
      ),
    { discard: true }
  )

/** {@link resolveSettings} as a layer; its notices go to whatever log is there. */
export const layer = (sources: SettingsSources): Layer.Layer<Settings, ConfigRejected> =>
  Layer.effect(
    Settings,
    resolveSettings(sources).pipe(
      Effect.tap(({ notices }) => logNotices(notices)),
      Effect.map(({ settings }) => Settings.of(settings))
    )
  )
