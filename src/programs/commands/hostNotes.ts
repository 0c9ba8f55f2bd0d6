import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { usesPath } from "../../domain/wrapping/WrapperWords.ts"

const OLDEST = [22, 19] as const

/** The version of the Node that is found first on PATH; `undefined` if none is. */
const nodeOnPath = (path: string | undefined): string | undefined => {
  const env = path === undefined ? process.env : { ...process.env, PATH: path }
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8", env, timeout: 5000, windowsHide: true })
  return /^v(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1]
}

/** Warns where a host that runs these words would find an old Node; hosts may have another PATH than a terminal. */
export const oldNodeNote = (
  words: ReadonlyArray<string>,
  path: string | undefined
): Effect.Effect<string | undefined> =>
  Effect.sync(() => {
    if (!usesPath(words)) return undefined
    const found = nodeOnPath(path)
    const [major = 0, minor = 0] = (found ?? "").split(".").map(Number)
    if (found !== undefined && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))) return undefined
    const what = found === undefined ? "no Node is on PATH" : `the Node on PATH is ${found}`
    return `${what}, and ${words[0] ?? ""} runs it: the wrapper needs ${OLDEST.join(".")} or newer (https://nodejs.org)`
  })
