import type { IncomingMessage, ServerResponse } from "node:http"
import { answerText } from "./httpAnswers.ts"

/** Why no session can be taken now. */
export type NotReady = "SHUTTING_DOWN" | "SESSIONS_EXHAUSTED" | "UPSTREAM_UNAVAILABLE"

const MESSAGES: Readonly<Record<NotReady, string>> = {
  SHUTTING_DOWN: "mcp-gen-ui is ending",
  SESSIONS_EXHAUSTED: "all sessions are in use (http.maxSessions)",
  UPSTREAM_UNAVAILABLE: "the MCP server could not be started or reached"
}

/** Prometheus, text format 0.0.4. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

const METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"])

export interface HttpProbesOptions {
  /** `undefined` if a session can be taken. */
  readonly notReady: () => NotReady | undefined
  /** All metrics in the text format of Prometheus. */
  readonly metrics: () => string
  /** Whether a request brings the token, if one is needed; otherwise it is answered. */
  readonly authorizes: (request: IncomingMessage, response: ServerResponse) => boolean
}

const answer = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store"
  })
  response.end(text)
}

/**
 * What supervisors ask: whether the process lives (`/healthz`), whether it can take a session (`/readyz`), and what it
 * has counted (`/metrics`, which needs the token). Answers `false` for any other path.
 */
export const httpProbes = ({ authorizes, metrics, notReady }: HttpProbesOptions) => {
  const probes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
    "/healthz": (_, response) => answerText(response, 200, "ok"),
    "/readyz": (_, response) => {
      const reason = notReady()
      if (reason === undefined) return answerText(response, 200, "ready")
      const line = JSON.stringify({ ready: false, reason, message: MESSAGES[reason] })
      answer(response, 503, "application/json", `${line}\n`)
    },
    "/metrics": (request, response) => {
      if (authorizes(request, response)) answer(response, 200, METRICS_TYPE, metrics())
    }
  }
  return (path: string, request: IncomingMessage, response: ServerResponse): boolean => {
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined
    if (probe === undefined) return false
    if (METHODS.has(request.method)) probe(request, response)
    else {
      response.setHeader("allow", "GET, HEAD")
      answerText(response, 405, "Method not allowed.")
    }
    return true
  }
}
