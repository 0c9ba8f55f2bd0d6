import { ENVELOPE_CAPABILITIES, ENVELOPE_CLIENT_INFO, ENVELOPE_VERSION } from "./AppsExtension.ts"
import { frameStart, notificationFrameOf } from "./Frame.ts"
import { SUBSCRIPTION_ID } from "./HostListens.ts"
import { replace, skipValue, type Span, spansOf, splice } from "./JsonBytes.ts"

/**
 * Hosts of the modern era share one connection to a server. Their ids and progress tokens may be equal, so we replace
 * them on the way to the server and put them back on the way to the host. Everything else keeps its bytes.
 */
export interface Replacement {
  readonly path: ReadonlyArray<string>
  /** JSON text. */
  readonly text: string
}

/** All duplicates of a key, because readers differ in which one counts. */
const spansAt = (frame: Uint8Array, path: ReadonlyArray<string>): ReadonlyArray<Span> => {
  const start = frameStart(frame)
  const end = skipValue(frame, start)
  let spans: ReadonlyArray<Span> = end === undefined ? [] : [{ start, end }]
  for (const key of path) {
    spans = spans.flatMap((span) => spansOf(frame, span, key))
  }
  return spans
}

/** A frame with other values at these paths, where it has values. No path may lead into another one. */
export const withReplaced = (frame: Uint8Array, replacements: ReadonlyArray<Replacement>): Uint8Array =>
  splice(
    frame,
    replacements.flatMap(({ path, text }) => spansAt(frame, path).map((span) => replace(span, text)))
  )

export const ID: ReadonlyArray<string> = ["id"]
/** In a request that asks for progress. */
export const ASKED_TOKEN: ReadonlyArray<string> = ["params", "_meta", "progressToken"]
/** In `notifications/progress`. */
export const TOLD_TOKEN: ReadonlyArray<string> = ["params", "progressToken"]
/** In a notification that belongs to a subscription. */
export const SUBSCRIPTION: ReadonlyArray<string> = ["params", "_meta", SUBSCRIPTION_ID]
/** In the result that ends a subscription. */
export const ENDED_SUBSCRIPTION: ReadonlyArray<string> = ["result", "_meta", SUBSCRIPTION_ID]

/** Tells a server that nobody waits for a request any more; `id` is JSON text, `meta` the request's `_meta`. */
export const cancelledFrame = (id: string, reason: string, meta: Readonly<Record<string, unknown>>): Uint8Array => {
  const kept = [ENVELOPE_VERSION, ENVELOPE_CLIENT_INFO, ENVELOPE_CAPABILITIES].filter((key) => Object.hasOwn(meta, key))
  const envelope = JSON.stringify(Object.fromEntries(kept.map((key) => [key, meta[key]])))
  const params = `{"requestId":${id},"reason":${JSON.stringify(reason)},"_meta":${envelope}}`
  return notificationFrameOf("notifications/cancelled", params)
}
