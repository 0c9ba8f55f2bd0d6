import type { ServerResponse } from "node:http"
import { errorFrame, idKey } from "../../domain/wire/Frame.ts"
import { asOneLine } from "../../domain/wire/OneLine.ts"
import { answerEmpty, answerJson, type HeaderValues, startEvents } from "./httpAnswers.ts"
import type { HttpHostStream } from "./httpHostStream.ts"
import type { HttpHostEnd } from "./httpHost.ts"
import type { HttpOutbox } from "./httpOutbox.ts"

/** A host that hears nothing for so long gets a stream, on which keep-alive comments can go. */
const SILENCE_MS = 5000

export interface HttpExchangeOptions {
  readonly response: ServerResponse
  readonly outbox: HttpOutbox
  /** Takes over when the answer is not the only thing to say. */
  readonly stream: HttpHostStream
  /** The requests of the POST, as they stand in it. */
  readonly ids: ReadonlyArray<string>
  readonly isBatch: boolean
  readonly now: number
  readonly headers?: HeaderValues
  /** The HTTP status of a single answer. */
  readonly statusOf?: (answer: Uint8Array) => number
}

const OPEN = new Uint8Array([0x5b])
const COMMA = new Uint8Array([0x2c])
const CLOSE = new Uint8Array([0x5d])

/**
 * The answer to a POST with requests: JSON when the responses are all there is to say, a stream of events as soon as
 * something else comes first, or nothing for a while.
 */
export class HttpExchange {
  readonly stream: HttpHostStream
  readonly #options: HttpExchangeOptions
  readonly #open: Map<string, string>
  #answers: Array<Uint8Array> = []
  #isStreaming = false

  constructor(options: HttpExchangeOptions) {
    this.#options = options
    this.stream = options.stream
    this.#open = new Map(options.ids.map((id) => [idKey(id), id]))
  }

  /** The host still listens. */
  get isConnected(): boolean {
    return this.#isStreaming ? this.stream.isConnected : !this.#options.response.destroyed
  }

  get isStreaming(): boolean {
    return this.#isStreaming
  }

  /** Every request has its answer, or will get none. */
  get isDone(): boolean {
    return this.#open.size === 0
  }

  /** The response to one of its requests. */
  answer(id: string, frame: Uint8Array, now: number): void {
    if (!this.#open.delete(idKey(id))) return
    if (this.#isStreaming) {
      this.stream.push(frame, now)
      if (this.isDone) this.stream.end()
      return
    }
    this.#answers.push(frame)
    if (this.isDone) this.#finishJson()
  }

  /** Something else that belongs to its requests. */
  message(frame: Uint8Array, now: number): void {
    this.#stream(now)
    this.stream.push(frame, now)
  }

  /** The request will not be answered, because its host no longer wants it. */
  abandon(id: string): void {
    if (!this.#open.delete(idKey(id)) || !this.isDone) return
    if (this.#answers.length > 0) this.#finishJson()
    else if (this.#isStreaming) this.stream.end()
    else if (!this.#options.response.destroyed) {
      startEvents(this.#options.response, this.#options.headers)
      this.#options.response.end()
    }
  }

  /** The server is gone: every request that is open fails. */
  fail({ code, message, status }: HttpHostEnd, now: number): void {
    const { headers, isBatch, response } = this.#options
    const error = { code, message }
    const [only] = this.#open.values()
    if (!this.#isStreaming && !isBatch && only !== undefined) {
      this.#open.clear()
      return answerJson(response, status, errorFrame(only, error), headers)
    }
    for (const id of this.#open.values()) this.answer(id, errorFrame(id, error), now)
  }

  tick(now: number): void {
    if (this.#isStreaming) this.stream.tick(now)
    else if (now - this.#options.now >= SILENCE_MS) this.#stream(now)
  }

  #stream(now: number): void {
    if (this.#isStreaming) return
    this.#isStreaming = true
    if (!this.#options.response.destroyed) this.stream.connect(this.#options.response, now)
    for (const answer of this.#answers) this.stream.push(answer, now)
    this.#answers = []
  }

  #finishJson(): void {
    const { headers, isBatch, outbox, response, statusOf } = this.#options
    const answers = this.#answers
    const [only] = answers
    this.#answers = []
    if (only === undefined) return answerEmpty(response, 202)
    const end = (body: Uint8Array): void => outbox.end(response, body)
    if (isBatch) {
      const pieces = answers.flatMap((answer, index) => [index === 0 ? OPEN : COMMA, asOneLine(answer)])
      answerJson(response, 200, Buffer.concat([...pieces, CLOSE]), headers, end)
    } else answerJson(response, statusOf?.(only) ?? 200, asOneLine(only), headers, end)
  }
}
