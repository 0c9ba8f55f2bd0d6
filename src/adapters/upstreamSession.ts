import { Deferred, type Fiber } from "effect"
import { memberSpan } from "../domain/wire/Frame.ts"
import { splice } from "../domain/wire/JsonBytes.ts"
import { decodedAt, rawAt, stringAt } from "../domain/wire/Rewrites.ts"
import { framesIn } from "./upstreamTransport.ts"
import type { Outgoing } from "./Outgoing.ts"

/** What a server of the legacy era knows of us over Streamable HTTP. */
export interface UpstreamSession {
  /** `Mcp-Session-Id`; `undefined`: it keeps no sessions. */
  readonly id: string | undefined
  /** Of the `initialize` result. */
  version: string | undefined
  /** It took something beside `initialize`. */
  isProven: boolean
  isExpired: boolean
  /** Messages under way, and those of them of which it is open whether the server took them. */
  readonly sent: Set<Outgoing>
  readonly waiting: Set<Outgoing>
  /** Requests that were refused because the session is gone. */
  readonly unsent: Set<Outgoing>
  /** Expired, and nothing is waiting. */
  readonly quiet: Deferred.Deferred<void>
  /** The stream for what belongs to no request. */
  listening: Fiber.Fiber<void> | undefined
}

export const makeUpstreamSession = (id: string | undefined): UpstreamSession => ({
  id,
  version: undefined,
  isProven: false,
  isExpired: false,
  sent: new Set(),
  waiting: new Set(),
  unsent: new Set(),
  quiet: Deferred.makeUnsafe(),
  listening: undefined
})

/** The JSON-RPC error that is the body of an answer with an error status, if it is one. */
export const errorIn = (body: Uint8Array): Uint8Array | undefined => {
  const [frame] = framesIn(body)
  return frame !== undefined && typeof decodedAt(frame, ["error", "code"]) === "number" ? frame : undefined
}

/** Whether an error leaves open which request it is about. */
export const namesNoRequest = (error: Uint8Array): boolean => [undefined, "null", '""'].includes(rawAt(error, ["id"]))

/** The error as the answer to the request with this id (JSON text). */
export const errorFor = (error: Uint8Array, id: string): Uint8Array => {
  const at = memberSpan(error, "id")
  return at === undefined
    ? splice(error, [{ at: error.indexOf(0x7b) + 1, remove: 0, insert: `"id":${id},` }])
    : splice(error, [{ at: at.start, remove: at.end - at.start, insert: id }])
}

/** Servers that do not keep to 404 say it in words. */
const SESSION_WORDS = /session|not initialized/i

/** Whether this refusal says that the server does not know the session: 404, or words to that effect with 400. */
export const isSessionGone = (
  session: UpstreamSession | undefined,
  status: number,
  error: Uint8Array | undefined
): session is UpstreamSession => {
  if (session?.id === undefined || (error !== undefined && !namesNoRequest(error))) return false
  if (status === 404) return true
  const words = error === undefined ? undefined : stringAt(error, ["error", "message"])
  return status === 400 && session.isProven && words !== undefined && SESSION_WORDS.test(words)
}
