import { Context } from "effect"
import type { Effect } from "effect"
import type { LegacyHandshake } from "../../domain/session/LegacyHandshake.ts"
import type { RequestFailed } from "../../domain/wire/RequestFailed.ts"
import type { FrameListener } from "../host/FrameLink.ts"
import type { UpstreamExited, UpstreamLost } from "../upstream/Upstream.ts"

export interface ServerSessionListener extends FrameListener {
  /**
   * The server is gone: what it was asked will not be answered, but for the requests with these keys (`idKey`), which
   * go to the next one.
   */
  readonly lost: (error: UpstreamExited | UpstreamLost, resent: ReadonlySet<string>) => void
  /** A request could not be kept until the server is back. */
  readonly refused: (id: string, error: RequestFailed) => void
  /**
   * The server is back and knows the host again; `greeting` is its answer to `initialize`, in the legacy era. Answers
   * what else it is to be sent, before anything that waited.
   */
  readonly restored: (greeting: Uint8Array | undefined) => ReadonlyArray<Uint8Array>
}

/**
 * The server as the router sees it: one conversation that goes on when the server is started again (requirement W13).
 * While it is away, frames wait, within bounds; when it is back, it is told what the host told the one before.
 */
export class ServerSession extends Context.Service<
  ServerSession,
  {
    /** What the host told the server so far; the router keeps it up. */
    readonly handshake: LegacyHandshake
    /** Starts reading. Called once. */
    readonly listen: (listener: ServerSessionListener) => void
    /** As `FrameLink.send`. */
    readonly send: (frame: Uint8Array, about?: string) => boolean
    /** Takes a request back that still waits; `false` if there is none with this key (`idKey`). */
    readonly withdraw: (key: string) => boolean
    readonly pause: () => void
    readonly resume: () => void
    readonly end: () => void
    /** As `Upstream.exited`. */
    readonly exited: Effect.Effect<never, UpstreamExited | UpstreamLost>
  }
>()("mcp-gen-ui/services/ServerSession") {}
