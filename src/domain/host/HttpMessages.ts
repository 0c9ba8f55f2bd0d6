import { isObject } from "../isObject.ts"
import { ENVELOPE_CAPABILITIES, ENVELOPE_VERSION } from "../wire/AppsExtension.ts"
import { type FrameHead, frameStart, readHead } from "../wire/Frame.ts"
import { decodeHeaderValue, isModernVersion, MODERN_VERSION } from "../wire/HttpHeaders.ts"
import { elementsOf, skipSpace, skipValue } from "../wire/JsonBytes.ts"
import { asOneLine } from "../wire/OneLine.ts"
import { HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION } from "../wire/RequestFailed.ts"
import { decodedAt, stringAt } from "../wire/Rewrites.ts"

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

/** Up to this size a body is parsed to check that it is JSON; above, only that its brackets are balanced. */
const PARSED_BYTES = 65_536
const MAX_BATCH = 100

/** An answer that does not come from the server: an HTTP status and a JSON-RPC error. `id` is JSON text. */
export interface HttpRefusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly id: string
}

/** One message of a POST, on one line. */
export interface PostedMessage {
  readonly frame: Uint8Array
  readonly head: FrameHead
}

/** What a POST body brings; the headers are checked against it. */
export type Posted =
  | { readonly kind: "refused"; readonly refusal: HttpRefusal }
  | {
      readonly kind: "legacy"
      readonly messages: ReadonlyArray<PostedMessage>
      readonly isBatch: boolean
      /** The request that begins a session. */
      readonly initialize: PostedMessage | undefined
    }
  | {
      readonly kind: "modern"
      readonly message: PostedMessage
      readonly version: string
      readonly meta: Readonly<Record<string, unknown>>
    }

export const refusal = (status: number, code: number, message: string, id = "null", data?: unknown): HttpRefusal => ({
  status,
  code,
  message,
  id,
  ...(data === undefined ? {} : { data })
})

const refused = (...args: Parameters<typeof refusal>): Posted => ({ kind: "refused", refusal: refusal(...args) })

const isJson = (text: Uint8Array): boolean => {
  const end = skipValue(text, skipSpace(text, 0))
  if (end === undefined || skipSpace(text, end) < text.length) return false
  if (text.length > PARSED_BYTES) return true
  try {
    JSON.parse(new TextDecoder().decode(text))
    return true
  } catch {
    return false
  }
}

const isId = (id: string): boolean => /^["\d-]/.test(id)

const messageOf = (frame: Uint8Array): PostedMessage | undefined => {
  const head = readHead(frame)
  if (head === undefined || (head.kind !== "notification" && !isId(head.id))) return undefined
  return stringAt(frame, ["jsonrpc"]) === "2.0" ? { frame, head } : undefined
}

const metaOf = (frame: Uint8Array): Readonly<Record<string, unknown>> | undefined => {
  const meta = decodedAt(frame, ["params", "_meta"])
  return isObject(meta) ? meta : undefined
}

const readBatch = (text: Uint8Array): Posted => {
  const elements = elementsOf(text, { start: frameStart(text), end: text.length }) ?? []
  if (elements.length === 0) return refused(400, INVALID_REQUEST, "Invalid Request: the batch is empty")
  if (elements.length > MAX_BATCH) {
    return refused(400, INVALID_REQUEST, `Invalid Request: a batch may hold ${MAX_BATCH} messages`)
  }
  const messages = elements.map(({ end, start }) => messageOf(text.subarray(start, end)))
  const read = messages.filter((message) => message !== undefined)
  if (read.length < messages.length) {
    return refused(400, INVALID_REQUEST, "Invalid Request: the batch holds what is no JSON-RPC message")
  }
  if (read.some(({ frame }) => ENVELOPE_VERSION in (metaOf(frame) ?? {}))) {
    return refused(400, INVALID_REQUEST, `Invalid Request: version ${MODERN_VERSION} knows no batches`)
  }
  if (read.some(({ head }) => head.kind === "request" && head.method === "initialize")) {
    return refused(400, INVALID_REQUEST, "Invalid Request: initialize comes alone")
  }
  return { kind: "legacy", messages: read, isBatch: true, initialize: undefined }
}

const idOf = ({ head }: PostedMessage): string => (head.kind === "notification" ? "null" : head.id)

const mismatch = (id: string, header: string, found: string | undefined, body: string): HttpRefusal =>
  refusal(
    400,
    HEADER_MISMATCH,
    `Bad Request: the header ${header} ${found === undefined ? "is missing" : `says ${JSON.stringify(found)}`}, ${body}`,
    id,
    { mismatch: { header: found ?? "(missing)", body } }
  )

const readModern = (
  message: PostedMessage,
  meta: Readonly<Record<string, unknown>>,
  versionHeader: string | undefined
): Posted => {
  const version = meta[ENVELOPE_VERSION]
  const id = idOf(message)
  if (typeof version !== "string") {
    const key = ENVELOPE_VERSION
    return refused(400, INVALID_PARAMS, `Invalid params: _meta["${key}"] is no text`, id, { envelope: { key } })
  }
  if (versionHeader !== undefined && versionHeader !== version) {
    const said = mismatch(id, "MCP-Protocol-Version", versionHeader, `the body names protocol version ${version}`)
    return { kind: "refused", refusal: said }
  }
  if (message.head.kind === "request" && !isObject(meta[ENVELOPE_CAPABILITIES])) {
    const key = ENVELOPE_CAPABILITIES
    return refused(400, INVALID_PARAMS, `Invalid params: _meta["${key}"] is missing`, id, { envelope: { key } })
  }
  return version === MODERN_VERSION
    ? { kind: "modern", message, version, meta }
    : refused(400, UNSUPPORTED_VERSION, `Unsupported protocol version: ${version}`, id, {
        supported: [MODERN_VERSION],
        requested: version
      })
}

/**
 * Reads the body of a POST and finds its era. The body decides: a request of the modern era has its version in
 * `params._meta`. `versionHeader` is `MCP-Protocol-Version`, if the request has it.
 */
export const readPosted = (body: Uint8Array, versionHeader: string | undefined): Posted => {
  const text = asOneLine(body)
  if (!isJson(text)) return refused(400, PARSE_ERROR, "Parse error: the body is no JSON")
  if (text[frameStart(text)] === 0x5b) return readBatch(text)
  const message = messageOf(text)
  if (message === undefined) return refused(400, INVALID_REQUEST, "Invalid Request: the body is no JSON-RPC message")
  const { head } = message
  const meta = head.kind === "response" ? undefined : metaOf(text)
  if (meta !== undefined && ENVELOPE_VERSION in meta) return readModern(message, meta, versionHeader)
  if (versionHeader !== undefined && isModernVersion(versionHeader)) {
    if (head.kind === "notification") return { kind: "modern", message, version: versionHeader, meta: meta ?? {} }
    if (head.kind === "request" && head.method === "initialize") {
      const said = mismatch(
        head.id,
        "MCP-Protocol-Version",
        versionHeader,
        "but initialize is of the versions before it"
      )
      return { kind: "refused", refusal: said }
    }
    if (head.kind === "request") {
      const missing = meta === undefined ? ["_meta"] : [ENVELOPE_VERSION]
      const what = `version ${versionHeader} wants ${missing.join(", ")} in the params of a request`
      return refused(400, INVALID_PARAMS, `Invalid params: ${what}`, head.id, { envelope: { missing } })
    }
  }
  const isInitialize = head.kind === "request" && head.method === "initialize"
  return { kind: "legacy", messages: [message], isBatch: false, initialize: isInitialize ? message : undefined }
}

const isSame = (found: string, expected: string, isParam: boolean): boolean =>
  found === expected ||
  (isParam && /^-?\d+(?:\.\d+)?$/.test(found) && /^-?\d/.test(expected) && Number(found) === Number(expected))

/**
 * Checks the headers that must repeat a request of the modern era; `expected` are those headers, encoded as a host
 * would (Streamable HTTP 2026-07-28, "Server Validation"). Header names in `headers` are in lower case.
 */
export const headerMismatch = (
  id: string,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
  expected: Readonly<Record<string, string>>
): HttpRefusal | undefined => {
  for (const [name, encoded] of Object.entries(expected)) {
    const value = headers[name.toLowerCase()]
    const found = typeof value === "string" ? value : value?.join(", ")
    const body = decodeHeaderValue(encoded) ?? encoded
    if (found === undefined) return mismatch(id, name, undefined, `the body says ${JSON.stringify(body)}`)
    const decoded = decodeHeaderValue(found)
    if (decoded === undefined) return mismatch(id, name, found, "which is no Base64 of UTF-8")
    if (!isSame(decoded, body, name.startsWith("Mcp-Param-"))) {
      return mismatch(id, name, found, `the body says ${JSON.stringify(body)}`)
    }
  }
  return undefined
}
