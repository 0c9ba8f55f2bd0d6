import { Duration, Effect } from "effect"
import { PassesStandardError } from "../../adapters/upstream/startServer.ts"
import { isObject } from "../../domain/isObject.ts"
import { makeRedactor, secretsOf } from "../../domain/observability/Redaction.ts"
import { CONFIG_FLAGS } from "../../domain/settings/ConfigFlags.ts"
import { shortened } from "../../domain/shortened.ts"
import type { HostPlace } from "../../domain/wrapping/HostPlaces.ts"
import { FLAT_RESOURCE_URI, OPENAI_TEMPLATE, UI_EXTENSION, UI_MIME_TYPE } from "../../domain/wire/AppsExtension.ts"
import type { HostServer } from "../../domain/wrapping/HostServer.ts"
import { HostCapabilities, listServerTools } from "../generate/listServerTools.ts"
import { asOfHost, withoutWrapper } from "./asOfHost.ts"
import { logged, NO_MODEL, quietLog, settingsFor } from "./commandSettings.ts"
import { asksForLogin } from "./login.ts"

/** Whether a server starts and lists its tools, of which some may bring a UI. */
export type Trial =
  | { readonly state: "starts"; readonly tools: number; readonly withUi: number }
  | { readonly state: "fails"; readonly reason: string }
  | { readonly state: "untried"; readonly reason: string }

const LONGEST_REASON = 400

const untried = (reason: string): Trial => ({ state: "untried", reason })

const bringsUi = (tool: unknown): boolean => {
  const meta = isObject(tool) && isObject(tool["_meta"]) ? tool["_meta"] : {}
  const ui = isObject(meta["ui"]) ? meta["ui"]["resourceUri"] : undefined
  return [ui, meta[FLAT_RESOURCE_URI], meta[OPENAI_TEMPLATE]].some((uri) => typeof uri === "string")
}

const SHOWS_UIS = { extensions: { [UI_EXTENSION]: { mimeTypes: [UI_MIME_TYPE] } } }

/** A tool of a wrapper: ours, or one that we do not know of, behind which the server stands. */
const isOfWrapper = (tool: unknown): boolean =>
  isObject(tool) && typeof tool["name"] === "string" && /^_ui\d*_/.test(tool["name"])

const headerFlag = (lines: ReadonlyArray<string>) => (lines.length === 0 ? {} : { header: lines })

/** Starts a server of a host's file as the host does, lists its tools, and ends it. Opens no browser. */
export const tryServer = (place: HostPlace, server: HostServer, patience: Duration.Duration): Effect.Effect<Trial> => {
  const { isDisabled, target } = server
  if (isDisabled) return Effect.succeed(untried("disabled"))
  if (target === undefined) return Effect.succeed(untried(server.refusal ?? "it names no server"))
  const reached = asOfHost(place, target)
  const { cwd, env, headers, needs, words } = reached
  if (needs.length > 0) return Effect.succeed(untried(`the host asks for ${[...new Set(needs)].join(", ")}`))
  const plain = withoutWrapper(server, reached)
  const values = plain.headers.map((line) => line.replace(/^[^:]*:\s*/, ""))
  const redactor = makeRedactor([...secretsOf(env), ...secretsOf(process.env), ...values])
  const seconds = Duration.toSeconds(patience)
  const failed = (reason: string): Trial => ({
    state: "fails",
    reason: shortened(redactor.text(reason).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " "), LONGEST_REASON)
  })
  const run = Effect.gen(function* () {
    const [url = ""] = plain.words
    if (plain.words.length === 1 && /^https?:\/\//i.test(url)) {
      const given = { flags: { ...NO_MODEL, ...headerFlag(plain.headers) }, command: [url] }
      const { upstream } = (yield* settingsFor(given)).settings
      if (upstream.transport !== "stdio" && (yield* asksForLogin(upstream))) {
        return failed(`it asks for a login: mcp-gen-ui login ${url}`)
      }
    }
    const flags = { ...NO_MODEL, ...quietLog({}, "error"), ...headerFlag(headers) }
    const { settings } = yield* settingsFor({ flags, command: words })
    // The last words of a wrapper are those of its server then.
    const quiet = plain === reached ? env : { [CONFIG_FLAGS.logLevel.variable]: "error", ...env }
    const upstream =
      settings.upstream.transport === "stdio" ? { ...settings.upstream, env: quiet, cwd } : settings.upstream
    // Many servers show their UIs only to hosts that can show them, to which we would add ours.
    const generation = { ...settings.generation, enabledTools: [] }
    const listed = yield* listServerTools.pipe(
      Effect.provide(logged({ ...settings, generation, toolPrefix: "_ui_", upstream }, [])),
      Effect.provideService(HostCapabilities, plain === reached ? SHOWS_UIS : {})
    )
    const tools = listed.filter((tool) => !isOfWrapper(tool))
    return { state: "starts", tools: tools.length, withUi: tools.filter(bringsUi).length } satisfies Trial
  })
  return run.pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.succeed(failed(`it did not list its tools within ${seconds} s`))
    }),
    Effect.catch(({ message }) => Effect.succeed(failed(message))),
    Effect.provideService(PassesStandardError, false)
  )
}
