import { Effect } from "effect"

/** While this many bytes wait for a reader of standard error, more is dropped. */
const LONGEST_BACKLOG = 1_048_576
/** How long the end of a run waits for a reader that is stuck. */
const FLUSH_MS = 500

let isOpen = false
let dropped = 0

/** Stays for the life of the process: writing to a closed pipe is no failure. */
const open = (): typeof process.stderr => {
  if (!isOpen) process.stderr.on("error", () => undefined)
  isOpen = true
  return process.stderr
}

/**
 * Writes to standard error without ever waiting for its reader: many hosts do not read it. Beyond a bound, the rest is
 * dropped and counted. It stays non-blocking only while no other process shares it, so a server must not inherit it.
 */
export const writeStandardError = (chunk: string | Uint8Array): void => {
  const stream = open()
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

/** Waits a moment until everything is written. */
export const flushStandardError: Effect.Effect<void> = Effect.callback<void>((resume) => {
  if (!isOpen || process.stderr.destroyed) return resume(Effect.void)
  process.stderr.write("", () => resume(Effect.void))
}).pipe(Effect.timeoutOption(FLUSH_MS), Effect.asVoid)
