import { Effect, Exit, Schema, type Scope } from "effect"
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import type { Readable, Transform } from "node:stream"
import { Pieces } from "../../domain/wire/Pieces.ts"
import { type HttpAddress, nameOfUrl } from "../../domain/wire/HttpAddress.ts"

/** A connection that is not made in this time is given up. */
const CONNECT_TIMEOUT_MS = 20_000
/** Shorter than what servers keep an idle connection for (often 5 s), so that a request seldom meets one being closed. */
const IDLE_SOCKET_MS = 4000
/** A peer that vanished without a word is noticed some ten seconds after this. */
const KEEP_ALIVE_PROBE_MS = 15_000
/** A short rest of an answer that nobody wants is read, so that the connection can be used again. */
const DRAIN_BYTES = 65_536
/** When all that matters of a body was read, its rest may take this long. */
const END_GRACE_MS = 2000

/** A request got no answer, or not all of it. */
export class HttpFailed extends Schema.TaggedError<HttpFailed>()("HttpFailed", {
  /** Without credentials and query. */
  url: Schema.String,
  reason: Schema.Literals(["Unreachable", "Broken", "TooLarge"]),
  /** Node's code, such as `ECONNREFUSED`. */
  code: Schema.NullOr(Schema.String),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** May be sent a second time if an idle connection turns out to have been closed. */
  readonly isRepeatable: boolean
  /** The body was handed to the system. */
  readonly onFlushed?: () => void
}

export interface HttpAnswer {
  readonly status: number
  /** A header by its lower case name; several values are joined by a comma. */
  readonly header: (name: string) => string | undefined
  /** The body, decompressed. To be read with {@link HttpClient.read}. */
  readonly body: Readable
}

/** HTTP/1.1 over a pool of connections. Requests end with the scope, or when their fiber is interrupted. */
export interface HttpClient {
  /**
   * Sends a request and hands the answer to `use` as soon as its headers are there. What `use` leaves of the body is
   * dropped. No redirect is followed.
   */
  readonly exchange: <A, E, R>(
    request: HttpRequest,
    use: (answer: HttpAnswer) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | HttpFailed, R>
  /**
   * Gives each chunk of a body out as it comes; ends with it, fails with `Broken` if it breaks off. Once `isDone`, the
   * body has two seconds to end.
   */
  readonly read: (
    answer: HttpAnswer,
    onChunk: (chunk: Uint8Array) => void,
    isDone?: () => boolean
  ) => Effect.Effect<void, HttpFailed>
  /** A whole body of at most `maxBytes`. */
  readonly readAll: (answer: HttpAnswer, maxBytes: number) => Effect.Effect<Uint8Array, HttpFailed>
  /** Backpressure: bodies are not read while paused. */
  readonly pause: () => void
  readonly resume: () => void
}

const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : null

const TLS_CODE = /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED|ISSUER/

const explain = (url: URL, code: string | null, cause: unknown): { reason: HttpFailed["reason"]; detail: string } => {
  const name = nameOfUrl(url)
  const unreachable = (detail: string) => ({ reason: "Unreachable" as const, detail })
  if (code === "ECONNREFUSED") return unreachable(`nothing answers at ${name} (connection refused)`)
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return unreachable(`the host name ${url.hostname} of ${name} could not be resolved (${code})`)
  }
  if (code === "ETIMEDOUT" || code === "EHOSTUNREACH" || code === "ENETUNREACH") {
    return unreachable(`${name} could not be reached (${code})`)
  }
  if (code !== null && TLS_CODE.test(code)) {
    return unreachable(
      `the TLS connection to ${name} failed (${code}). If the certificate is of your own authority, name it in NODE_EXTRA_CA_CERTS`
    )
  }
  if (code === "ECONNRESET" || code === "EPIPE") {
    return { reason: "Broken", detail: `the connection to ${name} broke before the answer was complete (${code})` }
  }
  const text = cause instanceof Error ? cause.message : String(cause)
  return { reason: "Broken", detail: `the request to ${name} failed: ${text}` }
}

const failure = (url: URL, cause: unknown): HttpFailed => {
  const code = codeOf(cause)
  return new HttpFailed({ url: nameOfUrl(url), code, ...explain(url, code, cause) })
}

const TIMED_OUT = Object.assign(new Error("connection timed out"), { code: "ETIMEDOUT" })

const watchSocket = (request: ClientRequest): void => {
  request.once("socket", (socket) => {
    if (request.reusedSocket) return
    socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS)
    if (!socket.connecting) return
    const timer = setTimeout(() => request.destroy(TIMED_OUT), CONNECT_TIMEOUT_MS)
    timer.unref()
    socket.once("connect", () => clearTimeout(timer))
    socket.once("close", () => clearTimeout(timer))
  })
}

/** The decoded body, without buffering: events must come out at once. */
const decompressed = (message: IncomingMessage): Readable => {
  const encoding = message.headers["content-encoding"]?.trim().toLowerCase()
  if (encoding === undefined || encoding === "identity") return message
  const zlib = process.getBuiltinModule("node:zlib")
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH }
  const brotli = { flush: zlib.constants.BROTLI_OPERATION_FLUSH }
  const decoders: Readonly<Record<string, () => Transform>> = {
    gzip: () => zlib.createGunzip(flush),
    "x-gzip": () => zlib.createGunzip(flush),
    deflate: () => zlib.createInflate(flush),
    br: () => zlib.createBrotliDecompress(brotli)
  }
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined
  if (decoder === undefined) return message
  decoder.on("error", () => undefined)
  message.once("close", () => {
    if (!message.complete) decoder.destroy(Object.assign(new Error("broke off"), { code: "ECONNRESET" }))
  })
  return message.pipe(decoder)
}

interface Received extends HttpAnswer {
  readonly message: IncomingMessage
  readonly url: URL
}

/** The pool for one server. Loads `node:http` or `node:https`, whichever it needs. */
export const makeHttpClient = (address: HttpAddress): Effect.Effect<HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const isTls = address.url.protocol === "https:"
    const http = yield* Effect.promise(() => (isTls ? import("node:https") : import("node:http")))
    // Proxies by HTTPS_PROXY and the like are honoured where Node does that itself (24.5).
    const proxyEnv = address.isLoopback ? {} : { proxyEnv: process.env }
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new http.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS, ...proxyEnv })),
      (agent) => Effect.sync(() => agent.destroy())
    )
    const reading = new Set<Readable>()
    let isPaused = false

    const send = (request: HttpRequest, onRequest: (sent: ClientRequest) => void, isRetry: boolean) =>
      Effect.callback<Received, HttpFailed>((resume) => {
        const { url, method, headers, body } = request
        const options: RequestOptions = {
          agent,
          method,
          headers: {
            ...headers,
            "Accept-Encoding": address.isLoopback ? "identity" : "gzip, deflate, br",
            ...(body === undefined ? {} : { "Content-Length": String(body.length) })
          }
        }
        const sent = http.request(url, options)
        onRequest(sent)
        watchSocket(sent)
        sent.once("response", (message) => {
          // Without a listener an answer that breaks off before it is read would end the process.
          message.on("error", () => undefined)
          const header = (name: string) => {
            const value = message.headers[name]
            return Array.isArray(value) ? value.join(", ") : value
          }
          resume(Effect.succeed({ status: message.statusCode ?? 0, header, body: decompressed(message), message, url }))
        })
        sent.once("error", (cause) => {
          const code = codeOf(cause)
          const isStale = sent.reusedSocket && (code === "ECONNRESET" || code === "EPIPE")
          const mayRepeat = isStale && request.isRepeatable && !isRetry
          resume(mayRepeat ? sendAgain(request, onRequest) : Effect.fail(failure(url, cause)))
        })
        if (request.onFlushed !== undefined) sent.once("finish", request.onFlushed)
        sent.end(body)
      })

    const sendAgain = (
      request: HttpRequest,
      onRequest: (sent: ClientRequest) => void
    ): Effect.Effect<Received, HttpFailed> => send(request, onRequest, true)

    const release = (sent: ClientRequest | undefined, received: Received | undefined, isClean: boolean): void => {
      if (sent === undefined) return
      const message = received?.message
      if (message === undefined || !isClean) return void sent.destroy()
      if (message.complete) return void message.resume()
      if (Number(message.headers["content-length"] ?? Infinity) <= DRAIN_BYTES) message.resume()
      else sent.destroy()
    }

    const exchange: HttpClient["exchange"] = (request, use) =>
      Effect.suspend(() => {
        let sent: ClientRequest | undefined
        let received: Received | undefined
        return send(request, (made) => (sent = made), false).pipe(
          Effect.flatMap((answer) => {
            received = answer
            return use(answer)
          }),
          Effect.onExit((exit) => Effect.sync(() => release(sent, received, Exit.isSuccess(exit))))
        )
      })

    const read: HttpClient["read"] = (answer, onChunk, isDone = () => false) =>
      Effect.callback((resume) => {
        const { body } = answer
        const url = "url" in answer && answer.url instanceof URL ? answer.url : address.url
        let lastWait: NodeJS.Timeout | undefined
        const release = (): void => {
          clearTimeout(lastWait)
          reading.delete(body)
          body.off("data", onData)
        }
        const stop = (result: Effect.Effect<void, HttpFailed>): void => {
          release()
          resume(result)
        }
        const broke = (cause?: unknown) =>
          stop(Effect.fail(failure(url, cause ?? Object.assign(new Error("closed"), { code: "ECONNRESET" }))))
        const onData = (chunk: Uint8Array): void => {
          try {
            onChunk(chunk)
            if (lastWait === undefined && isDone()) lastWait = setTimeout(() => stop(Effect.void), END_GRACE_MS).unref()
          } catch (cause) {
            stop(cause instanceof HttpFailed ? Effect.fail(cause) : Effect.die(cause))
          }
        }
        if (body.destroyed && !body.readableEnded) return broke(body.errored ?? undefined)
        body.once("end", () => stop(Effect.void))
        body.once("error", broke)
        body.once("close", () => broke())
        reading.add(body)
        body.on("data", onData)
        if (isPaused) body.pause()
        return Effect.sync(release)
      })

    const readAll: HttpClient["readAll"] = (answer, maxBytes) =>
      Effect.suspend(() => {
        const pieces = new Pieces()
        return read(answer, (chunk) => {
          if (pieces.length + chunk.length > maxBytes) {
            const detail = `the answer of ${address.name} is larger than ${maxBytes} bytes`
            throw new HttpFailed({ url: address.name, reason: "TooLarge", code: null, detail })
          }
          pieces.push(chunk)
        }).pipe(Effect.map(() => pieces.join((all, length) => Buffer.concat(all, length))))
      })

    return {
      exchange,
      read,
      readAll,
      pause: () => {
        isPaused = true
        for (const body of reading) body.pause()
      },
      resume: () => {
        isPaused = false
        for (const body of reading) body.resume()
      }
    }
  })
