import { Effect, Redacted } from "effect"
import type { HttpAddress } from "../../domain/wire/HttpAddress.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import type { Redactor } from "../../domain/observability/Redaction.ts"
import type { UpstreamLost } from "../../services/upstream/Upstream.ts"
import type { UpstreamAuthorization } from "../../services/upstream/UpstreamAuthorization.ts"
import { type HttpAnswer, type HttpClient, HttpFailed, type HttpRequest } from "./httpClient.ts"
import type { Unanswered } from "./Outgoing.ts"

const MAX_REDIRECTS = 5
/** We read so much of an answer that is no message, to say what it was. */
const MAX_ERROR_BYTES = 1_048_576
const SHOWN_CHARACTERS = 200

/** The server as both transports talk to it: with the configured headers, authorization and redirects. */
export interface UpstreamPeer {
  readonly client: HttpClient
  readonly address: HttpAddress
  /** Sends a request; a challenge is answered and the request repeated. `url` is the server's own if not given. */
  readonly call: <A, E, R>(
    request: Omit<HttpRequest, "url"> & { readonly url?: URL },
    use: (answer: HttpAnswer) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | HttpFailed | UpstreamLost, R>
  /**
   * What to say of an answer that is no message: its status, a hint at what is wrong with the URL (not `inSession`, where
   * the URL has worked before), and the beginning of its text, without secrets.
   */
  readonly describe: (answer: HttpAnswer, body: Uint8Array, inSession?: "inSession") => string
  /** The body of an answer with an error status. */
  readonly errorBody: (answer: HttpAnswer) => Effect.Effect<Uint8Array>
}

type Step<A> =
  | { readonly kind: "done"; readonly value: A }
  | { readonly kind: "redirected"; readonly to: URL; readonly isPermanent: boolean }
  | { readonly kind: "challenged"; readonly status: number; readonly wwwAuthenticate: string | null }

const isChallenge = (answer: HttpAnswer): boolean =>
  answer.status === 401 ||
  (answer.status === 403 && /error="?insufficient_scope/i.test(answer.header("www-authenticate") ?? ""))

const redirectOf = (answer: HttpAnswer, from: URL): URL | undefined => {
  const location = answer.header("location")
  if (answer.status < 300 || answer.status > 399 || location === undefined) return undefined
  return URL.parse(location, from.href) ?? undefined
}

const STATUS_HINTS: ReadonlyMap<number, string> = new Map([
  [401, "it wants authorization; check the token or the headers of the upstream"],
  [403, "it refuses access"],
  [404, "check the URL"],
  [405, "check the URL and the transport"],
  [413, "the message is too large for it"],
  [429, "it is asked too often"]
])

/** Words of an HTML page, or the text as it is. */
const readable = (text: string): string => {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1]
  const plain = title ?? (text.trimStart().startsWith("<") ? text.replaceAll(/<[^<>]*>/g, " ") : text)
  return plain.replaceAll(/\s+/g, " ").trim()
}

/** The error of a request whose exchange failed. */
export const unansweredBy = (error: HttpFailed | UpstreamLost): Unanswered => {
  if (error._tag === "UpstreamLost") {
    return { errorType: "UPSTREAM_UNAUTHORIZED", detail: error.message, retryable: false }
  }
  const errorType =
    error.reason === "TooLarge"
      ? "MESSAGE_TOO_LARGE"
      : error.reason === "Broken"
        ? "UPSTREAM_LOST"
        : "UPSTREAM_UNREACHABLE"
  return { errorType, detail: error.message, retryable: error.reason !== "TooLarge" }
}

/** The error of a request that was answered with a status instead of a message. */
export const refusedBy = (status: number, detail: string): Unanswered => ({
  errorType: status === 401 || status === 403 ? "UPSTREAM_UNAUTHORIZED" : "UPSTREAM_REFUSED",
  detail,
  retryable: status === 408 || status === 425 || status === 429 || status >= 500
})

export interface UpstreamPeerOptions {
  readonly client: HttpClient
  readonly address: HttpAddress
  /** As configured; their values are secrets. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** A configured `Authorization`: it is sent as it is, and never renewed. */
  readonly fixed: Redacted.Redacted | undefined
  readonly authorization: UpstreamAuthorization["Service"]
  readonly redactor: Redactor
}

export const makeUpstreamPeer = (options: UpstreamPeerOptions): UpstreamPeer => {
  const { address, authorization, client, fixed, redactor } = options
  const configured = Object.fromEntries(
    Object.entries(options.headers).map(([name, value]) => [name, Redacted.value(value)])
  )
  let home = address.url

  const refuseRedirect = (from: URL, to: URL, status: number): HttpFailed => {
    const redirects = `${nameOfUrl(from)} redirects to ${nameOfUrl(to)}`
    const configure = "If that is the server, configure its URL"
    const isKept = status === 307 || status === 308
    const detail =
      to.origin !== from.origin
        ? `${redirects}; only redirects to the same origin are followed. ${configure}`
        : isKept
          ? `${redirects}, after ${MAX_REDIRECTS} other redirects, which is too many: they may go in a circle. Check the URL`
          : `${redirects}; only redirects by 307 or 308 keep the message (this one is ${status}). ${configure}`
    return new HttpFailed({ url: nameOfUrl(from), reason: "Unreachable", code: null, detail })
  }

  const call = <A, E, R>(
    request: Omit<HttpRequest, "url"> & { readonly url?: URL },
    use: (answer: HttpAnswer) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | HttpFailed | UpstreamLost, R> =>
    Effect.gen(function* () {
      const asked = new Set<number>()
      let url = request.url ?? home
      let redirects = 0
      for (;;) {
        const used = fixed ?? (yield* authorization.header)
        const headers: Record<string, string> = { ...configured, ...request.headers }
        if (used !== undefined) headers.Authorization = Redacted.value(used)
        const mayRenew = (status: number) => fixed === undefined && !asked.has(status)
        const take = (answer: HttpAnswer): Effect.Effect<Step<A>, E | HttpFailed, R> => {
          const { status } = answer
          if (isChallenge(answer) && mayRenew(status)) {
            const wwwAuthenticate = answer.header("www-authenticate") ?? null
            return Effect.succeed({ kind: "challenged", status, wwwAuthenticate })
          }
          const to = redirectOf(answer, url)
          if (to === undefined) return Effect.map(use(answer), (value) => ({ kind: "done", value }))
          const isFollowed = (status === 307 || status === 308) && to.origin === url.origin && redirects < MAX_REDIRECTS
          return isFollowed
            ? Effect.succeed({ kind: "redirected", to, isPermanent: status === 308 })
            : Effect.fail(refuseRedirect(url, to, status))
        }
        const step = yield* client.exchange({ ...request, url, headers }, take)
        if (step.kind === "done") return step.value
        if (step.kind === "redirected") {
          redirects += 1
          if (step.isPermanent && url === home) home = step.to
          url = step.to
        } else {
          asked.add(step.status)
          yield* authorization.renew({ status: step.status, wwwAuthenticate: step.wwwAuthenticate }, used)
        }
      }
    })

  return {
    client,
    address,
    call,
    describe: (answer, body, inSession) => {
      const text = redactor.text(readable(new TextDecoder().decode(body.subarray(0, 4096)))).slice(0, SHOWN_CHARACTERS)
      const hint = inSession === undefined ? STATUS_HINTS.get(answer.status) : undefined
      return `${address.name} answered with HTTP ${answer.status}${hint === undefined ? "" : ` (${hint})`}${text === "" ? "" : `: ${text}`}`
    },
    errorBody: (answer) => client.readAll(answer, MAX_ERROR_BYTES).pipe(Effect.orElseSucceed(() => new Uint8Array(0)))
  }
}
