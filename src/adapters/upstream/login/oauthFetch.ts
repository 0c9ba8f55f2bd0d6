import { makeRedactor } from "../../../domain/observability/Redaction.ts"

/** An authorization server has this long for one answer. */
const ANSWER_MS = 30_000
/** Characters of a refusal that are read. */
const LONGEST_REFUSAL = 4_000

/** Members of token requests (RFC 6749, 7523, 7636) that nobody else may see. */
const SECRET_PARAMETERS = ["code", "code_verifier", "refresh_token", "client_secret", "client_assertion", "assertion"]

const secretsIn = (init: RequestInit | undefined): ReadonlyArray<string> => {
  const parameters = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams()
  const authorization = new Headers(init?.headers).get("authorization")?.split(" ").at(-1)
  return [
    ...SECRET_PARAMETERS.flatMap((name) => parameters.getAll(name)),
    ...(authorization === undefined ? [] : [authorization])
  ]
}

export interface OAuthFetchOptions {
  readonly signal: AbortSignal
  /** Told the status of every answer to a POST. */
  readonly onPosted: (status: number) => void
}

/**
 * `fetch` for requests to an authorization server, bounded in time. It takes the secrets of the request out of what the
 * server says when it refuses, because callers quote that in errors and on the console.
 */
export const makeOAuthFetch =
  (options: OAuthFetchOptions) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const signal = AbortSignal.any([
      options.signal,
      AbortSignal.timeout(ANSWER_MS),
      ...(init?.signal ? [init.signal] : [])
    ])
    const response = await fetch(url, { ...init, signal })
    if (init?.method === "POST") options.onPosted(response.status)
    if (response.status < 400) return response
    const { headers, status, statusText } = response
    const text = makeRedactor(secretsIn(init)).text((await response.text()).slice(0, LONGEST_REFUSAL))
    const type = headers.get("content-type")
    return new Response(text, { status, statusText, headers: type === null ? {} : { "content-type": type } })
  }
