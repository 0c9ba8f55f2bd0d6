import { Effect, Result } from "effect"
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type ConfigFile, decodeConfigFile } from "../domain/configuration/ConfigFile.ts"
import { type ConfigProblem, ConfigRejected } from "../domain/configuration/ConfigProblem.ts"
import type { Environment } from "../domain/configuration/ConfigText.ts"
import { findJsonTextProblem, formatConfigPath, resolveReferences } from "../domain/configuration/ConfigText.ts"
import type { Said, Told } from "../domain/configuration/Said.ts"
import { literalSecrets, quoted } from "../domain/configuration/Secrets.ts"

/** A configuration file that was read and is right. */
export interface LoadedFile {
  readonly config: ConfigFile
  readonly name: string
  readonly directory: string
  /** Paths of secrets that stand in the file itself, not as references to the environment. */
  readonly secrets: ReadonlySet<string>
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

const readText = (path: string): string => readFileSync(path, "utf8").replace(/^\uFEFF/, "")

/** The text that `--prompt-file` names; `undefined` if it can not be read, which is told. */
export const readPromptFile = (named: Said<string>, tell: Told): string | undefined => {
  try {
    return readText(named.value)
  } catch (cause) {
    const code = codeOf(cause)
    tell.problem(named.source, "", `${quoted(named.value)} ${FILE_ERRORS[code] ?? `can not be read (${code})`}`)
    return undefined
  }
}

/** Reads the configuration file, with its references to the environment. Fails with everything that is wrong with it. */
export const loadConfigFile = Effect.fn("loadConfigFile")(function* (named: Said<string>, environment: Environment) {
  const name = named.value
  const rejected = (problems: ReadonlyArray<Omit<ConfigProblem, "source">>) =>
    new ConfigRejected({ problems: problems.map((problem) => ({ source: name, ...problem })) })
  const text = yield* Effect.try({
    try: () => readText(name),
    catch: (cause) => {
      const code = codeOf(cause)
      return rejected([
        { path: "", text: `${FILE_ERRORS[code] ?? `can not be read (${code})`} (named by ${named.source})` }
      ])
    }
  })
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
