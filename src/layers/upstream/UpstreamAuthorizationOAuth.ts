import { Cache, type Cause, Clock, Duration, Effect, Fiber, Layer, Redacted, type Scope, Semaphore } from "effect"
import type { OAuthClientProvider } from "@modelcontextprotocol/client"
import { randomBytes } from "node:crypto"
import { describeOAuthFailure, loginCommand } from "../../adapters/upstream/login/describeOAuthFailure.ts"
import { listenForLogin } from "../../adapters/upstream/login/loginCallback.ts"
import { makeOAuthFetch } from "../../adapters/upstream/login/oauthFetch.ts"
import { type OAuthDraft, oauthProvider, PersonNeeded } from "../../adapters/upstream/login/oauthProvider.ts"
import { openBrowser } from "../../adapters/platform/openBrowser.ts"
import { writeStandardError } from "../../adapters/platform/standardError.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import { type StoredAuthorization, type StoredClient, TokenStore } from "../../services/upstream/TokenStore.ts"
import { UpstreamLost } from "../../services/upstream/Upstream.ts"
import { type AuthorizationChallenge, UpstreamAuthorization } from "../../services/upstream/UpstreamAuthorization.ts"

/** Where mcp-remote has its callback by default, so that clients registered for it can stay. */
const DEFAULT_CALLBACK_PORT = 3334
const DEFAULT_LOGIN_TIMEOUT_MS = 300_000

/**
 * Nobody is asked to log in again before this, after a person refused or a server refused the token that it had just
 * issued.
 */
const PAUSE_MS = 60_000

export interface UpstreamAuthorizationOAuthOptions {
  /** The address of the MCP server: the protected resource. */
  readonly url: string
  /** A client that was registered with the authorization server by hand. Without it we register one. */
  readonly clientId?: string | undefined
  readonly clientSecret?: Redacted.Redacted | undefined
  /** An `https:` address of a client metadata document, for authorization servers that take one as client id. */
  readonly clientMetadataUrl?: string | undefined
  /** Space-separated, instead of what the server asks for. */
  readonly scope?: string | undefined
  /** {@link DEFAULT_CALLBACK_PORT} if absent; a free one if it is in use. */
  readonly callbackPort?: number | undefined
  /** How the redirect URL names this machine; `127.0.0.1` if absent. */
  readonly callbackHost?: "127.0.0.1" | "localhost" | undefined
  /** How long a person may take, in milliseconds. */
  readonly loginTimeoutMs?: number | undefined
  /** Shows a page to the person; answers whether that could be tried. */
  readonly openBrowser?: ((address: URL) => Effect.Effect<boolean, never, Scope.Scope>) | undefined
}

const sdk = Effect.promise(() => import("@modelcontextprotocol/client"))

const sentence = (text: string): string => text.replace(/^the /, "The ")

interface AskFor {
  readonly scope: string | undefined
  readonly resourceMetadataUrl: URL | undefined
  readonly force: boolean
}

/**
 * Logs in with OAuth 2.1 as the MCP specification describes it, with the SDK's client: discovery (RFC 9728, RFC 8414),
 * registration (a client metadata document, RFC 7591, or a client given by hand), PKCE, resource indicators (RFC 8707),
 * refresh, and more scope when the server asks for it. A person sees only the browser's page and the address on standard
 * error. Before the server's first challenge we load nothing and ask nothing.
 *
 * Several processes that need the same login share it through the {@link TokenStore}: one asks, the others wait. A
 * login runs in the layer's scope, because the caller may be gone.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerTokenStoreMemory, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerLogin = layerUpstreamOAuth({ url: "https://example.com/mcp" }).pipe(Layer.provide(layerTokenStoreMemory))
 */
export const layer = (
  options: UpstreamAuthorizationOAuthOptions
): Layer.Layer<UpstreamAuthorization, never, TokenStore> =>
  Layer.effect(
    UpstreamAuthorization,
    Effect.gen(function* () {
      const store = yield* TokenStore
      const turn = yield* Semaphore.make(1)
      const scope = yield* Effect.scope
      const server = new URL(options.url)
      const url = nameOfUrl(server)
      const timeoutMs = options.loginTimeoutMs ?? DEFAULT_LOGIN_TIMEOUT_MS
      const show = options.openBrowser ?? openBrowser

      let known: StoredAuthorization | undefined
      let header: Redacted.Redacted | undefined
      let refusal: { readonly at: number; readonly error: UpstreamLost } | undefined
      let loggedInAt: number | undefined

      const providerFor = (draft: OAuthDraft, redirectUrl: string | undefined) =>
        oauthProvider(draft, { clientMetadataUrl: options.clientMetadataUrl, scope: options.scope, redirectUrl })
      const lost = (reason: "Unauthorized" | "Unreachable", detail: string) => new UpstreamLost({ url, reason, detail })
      const again = `To try again: ${loginCommand(server)}`
      const redirectUrl = `http://${options.callbackHost ?? "127.0.0.1"}:${options.callbackPort ?? DEFAULT_CALLBACK_PORT}/oauth/callback`

      const tokenOf = (authorization: StoredAuthorization | undefined): string | undefined =>
        authorization?.tokens === undefined ? undefined : Redacted.value(authorization.tokens).access_token
      const scopeOf = (authorization: StoredAuthorization | undefined): string | undefined =>
        authorization?.tokens === undefined ? undefined : Redacted.value(authorization.tokens).scope

      const adopt = (authorization: StoredAuthorization): void => {
        const token = tokenOf(authorization)
        if (token === undefined) header = undefined
        else if (token !== tokenOf(known)) header = Redacted.make(`Bearer ${token}`)
        known = authorization
      }

      const load = Effect.gen(function* () {
        if (known === undefined) {
          const stored = yield* store.read(options.url)
          if (known === undefined) adopt(stored)
        }
        return header
      })

      const draftOf = (stored: StoredAuthorization, now: number): OAuthDraft => {
        const kept = stored.client === undefined ? undefined : Redacted.value(stored.client)
        const tokens = stored.tokens === undefined ? undefined : Redacted.value(stored.tokens)
        const isKept = kept !== undefined && kept.client_id === options.clientId
        const given: StoredClient | undefined =
          options.clientId === undefined
            ? undefined
            : {
                client_id: options.clientId,
                client_secret:
                  options.clientSecret === undefined
                    ? isKept
                      ? kept.client_secret
                      : undefined
                    : Redacted.value(options.clientSecret),
                redirect_uris: isKept ? kept.redirect_uris : undefined,
                by_hand: true,
                issuer: isKept ? kept.issuer : undefined
              }
        const expiresAt = (kept?.client_secret_expires_at ?? 0) * 1000
        const client = given ?? (expiresAt > 0 && expiresAt <= now ? undefined : kept)
        return {
          client,
          // A token works only for the client that it was issued to.
          tokens: client !== undefined && client.client_id === kept?.client_id ? tokens : undefined,
          discovery: undefined,
          verifier: "",
          state: "",
          address: undefined,
          posted: 0,
          isAlias: false
        }
      }

      const persist = (draft: OAuthDraft) =>
        store
          .write(options.url, {
            client: draft.client === undefined ? undefined : Redacted.make(draft.client),
            tokens: draft.tokens === undefined ? undefined : Redacted.make(draft.tokens)
          })
          .pipe(
            Effect.catch((error) => Effect.logWarning("login not stored: it is good for this run only", error.message))
          )

      const describe = (draft: OAuthDraft, error: unknown) =>
        new UpstreamLost({ url, ...describeOAuthFailure(draft, error, { server, redirectUrl }) })

      const request = Effect.fnUntraced(function* (
        draft: OAuthDraft,
        provider: OAuthClientProvider,
        ask: AskFor,
        answer?: { readonly code: string; readonly iss: string | undefined }
      ) {
        const { auth, discoverOAuthProtectedResourceMetadata, IssuerMismatchError } = yield* sdk
        const fetchWith = (signal: AbortSignal) =>
          makeOAuthFetch({
            signal,
            onPosted: (status) => {
              draft.posted = status
            }
          })
        const run = Effect.tryPromise((signal) =>
          auth(provider, {
            serverUrl: options.url,
            fetchFn: fetchWith(signal),
            forceReauthorization: ask.force,
            skipIssuerMetadataValidation: draft.isAlias,
            ...(ask.scope === undefined ? {} : { scope: ask.scope }),
            ...(ask.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: ask.resourceMetadataUrl }),
            ...(answer === undefined ? {} : { authorizationCode: answer.code }),
            ...(answer?.iss === undefined ? {} : { iss: answer.iss })
          })
        )
        return yield* run.pipe(
          Effect.catch((error) => {
            const isMismatch = error.cause instanceof IssuerMismatchError && error.cause.kind === "metadata"
            if (!isMismatch || draft.isAlias || draft.client?.by_hand === true) return Effect.fail(error)
            // Servers of 2025-03-26 serve their authorization server's metadata at their own address, under its name.
            // If a server names its authorization servers (RFC 9728), the names must fit.
            const named = Effect.tryPromise((signal) =>
              discoverOAuthProtectedResourceMetadata(
                options.url,
                ask.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: ask.resourceMetadataUrl },
                fetchWith(signal)
              )
            )
            return Effect.matchEffect(named, {
              onSuccess: () => Effect.fail(error),
              onFailure: () => {
                draft.isAlias = true
                return run
              }
            })
          })
        )
      })

      /** With the refresh token alone. Answers whether that was enough. */
      const refresh = Effect.fnUntraced(function* (draft: OAuthDraft, ask: AskFor) {
        if (ask.force || draft.client === undefined || draft.tokens?.refresh_token === undefined) return false
        const { AuthorizationServerMismatchError, OAuthError } = yield* sdk
        return yield* request(draft, providerFor(draft, undefined), ask).pipe(
          Effect.as(true),
          Effect.catch(({ cause: error }) => {
            if (draft.posted >= 500 || draft.posted === 429) {
              const at = draft.discovery?.authorizationServerMetadata?.issuer ?? "the authorization server"
              return Effect.fail(
                lost("Unreachable", `the login to ${url} could not be renewed: ${at} answers with HTTP ${draft.posted}`)
              )
            }
            const refused =
              error instanceof PersonNeeded ||
              error instanceof OAuthError ||
              error instanceof AuthorizationServerMismatchError
            return refused ? Effect.succeed(false) : Effect.fail(describe(draft, error))
          })
        )
      })

      const announce = Effect.fnUntraced(function* (address: URL) {
        writeStandardError(
          `mcp-gen-ui: ${url} wants you to log in. Open this page if no browser does:\n\n  ${address.href}\n\n`
        )
        const shown = yield* show(address)
        yield* Effect.logInfo(
          shown ? "login: waiting for the browser" : "login: no browser found, waiting for the page to be opened"
        )
      })

      /** With a person and a browser. */
      const login = Effect.fnUntraced(
        function* (draft: OAuthDraft, ask: AskFor) {
          draft.state = randomBytes(32).toString("base64url")
          // The registration stays good if the callback gets the same port.
          const registered = URL.parse(draft.client?.redirect_uris?.[0] ?? "")
          const callback = yield* listenForLogin({
            port: options.callbackPort || Number(registered?.port) || (options.callbackPort ?? DEFAULT_CALLBACK_PORT),
            hostname: options.callbackHost ?? (registered?.hostname === "localhost" ? "localhost" : "127.0.0.1"),
            state: draft.state
          }).pipe(Effect.mapError((error) => lost("Unauthorized", `the login to ${url} failed: ${error.message}`)))
          const isFitting = draft.client?.redirect_uris?.includes(callback.redirectUrl) ?? true
          if (!isFitting && draft.client?.by_hand !== true) draft.client = undefined
          const provider = providerFor(draft, callback.redirectUrl)
          const run = Effect.gen(function* () {
            const failed = Effect.mapError(({ cause }: Cause.UnknownError) => describe(draft, cause))
            yield* request(draft, provider, { ...ask, force: true }).pipe(failed)
            if (draft.address === undefined) return yield* Effect.die("an authorization without an address")
            yield* announce(draft.address)
            const answer = yield* callback.answer
            const { OAuthError, validateAuthorizationResponseIssuer } = yield* sdk
            if (answer.code === undefined) {
              const metadata = draft.discovery?.authorizationServerMetadata
              yield* Effect.try({
                try: () =>
                  validateAuthorizationResponseIssuer({
                    iss: answer.iss,
                    expectedIssuer: metadata?.issuer,
                    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true
                  }),
                catch: (error) => describe(draft, error)
              })
              const error = answer.error ?? "an answer without a code"
              return yield* describe(
                draft,
                new OAuthError(
                  error,
                  answer.errorDescription === undefined ? error : `${error}, ${answer.errorDescription}`
                )
              )
            }
            yield* request(draft, provider, ask, { code: answer.code, iss: answer.iss }).pipe(failed)
          })
          yield* run.pipe(
            Effect.tapError((error) => callback.conclude("The login did not work", sentence(error.message)))
          )
          if (draft.client?.by_hand === true) {
            draft.client = { ...draft.client, redirect_uris: [callback.redirectUrl] }
          }
          yield* callback.conclude("You are logged in", `mcp-gen-ui can use ${url} now. You can close this window.`)
        },
        Effect.scoped,
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () =>
            Effect.fail(
              lost(
                "Unauthorized",
                `nobody logged in to ${url} within ${Math.round(timeoutMs / 1000)} seconds. ${again}`
              )
            )
        })
      )

      const loginUnlessRefused = Effect.fnUntraced(function* (draft: OAuthDraft, ask: AskFor, isStepUp: boolean) {
        const now = yield* Clock.currentTimeMillis
        if (refusal !== undefined && now - refusal.at < PAUSE_MS) return yield* refusal.error
        if (!isStepUp && loggedInAt !== undefined && now - loggedInAt < PAUSE_MS) {
          return yield* lost(
            "Unauthorized",
            `${url} refuses the token that its authorization server has just issued. The server is at fault, or the account lacks access`
          )
        }
        yield* login(draft, ask).pipe(
          Effect.tapError((error) =>
            Effect.map(Clock.currentTimeMillis, (at) => {
              if (error.reason === "Unauthorized") refusal = { at, error }
            })
          )
        )
        refusal = undefined
        loggedInAt = yield* Clock.currentTimeMillis
        yield* Effect.logInfo("logged in")
      })

      const renewal = Effect.fnUntraced(function* (challenge: AuthorizationChallenge, refused: string | undefined) {
        const { computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset } = yield* sdk
        const asked = yield* Effect.try({
          try: () =>
            extractWWWAuthenticateParams(
              new Response(null, {
                status: challenge.status,
                headers: challenge.wwwAuthenticate === null ? {} : { "www-authenticate": challenge.wwwAuthenticate }
              })
            ),
          catch: () => lost("Unauthorized", `${url} sent a challenge that cannot be read (WWW-Authenticate)`)
        })
        const isStepUp = challenge.status === 403
        if (isStepUp && asked.error !== "insufficient_scope") {
          return yield* lost("Unauthorized", `${url} does not allow this to the account that is logged in (HTTP 403)`)
        }
        /** Whether the result of another renewal answers this challenge too. */
        const isAnswered = (authorization: StoredAuthorization | undefined): boolean => {
          const token = tokenOf(authorization)
          if (token === undefined || token === refused) return false
          const granted = scopeOf(authorization)
          return !isStepUp || !isStrictScopeSuperset(computeScopeUnion(granted, asked.scope), granted)
        }
        if (isAnswered(known)) return
        const exchange = Effect.gen(function* () {
          const stored = yield* store.read(options.url)
          if (isAnswered(stored)) return adopt(stored)
          const draft = draftOf(stored, yield* Clock.currentTimeMillis)
          const granted = draft.tokens?.scope
          const scope = isStepUp
            ? computeScopeUnion(options.scope, granted, asked.scope)
            : (options.scope ?? asked.scope)
          const ask: AskFor = {
            scope,
            resourceMetadataUrl: asked.resourceMetadataUrl,
            force: isStepUp && isStrictScopeSuperset(scope, granted)
          }
          const before = draft.tokens
          const keep = Effect.suspend(() => {
            if (draft.tokens === before && draft.client === undefined) return Effect.void
            return persist(draft)
          })
          yield* Effect.gen(function* () {
            if (yield* refresh(draft, ask)) return yield* Effect.logInfo("login renewed")
            yield* loginUnlessRefused(draft, ask, isStepUp)
          }).pipe(Effect.ensuring(keep))
          if (draft.tokens !== undefined) {
            adopt({
              client: draft.client === undefined ? undefined : Redacted.make(draft.client),
              tokens: Redacted.make(draft.tokens)
            })
          }
        })
        yield* store.exclusively(options.url)(exchange)
      })

      const renewals = yield* Cache.makeWith(
        (challenge: AuthorizationChallenge) =>
          Effect.suspend(() => {
            const refused = tokenOf(known)
            // In the layer's scope: hosts give up sooner than people find their password.
            return Effect.forkIn(turn.withPermit(renewal(challenge, refused)), scope)
          }).pipe(Effect.flatMap(Fiber.join), Effect.annotateLogs({ component: "authorization", server: url })),
        { capacity: Number.MAX_SAFE_INTEGER, timeToLive: () => Duration.zero }
      )

      return UpstreamAuthorization.of({
        header: load,
        renew: Effect.fn("UpstreamAuthorization.renew")(function* ({ status, wwwAuthenticate }, used) {
          const now = yield* load
          const isRenewed = now !== undefined && (used === undefined || Redacted.value(now) !== Redacted.value(used))
          if (!isRenewed) yield* Cache.get(renewals, { status, wwwAuthenticate })
        })
      })
    })
  )
