import type { UiEntry } from "../tools/UiEntry.ts"

/** Milliseconds. A fallback whose reason may pass is tried again after a pause, which doubles with every failure. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 15 * 60_000
/** Longer `Retry-After` times (milliseconds) are cut to this: some servers name years. */
const LONGEST_RETRY_AFTER_MS = 3_600_000

/** The pause after one more failure. A failure before the retry time does not lengthen it. */
const nextPause = (previous: UiEntry | undefined, now: number): number => {
  if (previous?.fallback?.transient !== true || previous.retryAt === undefined) return FIRST_PAUSE_MS
  const pause = previous.retryAt - previous.createdAt
  return now < previous.retryAt ? pause : Math.min(2 * pause, LONGEST_PAUSE_MS)
}

/**
 * When to try again, in milliseconds since the epoch: after 1, 2, 4, … 15 minutes of failures of the same UI, and not
 * before a `Retry-After`. `previous` is the entry under its key until now.
 */
export const nextRetryAt = (previous: UiEntry | undefined, now: number, retryAfterMs: number): number =>
  now + Math.max(nextPause(previous, now), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))

/** Whether a read should try again instead of taking the kept entry. */
export const isRetryDue = ({ createdAt, fallback, retryAt }: UiEntry, now: number): boolean =>
  fallback?.transient === true &&
  // Kept in the future: the clock was set back.
  (now >= (retryAt ?? createdAt + FIRST_PAUSE_MS) || now < createdAt)
