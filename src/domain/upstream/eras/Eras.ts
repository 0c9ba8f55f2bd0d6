import { ENVELOPE_VERSION } from "../../wire/AppsExtension.ts"
import { isObject } from "../../isObject.ts"
import { isLegacyVersion, MODERN_VERSION } from "../../wire/HttpHeaders.ts"
import { CAPABILITY_MISSING, HEADER_MISMATCH, UNSUPPORTED_VERSION } from "../../wire/RequestFailed.ts"
import { decodedAt, stringAt } from "../../wire/Rewrites.ts"

export { MODERN_VERSION }

/** The last revision of the legacy era. */
export const LEGACY_VERSION = "2025-11-25"

/** The revision to answer a host of the legacy era: its own if it exists. */
export const legacyVersionFor = (asked: string | undefined): string =>
  asked !== undefined && isLegacyVersion(asked) ? asked : LEGACY_VERSION

/** Keys of `_meta` in the modern era, beside those of the envelope. */
export const LOG_LEVEL = "io.modelcontextprotocol/logLevel"
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo"

const MODERN_CODES: ReadonlySet<unknown> = new Set([HEADER_MISMATCH, CAPABILITY_MISSING, UNSUPPORTED_VERSION])
/** The legacy error that asks for a visit to a URL before a call (2025-11-25, "URL elicitation required"). */
export const URL_ELICITATION_REQUIRED = -32_042

/** Requests that a server of the modern era may answer with `input_required`. */
export const INPUT_METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

/** Requests of a server to a host, with the capability that the host must have announced. */
export const INPUT_REQUESTS: ReadonlyMap<string, string> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"]
])

/** Methods whose results say in the modern era how long they last. */
const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "server/discover"
])

/** Members, as JSON, that every result has in the modern era. How long a result lasts is unknown. */
export const completeMembers = (method: string): ReadonlyArray<readonly [key: string, json: string]> => [
  ["resultType", '"complete"'],
  ...(CACHEABLE_METHODS.has(method)
    ? ([
        ["ttlMs", "0"],
        ["cacheScope", '"private"']
      ] as const)
    : [])
]

/** Levels of log messages (RFC 5424), the least severe first. */
export const LOG_LEVELS: ReadonlyArray<string> = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
]

/** Whether a request carries the envelope of the modern era. */
export const isModernRequest = (frame: Uint8Array): boolean =>
  stringAt(frame, ["params", "_meta", ENVELOPE_VERSION]) !== undefined

/** Whether a server that greeted so offers a capability, with this feature if one is asked for. */
export type Offers = (capability: string, feature?: string) => boolean

/** `greeting` is a server's answer to `initialize` or `server/discover`. */
export const offersIn = (greeting: Uint8Array): Offers => {
  const capabilities = decodedAt(greeting, ["result", "capabilities"])
  return (capability, feature) => {
    const offer = isObject(capabilities) ? capabilities[capability] : undefined
    return isObject(offer) && (feature === undefined || offer[feature] === true)
  }
}

/** Whether a list of protocol revisions names one of the modern era. */
export const namesModernVersion = (versions: unknown): boolean =>
  Array.isArray(versions) && versions.some((version) => typeof version === "string" && version >= MODERN_VERSION)

/** Whether an error frame can only come from a server of the modern era. */
export const isModernError = (frame: Uint8Array): boolean => {
  const code = decodedAt(frame, ["error", "code"])
  return code === UNSUPPORTED_VERSION
    ? namesModernVersion(decodedAt(frame, ["error", "data", "supported"]))
    : MODERN_CODES.has(code)
}
