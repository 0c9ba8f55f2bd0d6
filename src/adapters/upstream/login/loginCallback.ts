import { Deferred, Effect, Schema } from "effect"
import type { Scope } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Nothing can listen on a loopback port, so no browser could come back from a login. */
export class CallbackUnavailable extends Schema.TaggedError<CallbackUnavailable>()("CallbackUnavailable", {
  detail: Schema.String
}) {
  override get message(): string {
    return `no port of this machine can be opened for the answer of the login: ${this.detail}`
  }
}

/** What an authorization server sends back through the browser (RFC 6749, 4.1.2; `iss` is RFC 9207). */
export interface LoginAnswer {
  readonly code: string | undefined
  readonly error: string | undefined
  readonly errorDescription: string | undefined
  readonly iss: string | undefined
}

export interface LoginCallback {
  /** Where the authorization server is to send the browser. */
  readonly redirectUrl: string
  /** The answer to the login with our `state`. Others are refused, and the wait goes on. */
  readonly answer: Effect.Effect<LoginAnswer>
  /** Sets what the browser shows at the end; the browser waits for it. Called once. */
  readonly conclude: (title: string, text: string) => Effect.Effect<void>
}

export interface LoginCallbackOptions {
  /** The port to listen on if it is free; else, and for 0, any free one. */
  readonly port: number
  /** How the redirect URL names this machine. We listen on 127.0.0.1 in any case. */
  readonly hostname: "127.0.0.1" | "localhost"
  /** Unguessable, and part of the authorization request. */
  readonly state: string
}

/** As users of mcp-remote have registered it. */
const CALLBACK_PATH = "/oauth/callback"
/** The browser gets this long to fetch the last page. */
const FLUSH_MS = 1000

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const pageOf = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · mcp-gen-ui</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f6f4, #191918);
  color: light-dark(#1d1d1b, #ecece9); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 26rem; margin: 1.5rem; padding: 2rem; border-radius: 12px; background: light-dark(#fff, #242423);
  border: 1px solid light-dark(#e3e3df, #383836) }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3 }
p { margin: 0; color: light-dark(#55554f, #b4b4ad); overflow-wrap: anywhere }
small { display: block; margin-top: 1.5rem; color: light-dark(#6c6c65, #94948c) }
</style>
</head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><small>mcp-gen-ui</small></main></body>
</html>
`

const respond = (response: ServerResponse, status: number, title: string, text: string): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close"
  })
  response.end(pageOf(title, text))
}

const isSame = (given: string | null, expected: string): boolean => {
  const a = Buffer.from(given ?? "")
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const listening = (server: Server, port: number): Effect.Effect<void, NodeJS.ErrnoException> =>
  Effect.callback((resume) => {
    const onError = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", onError)
    server.listen(port, "127.0.0.1", () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/**
 * Waits on a loopback port for the browser that comes back from a login (RFC 8252, 7.3), until the scope closes. It
 * answers to its own address only, so that no page of the web reaches it through a name that points to loopback.
 */
export const listenForLogin = Effect.fn("listenForLogin")(function* (
  options: LoginCallbackOptions
): Effect.fn.Return<LoginCallback, CallbackUnavailable, Scope.Scope> {
  const { createServer } = yield* Effect.promise(() => import("node:http"))
  const answered = yield* Deferred.make<LoginAnswer>()
  let waiting: ServerResponse | undefined
  let last: readonly [string, string] = ["This login is being finished", "You can close this window."]

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const own = ["127.0.0.1", "localhost"].map((name) => `${name}:${portOf(server)}`)
    if (!own.includes(request.headers.host ?? "")) {
      return respond(response, 421, "Not here", "This address is for a login on this machine only.")
    }
    const { pathname, searchParams } = new URL(request.url ?? "/", `http://${own[0]}`)
    if (pathname !== CALLBACK_PATH) return respond(response, 404, "Nothing here", "You can close this window.")
    if (request.method !== "GET") return respond(response, 405, "Not like this", "Only a browser is expected here.")
    if (!isSame(searchParams.get("state"), options.state)) {
      return respond(
        response,
        400,
        "Not this login",
        "The answer belongs to another login, or to one that is over. Nothing was changed."
      )
    }
    const told = (name: string) => searchParams.get(name) ?? undefined
    const answer: LoginAnswer = {
      code: told("code"),
      error: told("error"),
      errorDescription: told("error_description"),
      iss: told("iss")
    }
    if (Deferred.isDoneUnsafe(answered)) return respond(response, 200, ...last)
    waiting = response
    Deferred.doneUnsafe(answered, Effect.succeed(answer))
  }

  const server = createServer((request, response) => {
    try {
      handle(request, response)
    } catch {
      respond(response, 400, "Not understood", "The address of this page is damaged.")
    }
  })
  yield* Effect.acquireRelease(
    listening(server, options.port).pipe(
      Effect.catch((cause) => (options.port === 0 ? Effect.fail(cause) : listening(server, 0))),
      Effect.mapError((cause) => new CallbackUnavailable({ detail: cause.code ?? cause.message }))
    ),
    () => close(server)
  )

  const conclude = (title: string, text: string): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      last = [title, text]
      const response = waiting
      waiting = undefined
      if (response === undefined || response.destroyed) return resume(Effect.void)
      response.once("close", () => resume(Effect.void))
      respond(response, 200, title, text)
    }).pipe(Effect.timeoutOption(FLUSH_MS), Effect.asVoid)

  yield* Effect.addFinalizer(() =>
    conclude("The login was not finished", "mcp-gen-ui ended before it was complete. You can close this window.")
  )
  return {
    redirectUrl: `http://${options.hostname}:${portOf(server)}${CALLBACK_PATH}`,
    answer: Deferred.await(answered),
    conclude
  }
})
