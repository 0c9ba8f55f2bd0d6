import type { Effect } from "effect"
import type { ForwardedRequests } from "../../domain/session/ForwardedRequests.ts"
import type { ServerQuestions } from "../../domain/session/ServerQuestions.ts"
import type { HostReplies } from "./HostReplies.ts"
import type { Peers } from "./Peers.ts"
import type { ServerSession } from "./ServerSession.ts"
import type { ServerTools } from "./ServerTools.ts"

/** What both directions of a session share: the two ends, and the account of what is under way between them. */
export interface Traffic {
  readonly peers: Peers
  readonly server: ServerSession
  readonly replies: HostReplies
  readonly serverTools: ServerTools
  /** Requests of the host. */
  readonly forwarded: ForwardedRequests
  /** Requests of the server. */
  readonly questions: ServerQuestions
  /** Sends a frame to the server; the host is not read while the server is behind. */
  readonly toServer: (frame: Uint8Array, about?: string) => void
  readonly say: (line: Effect.Effect<void>) => void
  /** Log every message that is forwarded. */
  readonly traces: boolean
}
