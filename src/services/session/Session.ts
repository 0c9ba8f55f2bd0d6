import { Context } from "effect"
import type { Effect } from "effect"
import type { UpstreamExited, UpstreamLost } from "../upstream/Upstream.ts"

/**
 * One host in front of one server: forwards every message both ways and answers what is ours. Succeeds when the
 * host ends the conversation.
 *
 * @example
 * import { Effect } from "effect"
 * import { layerHostStdio, layerLanguageModel, layerWrapper, Session } from "mcp-gen-ui"
 *
 * const serve = Effect.flatMap(Session, ({ run }) => run).pipe(
 *   Effect.provide(layerWrapper),
 *   Effect.provide([layerHostStdio({ maxMessageBytes: 50_000_000 }), layerLanguageModel])
 * )
 */
export class Session extends Context.Service<
  Session,
  {
    readonly run: Effect.Effect<void, UpstreamExited | UpstreamLost>
  }
>()("mcp-gen-ui/services/Session") {}
