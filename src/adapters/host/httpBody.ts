import type { IncomingMessage, ServerResponse } from "node:http"
import { refusal } from "../../domain/host/HttpMessages.ts"
import { Pieces } from "../../domain/wire/Pieces.ts"
import { answerRefusal } from "./httpAnswers.ts"

/** After a refusal we throw away what still arrives for so long, so that the host can read the answer. */
const LINGER_MS = 2000

/** All bodies that are being read may have so many times `maxBytes` together. */
const BODIES_AT_ONCE = 4

/** Bodies up to this size are always read: hosts that are slow to send large ones must not lock the others out. */
const SMALL_BYTES = 65_536

/** Reads bodies of POSTs, of at most `maxBytes` each. */
export class HttpBodies {
  readonly #maxBytes: number
  #held = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Calls back with the whole body. Answers by itself when it is too large (413), or too many are being read (503). */
  read(request: IncomingMessage, response: ServerResponse, done: (body: Uint8Array) => void): void {
    if (Number(request.headers["content-length"] ?? 0) > this.#maxBytes) return this.#refuse(request, response, 413)
    if (request.headers.expect !== undefined) response.writeContinue()
    const pieces = new Pieces()
    let size = 0
    let isOpen = true
    const release = (): void => {
      if (!isOpen) return
      isOpen = false
      this.#held -= size
      pieces.take()
    }
    request.on("data", (chunk: Uint8Array) => {
      if (!isOpen) return
      size += chunk.length
      this.#held += chunk.length
      const isFull = this.#held > this.#maxBytes * BODIES_AT_ONCE && size > SMALL_BYTES
      const status = size > this.#maxBytes ? 413 : isFull ? 503 : undefined
      if (status === undefined) return pieces.push(chunk)
      release()
      this.#refuse(request, response, status)
    })
    request.once("end", () => {
      if (!isOpen) return
      const body = pieces.join((all, length) => Buffer.concat(all, length))
      release()
      done(body)
    })
    request.once("error", release)
    request.once("close", release)
  }

  #refuse(request: IncomingMessage, response: ServerResponse, status: 413 | 503): void {
    const message =
      status === 413
        ? `Payload Too Large: the body may have ${this.#maxBytes} bytes`
        : "Service Unavailable: too many large bodies are being read, try again soon"
    const retry = status === 503 ? { "retry-after": 1 } : {}
    answerRefusal(response, refusal(status, -32000, message), { connection: "close", ...retry })
    request.resume()
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS)
    timer.unref()
    request.once("close", () => clearTimeout(timer))
  }
}
