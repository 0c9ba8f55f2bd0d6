import { Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { RequestHandler } from "./httpServer.ts"
import { readBody, respondText } from "./httpServer.ts"
import { declaredDomains, viewPolicy } from "./viewPolicy.ts"

export interface SandboxOriginOptions {
  /** The proxy page: it relays messages between the host page and the view, which it frames. */
  readonly page: string
  /** The only origin that may frame the proxy. */
  readonly hostOrigin: () => string
}

const longestDocument = 32 * 1024 * 1024
const mostDocuments = 16

const PostedDocument = Schema.fromJsonString(
  Schema.Struct({ html: Schema.String, csp: Schema.optionalKey(Schema.Unknown) })
)
const decodePosted = Schema.decodeUnknownOption(PostedDocument)

const proxyPolicy = (hostOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${hostOrigin}`
  ].join("; ")

const respondHtml = (response: ServerResponse, html: string, policy: string): void => {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy
  })
  response.end(html)
}

/**
 * The origin that views run on, apart from the host page. It serves the sandbox proxy at `/` and, under a random
 * name each, the few latest documents that the proxy has posted to `/documents`, with the policy of MCP Apps as
 * their header. A view itself is on an opaque origin, so it can post nothing here.
 */
export const sandboxOrigin = (options: SandboxOriginOptions): RequestHandler => {
  const documents = new Map<string, { readonly html: string; readonly policy: string }>()

  const keepDocument = Effect.fn("preview.keepDocument")(function* (
    request: IncomingMessage,
    response: ServerResponse
  ) {
    const posted = decodePosted(yield* readBody(request, longestDocument))
    if (Option.isNone(posted)) return respondText(response, 400, "The body must be JSON with a text html.")
    const name = randomBytes(16).toString("base64url")
    documents.set(name, { html: posted.value.html, policy: viewPolicy(declaredDomains(posted.value.csp)) })
    for (const oldest of [...documents.keys()].slice(0, -mostDocuments)) documents.delete(oldest)
    response.writeHead(201, { "content-type": "application/json", "cache-control": "no-store" })
    response.end(JSON.stringify({ path: `/documents/${name}` }))
  })

  return (request, response, origin) => {
    const { pathname } = new URL(request.url ?? "/", origin)
    if (request.method === "POST" && pathname === "/documents") {
      if (request.headers.origin === origin) return keepDocument(request, response)
      return Effect.sync(() => respondText(response, 403, "Only the sandbox proxy may post documents."))
    }
    return Effect.sync(() => {
      if (request.method !== "GET") return respondText(response, 405, "Only GET is answered here.")
      if (pathname === "/") return respondHtml(response, options.page, proxyPolicy(options.hostOrigin()))
      const document = documents.get(pathname.slice("/documents/".length))
      if (document === undefined || !pathname.startsWith("/documents/")) {
        return respondText(response, 404, "There is no such document.")
      }
      respondHtml(response, document.html, document.policy)
    })
  }
}
