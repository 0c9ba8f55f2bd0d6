import { Effect, Result } from "effect"
import { dirname, resolve } from "node:path"
import { type ConfigFile, decodeConfigFile } from "../../domain/settings/ConfigFile.ts"
import { type ConfigProblem, ConfigRejected } from "../../domain/settings/ConfigProblem.ts"
import type { Environment } from "../../domain/settings/ConfigText.ts"
import { findJsonTextProblem } from "../../domain/findJsonTextProblem.ts"
import { hasHostServers, looksLikeHostFile } from "../../domain/hostFileMembers.ts"
import { formatPath } from "../../domain/valuePath.ts"
import { resolveReferences } from "../../domain/settings/ConfigText.ts"
import type { Said, Told } from "../../domain/settings/ConfigProblem.ts"
import { literalSecrets, quoted } from "../../domain/settings/Secrets.ts"
import { readTextFile, textFileProblem } from "../platform/readTextFile.ts"

/** A configuration file that was read and is right. */
interface LoadedFile {
  readonly config: ConfigFile
  readonly name: string
  readonly directory: string
  /** Paths of secrets that stand in the file itself, not as references to the environment. */
  readonly secrets: ReadonlySet<string>
}

/** No configuration is larger: even examples of tools are cut to some kilobytes. */
const MAX_CONFIG_BYTES = 10_000_000
/** A house style is never cut, and stands in every prompt. */
const MAX_PROMPT_BYTES = 100_000

/** The text of the file that `--prompt-file` names; tells why and answers `undefined` if it cannot be used. */
export const readPromptFile = Effect.fn("readPromptFile")(function* (named: Said<string>, tell: Told) {
  const text = yield* Effect.result(readTextFile(named.value, MAX_PROMPT_BYTES))
  if (Result.isSuccess(text) && text.success.trim() !== "") return text.success
  const problem = Result.isFailure(text)
    ? textFileProblem(text.failure, MAX_PROMPT_BYTES)
    : "is empty; write in it what every UI should be like, or leave it out"
  tell.problem(named.source, named.path, `${quoted(named.value)} ${problem}`)
  return undefined
})

const ofHost = (name: string): string => {
  const path = /\s/.test(name) ? JSON.stringify(name) : name
  return (
    "is the file of a host, not a configuration of mcp-gen-ui; " +
    `"mcp-gen-ui wrap --file ${path}" wraps its servers, ` +
    `"mcp-gen-ui preview --config ${path} --server NAME" shows one of them`
  )
}

/** Reads the configuration file, with its references to the environment. Fails with everything that is wrong with it. */
export const loadConfigFile = Effect.fn("loadConfigFile")(function* (named: Said<string>, environment: Environment) {
  const name = named.value
  const rejected = (problems: ReadonlyArray<Omit<ConfigProblem, "source">>) =>
    new ConfigRejected({ problems: problems.map((problem) => ({ source: name, ...problem })) })
  const text = yield* readTextFile(name, MAX_CONFIG_BYTES).pipe(
    Effect.mapError((code) =>
      rejected([{ path: "", text: `${textFileProblem(code, MAX_CONFIG_BYTES)} (named by ${named.source})` }])
    )
  )
  const malformed = findJsonTextProblem(text)
  const isOfHost = malformed === undefined ? hasHostServers(JSON.parse(text)) : looksLikeHostFile(text)
  if (isOfHost) return yield* rejected([{ path: "", text: ofHost(name) }])
  if (malformed !== undefined) {
    const { line, column, expected, found } = malformed
    return yield* rejected([{ path: "", text: `line ${line}, column ${column}: expected ${expected}, found ${found}` }])
  }
  const written: unknown = JSON.parse(text)
  const { document, problems } = resolveReferences(written, environment)
  const unresolved = problems.map(({ path, text }) => ({ path: formatPath(path), text }))
  const decoded = decodeConfigFile(document)
  if (Result.isFailure(decoded)) {
    const known = new Set(unresolved.map(({ path }) => path))
    return yield* rejected([...unresolved, ...decoded.failure.filter(({ path }) => !known.has(path))])
  }
  if (unresolved.length > 0) return yield* rejected(unresolved)
  const secrets = literalSecrets(written)
  return { config: decoded.success, name, directory: dirname(resolve(name)), secrets } satisfies LoadedFile
})
