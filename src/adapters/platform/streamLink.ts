import { Buffer } from "node:buffer"
import type { Readable, Writable } from "node:stream"
import { FrameSplitter } from "../../domain/wire/FrameSplitter.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"

const NEWLINE = 0x0a
const NEWLINE_BYTES = Buffer.of(NEWLINE)

/**
 * A peer counts as behind when this many bytes wait for it. Not Node's 16 kB: a paused stream does not notice that its
 * own peer has gone, so pausing is for peers that really do not read.
 */
const BACKLOG_BYTES = 16_777_216

/** A larger frame is not copied to be joined with its newline. */
const COPY_BYTES = 16_384

/** Small frames that wait for a peer share a block: separate buffers would take ten times as much. */
const BLOCK_BYTES = 65_536

export interface StreamLinkOptions {
  /** The longest message that is taken, in bytes. The listener's `oversized` hears of longer ones. */
  readonly maxMessageBytes?: number | undefined
  /** The peer's stream ended within a message; this is how much of it there was. It is dropped. */
  readonly onCut?: ((line: Uint8Array) => void) | undefined
}

/** Writes frames, each with a newline, in order. */
const makeFrameWriter = (writable: Writable) => {
  let block = Buffer.alloc(0)
  let used = 0
  /** Small frames of this turn of the event loop, for one write. */
  let turn: Array<Uint8Array> = []
  let turnBytes = 0

  const endTurn = (): void => {
    if (turn.length === 0) return
    const pieces = turn
    const length = turnBytes
    turn = []
    turnBytes = 0
    if (!writable.destroyed) writable.write(Buffer.concat(pieces, length), flush)
  }

  const flush = (): void => {
    if (used === 0) return
    const waiting = block.subarray(0, used)
    block = Buffer.alloc(0)
    used = 0
    writable.write(waiting, flush)
  }

  const writeLarge = (pieces: ReadonlyArray<Uint8Array>): void => {
    endTurn()
    writable.cork()
    flush()
    for (const piece of pieces) writable.write(piece)
    writable.write(NEWLINE_BYTES, flush)
    writable.uncork()
  }

  /** Waits only while an earlier write is under way; its end flushes the block. */
  const keep = (frame: Uint8Array): void => {
    if (used + frame.length >= block.length) {
      flush()
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    }
    block.set(frame, used)
    block[used + frame.length] = NEWLINE
    used += frame.length + 1
  }

  return {
    flush: (): void => {
      endTurn()
      flush()
    },
    write: (frame: Uint8Array): void => {
      if (frame.length > COPY_BYTES) return writeLarge([frame])
      if (used > 0 || writable.writableLength > 0) {
        endTurn()
        return keep(frame)
      }
      if (turn.length === 0) process.nextTick(endTurn)
      turn.push(frame, NEWLINE_BYTES)
      turnBytes += frame.length + 1
      if (turnBytes > BLOCK_BYTES) endTurn()
    },
    writeLarge,
    backlog: (): number => writable.writableLength + used + turnBytes
  }
}

/**
 * A link over a pair of Node streams that carry newline-delimited frames (MCP 2025-11-25, "Transports", stdio). An
 * error of either stream (the peer is gone) counts as the end of the conversation.
 */
export const makeStreamLink = (
  readable: Readable,
  writable: Writable,
  { maxMessageBytes, onCut }: StreamLinkOptions = {}
): FrameLink => {
  const writer = makeFrameWriter(writable)
  let open = true
  let isBehind = false

  const sendBy = (write: () => void): boolean => {
    if (!open || writable.destroyed) return true
    write()
    if (writer.backlog() >= BACKLOG_BYTES) isBehind = true
    return !isBehind
  }

  return {
    listen: (listener) => {
      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        listener.ended()
      }
      const splitter = new FrameSplitter(listener.frame, {
        concat: (pieces, length) => Buffer.concat(pieces, length),
        maxBytes: maxMessageBytes,
        onOversized: listener.oversized,
        onLong: listener.long,
        onCut
      })
      readable.on("data", (chunk: Uint8Array) => splitter.push(chunk))
      readable.once("end", () => {
        splitter.end()
        end()
      })
      readable.once("close", end)
      readable.once("error", end)
      writable.on("drain", () => {
        writer.flush()
        if (!isBehind) return
        isBehind = false
        listener.drained()
      })
      writable.once("error", () => {
        open = false
        end()
      })
    },
    send: (frame) => sendBy(() => writer.write(frame)),
    sendLong: ({ pieces }) => sendBy(() => writer.writeLarge(pieces)),
    pause: () => {
      readable.pause()
    },
    resume: () => {
      readable.resume()
    },
    end: () => {
      open = false
      if (!writable.destroyed) writer.flush()
      writable.end()
    }
  }
}
