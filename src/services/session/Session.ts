import { Context } from "effect"
import type { Effect } from "effect"
import type { UpstreamExited, UpstreamLost } from "../upstream/Upstream.ts"

/**
 * One host in front of one server: forwards every message both ways and answers what is ours. Succeeds when the
 * host ends the conversation.
 */
export class Session extends Context.Service<
  Session,
  {
    readonly run: Effect.Effect<void, UpstreamExited | UpstreamLost>
  }
>()("mcp-gen-ui/services/Session") {}
