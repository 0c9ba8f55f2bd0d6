import { Deferred, type Fiber } from "effect"
import { randomUUID } from "node:crypto"
import { envelopeVersionOf } from "../../domain/wire/EnvelopeHeaders.ts"
import { type FrameHead, frameStart, idKey, readHead } from "../../domain/wire/Frame.ts"
import { elementsOf, skipValue } from "../../domain/wire/JsonBytes.ts"
import { CONNECTION_CLOSED, INTERNAL_ERROR, RequestFailed } from "../../domain/wire/RequestFailed.ts"
import { stringAt } from "../../domain/wire/Rewrites.ts"

/** Why a request gets no answer of the server. */
export interface Unanswered {
  readonly errorType:
    | "UPSTREAM_LOST"
    | "UPSTREAM_UNREACHABLE"
    | "UPSTREAM_REFUSED"
    | "UPSTREAM_UNAUTHORIZED"
    | "MESSAGE_TOO_LARGE"
  readonly detail: string
  readonly retryable: boolean
}

interface PendingRequest {
  /** JSON text. */
  readonly id: string
  readonly method: string
  readonly toolName: string | null
}

const requestOf = (frame: Uint8Array, head: FrameHead | undefined): ReadonlyArray<PendingRequest> => {
  if (head?.kind !== "request") return []
  const { id, method } = head
  const toolName = method === "tools/call" ? (stringAt(frame, ["params", "name"]) ?? null) : null
  return [{ id, method, toolName }]
}

/** A batch of 2025-03-26: an array of messages. */
const batchOf = (frame: Uint8Array): ReadonlyArray<Uint8Array> => {
  const start = frameStart(frame)
  const end = skipValue(frame, start)
  const elements = end === undefined ? undefined : elementsOf(frame, { start, end })
  return (elements ?? []).map((element) => frame.subarray(element.start, element.end))
}

/** A message on its way to the server, and the answers that it still waits for. */
export class Outgoing {
  readonly frame: Uint8Array
  readonly head: FrameHead | undefined
  /** Of the envelope; `undefined` in the legacy era. */
  readonly modernVersion: string | undefined
  /** The work of sending it. */
  fiber: Fiber.Fiber<void> | undefined = undefined
  /** It was handed to the network: the server may act on it. */
  isSent = false
  /** The server refused it because it does not know the session: it is to be sent again in the next one. */
  isRefused = false
  /** It was refused so before. Another refusal is its answer. */
  isRepeated = false
  /** The server took it, or never will: messages that waited to keep the order may go. */
  readonly passed: Deferred.Deferred<void> = Deferred.makeUnsafe()

  readonly #pending = new Map<string, PendingRequest>()

  constructor(frame: Uint8Array) {
    this.frame = frame
    this.head = readHead(frame)
    this.modernVersion = this.head?.kind === "response" ? undefined : envelopeVersionOf(frame)
    const requests =
      this.head === undefined
        ? batchOf(frame).flatMap((element) => requestOf(element, readHead(element)))
        : requestOf(frame, this.head)
    for (const request of requests) this.#pending.set(idKey(request.id), request)
  }

  get method(): string | undefined {
    return this.head?.kind === "request" || this.head?.kind === "notification" ? this.head.method : undefined
  }

  /** The id of the request, if it is one. */
  get about(): string | undefined {
    return this.head?.kind === "request" ? this.head.id : undefined
  }

  get keys(): ReadonlyArray<string> {
    return [...this.#pending.keys()]
  }

  get isAnswered(): boolean {
    return this.#pending.size === 0
  }

  /** Whether an answer with this id (JSON text) is one that it waits for; it does not wait for it any longer. */
  takeAnswer(id: string): boolean {
    return this.#pending.delete(idKey(id))
  }

  /** Error responses to all that is not answered yet. */
  failures({ detail, errorType, retryable }: Unanswered): ReadonlyArray<{ frame: Uint8Array; id: string }> {
    const left = [...this.#pending.values()]
    this.#pending.clear()
    return left.map(({ id, method, toolName }) => {
      const code = errorType === "MESSAGE_TOO_LARGE" ? INTERNAL_ERROR : CONNECTION_CLOSED
      const data = { toolName, errorType, fallbackUsed: false, retryable, method }
      return { id, frame: new RequestFailed({ code, detail, data }).frame(id, randomUUID()) }
    })
  }
}
