import { Console, Effect, Layer, Logger, Redacted, References } from "effect"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import type { LoginFlags } from "../../domain/settings/resolveOAuthLogin.ts"
import { withLoginFlags } from "../../domain/settings/resolveOAuthLogin.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import * as TokenStoreFile from "../../layers/upstream/TokenStoreFile.ts"
import * as UpstreamAuthorizationOAuth from "../../layers/upstream/UpstreamAuthorizationOAuth.ts"
import type { HttpUpstream } from "../../services/settings/Settings.ts"
import { TokenStore } from "../../services/upstream/TokenStore.ts"
import { UpstreamLost } from "../../services/upstream/Upstream.ts"
import { UpstreamAuthorization } from "../../services/upstream/UpstreamAuthorization.ts"
import { authorization } from "../upstreamOverHttp.ts"
import { NO_MODEL, NO_SERVER, settingsFor } from "./commandSettings.ts"

export interface LoginArguments extends CommandLineArguments {
  readonly oauth: LoginFlags
}

const ANSWER_MS = 30_000

/** Whoever runs the program tells the failure on standard error; the log is for serving. */
const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(References.MinimumLogLevel, "Warn"),
    Effect.provideService(Logger.LogToStderr, true)
  )

/** The server that a command line means, found as for serving; no model is needed to log in. */
const upstreamOf = Effect.fnUntraced(function* (given: CommandLineArguments) {
  const { upstream } = (yield* settingsFor(given, NO_MODEL, NO_SERVER)).settings
  if (upstream.transport !== "stdio") return upstream
  return yield* rejected("only a server behind a URL has a login; name its address: mcp-gen-ui login https://…")
})

/** Sends a ping, to see whether the server asks who we are. */
const knock = Effect.fnUntraced(function* ({ headers, url }: HttpUpstream, header: Redacted.Redacted | undefined) {
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)]))
      sent.set("content-type", "application/json")
      sent.set("accept", "application/json, text/event-stream")
      if (header !== undefined) sent.set("authorization", Redacted.value(header))
      const response = await fetch(url, {
        method: "POST",
        headers: sent,
        body: '{"jsonrpc":"2.0","id":"mcp-gen-ui:login","method":"ping"}',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
      })
      await response.body?.cancel()
      return { status: response.status, wwwAuthenticate: response.headers.get("www-authenticate") }
    },
    catch: (cause) => {
      const inner = cause instanceof Error ? cause.cause : undefined
      const reason = inner instanceof Error && "code" in inner ? String(inner.code) : "no answer"
      const address = nameOfUrl(new URL(url))
      return new UpstreamLost({
        url: address,
        reason: "Unreachable",
        detail: `${address} cannot be reached (${reason})`
      })
    }
  })
})

/** Whether a server refuses us as we are: without a login, or with an old one. Opens no browser. */
export const asksForLogin = (upstream: HttpUpstream) =>
  Effect.gen(function* () {
    const { header } = yield* UpstreamAuthorization
    return (yield* knock(upstream, yield* header)).status === 401
  }).pipe(Effect.provide(authorization(upstream)), quietly)

/** A server may let everybody in and ask for a login later; then it says so in its metadata (RFC 9728). */
const hasLogin = (url: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const { discoverOAuthProtectedResourceMetadata } = await import("@modelcontextprotocol/client")
    return discoverOAuthProtectedResourceMetadata(url)
  }).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )

/** `mcp-gen-ui login <url>`: logs in with a browser if that is needed, and says how it went. */
export const runLogin = Effect.fn("runLogin")(function* (given: LoginArguments) {
  if (given.oauth.clientId !== undefined && given.oauth.clientMetadataUrl !== undefined) {
    const text = "stands beside --client-id; each of them names a client, keep one of the two"
    return yield* rejected(text, "--client-metadata-url")
  }
  const upstream = yield* upstreamOf(given)
  const login = withLoginFlags(upstream.oauth, given.oauth, process.env)
  const authorization = UpstreamAuthorizationOAuth.layer({ ...login, url: upstream.url }).pipe(
    Layer.provide(TokenStoreFile.layer())
  )
  const address = nameOfUrl(new URL(upstream.url))

  yield* Effect.gen(function* () {
    const { header, renew } = yield* UpstreamAuthorization
    const used = yield* header
    const answer = yield* knock(upstream, used)
    if (answer.status !== 401) {
      if (used !== undefined) return yield* Console.log(`You are logged in to ${address}.`)
      if (!(yield* hasLogin(upstream.url))) return yield* Console.log(`${address} asks for no login.`)
    }
    yield* renew({ status: 401, wwwAuthenticate: answer.wwwAuthenticate }, used)
    yield* Console.log(`You are logged in to ${address}.`)
  }).pipe(Effect.provide(authorization), quietly)
})

/** `mcp-gen-ui logout <url>`: forgets the tokens and the client. The server is not told. */
export const runLogout = Effect.fn("runLogout")(function* (given: CommandLineArguments) {
  const { url } = yield* upstreamOf(given)
  const { origin, pathname } = new URL(url)
  yield* Effect.gen(function* () {
    const { remove } = yield* TokenStore
    const was = yield* remove(url)
    yield* Console.log(
      was ? `The login to ${origin}${pathname} is forgotten.` : `There was no login to ${origin}${pathname}.`
    )
  }).pipe(Effect.provide(TokenStoreFile.layer()), quietly)
})
