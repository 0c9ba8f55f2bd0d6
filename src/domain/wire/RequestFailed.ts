import { Schema } from "effect"
import { errorFrame } from "./Frame.ts"

/** Codes of JSON-RPC 2.0 section 5.1, of MCP, and of the SDKs. */
export const METHOD_NOT_FOUND = -32601
export const INTERNAL_ERROR = -32603
/** "Connection closed" in the SDKs. */
export const CONNECTION_CLOSED = -32000
/** A resource that is not there, up to 2025-11-25. */
export const RESOURCE_NOT_FOUND = -32002
/** The same in 2026-07-28. */
export const INVALID_PARAMS = -32602
/** 2026-07-28 only: headers and body differ, the host lacks a capability, a version that is not served. */
export const HEADER_MISMATCH = -32020
export const CAPABILITY_MISSING = -32021
export const UNSUPPORTED_VERSION = -32022

/** An error response of our own. `data` says what kind of error it is and whether to try again; `frame` adds an id. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  code: Schema.Finite,
  detail: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
}) {
  override get message(): string {
    return this.detail
  }

  /** `id` is JSON text. */
  frame(id: string, requestId: string): Uint8Array {
    return errorFrame(id, { code: this.code, message: this.message, data: { ...this.data, requestId } })
  }
}

/** The server did not answer a request: it ended, or a message was too large. */
export const unanswered = (
  method: string,
  errorType: "UPSTREAM_EXITED" | "UPSTREAM_LOST" | "MESSAGE_TOO_LARGE",
  detail: string,
  toolName: string | null = null
): RequestFailed =>
  new RequestFailed({
    code: errorType === "MESSAGE_TOO_LARGE" ? INTERNAL_ERROR : CONNECTION_CLOSED,
    detail,
    data: { toolName, errorType, fallbackUsed: false, retryable: errorType !== "MESSAGE_TOO_LARGE", method }
  })
