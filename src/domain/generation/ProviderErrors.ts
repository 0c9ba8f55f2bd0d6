import { Predicate, Schema } from "effect"
import { shortened } from "../shortened.ts"
import type { ModelFailureCode } from "../tools/ModelFailureCode.ts"
import { KEY_SHAPE } from "../observability/KeyShapes.ts"
import { lookedAt } from "../observability/lookedAt.ts"

/** Why a request to a model's API failed, ready to be wrapped in an error. `detail` holds no key. */
export interface ProviderFailure {
  readonly code: ModelFailureCode
  /** The HTTP status; `null` if there was none, or if the failure came inside a stream that began with 200. */
  readonly status: number | null
  readonly retryAfterMs: number | null
  readonly detail: string
}

/** An answer began, and its own events show that it cannot be completed. */
export class AnswerBroken extends Schema.TaggedError<AnswerBroken>()("AnswerBroken", {
  code: Schema.Literals(["SERVER_ERROR", "NETWORK_ERROR", "CONTENT_FILTERED", "RATE_LIMIT", "INVALID_REQUEST"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** An API closed the connection before it said that the answer is complete. */
export const answerCutOff = (): AnswerBroken =>
  new AnswerBroken({ code: "NETWORK_ERROR", detail: "the connection closed before the answer was complete" })

/** How many characters of a provider's message are kept: it goes into logs, caches and UIs. */
const MAX_DETAIL_CHARACTERS = 400

/** A shorter key is a placeholder such as `none` or `EMPTY`; hiding it would hide words of the message. */
const MIN_SECRET_CHARACTERS = 8

const KEY_SHAPES: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, "$1 [redacted]"],
  [/((?:x-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi, "$1[redacted]"],
  [/(\/\/)[^\s/@:]+:[^\s/@]+@/g, "$1[redacted]@"],
  // Providers quote keys with stars for most of the characters.
  [/\b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx|csk|fw|r8)[-_][A-Za-z0-9_.*-]{4,}/g, "[redacted]"],
  [KEY_SHAPE, "[redacted]"]
]

/**
 * The beginning of a text, without the given secrets (plain or percent-encoded) and anything that looks like a key.
 */
export const redactKeys = (text: string, secrets: ReadonlyArray<string>): string => {
  const known = secrets.flatMap((secret) =>
    secret.length < MIN_SECRET_CHARACTERS ? [] : [secret, encodeURIComponent(secret)]
  )
  const seen = lookedAt(text, known)
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), seen)
  return KEY_SHAPES.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), withoutKnown)
}

/**
 * How long an answer asks to wait, in milliseconds: `retry-after-ms` (OpenAI), else `Retry-After` in seconds or as an
 * HTTP date (RFC 9110, section 10.2.3). `null` if neither can be read; 0 for a date in the past.
 */
export const retryAfterMs = (
  headers: { readonly get: (name: string) => string | null },
  nowMs: number
): number | null => {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "")
  if (milliseconds >= 0) return milliseconds
  const value = headers.get("retry-after")?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number.parseFloat(value) * 1000
  const date = Date.parse(value)
  return /[a-z]/i.test(value) && !Number.isNaN(date) ? Math.max(0, date - nowMs) : null
}

/** The code of an HTTP status. 529 is Anthropic's "overloaded"; 402 is an account that may not be charged. */
export const codeOfStatus = (status: number): ModelFailureCode => {
  if (status === 401 || status === 402 || status === 403) return "AUTH"
  if (status === 408) return "TIMEOUT"
  if (status === 429) return "RATE_LIMIT"
  if (status === 409 || status >= 500) return "SERVER_ERROR"
  return "INVALID_REQUEST"
}

const CODES_BY_NAME: Readonly<Record<string, ModelFailureCode>> = {
  // It comes with 429, but waiting does not help: someone has to pay first.
  insufficient_quota: "AUTH",
  billing_hard_limit_reached: "AUTH",
  billing_error: "AUTH",
  authentication_error: "AUTH",
  permission_error: "AUTH",
  invalid_api_key: "AUTH",
  rate_limit_error: "RATE_LIMIT",
  rate_limit_exceeded: "RATE_LIMIT",
  overloaded_error: "SERVER_ERROR",
  api_error: "SERVER_ERROR",
  server_error: "SERVER_ERROR",
  timeout_error: "TIMEOUT",
  invalid_request_error: "INVALID_REQUEST",
  not_found_error: "INVALID_REQUEST",
  request_too_large: "INVALID_REQUEST",
  invalid_prompt: "INVALID_REQUEST",
  context_length_exceeded: "INVALID_REQUEST",
  content_filter: "CONTENT_FILTERED",
  content_policy_violation: "CONTENT_FILTERED",
  bio_policy: "CONTENT_FILTERED",
  cyber_policy: "CONTENT_FILTERED",
  misalignment_policy_violation: "CONTENT_FILTERED"
}

/** Names that say more than the status they come with. */
const STRONGER_THAN_STATUS: ReadonlySet<ModelFailureCode> = new Set(["AUTH", "CONTENT_FILTERED"])

/** The code of an error's name in a provider's JSON (`error.type` or `error.code`); `undefined` for an unknown one. */
export const codeOfName = (name: unknown): ModelFailureCode | undefined =>
  typeof name === "string" && Object.hasOwn(CODES_BY_NAME, name) ? CODES_BY_NAME[name] : undefined

const property = (value: unknown, name: string): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

const causes = (error: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  for (let at = error; at !== undefined && at !== null && chain.length < 5; at = property(at, "cause")) chain.push(at)
  return chain
}

const text = (value: unknown, name: string): string => {
  const member = property(value, name)
  return typeof member === "string" ? member : ""
}

/** The provider's own sentence, if its JSON has one; the SDK's message only repeats that JSON. */
const words = (error: unknown): string => {
  const body = property(error, "error")
  return (
    text(property(body, "error"), "message") || text(body, "message") || text(error, "message") || text(error, "code")
  )
}

const describe = (chain: ReadonlyArray<unknown>): string => {
  const sentences: Array<string> = []
  for (const sentence of chain.map((error) => words(error).replace(/\.$/, ""))) {
    if (sentence !== "" && !sentences.some((earlier) => earlier.includes(sentence))) sentences.push(sentence)
  }
  return sentences.join(": ")
}

const isHeaders = (value: unknown): value is { readonly get: (name: string) => string | null } =>
  Predicate.hasProperty(value, "get") && typeof value.get === "function"

/** Codes of Node's sockets and name lookups, of its fetch (undici), and of TLS. */
const isNetworkCode = (code: unknown): boolean =>
  typeof code === "string" && /^(?:E[A-Z]+(?:_AGAIN)?|(?:UND_ERR|ERR_TLS|ERR_SSL|CERT)_\w+)$|_CERT(?:_|$)/.test(code)

const codeOfError = (error: unknown, chain: ReadonlyArray<unknown>, stage: "opening" | "reading"): ModelFailureCode => {
  const status = property(error, "status")
  const body = property(error, "error")
  const names = [error, body, property(body, "error")].flatMap((at) => [property(at, "type"), property(at, "code")])
  const named = names.map(codeOfName).filter((code) => code !== undefined)
  if (typeof status === "number") {
    return named.find((code) => STRONGER_THAN_STATUS.has(code)) ?? codeOfStatus(status)
  }
  if (named[0] !== undefined) return named[0]
  if (Predicate.hasProperty(body, "message") || Predicate.hasProperty(body, "error")) return "SERVER_ERROR"
  const said = chain.flatMap((at) => [text(at, "message"), text(at, "code")]).join("\n")
  if (chain.some((at) => property(at, "name") === "AbortError") || said.includes("Request was aborted"))
    return "ABORTED"
  if (/timed? ?out|_TIMEOUT\b|ETIMEDOUT/i.test(said)) return "TIMEOUT"
  if (error instanceof SyntaxError) return "SERVER_ERROR"
  if (chain.some((at) => isNetworkCode(property(at, "code"))) || /Connection error|fetch failed/.test(said)) {
    return "NETWORK_ERROR"
  }
  return stage === "opening" ? "INVALID_REQUEST" : "NETWORK_ERROR"
}

/**
 * Says what an error from a provider's SDK means. The SDKs of Anthropic and OpenAI throw the same shapes: `status`,
 * `headers` and the parsed body in `error` for an HTTP error, the same without a status for an error event in a stream,
 * `cause` for a failed connection. Anything else thrown before the answer began is a request that could not be made.
 */
export const providerFailure = (
  error: unknown,
  context: {
    readonly stage: "opening" | "reading"
    readonly secrets: ReadonlyArray<string>
    readonly nowMs: number
  }
): ProviderFailure => {
  const chain = causes(error)
  const status = property(error, "status")
  const headers = property(error, "headers")
  const said = redactKeys(describe(chain), context.secrets).replace(/\s+/g, " ").trim()
  const detail = shortened(said, MAX_DETAIL_CHARACTERS)
  return {
    code: error instanceof AnswerBroken ? error.code : codeOfError(error, chain, context.stage),
    status: typeof status === "number" ? status : null,
    retryAfterMs: typeof status === "number" && isHeaders(headers) ? retryAfterMs(headers, context.nowMs) : null,
    detail: detail === "" ? "no explanation was given" : detail
  }
}
