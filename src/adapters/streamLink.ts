import { Buffer } from "node:buffer"
import type { Readable, Writable } from "node:stream"
import { FrameSplitter } from "../domain/wire/FrameSplitter.ts"
import type { FrameLink } from "../services/FrameLink.ts"

const NEWLINE = Buffer.from("\n")

/**
 * Bytes that may wait for a peer before it counts as behind. Not Node's 16 kB: whoever is paused does not notice that
 * its own peer has gone, so pausing is for peers that really do not read.
 */
const BACKLOG_BYTES = 16_777_216

/** Above this size a frame is not copied to be joined with its newline. */
const COPY_BYTES = 16_384

/**
 * A link over a pair of Node streams that carry newline-delimited frames (MCP 2025-11-25, "Transports", stdio). An
 * error of either stream (the peer is gone) counts as the end of the conversation.
 */
export const makeStreamLink = (readable: Readable, writable: Writable): FrameLink => {
  let open = true
  return {
    listen: (listener) => {
      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        listener.ended()
      }
      const splitter = new FrameSplitter(listener.frame, (pieces, length) => Buffer.concat(pieces, length))
      readable.on("data", (chunk: Uint8Array) => splitter.push(chunk))
      readable.once("end", () => {
        splitter.end()
        end()
      })
      readable.once("close", end)
      readable.once("error", end)
      writable.on("drain", listener.drained)
      writable.once("error", () => {
        open = false
        end()
      })
    },
    send: (frame) => {
      if (!open || writable.destroyed) return true
      if (frame.length <= COPY_BYTES) writable.write(Buffer.concat([frame, NEWLINE], frame.length + 1))
      else {
        writable.cork()
        writable.write(frame)
        writable.write(NEWLINE)
        writable.uncork()
      }
      return writable.writableLength < BACKLOG_BYTES
    },
    pause: () => {
      readable.pause()
    },
    resume: () => {
      readable.resume()
    },
    end: () => {
      open = false
      writable.end()
    }
  }
}
