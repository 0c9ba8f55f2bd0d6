import { Duration, Effect } from "effect"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { parseEnv } from "node:util"
import { isObject } from "../../domain/isObject.ts"
import { makeRedactor, secretsOf } from "../../domain/observability/Redaction.ts"
import type { HostPlace } from "../../domain/wrapping/HostPlaces.ts"
import type { HostServer, ReachedTarget, StartedTarget } from "../../domain/wrapping/HostServer.ts"
import { replaceHostVariables } from "../../domain/wrapping/hostVariables.ts"
import { HEADERS_VARIABLE } from "../../domain/wrapping/wrapText.ts"
import { listServerTools } from "../generate/listServerTools.ts"
import { logged, NO_MODEL, quietLog, settingsFor } from "./commandSettings.ts"
import { asksForLogin } from "./login.ts"
import { shownText } from "./tableText.ts"

/** Whether a server starts and lists its tools, of which some may bring a UI. */
export type Trial =
  | { readonly state: "starts"; readonly tools: number; readonly withUi: number }
  | { readonly state: "fails"; readonly reason: string }
  | { readonly state: "untried"; readonly reason: string }

const untried = (reason: string): Trial => ({ state: "untried", reason })

const bringsUi = (tool: unknown): boolean => {
  const meta = isObject(tool) && isObject(tool["_meta"]) ? tool["_meta"] : {}
  const ui = isObject(meta["ui"]) ? meta["ui"]["resourceUri"] : undefined
  return [ui, meta["ui/resourceUri"], meta["openai/outputTemplate"]].some((uri) => typeof uri === "string")
}

const variablesIn = (path: string): Readonly<Record<string, string | undefined>> => {
  try {
    return parseEnv(readFileSync(path, "utf8"))
  } catch {
    return {}
  }
}

interface AsOfHost {
  readonly words: ReadonlyArray<string>
  readonly headers: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  /** What only the host knows. */
  readonly needs: ReadonlyArray<string>
}

/** The server as its host would reach it. */
const asOfHost = ({ host }: HostPlace, target: StartedTarget | ReachedTarget): AsOfHost => {
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

const headerFlag = (lines: ReadonlyArray<string>) => (lines.length === 0 ? {} : { header: lines })

/** Starts a server of a host's file as the host does, lists its tools, and ends it. Opens no browser. */
export const tryServer = (place: HostPlace, server: HostServer, patience: Duration.Duration): Effect.Effect<Trial> => {
  const { isDisabled, target, wrapping } = server
  if (isDisabled) return Effect.succeed(untried("disabled"))
  if (target === undefined) return Effect.succeed(untried(server.refusal ?? "it names no server"))
  const { cwd, env, headers, needs, words } = asOfHost(place, target)
  if (needs.length > 0) return Effect.succeed(untried(`the host asks for ${[...new Set(needs)].join(", ")}`))
  const redactor = makeRedactor([
    ...secretsOf(env),
    ...secretsOf(process.env),
    ...headers.map((line) => line.replace(/^[^:]*:\s*/, ""))
  ])
  const seconds = Duration.toSeconds(patience)
  const run = Effect.gen(function* () {
    const inner = typeof wrapping === "object" ? wrapping.words : target.kind === "url" ? words : []
    const [url = ""] = inner
    if (inner.length === 1 && /^https?:\/\//i.test(url)) {
      const lines =
        target.kind === "url" ? headers : (env[HEADERS_VARIABLE] ?? "").split("\n").filter((line) => line !== "")
      const address = target.kind === "url" ? url : (words.at(-1) ?? url)
      const { upstream } = (yield* settingsFor({ flags: { ...NO_MODEL, ...headerFlag(lines) }, command: [address] }))
        .settings
      if (upstream.transport !== "stdio" && (yield* asksForLogin(upstream))) {
        return { state: "fails", reason: `it asks for a login: mcp-gen-ui login ${address}` } satisfies Trial
      }
    }
    const flags = { ...NO_MODEL, ...quietLog({}, "error"), ...headerFlag(headers) }
    const { settings } = yield* settingsFor({ flags, command: words })
    const upstream = settings.upstream.transport === "stdio" ? { ...settings.upstream, env, cwd } : settings.upstream
    const tools = yield* Effect.provide(listServerTools, logged({ ...settings, upstream }, []))
    return { state: "starts", tools: tools.length, withUi: tools.filter(bringsUi).length } satisfies Trial
  })
  const failed = (reason: string): Trial => ({ state: "fails", reason: shownText(redactor.text(reason)) })
  return run.pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.succeed(failed(`it did not list its tools within ${seconds} s`))
    }),
    Effect.catch(({ message }) => Effect.succeed(failed(message)))
  )
}
