import { DateTime } from "effect"

/** A time in milliseconds since the epoch as ISO 8601, in UTC. */
export const isoTime = (milliseconds: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(Math.round(milliseconds)))
