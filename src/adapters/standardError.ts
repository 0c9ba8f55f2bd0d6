import { Effect } from "effect"
import { fstatSync } from "node:fs"
import { Socket } from "node:net"
import type { Writable } from "node:stream"

/** Bytes that may wait for a reader of standard error before more is dropped. */
const LONGEST_BACKLOG = 1_048_576
/** How long the end of a run waits for a reader that does not read. */
const FLUSH_MS = 500

let stream: Writable | undefined
let dropped = 0

/** Node writes to pipes on standard error synchronously, and many hosts leave it unread: that would stop everything. */
const open = (): Writable => {
  const kind = fstatSync(2)
  const opened =
    kind.isFIFO() || kind.isSocket() ? new Socket({ fd: 2, readable: false, writable: true }) : process.stderr
  if (opened instanceof Socket) opened.unref()
  // Stays for the life of the process: a write that finds the pipe closed is no failure.
  opened.on("error", () => undefined)
  return opened
}

/** Writes to standard error without ever waiting for its reader; beyond a bound, what it does not take is dropped. */
export const writeStandardError = (chunk: string | Uint8Array): void => {
  stream ??= open()
  if (stream.writableLength > LONGEST_BACKLOG) {
    dropped += 1
    return
  }
  if (dropped > 0) {
    stream.write(`mcp-gen-ui: ${dropped} writes to standard error were not read in time and are lost\n`)
    dropped = 0
  }
  stream.write(chunk)
}

/** Waits until what was written is out, but not long. */
export const flushStandardError: Effect.Effect<void> = Effect.callback<void>((resume) => {
  if (stream === undefined || stream.destroyed) return resume(Effect.void)
  stream.write("", () => resume(Effect.void))
}).pipe(Effect.timeoutOption(FLUSH_MS), Effect.asVoid)
