import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { parseEnv } from "node:util"
import type { HostPlace } from "../../domain/wrapping/HostPlaces.ts"
import type { HostServer, ReachedTarget, StartedTarget } from "../../domain/wrapping/HostServer.ts"
import { replaceHostVariables } from "../../domain/wrapping/hostVariables.ts"
import { HEADERS_VARIABLE } from "../../domain/wrapping/wrapText.ts"

const variablesIn = (path: string): Readonly<Record<string, string | undefined>> => {
  try {
    return parseEnv(readFileSync(path, "utf8"))
  } catch {
    return {}
  }
}

export interface AsOfHost {
  readonly words: ReadonlyArray<string>
  readonly headers: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  /** What only the host knows. */
  readonly needs: ReadonlyArray<string>
}

/** The server as its host would reach it. */
export const asOfHost = ({ host }: HostPlace, target: StartedTarget | ReachedTarget): AsOfHost => {
  const folder = process.cwd()
  const known = { environment: process.env, folder, hasBareNames: host === "gemini-cli", home: homedir() }
  const needs: Array<string> = []
  const text = (written: string): string => {
    const replaced = replaceHostVariables(written, known)
    needs.push(...replaced.needs)
    return replaced.text
  }
  if (target.kind === "url") {
    return { words: [text(target.url)], headers: target.headers.map(text), env: {}, cwd: undefined, needs }
  }
  const { cwd, env, envFile, words } = target
  const own = Object.entries(env).map(([name, value]) => [name, text(value)] as const)
  const ofFile = envFile === undefined ? {} : variablesIn(resolve(folder, text(envFile)))
  return {
    words: words.map(text),
    headers: [],
    env: Object.fromEntries(
      [...Object.entries(ofFile), ...own].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    ),
    cwd: cwd === undefined ? undefined : resolve(folder, text(cwd)),
    needs
  }
}

/** The same without a wrapper in front. */
export const withoutWrapper = ({ wrapping }: HostServer, reached: AsOfHost): AsOfHost => {
  if (typeof wrapping !== "object") return reached
  const { [HEADERS_VARIABLE]: lines = "", ...env } = reached.env
  const headers = lines.split("\n").filter((line) => line !== "")
  return { ...reached, words: reached.words.slice(wrapping.lead.length), headers, env }
}
