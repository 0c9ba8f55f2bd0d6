import type { FrameHead } from "../../domain/wire/Frame.ts"
import type { LongFrame } from "../../domain/wire/LongFrame.ts"

/**
 * What a link tells its owner. Calls come one at a time, in the order of the wire.
 *
 * @example
 * import type { FrameListener } from "mcp-gen-ui"
 *
 * const listener: FrameListener = {
 *   frame: (frame) => console.error(new TextDecoder().decode(frame)),
 *   drained: () => undefined,
 *   ended: () => console.error("the peer is gone")
 * }
 */
export interface FrameListener {
  /**
   * One whole JSON-RPC message as the peer wrote it, without the newline. Not to be changed. `about` is the id (JSON
   * text) of the request that it belongs to, where the transport knows: over HTTP, what comes on the stream of a
   * request belongs to that request.
   */
  readonly frame: (frame: Uint8Array, about?: string) => void
  /** A long message in its pieces. `false`: the link joins them and calls `frame`. */
  readonly long?: (frame: LongFrame) => boolean
  /**
   * A message of `bytes` bytes was longer than the link takes. Only its head is left; `undefined`: it was no JSON-RPC
   * message, or a batch. Later messages are not affected.
   */
  readonly oversized?: (head: FrameHead | undefined, bytes: number) => void
  /** The peer has caught up after a `send` that answered `false`. */
  readonly drained: () => void
  /** The peer ended the conversation: nothing more comes. */
  readonly ended: () => void
}

/**
 * One end of a JSON-RPC conversation, as frames of bytes. It is callback-shaped and synchronous on purpose: a
 * frame is forwarded in the turn of the event loop in which it arrived, in order, with no fiber and no copy.
 * Whatever takes time belongs in a fiber of the session.
 *
 * @example
 * import type { FrameLink } from "mcp-gen-ui"
 *
 * const ping = (link: FrameLink) =>
 *   link.send(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })))
 */
export interface FrameLink {
  /** Several hosts are behind it, and nothing tells them apart: what one was told is not for another. */
  readonly isShared?: boolean
  /** Starts reading. Called once. */
  readonly listen: (listener: FrameListener) => void
  /**
   * Hands a frame to the peer. `false`: the peer is behind; stop reading from the other side until `drained`. `about`
   * as in {@link FrameListener.frame}: over HTTP it says on which stream the frame is to go.
   */
  readonly send: (frame: Uint8Array, about?: string) => boolean
  /** As `send`, for a message in pieces. Missing where a link cannot send one in this way. */
  readonly sendLong?: (frame: LongFrame) => boolean
  /** Stops and restarts reading: backpressure from the other side. */
  readonly pause: () => void
  readonly resume: () => void
  /** Tells the peer that nothing more comes, after all frames that were sent. */
  readonly end: () => void
}
