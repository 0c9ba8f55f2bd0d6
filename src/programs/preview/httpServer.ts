import { Cause, Effect, FiberSet, Schema } from "effect"
import type { Scope } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Another program listens on the port that was asked for. */
export class PreviewPortInUse extends Schema.TaggedError<PreviewPortInUse>()("PreviewPortInUse", {
  port: Schema.Finite
}) {
  override get message(): string {
    return `port ${this.port} is in use; choose another one with --port, or leave --port out to take a free one`
  }
}

/** The preview could not listen for another reason: no permission for the port, no loopback interface. */
export class PreviewListenFailed extends Schema.TaggedError<PreviewListenFailed>()("PreviewListenFailed", {
  port: Schema.Finite,
  cause: Schema.Defect()
}) {
  override get message(): string {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `the preview cannot listen on port ${this.port}: ${reason}`
  }
}

/** A request carries more bytes than the preview takes. */
class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Finite }) {
  override get message(): string {
    return `the body is over ${this.limit} bytes`
  }
}

/** Answers one request. `origin` is the server's own, such as `http://127.0.0.1:6280`. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  origin: string
) => Effect.Effect<void, BodyTooLarge>

export interface ListenOptions {
  readonly host: "127.0.0.1"
  /** 0 takes a free one. */
  readonly port: number
  /** Take a free port when this one is in use. */
  readonly fallBack: boolean
  readonly handler: RequestHandler
}

/** Ends a response with a line of text. */
export const respondText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
  response.end(`${text}\n`)
}

/** The whole body as text, of at most `limit` bytes. */
export const readBody = (request: IncomingMessage, limit: number): Effect.Effect<string, BodyTooLarge> =>
  Effect.callback<string, BodyTooLarge>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      chunks.length = 0
      resume(Effect.fail(new BodyTooLarge({ limit })))
    })
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    request.on("error", () => resume(Effect.interrupt))
  })

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const closeServer = (server: Server): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/**
 * Serves on one loopback port until the scope closes, which also ends requests. Refuses a request whose `Host` header is
 * not the server's address: a page of the web could reach it through a name that points to loopback.
 */
export const listen = Effect.fn("preview.listen")(function* (
  options: ListenOptions
): Effect.fn.Return<
  { readonly port: number; readonly origin: string },
  PreviewPortInUse | PreviewListenFailed,
  Scope.Scope
> {
  const { createServer } = yield* Effect.promise(() => import("node:http"))
  const run = yield* FiberSet.makeRuntime<never, void, never>()

  const open = (port: number) =>
    Effect.callback<Server, PreviewPortInUse | PreviewListenFailed>((resume) => {
      const server = createServer((request, response) => {
        const address = `${options.host}:${portOf(server)}`
        response.setHeader("x-content-type-options", "nosniff")
        response.setHeader("referrer-policy", "no-referrer")
        if (request.headers.host !== address) {
          return respondText(response, 421, `This server answers at http://${address}/ only.`)
        }
        run(
          options.handler(request, response, `http://${address}`).pipe(
            Effect.catchTag("BodyTooLarge", (error) => Effect.sync(() => respondText(response, 413, error.message))),
            Effect.catchCause((cause) => {
              if (!response.headersSent) respondText(response, 500, "The preview failed to answer; its log says why.")
              return Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("preview request failed", cause)
            })
          )
        )
      })
      server.on("error", (cause: NodeJS.ErrnoException) =>
        resume(
          Effect.fail(
            cause.code === "EADDRINUSE" ? new PreviewPortInUse({ port }) : new PreviewListenFailed({ port, cause })
          )
        )
      )
      server.listen(port, options.host, () => resume(Effect.succeed(server)))
    })

  const server = yield* Effect.acquireRelease(
    open(options.port).pipe(
      Effect.catchTag("PreviewPortInUse", (error) => (options.fallBack ? open(0) : Effect.fail(error)))
    ),
    closeServer
  )
  const port = portOf(server)
  return { port, origin: `http://${options.host}:${port}` }
})
