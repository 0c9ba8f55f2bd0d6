import type { FrameHead } from "./Frame.ts"

/**
 * Longer messages pass in pieces: joining takes time (0.1 ms at this size), and we learn nothing from longer results.
 */
export const LONG_BYTES = 524_288

/** A long message in the pieces in which it came, with its head, read while they came. */
export interface LongFrame {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly length: number
  /** As `readWholeHead` finds it. */
  readonly head: FrameHead | undefined
  /** It has no carriage return, which some readers take for a line end. */
  readonly isOneLine: boolean
}
