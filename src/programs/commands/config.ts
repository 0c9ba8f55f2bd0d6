import { Console, Effect, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { shortened } from "../../domain/shortened.ts"
import { readHouseLook } from "../../adapters/documents/readHouseLook.ts"
import { viewFileProblems } from "../../adapters/library/viewFileProblems.ts"
import { logFileProblem } from "../../adapters/observability/logFile.ts"
import { folderProblems, type NamedFolder } from "../../adapters/settings/namedFolders.ts"
import { readUserModel, userModelPath } from "../../adapters/settings/userModel.ts"
import { ConfigRejected, tellInto } from "../../domain/settings/ConfigProblem.ts"
import { isSensitiveName, makeRedactor } from "../../domain/observability/Redaction.ts"
import { secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import {
  CONFIG_FLAG_NAMES,
  CONFIG_FLAGS,
  type CommandLineArguments,
  type ConfigFlagName,
  variableOf
} from "../../domain/settings/ConfigFlags.ts"
import { formatPath, valueAt } from "../../domain/valuePath.ts"
import { PROVIDER_VARIABLES } from "../../domain/settings/resolveLlm.ts"
import { SECRET_VARIABLES } from "../../domain/settings/Secrets.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import { checkPrompts } from "../../layers/generation/PromptLibrary.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import { type Provider, Settings } from "../../services/settings/Settings.ts"
import { prompts } from "../generate/runCorpus.ts"
import { NO_SERVER, rejectedPrompt, settingsFor } from "./commandSettings.ts"
import { tableText } from "./tableText.ts"

export interface ConfigCheckArguments extends CommandLineArguments {
  readonly json: boolean
}

/** These name the server; one flag or variable says all of them. */
const SERVER: ReadonlySet<string> = new Set(["upstream.transport", "upstream.command", "upstream.args", "upstream.url"])

/** The variables that say a setting but repeat no flag. */
const variablesOf = (name: string, provider: Provider): ReadonlyArray<string | undefined> => {
  if (name === "llm.baseUrl") return [PROVIDER_VARIABLES[provider].url]
  return [SECRET_VARIABLES[name], name === "llm.apiKey" ? PROVIDER_VARIABLES[provider].key : undefined]
}

type Scalar = string | number | boolean | null
type Leaf = Scalar | ReadonlyArray<Scalar>
type Path = ReadonlyArray<string>

/** Shown in place of a secret. */
const SET = "(set)"

const isScalar = (value: unknown): value is Scalar =>
  value === null || ["string", "number", "boolean"].includes(typeof value)

/** An argument after a flag such as `--token` is secret. */
const shownList = (items: ReadonlyArray<Scalar>, redact: (text: string) => string): ReadonlyArray<Scalar> =>
  items.map((item, index) => {
    const before = items[index - 1]
    const isNamedSecret = typeof before === "string" && before.startsWith("-") && isSensitiveName(before)
    if (typeof item !== "string") return item
    return isNamedSecret ? SET : redact(item)
  })

const shownText = (text: string, redact: (text: string) => string): string => {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return redact(text)
  const url = new URL(text)
  const name = nameOfUrl(url)
  return name === url.href.replace(/\/$/, "") ? name : `${name} (shortened)`
}

/** A value for the screen; `undefined` if it has members of its own, or is not there. */
const shownLeaf = (path: Path, value: unknown, redact: (text: string) => string): Leaf | undefined => {
  if (value === undefined) return undefined
  const isEnvironment = path[0] === "upstream" && path[1] === "env" && path.length > 2
  if (Redacted.isRedacted(value) || isEnvironment || isSensitiveName(path.at(-1) ?? "")) return SET
  if (typeof value === "string") return shownText(value, redact)
  if (isScalar(value)) return value
  return Array.isArray(value) && value.every(isScalar) ? shownList(value, redact) : undefined
}

/** Every setting, in the order of the sections. Examples of a tool are only counted. */
const leavesOf = (
  value: unknown,
  path: Path,
  redact: (text: string) => string
): ReadonlyArray<readonly [Path, Leaf]> => {
  const leaf = shownLeaf(path, value, redact)
  if (leaf !== undefined) return [[path, leaf]]
  if (Array.isArray(value)) return [[path, `${value.length} of them`]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name], redact))
}

const holds = (document: unknown, path: Path): boolean => valueAt(document, path) !== undefined

/** Keys of the file from which another setting follows. */
const FOLLOWS_FROM: Readonly<Record<string, ReadonlyArray<Path>>> = {
  "cache.type": [
    ["cache", "directory"],
    ["cache", "url"]
  ],
  "logging.destination": [["logging", "file"]],
  "upstream.transport": [
    ["upstream", "command"],
    ["upstream", "url"]
  ]
}

/** Nobody said a setting. */
const DEFAULT = "default"

/** Who said a setting: a flag, a variable, the file, or nobody. */
export const sourcesOf = (given: CommandLineArguments, provider: Provider) => {
  const variable = (name: string | undefined) =>
    name === undefined ? undefined : variableOf(process.env, name)?.trim()
  const saidBy = (name: ConfigFlagName): string | undefined => {
    const definition = CONFIG_FLAGS[name]
    if (given.flags[name] !== undefined) return `--${definition.flag}`
    const value = variable(definition.variable)
    const isOff = definition.kind === "switch" && /^(?:0|false|no|off)$/i.test(value ?? "")
    return value === undefined || isOff ? undefined : definition.variable
  }
  const server = given.command === undefined ? saidBy("upstream") : "--"
  const file = given.flags.config ?? variable(CONFIG_FLAGS.config.variable)
  // `resolveSettings` has read and checked it.
  const document: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""))
  const userPath = userModelPath(process.env)
  const ofUser = holds(document, ["llm"]) ? undefined : readUserModel(userPath, tellInto([], []))
  const isOfAnother = server !== undefined && ["command", "url"].some((key) => holds(document, ["upstream", key]))

  return (path: Path): string => {
    const name = path.slice(0, path[1] === "headers" ? 2 : path.length).join(".")
    const flags = CONFIG_FLAG_NAMES.filter((flag) => (CONFIG_FLAGS[flag].settings as Path).includes(name))
    if (name === "logging.level") flags.push("debug")
    const flag = flags.flatMap((one) => saidBy(one) ?? [])[0]
    if (flag !== undefined) return flag
    if (server !== undefined && SERVER.has(name)) return server
    const told = variablesOf(name, provider).find((one) => variable(one) !== undefined)
    if (told !== undefined) return told
    const isAside = isOfAnother && path[0] === "upstream"
    const keys = [path, ...(FOLLOWS_FROM[name] ?? [])]
    if (file !== undefined && !isAside && keys.some((key) => holds(document, key))) return file
    if (holds({ llm: ofUser }, path)) return userPath
    const chosenBy = name === "llm.provider" ? PROVIDER_VARIABLES[provider].chooses : undefined
    return chosenBy !== undefined && variable(chosenBy) !== undefined ? chosenBy : DEFAULT
  }
}

const isFlagOrVariable = (source: string): boolean => /^(?:--|MCP_GEN_UI_)/.test(source)

/** Folders that were named, and default folders whose content we trust. */
const namedFolders = (
  { cache, exportDirectory, generation, refinements, upstream }: Settings["Service"],
  sourceOf: (path: Path) => string
): ReadonlyArray<NamedFolder> => {
  const toRead = { isMade: false }
  const toWrite = { isMade: true }
  const toKeep = { isMade: true, isTrusted: true }
  type Use = typeof toRead | typeof toKeep
  const folders: ReadonlyArray<readonly [string, string | undefined, Use]> = [
    ["upstream.cwd", upstream.transport === "stdio" ? upstream.cwd : undefined, toRead],
    ["cache.directory", cache.enabled && cache.type === "filesystem" ? cache.directory : undefined, toKeep],
    ["refinements.directory", refinements.persist ? refinements.directory : undefined, toKeep],
    ["exportDirectory", exportDirectory, toWrite],
    ["generation.promptsDirectory", generation.promptsDirectory, toRead],
    ["generation.uiDirectory", generation.uiDirectory, toRead]
  ]
  return folders.flatMap(([setting, path, use]) => {
    const source = sourceOf(setting.split("."))
    if (path === undefined || (source === DEFAULT && use !== toKeep)) return []
    return [{ setting, path, ...use, saidBy: isFlagOrVariable(source) ? source : setting }]
  })
}

/** Checks the log file, which a start needs, and folders and prompts, which it would only warn of. */
export const checkFiles = Effect.fnUntraced(function* (
  settings: Settings["Service"],
  sourceOf: (path: Path) => string
) {
  const { file } = settings.logging
  const detail = file === undefined ? undefined : yield* logFileProblem(file)
  const logFile =
    file === undefined || detail === undefined
      ? []
      : [{ setting: "logging.file", path: file, text: `the log file cannot be written: ${detail}` }]
  const folders = yield* folderProblems(namedFolders(settings, sourceOf))
  const house = yield* readHouseLook({ theme: settings.theme, baseTemplate: settings.generation.baseTemplate }).pipe(
    Effect.as([]),
    Effect.catch((problem) => Effect.succeed([problem]))
  )
  const { uiDirectory } = settings.generation
  const views = uiDirectory === undefined ? [] : yield* viewFileProblems(uiDirectory)
  const problems = [...folders, ...logFile, ...house, ...views].map(({ path, setting, text }) => {
    const source = sourceOf(setting.split("."))
    const where = isFlagOrVariable(source) ? "" : setting
    return { source: source === DEFAULT ? "" : source, path: where, text: `${path}: ${text}` }
  })
  if (problems.length > 0) return yield* new ConfigRejected({ problems })
  yield* PromptLibrary.pipe(
    Effect.flatMap(checkPrompts),
    Effect.provide(Layer.provide(prompts, Layer.succeed(Settings, settings))),
    Effect.catchTag("PromptInvalid", rejectedPrompt)
  )
})

const LONGEST_VALUE = 60

const valueText = (leaf: Leaf): string => {
  const text = (typeof leaf === "string" ? leaf : JSON.stringify(leaf)).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
  return shortened(text, LONGEST_VALUE)
}

/**
 * `mcp-gen-ui config check`: fails with everything that would keep a start from happening, as that start would, and with
 * folders and prompts that cannot be used, which a start only logs; or prints the settings and who said them. Starts
 * nothing, and shows no secret.
 */
export const runConfigCheck = Effect.fn("runConfigCheck")(function* (given: ConfigCheckArguments) {
  const { notices, settings } = yield* settingsFor(given, {}, NO_SERVER)
  const { upstream, ...others } = settings
  const told = upstream === NO_SERVER ? others : { upstream, ...others }
  const redactor = makeRedactor(secretsOfRun(settings, process.env))
  const sourceOf = sourcesOf(given, settings.llm.provider)
  yield* checkFiles(settings, sourceOf)
  const rows = leavesOf(told, [], redactor.text).map(([path, value]) => ({
    path: formatPath(path),
    value,
    source: sourceOf(path)
  }))
  if (given.json) {
    const byPath = Object.fromEntries(rows.map(({ path, source, value }) => [path, { value, source }]))
    return yield* Console.log(JSON.stringify({ ok: true, settings: byPath, notices }, null, 2))
  }
  const table = tableText(rows.map(({ path, source, value }) => [path, valueText(value), source]))
  yield* Console.log(`ok\n\n${table}`)
  for (const { level, message } of notices) yield* Console.error(`${level}: ${redactor.text(message)}`)
  if (upstream === NO_SERVER) yield* Console.error("info: no server was named; to serve, one is needed")
})
