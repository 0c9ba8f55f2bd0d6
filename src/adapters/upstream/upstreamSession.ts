import { Deferred, type Fiber } from "effect"
import { memberSpan } from "../../domain/wire/Frame.ts"
import { splice } from "../../domain/wire/JsonBytes.ts"
import { decodedAt, rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import { withId } from "../../domain/wire/withId.ts"
import { framesIn } from "./upstreamTransport.ts"
import type { Outgoing } from "./Outgoing.ts"

/** What a server of the legacy era knows of us over Streamable HTTP. */
export interface UpstreamSession {
  /** `Mcp-Session-Id`; `undefined`: it keeps no sessions. */
  readonly id: string | undefined
  /** Of the `initialize` result. */
  version: string | undefined
  /** When it began, in milliseconds of the clock. */
  readonly since: number
  /** It took something beside `initialize`. */
  isProven: boolean
  /** It answered a request beside `initialize`. */
  hasAnswered: boolean
  /** It refused what it always refuses, and has taken nothing since: perhaps the session is gone this time. */
  isDoubtful: boolean
  isExpired: boolean
  /** Messages under way, and those of them that the server has neither taken nor refused. */
  readonly sent: Set<Outgoing>
  readonly waiting: Set<Outgoing>
  /** Requests that were refused because the session is gone. */
  readonly unsent: Set<Outgoing>
  /** Expired, and nothing is waiting. */
  readonly quiet: Deferred.Deferred<void>
  /** The stream for what belongs to no request. */
  listening: Fiber.Fiber<void> | undefined
}

export const makeUpstreamSession = (id: string | undefined, now: number): UpstreamSession => ({
  id,
  version: undefined,
  since: now,
  isProven: false,
  hasAnswered: false,
  isDoubtful: false,
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
export const errorFor = (error: Uint8Array, id: string): Uint8Array =>
  memberSpan(error, "id") === undefined
    ? splice(error, [{ at: error.indexOf(0x7b) + 1, remove: 0, insert: `"id":${id},` }])
    : withId(error, id)

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

/** The method, and the tool, prompt or resource that it asks for. */
const subjectOf = ({ frame, method }: Outgoing): string =>
  `${method} ${stringAt(frame, ["params", "name"]) ?? stringAt(frame, ["params", "uri"]) ?? ""}`

const MAX_SUBJECTS = 100

/**
 * What a server answers with 404 although it knows the session. Only another try in a new session shows that. We remember
 * it, so that asking for it does not end every session.
 */
export class OwnRefusals {
  readonly #subjects = new Set<string>()

  /** A refusal came that may be about the session. Answers whether it is about the message instead. */
  onRefused(message: Outgoing, of: UpstreamSession): boolean {
    if (message.isRepeated) {
      if (this.#subjects.size < MAX_SUBJECTS) this.#subjects.add(subjectOf(message))
      return true
    }
    const isKnown = this.#subjects.size > 0 && this.#subjects.has(subjectOf(message))
    if (!isKnown || !of.isProven || of.isDoubtful) return false
    of.isDoubtful = true
    return true
  }

  /** The server took a message, in this session. */
  onTaken(message: Outgoing, of: UpstreamSession): void {
    of.isProven = true
    of.isDoubtful = false
    if (message.isAnswered) return
    of.hasAnswered = true
    if (this.#subjects.size > 0) this.#subjects.delete(subjectOf(message))
  }
}
