import { Effect, Result } from "effect"
import { readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { type ConfigFile, decodeConfigFile } from "../../domain/settings/ConfigFile.ts"
import type { Told } from "../../domain/settings/ConfigProblem.ts"
import { localFiles } from "../platform/localFiles.ts"
import { makeDirectory } from "../platform/makeDirectory.ts"
import { replaceFile, systemErrorCode } from "../platform/replaceFile.ts"

export type UserModel = NonNullable<ConfigFile["llm"]>

/** Where `mcp-gen-ui wrap` keeps who writes the UIs, with the key: in the user's folder for configuration. */
export const userModelPath = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform
): string => {
  const told = [environment["XDG_CONFIG_HOME"], platform === "win32" ? environment["APPDATA"] : undefined]
  const base = told.find((path) => path !== undefined && isAbsolute(path)) ?? join(homedir(), ".config")
  return join(base, "mcp-gen-ui", "model.json")
}

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    const code = systemErrorCode(cause)
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw cause
  }
}

const sectionIn = (text: string): UserModel | undefined => {
  try {
    const decoded = decodeConfigFile(JSON.parse(text))
    return Result.isSuccess(decoded) ? decoded.success.llm : undefined
  } catch {
    return undefined
  }
}

/** What the user's file says; `undefined` if there is none, or a reason told why it is not used. Every start reads it. */
export const readUserModel = (path: string, tell: Told): UserModel | undefined => {
  const refuse = (reason: string): undefined => {
    tell.notice({ level: "warn", event: "user-model-unused", message: `${path} is not used: ${reason}` })
  }
  try {
    const text = textOf(path)
    if (text === undefined) return undefined
    const { mode, uid } = statSync(path)
    const me = process.geteuid?.()
    if (me !== undefined && me !== 0 && uid !== me) return refuse(`it belongs to the user ${uid}`)
    if (me !== undefined && (mode & 0o077) !== 0) {
      return refuse(`others can read it (its mode is ${(mode & 0o7777).toString(8)}); chmod 600 it`)
    }
    return sectionIn(text) ?? refuse('it is no { "llm": … } in JSON; mcp-gen-ui wrap --save-key writes it anew')
  } catch (cause) {
    return refuse(`it cannot be read (${systemErrorCode(cause)})`)
  }
}

/** Keeps who writes the UIs, for this user's eyes only. Fails with the code of the system. */
export const writeUserModel = (path: string, llm: UserModel): Effect.Effect<void, string> =>
  makeDirectory(dirname(path)).pipe(
    Effect.andThen(replaceFile(path, `${JSON.stringify({ llm }, null, 2)}\n`, true)),
    Effect.mapError(systemErrorCode),
    Effect.provide(localFiles)
  )
