import type { ServerResponse } from "node:http"
import { errorFrame } from "../../domain/wire/Frame.ts"
import type { HttpRefusal } from "../../domain/host/HttpMessages.ts"

export type HeaderValues = Readonly<Record<string, string | number>>

/** Ends a response with a frame, as the only message of a JSON body. `end` writes it, if it is no small one. */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: Uint8Array,
  headers: HeaderValues = {},
  end: (body: Uint8Array) => void = (body) => void response.end(body)
): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
    ...headers
  })
  end(body)
}

/** Ends a response with a JSON-RPC error. */
export const answerRefusal = (response: ServerResponse, refusal: HttpRefusal, headers: HeaderValues = {}): void => {
  const { code, data, id, message, status } = refusal
  answerJson(response, status, errorFrame(id, { code, message, ...(data === undefined ? {} : { data }) }), headers)
}

/** Ends a response without a body. */
export const answerEmpty = (response: ServerResponse, status: number, headers: HeaderValues = {}): void => {
  if (response.headersSent || response.destroyed) return
  // A 204 has no length (RFC 9110, 8.6).
  response.writeHead(status, status === 204 ? headers : { "content-length": 0, ...headers })
  response.end()
}

/** Ends a response with a text for people. */
export const answerText = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: HeaderValues = {}
): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers })
  response.end(`${text}\n`)
}

/** Begins a stream of events that stays open; `X-Accel-Buffering` tells reverse proxies not to hold them back. */
export const startEvents = (response: ServerResponse, headers: HeaderValues = {}): void => {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    ...headers
  })
  response.flushHeaders()
}
