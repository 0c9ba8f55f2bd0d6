import type { UiEntry } from "../tools/UiEntry.ts"

/**
 * Whether an entry is stored where other processes, and the next one, find it. A failure is not, because its cause may
 * be gone by then. A good UI that waits to be made anew is.
 */
export const isShared = ({ fallback, source }: UiEntry): boolean =>
  fallback === null || (fallback.transient && source !== null)

/** Whether a stored UI stays although this process has made, or failed to make, another one of the same key. */
export const outlasts = (stored: UiEntry, made: UiEntry): boolean => {
  const isGood = stored.fallback === null
  return isGood === (made.fallback === null) ? stored.createdAt > made.createdAt : isGood
}
