import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isHostAllowed, isOfAnotherSite, isOriginAllowed } from "../../domain/wire/HttpHeaders.ts"
import { refusal } from "../../domain/host/HttpMessages.ts"
import { answerEmpty, answerRefusal } from "./httpAnswers.ts"

export interface HttpGuardOptions {
  /** The address listened on. */
  readonly host: string
  readonly allowedHosts: ReadonlyArray<string>
  readonly allowedOrigins: ReadonlyArray<string>
  /** What hosts have to send as `Authorization: Bearer …`. */
  readonly token: string | undefined
}

const METHODS = "GET, POST, DELETE, OPTIONS"
/** What a page may read of our answers, beside what every page may. */
const EXPOSED = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After"
const PREFLIGHT_SECONDS = 600

const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Decides by the headers alone who may speak to us at all. */
export class HttpGuard {
  readonly #options: HttpGuardOptions
  readonly #token: Buffer | undefined

  constructor(options: HttpGuardOptions) {
    this.#options = options
    this.#token = options.token === undefined ? undefined : digest(options.token)
  }

  /** Whether a request may pass; otherwise it is answered. A page of an allowed origin may read the answer. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { allowedHosts, allowedOrigins, host } = this.#options
    const served = { listening: host, localAddress: request.socket.localAddress, allowed: allowedHosts }
    if (!isHostAllowed(request.headers.host, served)) {
      const name = JSON.stringify(request.headers.host ?? "")
      return this.#forbid(response, `Forbidden: the Host header ${name} is none of ours (http.allowedHosts)`)
    }
    const { host: asked = "", origin } = request.headers
    if (origin === undefined) {
      if (!isOfAnotherSite(request.headers["sec-fetch-site"])) return true
      return this.#forbid(response, "Forbidden: a web page asks that does not say its origin")
    }
    response.setHeader("vary", "Origin")
    if (!isOriginAllowed(origin, { host: asked, allowed: allowedOrigins, hasToken: this.#token !== undefined })) {
      return this.#forbid(
        response,
        `Forbidden: the origin ${JSON.stringify(origin)} may not connect (http.allowedOrigins)`
      )
    }
    response.setHeader("access-control-allow-origin", origin)
    response.setHeader("access-control-expose-headers", EXPOSED)
    if (request.method !== "OPTIONS") return true
    this.#preflight(request, response)
    return false
  }

  /** Whether a request brings the token; otherwise it is answered (RFC 6750, section 3). */
  authorizes(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#token === undefined) return true
    const match = /^bearer +(?<token>\S+) *$/i.exec(request.headers.authorization ?? "")
    const given = match?.groups?.token
    if (given !== undefined && timingSafeEqual(digest(given), this.#token)) return true
    const challenge = given === undefined ? "" : ', error="invalid_token"'
    const message =
      given === undefined
        ? "Unauthorized: send the token as Authorization: Bearer … (MCP_GEN_UI_TOKEN)"
        : "Unauthorized: the token is wrong"
    const headers = { "www-authenticate": `Bearer realm="mcp-gen-ui"${challenge}` }
    answerRefusal(response, refusal(401, -32000, message), headers)
    return false
  }

  #forbid(response: ServerResponse, message: string): false {
    answerRefusal(response, refusal(403, -32000, message))
    return false
  }

  #preflight(request: IncomingMessage, response: ServerResponse): void {
    const asked = request.headers["access-control-request-headers"]
    const isPrivate = request.headers["access-control-request-private-network"] === "true"
    answerEmpty(response, 204, {
      "access-control-allow-methods": METHODS,
      "access-control-max-age": PREFLIGHT_SECONDS,
      ...(asked !== undefined && HEADER_NAMES.test(asked) ? { "access-control-allow-headers": asked } : {}),
      ...(isPrivate ? { "access-control-allow-private-network": "true" } : {})
    })
  }
}
