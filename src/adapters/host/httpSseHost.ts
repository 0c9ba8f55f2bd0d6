import type { ServerResponse } from "node:http"
import type { PostedMessage } from "../../domain/host/HttpMessages.ts"
import { refusal } from "../../domain/host/HttpMessages.ts"
import { endpointEvent } from "../../domain/host/ServerSentEvent.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { answerRefusal, startEvents } from "./httpAnswers.ts"
import { HttpHostStream } from "./httpHostStream.ts"
import { HttpHost, type HttpHostOptions } from "./httpHost.ts"

/** A host of 2024-11-05 (HTTP with SSE): one stream that lasts as long as the session, and POSTs beside it. */
export class HttpSseHost extends HttpHost {
  readonly #stream: HttpHostStream
  readonly #response: ServerResponse
  readonly #path: string

  /** `response` is the stream; `path` is where the host has to post its messages. */
  constructor(response: ServerResponse, path: string, options: HttpHostOptions) {
    super(options)
    this.#response = response
    this.#path = path
    this.#stream = new HttpHostStream(this.outbox)
  }

  /** The session is there: the host is told where to send its messages. */
  start(): void {
    if (this.#response.destroyed) return
    startEvents(this.#response)
    this.#response.write(endpointEvent(this.#path))
    this.#stream.connect(this.#response, this.options.now())
  }

  post(messages: ReadonlyArray<PostedMessage>, response: ServerResponse): void {
    if (this.isEnded) return answerRefusal(response, refusal(404, -32001, "Session not found"))
    for (const { frame } of messages) this.deliver(frame)
    response.writeHead(202, { "content-type": "text/plain", "content-length": 8 })
    response.end("Accepted")
  }

  readonly send: FrameLink["send"] = (frame) => {
    this.#stream.push(frame, this.options.now())
    return !this.outbox.isBehind
  }

  tick(now: number): void {
    this.#stream.tick(now)
  }

  protected get isConnected(): boolean {
    return this.#stream.isConnected
  }

  protected close(): void {
    this.#stream.end()
  }
}
