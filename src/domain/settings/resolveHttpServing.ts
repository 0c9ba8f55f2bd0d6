import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import { type Said, saidIn, saidSecret, type Told } from "./ConfigProblem.ts"
import type { Environment } from "./ConfigText.ts"
import {
  canonicalHost,
  isLoopback,
  isUnspecified,
  LISTEN_ADDRESS_EXPECTED,
  readListenAddress
} from "./ListenAddress.ts"
import { BEARER_TOKEN_EXPECTED, HOST_TOKEN_VARIABLE, isBearerToken, NOT_SHOWN, quotedAddress } from "./Secrets.ts"

export interface HttpServingSources {
  /** `[HOST:]PORT`, or `off`. */
  readonly address: Said<string> | undefined
  readonly environment: Environment
  readonly section: ConfigFile["http"]
  readonly file: string
}

/**
 * Serving hosts over HTTP instead of standard input and output.
 *
 * @example
 * import { type HttpServing, layerHttpHosts } from "mcp-gen-ui"
 *
 * const layerOnAnyPort = (serving: HttpServing) => layerHttpHosts({ ...serving, port: 0 })
 */
export interface HttpServing {
  /** The address to listen on; loopback unless there is a token. */
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What hosts have to send as `Authorization: Bearer …`. */
  readonly token: Redacted.Redacted | undefined
  /** Origins of pages that may connect, beside those of this machine. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Values of the Host header to answer to, beside the address listened on and the names of this machine. */
  readonly allowedHosts: ReadonlyArray<string>
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly maxBodyBytes: number
}

/** Shorter tokens can be guessed by trying. */
const SHORTEST_TOKEN = 16

const MAKE_A_TOKEN = `node -p "crypto.randomBytes(32).toString('hex')"`

/** Scheme, host and perhaps a port. */
export const ALLOWED_ORIGIN = /^[A-Za-z][\d+.A-Za-z-]*:\/\/[^\s*/?#@\\]+$/

/** An origin as browsers send it (RFC 6454): scheme, host, port if it is not the scheme's own. */
const canonicalOrigin = (text: string): string | undefined => {
  if (!ALLOWED_ORIGIN.test(text) || !URL.canParse(text)) return undefined
  const { origin } = new URL(text)
  return origin === "null" ? text : origin
}

/** A name or an address, in brackets if it has colons, and perhaps a port. */
export const ALLOWED_HOST = /^(?<host>\[[^\]]+\]|[^\s*:[\]]+)(?::(?<port>\d{1,5}))?$/

/** The value of a Host header: name or address, and the port if there is one. */
const canonicalAuthority = (text: string): string | undefined => {
  const match = ALLOWED_HOST.exec(text)
  const host = canonicalHost(match?.groups?.host ?? "")
  if (match === null || host === undefined || Number(match.groups?.port ?? 0) > 65_535) return undefined
  const name = host.includes(":") ? `[${host}]` : host
  return match.groups?.port === undefined ? name : `${name}:${match.groups.port}`
}

/** `undefined`: one host over standard input and output, or something was wrong and told. */
export const resolveHttpServing = (sources: HttpServingSources, told: Told): HttpServing | undefined => {
  const { address, environment, file, section } = sources
  if (address?.value.trim().toLowerCase() === "off") return undefined
  const given = address === undefined ? undefined : readListenAddress(address.value)
  if (address !== undefined && given === undefined) {
    const text = `found ${quotedAddress(address.value)}; allowed: ${LISTEN_ADDRESS_EXPECTED}`
    told.problem(address.source, address.path, text)
    return undefined
  }
  if (given === undefined && section === undefined) return undefined

  const port = given?.port ?? section?.port
  if (port === undefined) {
    told.problem(file, "http.port", "is missing; it is the port to listen on (0: any free one), or say --http PORT")
  }
  const written = section?.host ?? CONFIG_DEFAULTS.http.host
  const host = given?.host ?? canonicalHost(written)
  if (host === undefined) {
    const text = `found ${quotedAddress(written)}; allowed: a name or an IP address to listen on, without a port`
    told.problem(file, "http.host", text)
  }

  const token = saidSecret(environment, HOST_TOKEN_VARIABLE, saidIn(file, "http.token", section?.token))
  const by: Said<string> =
    given?.host === undefined || address === undefined
      ? { value: written, source: file, path: "http.host" }
      : { ...address, value: given.host }
  if (token !== undefined && !isBearerToken(token.value)) {
    told.problem(token.source, token.path, `${NOT_SHOWN}; allowed: ${BEARER_TOKEN_EXPECTED}`)
  } else if (token !== undefined && token.value.length < SHORTEST_TOKEN) {
    const where = token.path === "" ? token.source : `${token.path} in ${token.source}`
    const message = `${where} is short enough to be guessed; make a longer one: ${MAKE_A_TOKEN}`
    told.notice({ level: "warn", event: "short-token", message })
  }
  if (host !== undefined && !isLoopback(host) && token === undefined) {
    const text =
      `${host} can be reached by other machines, and there is no token that keeps them out; ` +
      `set ${HOST_TOKEN_VARIABLE} (make one: ${MAKE_A_TOKEN}), or listen on 127.0.0.1`
    told.problem(by.source, by.path, text)
  }

  const each = (
    key: "allowedHosts" | "allowedOrigins",
    canonical: (text: string) => string | undefined,
    allowed: string
  ): ReadonlyArray<string> =>
    (section?.[key] ?? []).flatMap((text, index) => {
      const value = canonical(text)
      if (value !== undefined) return [value]
      told.problem(file, `http.${key}[${index}]`, `found ${quotedAddress(text)}; allowed: ${allowed}`)
      return []
    })
  const allowedOrigins = each(
    "allowedOrigins",
    canonicalOrigin,
    "an origin such as https://example.com, without a path and without *"
  )
  const allowedHosts = each(
    "allowedHosts",
    canonicalAuthority,
    "a name as in a URL, such as mcp.example.com or mcp.example.com:8080, without *"
  )
  if (host !== undefined && isUnspecified(host) && allowedHosts.length === 0) {
    const message = "hosts elsewhere reach this machine by its address; a name has to stand in http.allowedHosts"
    told.notice({ level: "info", event: "no-allowed-hosts", message })
  }
  if (host === undefined || port === undefined) return undefined
  const { maxBodyBytes, maxSessions, sessionIdleMs } = { ...CONFIG_DEFAULTS.http, ...section }
  return {
    host,
    port,
    token: token && Redacted.make(token.value, { label: "token" }),
    allowedOrigins,
    allowedHosts,
    maxSessions,
    sessionIdleMs,
    maxBodyBytes
  }
}
