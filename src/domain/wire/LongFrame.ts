import type { FrameHead } from "./Frame.ts"

/** Longer messages pass in pieces. To join shorter ones costs a tenth of a millisecond, and results of tools teach nothing from here on. */
export const LONG_BYTES = 524_288

/** A long message in the pieces in which it came, and what a router has to know of it, read while they came. */
export interface LongFrame {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly length: number
  /** As `readWholeHead` finds it. */
  readonly head: FrameHead | undefined
  /** There is no carriage return in it, which some readers take for the end of a line. */
  readonly isOneLine: boolean
}
