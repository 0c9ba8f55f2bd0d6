import { Context } from "effect"
import type { Effect, Scope } from "effect"
import type { FrameLink } from "../host/FrameLink.ts"
import type { UpstreamExited, UpstreamLost, UpstreamUnavailable } from "../upstream/Upstream.ts"

/**
 * Sessions for hosts that come and go. Each has a server connection, refinements and request ids of its own. They share
 * what is costly and holds no secrets of a host: model, cache, generations.
 *
 * @example
 * import { Effect } from "effect"
 * import { type FrameLink, Sessions } from "mcp-gen-ui"
 *
 * const serve = (host: FrameLink) =>
 *   Effect.flatMap(Sessions, (sessions) => sessions.open(host)).pipe(Effect.flatten, Effect.scoped)
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Starts a server for a host and answers the effect that joins the two, which ends when either of them does. All of
     * it ends with the scope.
     */
    readonly open: (
      host: FrameLink
    ) => Effect.Effect<Effect.Effect<void, UpstreamExited | UpstreamLost>, UpstreamUnavailable, Scope.Scope>
  }
>()("mcp-gen-ui/services/Sessions") {}
