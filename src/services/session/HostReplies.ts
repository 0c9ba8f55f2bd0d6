import { Context } from "effect"
import type { Effect } from "effect"
import type { FrameHead } from "../../domain/wire/Frame.ts"
import type { LongFrame } from "../../domain/wire/LongFrame.ts"
import type { RequestFailed } from "../../domain/wire/RequestFailed.ts"

type Request = Extract<FrameHead, { kind: "request" }>

/** Who wants to hear how far an answer of ours is (MCP specification, "Progress"). */
export interface ProgressWish {
  /** The request's progress token, JSON text. */
  readonly token: string
  /** Whose UI is waited for. */
  readonly toolName: string
}

/**
 * What goes to the host: the server's frames at once, answers of our own when they are made and the host takes them. Each
 * of those is a fiber under its request's id; all of them end with the session.
 */
export class HostReplies extends Context.Service<
  HostReplies,
  {
    /** As `FrameLink.send`; a host that is behind is waited for by answers, and the server is not read meanwhile. */
    readonly send: (frame: Uint8Array, about?: string) => void
    /** The same for a message in pieces; `false` where the host's link can not send one so. */
    readonly sendLong: (frame: LongFrame) => boolean
    /** The host has caught up. */
    readonly drained: () => void
    /** Sends an error response. */
    readonly refuse: (id: string, error: RequestFailed) => void
    /**
     * Makes an answer: `work` prepares it, and the effect that this answers gives the result, only when the host is ready
     * to take it, as results may be large. Too many of them at a time, and the host is not read. While a generation is
     * waited for, `wish` is told of it in `notifications/progress`: at once, then a few times a second, never after the
     * answer.
     */
    readonly answer: (
      request: Request,
      work: Effect.Effect<Effect.Effect<unknown>, RequestFailed>,
      wish?: ProgressWish
    ) => void
    /** Runs something for a request (its id as JSON text), so that it can be cancelled with it. */
    readonly later: (id: string, work: Effect.Effect<void>) => void
    /** Runs something else that the end of the session waits for. */
    readonly besides: (name: string, work: Effect.Effect<void>) => void
    /** Interrupts what runs for a request (`idKey`); `false` if nothing does. */
    readonly cancel: (key: string) => boolean
    /** Waits until nothing runs any more. */
    readonly done: Effect.Effect<void>
  }
>()("mcp-gen-ui/services/HostReplies") {}
