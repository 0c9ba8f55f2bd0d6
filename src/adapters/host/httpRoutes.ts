import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import {
  acceptsAll,
  isLegacyVersion,
  isModernVersion,
  legacyVersions,
  mediaTypeOf,
  namesType
} from "../../domain/wire/HttpHeaders.ts"
import { type Posted, readPosted, refusal } from "../../domain/host/HttpMessages.ts"
import { answerEmpty, answerRefusal, answerText } from "./httpAnswers.ts"
import type { HttpBodies } from "./httpBody.ts"
import type { HttpGuard } from "./httpGuard.ts"
import type { HttpHost, HttpHostEnd } from "./httpHost.ts"
import { HttpLegacyHost } from "./httpLegacyHost.ts"
import type { HttpModernHost } from "./httpModernHost.ts"
import { httpProbes, type HttpProbesOptions } from "./httpProbes.ts"
import { HttpSseHost } from "./httpSseHost.ts"

const JSON_TYPE = "application/json"
const EVENTS_TYPE = "text/event-stream"
/** Streamable HTTP, all eras. */
export const ENDPOINT = "/mcp"
/** HTTP with SSE, of 2024-11-05. */
const SSE_ENDPOINT = "/sse"
export const MESSAGES_ENDPOINT = "/messages"

const NO_SESSION = "Session not found"
/** When to try again if all sessions are in use. */
const RETRY_SECONDS = 10

export type LegacyPost = Extract<Posted, { kind: "legacy" }>
type ModernPost = Extract<Posted, { kind: "modern" }>

/** The sessions that there are, and the ways to begin and end one. */
interface HttpSessions {
  readonly host: (key: string) => HttpHost | undefined
  /** What hosts of the modern era share, if it is there. */
  readonly pool: () => HttpModernHost | undefined
  /** Opens a session and answers the request that begins it. */
  readonly beginLegacy: (post: LegacyPost, response: ServerResponse) => void
  readonly beginSse: (response: ServerResponse) => void
  /** Calls back with what hosts of the modern era share; it is opened when it is not there. */
  readonly withPool: (use: (host: HttpModernHost) => void, failed: (why: HttpHostEnd) => void) => void
  readonly end: (host: HttpHost, key: string, end: HttpHostEnd) => void
}

export interface HttpRoutesOptions {
  readonly sessions: HttpSessions
  readonly guard: HttpGuard
  readonly bodies: HttpBodies
  readonly probes: Pick<HttpProbesOptions, "notReady" | "metrics">
  /** Something failed that should not be able to. */
  readonly onFault: (cause: unknown) => void
}

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === "string" ? value : value?.[0]
}

/** Answers that there is no session, or that it has ended; `id` is JSON text. */
export const refuse = (response: ServerResponse, { code, message, status }: HttpHostEnd, id?: string): void =>
  answerRefusal(response, refusal(status, code, message, id), status === 503 ? { "retry-after": RETRY_SECONDS } : {})

/** Which paths there are, and what a request to each needs. */
export const httpRoutes = ({ bodies, guard, onFault, probes, sessions }: HttpRoutesOptions): RequestListener => {
  /** A fault of ours fails one request, not the process. */
  const safely = (response: ServerResponse, work: () => void): void => {
    try {
      work()
    } catch (cause) {
      onFault(cause)
      answerRefusal(response, refusal(500, -32603, "mcp-gen-ui failed to answer; its log has the details"))
    }
  }

  const readBody = (request: IncomingMessage, response: ServerResponse, use: (body: Uint8Array) => void): void =>
    bodies.read(request, response, (body) => safely(response, () => use(body)))

  const isReadable = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (mediaTypeOf(request.headers["content-type"]) === JSON_TYPE) return true
    const message = `Unsupported Media Type: the Content-Type has to be ${JSON_TYPE}`
    answerRefusal(response, refusal(415, -32000, message))
    return false
  }

  const isAcceptable = (response: ServerResponse, isNamed: boolean, types: ReadonlyArray<string>): boolean => {
    if (isNamed) return true
    answerRefusal(
      response,
      refusal(406, -32000, `Not Acceptable: the Accept header has to name ${types.join(" and ")}`)
    )
    return false
  }

  const acceptsBoth = (request: IncomingMessage, response: ServerResponse): boolean => {
    const types = [JSON_TYPE, EVENTS_TYPE]
    return isAcceptable(response, acceptsAll(request.headers.accept, types), types)
  }

  /** The type has to be named: for a picture on any page of the web, a browser accepts every type. */
  const acceptsEvents = (request: IncomingMessage, response: ServerResponse): boolean =>
    isAcceptable(response, namesType(request.headers.accept, EVENTS_TYPE), [EVENTS_TYPE])

  /** The session that a request names; answers by itself when there is none. */
  const sessionOf = (request: IncomingMessage, response: ServerResponse): HttpLegacyHost | undefined => {
    const key = header(request, "mcp-session-id")
    const host = key === undefined ? undefined : sessions.host(key)
    if (key === undefined)
      answerRefusal(response, refusal(400, -32000, "Bad Request: the header Mcp-Session-Id is missing"))
    else if (!(host instanceof HttpLegacyHost) || host.isEnded)
      answerRefusal(response, refusal(404, -32001, NO_SESSION))
    else {
      const version = header(request, "mcp-protocol-version")
      if (version === undefined || isLegacyVersion(version)) {
        host.used()
        return host
      }
      const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${legacyVersions.join(", ")})`
      answerRefusal(response, refusal(400, -32000, message))
    }
    return undefined
  }

  const postModern = (post: ModernPost, request: IncomingMessage, response: ServerResponse): void => {
    const id = post.message.head.kind === "notification" ? "null" : post.message.head.id
    sessions.withPool(
      (host) => {
        const wrong = host.mismatch(post, request.headers)
        if (wrong !== undefined) answerRefusal(response, wrong)
        else if (!response.destroyed) host.post(post, response)
      },
      (why) => refuse(response, why, id)
    )
  }

  const onPost = (request: IncomingMessage, response: ServerResponse): void => {
    if (!acceptsBoth(request, response) || !isReadable(request, response)) return
    const key = header(request, "mcp-session-id")
    const known = key === undefined ? undefined : sessions.host(key)
    const read = (): void =>
      readBody(request, response, (body) => {
        const post = readPosted(body, header(request, "mcp-protocol-version")?.trim())
        if (post.kind === "refused") return answerRefusal(response, post.refusal)
        if (post.kind === "modern") return postModern(post, request, response)
        if (post.initialize !== undefined && key === undefined) return sessions.beginLegacy(post, response)
        const host = sessionOf(request, response)
        if (host === undefined) return
        if (post.initialize === undefined) return host.post(post.messages, post.isBatch, response)
        answerRefusal(response, refusal(400, -32600, "Invalid Request: the session is initialized already"))
      })
    const isModern = isModernVersion(header(request, "mcp-protocol-version") ?? "")
    const host = isModern ? sessions.pool() : known
    if (host === undefined) read()
    else host.whenReading(read)
  }

  const onGet = (request: IncomingMessage, response: ServerResponse): void => {
    if (!acceptsEvents(request, response)) return
    const host = sessionOf(request, response)
    host?.openStream(response, header(request, "last-event-id"))
  }

  const onDelete = (request: IncomingMessage, response: ServerResponse): void => {
    const host = sessionOf(request, response)
    if (host === undefined) return
    sessions.end(host, host.sessionId, { status: 404, code: -32000, message: "the host has ended the session" })
    answerEmpty(response, 200)
  }

  const onMessages = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    const host = sessions.host(url.searchParams.get("sessionId") ?? "")
    if (!(host instanceof HttpSseHost)) return answerRefusal(response, refusal(404, -32001, NO_SESSION))
    if (!isReadable(request, response)) return
    host.whenReading(() =>
      readBody(request, response, (body) => {
        const post = readPosted(body, undefined)
        if (post.kind === "legacy") host.post(post.messages, response)
        else if (post.kind === "refused") answerRefusal(response, post.refusal)
        else
          answerRefusal(
            response,
            refusal(400, -32600, `Invalid Request: version ${post.version} is served at ${ENDPOINT}`)
          )
      })
    )
  }

  const routes: Readonly<Record<string, Readonly<Record<string, (...args: Parameters<typeof onMessages>) => void>>>> = {
    [ENDPOINT]: { POST: onPost, GET: onGet, DELETE: onDelete },
    [SSE_ENDPOINT]: {
      GET: (request, response) => {
        if (acceptsEvents(request, response)) sessions.beginSse(response)
      }
    },
    [MESSAGES_ENDPOINT]: { POST: onMessages }
  }

  const answersProbe = httpProbes({
    ...probes,
    authorizes: (request, response) => guard.authorizes(request, response)
  })

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader("x-content-type-options", "nosniff")
    if (!guard.admits(request, response)) return
    const url = URL.parse(request.url ?? "/", "http://localhost")
    const path = url?.pathname ?? ""
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    const method = request.method ?? ""
    if (route !== undefined && url !== null) {
      if (!guard.authorizes(request, response)) return
      const handle = Object.hasOwn(route, method) ? route[method] : undefined
      if (handle !== undefined) return handle(request, response, url)
      const allow = Object.keys(route).join(", ")
      return answerRefusal(response, refusal(405, -32000, "Method not allowed."), { allow })
    }
    if (answersProbe(path, request, response)) return
    if (path === "/" && (method === "GET" || method === "HEAD")) {
      const text = `mcp-gen-ui: an MCP server that gives every tool an interactive UI.\nConnect an MCP host to ${ENDPOINT} (Streamable HTTP), or to ${SSE_ENDPOINT} if it knows only HTTP with SSE.`
      return answerText(response, 200, text)
    }
    answerText(response, 404, `Nothing is here; MCP is at ${ENDPOINT}.`)
  }

  return (request, response) => safely(response, () => onRequest(request, response))
}
