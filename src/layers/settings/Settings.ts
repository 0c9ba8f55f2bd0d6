import { Effect, Layer } from "effect"
import { resolve } from "node:path"
import { defaultDirectories } from "../../adapters/settings/defaultDirectories.ts"
import { loadConfigFile, readPromptFile } from "../../adapters/settings/loadConfigFile.ts"
import { readUserModel } from "../../adapters/settings/userModel.ts"
import { CONFIG_DEFAULTS, TOOL_MEMORY_OVER_HTTP } from "../../domain/settings/ConfigDefaults.ts"
import { type ConfigFile, TOOL_PREFIX, TOOL_PREFIX_EXPECTED } from "../../domain/settings/ConfigFile.ts"
import {
  CONFIG_FLAGS,
  type ConfigFlagName,
  type ConfigFlagValues,
  readConfigVariables
} from "../../domain/settings/ConfigFlags.ts"
import type { ConfigProblem, Said, SettingsNotice } from "../../domain/settings/ConfigProblem.ts"
import { ConfigRejected, tellInto } from "../../domain/settings/ConfigProblem.ts"
import type { Environment } from "../../domain/settings/ConfigText.ts"
import { resolveHttpServing } from "../../domain/settings/resolveHttpServing.ts"
import { resolveKeeping } from "../../domain/settings/resolveKeeping.ts"
import { languageWords } from "../../domain/settings/pageLanguage.ts"
import { resolveLlm } from "../../domain/settings/resolveLlm.ts"
import { resolveUpstream } from "../../domain/settings/resolveUpstream.ts"
import { quoted, secretInFile } from "../../domain/settings/Secrets.ts"
import { secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import { hintsAsWritten } from "../../domain/tools/olderHints.ts"
import { RunSecrets } from "../../services/observability/RunSecrets.ts"
import type { UpstreamSettings } from "../../services/settings/Settings.ts"
import { Settings } from "../../services/settings/Settings.ts"

/**
 * Where a run is told what to do, strongest first: `flags` and `command`, `environment`, then the file.
 *
 * @example
 * import type { SettingsSources } from "mcp-gen-ui"
 *
 * const sources: SettingsSources = { flags: {}, command: ["npx", "our-server"], environment: process.env }
 */
export interface SettingsSources {
  readonly flags: ConfigFlagValues
  /** The server's command as words that need no quoting; `undefined` if none was given. */
  readonly command: ReadonlyArray<string> | undefined
  readonly environment: Environment
  /** Stands in for a file that `flags` or `environment` name; for programs that embed the wrapper. */
  readonly config?: ConfigFile
  /** A file that says who writes UIs where nothing else does; the command line has the one that `wrap` keeps a key in. */
  readonly userModel?: string
  /** The server to wrap when no source names one; without it that is a problem. */
  readonly defaultUpstream?: UpstreamSettings
}

export interface ResolvedSettings {
  readonly settings: Settings["Service"]
  readonly notices: ReadonlyArray<SettingsNotice>
}

/**
 * Settles what a run does: flag over environment over file over default. Reads the configuration file, the one of
 * `--prompt-file`, and nothing else. Fails with every problem found, not only the first.
 */
export const resolveSettings = Effect.fn("Settings.resolve")(function* (
  sources: SettingsSources
): Effect.fn.Return<ResolvedSettings, ConfigRejected> {
  const { environment, flags } = sources
  const problems: Array<ConfigProblem> = []
  const notices: Array<SettingsNotice> = []
  const tell = tellInto(problems, notices)
  const variables = readConfigVariables(environment, tell)

  const saidBy = <Value>(value: Value | undefined, source: string): Said<Value> | undefined =>
    value === undefined ? undefined : { value, source, path: "" }
  const byFlag = <Name extends ConfigFlagName>(name: Name): Said<NonNullable<ConfigFlagValues[Name]>> | undefined =>
    saidBy(flags[name] ?? undefined, `--${CONFIG_FLAGS[name].flag}`)
  const byVariable = <Name extends ConfigFlagName>(name: Name): Said<NonNullable<ConfigFlagValues[Name]>> | undefined =>
    saidBy(variables[name] ?? undefined, CONFIG_FLAGS[name].variable)
  const told = <Name extends ConfigFlagName>(name: Name) => byFlag(name) ?? byVariable(name)

  const named = sources.config === undefined ? told("config") : undefined
  const loaded =
    named === undefined
      ? undefined
      : yield* loadConfigFile(named, environment).pipe(
          Effect.catch((error) => {
            problems.push(...error.problems)
            return Effect.undefined
          })
        )
  const unread = named !== undefined && loaded === undefined
  const config = loaded?.config ?? sources.config ?? {}
  const file = loaded?.name ?? "config"
  const fromFile = (path: string): string => (loaded === undefined ? path : resolve(loaded.directory, path))
  const placeOf = (path: string | undefined) => (path === undefined ? undefined : fromFile(path))
  const absolute = (said: Said<string> | undefined) => (said === undefined ? undefined : resolve(said.value))

  const { named: isNamed, upstream: resolved } = resolveUpstream(
    {
      words: sources.command,
      line: told("upstream"),
      transport: told("transport"),
      headerFlag: byFlag("header"),
      headerVariable: byVariable("header"),
      environment,
      section: config.upstream,
      file,
      fromFile
    },
    tell
  )
  const upstream: UpstreamSettings | undefined = resolved ?? (isNamed ? undefined : sources.defaultUpstream)
  // The file that could not be read may name the server: its own problem is enough.
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

  const { userModel } = sources
  const ofUser =
    userModel === undefined || config.llm !== undefined || unread ? undefined : readUserModel(userModel, tell)
  const llm = resolveLlm(
    {
      provider: told("llm"),
      model: told("model")?.value,
      environment,
      section: config.llm ?? ofUser,
      file: ofUser === undefined ? file : (userModel ?? file),
      isFileUnread: unread,
      isKeyInFile: loaded?.secrets.has("llm.apiKey") === true
    },
    tell
  )

  const logging = { ...CONFIG_DEFAULTS.logging, ...config.logging }
  const otherLog = told("logFile")?.value
  if (otherLog === undefined && logging.destination === "file" && logging.file === undefined) {
    tell.problem(file, "logging.file", 'is missing; logging.destination is "file"')
  }
  if (logging.destination === "stderr" && logging.file !== undefined) {
    tell.problem(file, "logging.destination", 'is "stderr", but logging.file is given; remove one of the two')
  }
  if (!logging.redactSensitiveData) {
    const message = "logging.redactSensitiveData is false: keys and personal data may stand in the log"
    tell.notice({ level: "warn", event: "redaction-off", message })
  }
  const logFile = otherLog ?? placeOf(logging.file)
  const levelOf = ({ debug, logLevel }: ConfigFlagValues) => logLevel ?? (debug === true ? "debug" : undefined)

  const keeping = resolveKeeping(
    {
      cacheDirectory: absolute(told("cacheDir")),
      exportDirectory: absolute(told("exportDir")),
      noCache: told("noCache") !== undefined,
      config,
      file,
      fromFile: placeOf,
      defaults: defaultDirectories(environment)
    },
    tell
  )

  if (llm.provider !== "none" && llm.provider !== "host" && keeping.cache.enabled && keeping.cache.type === "memory") {
    const message = "UIs are kept in memory and written anew after the next start; --cache-dir DIR keeps them"
    tell.notice({ level: "info", event: "cache-in-memory", message })
  }

  const toolMemory = http === undefined ? CONFIG_DEFAULTS.generation.toolMemory : TOOL_MEMORY_OVER_HTTP
  const {
    baseTemplate,
    defaultTheme,
    enabledTools,
    language,
    limits,
    prompt,
    promptsDirectory,
    tools,
    uiDirectory,
    ...generation
  } = { ...CONFIG_DEFAULTS.generation, toolMemory, ...config.generation }
  const { logo, ...theme } = config.theme ?? {}

  const words = told("prompt")
  const promptFile = told("promptFile")
  if (flags.prompt !== undefined && flags.promptFile !== undefined) {
    tell.problem("--prompt-file", "", "is given beside --prompt; leave one of the two out")
  }
  // A flag wins over a variable, also if they are not of the same name.
  const isWords = words !== undefined && (flags.prompt !== undefined || flags.promptFile === undefined)
  const isFile = promptFile !== undefined && !isWords
  const asked = isFile ? yield* readPromptFile(promptFile, tell) : (words?.value ?? prompt)
  const inLanguage = languageWords(language, environment, http === undefined)
  const housePrompt = [asked, inLanguage].filter((part) => part !== undefined).join("\n\n") || undefined

  for (const path of loaded?.secrets ?? []) if (path !== "llm.apiKey") tell.notice(secretInFile(path, file))

  if (problems.length > 0 || upstream === undefined) return yield* new ConfigRejected({ problems })

  const settings: Settings["Service"] = {
    upstream,
    http,
    toolPrefix: toolPrefix?.value ?? config.toolPrefix ?? CONFIG_DEFAULTS.toolPrefix,
    wrapperTools: told("wrapperTools")?.value ?? config.wrapperTools ?? CONFIG_DEFAULTS.wrapperTools,
    translateEras: told("translateEras")?.value ?? config.translateEras ?? CONFIG_DEFAULTS.translateEras,
    maxMessageBytes: config.maxMessageBytes ?? CONFIG_DEFAULTS.maxMessageBytes,
    toolRefresh: { ...CONFIG_DEFAULTS.toolRefresh, ...config.toolRefresh },
    llm,
    ...keeping,
    theme: { ...theme, ...(logo === undefined ? {} : { logo: fromFile(logo) }) },
    generation: {
      defaultTheme,
      promptsDirectory: placeOf(promptsDirectory),
      prompt: housePrompt,
      baseTemplate: placeOf(baseTemplate),
      uiDirectory: placeOf(uiDirectory),
      ...generation,
      secondDraft: told("secondDraft")?.value ?? generation.secondDraft,
      library: told("noLibrary") === undefined && generation.library,
      enabledTools,
      tools: Object.fromEntries(Object.entries(tools ?? {}).map(([name, hints]) => [name, hintsAsWritten(hints)])),
      limits: { ...CONFIG_DEFAULTS.generation.limits, ...limits }
    },
    dashboards: config.dashboards ?? {},
    viewTools: config.viewTools ?? CONFIG_DEFAULTS.viewTools,
    recall: config.recall ?? (generation.toolMemory === "off" ? "off" : "on"),
    logging: {
      level: levelOf(flags) ?? levelOf(variables) ?? logging.level,
      format: told("logFormat")?.value ?? logging.format,
      destination: logFile === undefined ? "stderr" : "file",
      file: logFile,
      redactSensitiveData: logging.redactSensitiveData
    },
    forceUi: told("forceUi") !== undefined,
    embedUi: told("embedUi") !== undefined,
    debug: told("debug") !== undefined
  }
  const tellSecrets = yield* RunSecrets
  tellSecrets(secretsOfRun(settings, environment))
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

/**
 * {@link resolveSettings} as a layer; logs its notices.
 *
 * @example
 * import { layerSettings } from "mcp-gen-ui"
 *
 * const settings = layerSettings({ flags: {}, command: ["npx", "our-server"], environment: process.env })
 */
export const layer = (sources: SettingsSources): Layer.Layer<Settings, ConfigRejected> =>
  Layer.effect(
    Settings,
    resolveSettings(sources).pipe(
      Effect.tap(({ notices }) => logNotices(notices)),
      Effect.map(({ settings }) => Settings.of(settings))
    )
  )
