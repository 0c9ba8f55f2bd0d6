import { Effect } from "effect"
import type { RequestListener, Server } from "node:http"

/** To read the headers of a request, and all of it; an answer may take as long as it likes. */
const HEADERS_MS = 20_000
const REQUEST_MS = 300_000
/** How long a connection stays open between two requests. */
const KEEP_ALIVE_MS = 65_000
/** After so long in silence TCP asks whether the other end is still there. */
const TCP_KEEP_ALIVE_MS = 60_000
const MAX_CONNECTIONS = 4096

export interface HttpListening {
  readonly server: Server
  /** The port that was taken. */
  readonly port: number
}

/** Starts an HTTP server. Fails with the error of `listen`, such as one with the code `EADDRINUSE`. */
export const listenHttp = (
  { host, port }: { readonly host: string; readonly port: number },
  handle: RequestListener
): Effect.Effect<HttpListening, NodeJS.ErrnoException> =>
  Effect.gen(function* () {
    const { createServer } = yield* Effect.promise(() => import("node:http"))
    const server = createServer({
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS
    })
    server.maxConnections = MAX_CONNECTIONS
    server.on("request", handle)
    // A body that is announced and not sent yet can be refused before it comes.
    server.on("checkContinue", handle)
    return yield* Effect.callback<HttpListening, NodeJS.ErrnoException>((resume) => {
      server.on("error", (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause)))
      server.listen(port, host, () => {
        const address = server.address()
        resume(Effect.succeed({ server, port: typeof address === "object" && address !== null ? address.port : port }))
      })
    })
  })
