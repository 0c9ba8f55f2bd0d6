/** Versions that the header `MCP-Protocol-Version` may name in the legacy era, as the SDKs know them. */
const LEGACY_VERSIONS: ReadonlySet<string> = new Set([
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25"
])

/** The version without sessions that is served. */
export const MODERN_VERSION = "2026-07-28"

export const legacyVersions: ReadonlyArray<string> = [...LEGACY_VERSIONS].toReversed()

export const isLegacyVersion = (version: string): boolean => LEGACY_VERSIONS.has(version)

/** Whether a version is one of the modern era, also one that does not exist yet. */
export const isModernVersion = (version: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(version) && version >= MODERN_VERSION

/** Type and subtype of a Content-Type header in lower case, without its parameters (RFC 9110, 8.3.1). */
export const mediaTypeOf = (header: string | undefined): string | undefined => {
  const [type = ""] = (header ?? "").split(";", 1)
  const trimmed = type.trim().toLowerCase()
  return trimmed === "" || trimmed.includes(",") ? undefined : trimmed
}

const rangesOf = (header: string | undefined): ReadonlyArray<string | undefined> =>
  (header ?? "").split(",").map((range) => mediaTypeOf(range))

/** Whether an Accept header names a media type, and not by a wildcard: those stand in every request of a browser. */
export const namesType = (header: string | undefined, type: string): boolean => rangesOf(header).includes(type)

/** Whether an Accept header names all of these media types, itself or by a wildcard (RFC 9110, 12.5.1). */
export const acceptsAll = (header: string | undefined, types: ReadonlyArray<string>): boolean => {
  const ranges = rangesOf(header)
  return types.every((type) => ranges.some((range) => range === type || range === "*/*" || range === wildcardOf(type)))
}

const wildcardOf = (type: string): string => `${type.slice(0, type.indexOf("/"))}/*`

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The value of an `Mcp-…` header (MCP 2026-07-28, Streamable HTTP, "Value Encoding"): `=?base64?…?=` is UTF-8 in
 * Base64, anything else is itself. `undefined`: it is wrongly encoded.
 */
export const decodeHeaderValue = (value: string): string | undefined => {
  const text = value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "")
  if (!text.startsWith("=?base64?") || !text.endsWith("?=")) return text
  const base64 = text.slice(9, -2)
  if (!BASE64.test(base64)) return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The host name in a Host header, in the form of URLs: lower case, IPv6 in brackets, no port. */
const hostnameOf = (header: string): string | undefined => {
  const url = `http://${header}/`
  return /[\s/?#@\\]/.test(header) || !URL.canParse(url) ? undefined : new URL(url).hostname
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address)

/** An address of the machine as a socket tells it, in the form of URLs; IPv4 inside of IPv6 is IPv4. */
const addressName = (address: string): string =>
  hostnameOf(bracketed(address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/, ""))) ?? address

/**
 * Whether a request with this Host header is meant for us: it names this machine, the address that the connection came
 * to, or what the configuration allows (a name for any port, or a name with a port). Otherwise a page of the web could
 * reach us through a name of its own that points here.
 */
export const isHostAllowed = (
  header: string | undefined,
  served: {
    readonly listening: string
    readonly localAddress: string | undefined
    readonly allowed: ReadonlyArray<string>
  }
): boolean => {
  const name = header === undefined ? undefined : hostnameOf(header)
  if (header === undefined || name === undefined) return false
  if (LOCAL_NAMES.has(name) || name === hostnameOf(bracketed(served.listening))) return true
  if (served.localAddress !== undefined && name === addressName(served.localAddress)) return true
  const written = header.toLowerCase()
  return served.allowed.some((allowed) => {
    const lower = allowed.toLowerCase()
    return lower === written || lower === name || `[${lower}]` === name
  })
}

/**
 * Whether a page of this origin may connect: one of the very address that it asks (`host`, which has been checked), one that
 * the configuration allows or, where it has to bring a token anyway, one of this machine on any port. Without a token, any
 * local program that serves pages could start servers.
 */
export const isOriginAllowed = (
  origin: string,
  page: { readonly host: string; readonly allowed: ReadonlyArray<string>; readonly hasToken: boolean }
): boolean => {
  const { allowed, hasToken, host } = page
  if (allowed.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { hostname, origin: serialized, protocol } = new URL(origin)
  if (protocol !== "http:" && protocol !== "https:") return false
  if (hasToken && LOCAL_NAMES.has(hostname)) return true
  return [`${protocol}//${host}`, ...allowed].some((own) => URL.canParse(own) && new URL(own).origin === serialized)
}

/**
 * Whether a browser says that a page of another site asks (Fetch Metadata). It does so where it names no Origin: for pictures
 * and links, and for what a page sends without wanting to read the answer. Another port is the same site.
 */
export const isOfAnotherSite = (header: string | undefined): boolean =>
  header !== undefined && header !== "same-origin" && header !== "none"
