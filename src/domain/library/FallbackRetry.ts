import type { UiEntry } from "../tools/UiEntry.ts"

/** Milliseconds: a fallback whose reason may pass is tried again after a pause, which doubles while it fails. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 15 * 60_000
/** A `Retry-After` is heeded up to this (milliseconds): some servers name years. */
const LONGEST_RETRY_AFTER_MS = 3_600_000

/** The pause after one more failure. A failure before the time to try again does not make it longer. */
const nextPause = (previous: UiEntry | undefined, now: number): number => {
  if (previous?.fallback?.transient !== true || previous.retryAt === undefined) return FIRST_PAUSE_MS
  const pause = previous.retryAt - previous.createdAt
  return now < previous.retryAt ? pause : Math.min(2 * pause, LONGEST_PAUSE_MS)
}

/**
 * When to try again, in milliseconds since the epoch: after 1, 2, 4, … 15 minutes of the same UI's failures, and not
 * before the time that a `Retry-After` asked for. `previous` is what was kept under its key until now.
 */
export const nextRetryAt = (previous: UiEntry | undefined, now: number, retryAfterMs: number): number =>
  now + Math.max(nextPause(previous, now), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))

/** Whether a read is to try again instead of taking what is kept. */
export const isRetryDue = ({ createdAt, fallback, retryAt }: UiEntry, now: number): boolean =>
  fallback?.transient === true &&
  // Kept in the future: the clock was set back.
  (now >= (retryAt ?? createdAt + FIRST_PAUSE_MS) || now < createdAt)
