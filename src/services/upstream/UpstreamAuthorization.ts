import { Context } from "effect"
import type { Effect, Redacted } from "effect"
import type { UpstreamLost } from "./Upstream.ts"

/** How a server refused a request: status and `WWW-Authenticate` header of its answer (RFC 9110, 11.6.1). */
export interface AuthorizationChallenge {
  /** 401, or 403 with `error="insufficient_scope"` (RFC 6750, 3.1). */
  readonly status: number
  readonly wwwAuthenticate: string | null
}

/**
 * What requests to one server over HTTP are authorized with. It owns getting, keeping and renewing the credential; it
 * does not send the requests, and does not repeat them.
 *
 * @example
 * import { Effect, Layer, Redacted } from "effect"
 * import { UpstreamAuthorization } from "mcp-gen-ui"
 *
 * const layerOurToken = Layer.succeed(UpstreamAuthorization, {
 *   header: Effect.succeed(Redacted.make("Bearer …")),
 *   renew: () => Effect.void
 * })
 */
export class UpstreamAuthorization extends Context.Service<
  UpstreamAuthorization,
  {
    /** The value of the `Authorization` header of the next request (`Bearer …`); `undefined`: send none. */
    readonly header: Effect.Effect<Redacted.Redacted | undefined>
    /**
     * Answers a challenge. When it succeeds, the request is worth repeating once with the new `header`. `used` is the
     * `header` that was refused: if another request has renewed it meanwhile, nothing is done. Requests that are refused
     * at the same time share one renewal. It may take minutes, because a person may have to log in.
     *
     * Fails with reason `Unauthorized`, or `Unreachable` if it was only the network, and a message that says what to do.
     */
    readonly renew: (
      challenge: AuthorizationChallenge,
      used: Redacted.Redacted | undefined
    ) => Effect.Effect<void, UpstreamLost>
  }
>()("mcp-gen-ui/services/UpstreamAuthorization") {}
