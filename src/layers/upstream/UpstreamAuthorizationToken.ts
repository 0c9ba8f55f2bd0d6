import { Effect, Layer, Redacted } from "effect"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import { UpstreamLost } from "../../services/upstream/Upstream.ts"
import { UpstreamAuthorization } from "../../services/upstream/UpstreamAuthorization.ts"

export interface UpstreamAuthorizationTokenOptions {
  /** The server's address. */
  readonly url: string
  /** Sent as `Authorization: Bearer …`. */
  readonly token: Redacted.Redacted
}

/** One token that somebody else gave out: we cannot renew it, so a refusal is final. */
export const layer = (options: UpstreamAuthorizationTokenOptions): Layer.Layer<UpstreamAuthorization> =>
  Layer.sync(UpstreamAuthorization, () => {
    const header = Redacted.make(`Bearer ${Redacted.value(options.token)}`)
    const url = nameOfUrl(new URL(options.url))
    return UpstreamAuthorization.of({
      header: Effect.succeed(header),
      renew: ({ status }) =>
        Effect.fail(
          new UpstreamLost({
            url,
            reason: "Unauthorized",
            detail:
              status === 403
                ? `${url} says that the configured token does not allow this (HTTP 403). Use a token with more rights`
                : `${url} refuses the configured token (HTTP ${status}). Check it and whether it has expired, or leave it out to log in with a browser`
          })
        )
    })
  })

/** No credential of our own, for servers that need none or get theirs in a configured header. */
export const layerNone = (
  options: Pick<UpstreamAuthorizationTokenOptions, "url">
): Layer.Layer<UpstreamAuthorization> =>
  Layer.sync(UpstreamAuthorization, () => {
    const url = nameOfUrl(new URL(options.url))
    return UpstreamAuthorization.of({
      header: Effect.undefined,
      renew: ({ status }) =>
        Effect.fail(
          new UpstreamLost({
            url,
            reason: "Unauthorized",
            detail: `${url} refuses the request (HTTP ${status}). Check the headers that are configured for it`
          })
        )
    })
  })
