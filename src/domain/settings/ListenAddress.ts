/** Where to listen. A host is a name, an IPv4 or an IPv6 address without brackets, as URLs write it. */
export interface ListenAddress {
  readonly host: string | undefined
  readonly port: number
}

export const LISTEN_ADDRESS_EXPECTED =
  "PORT, HOST:PORT or [IPV6]:PORT with a port from 0 to 65535 (0: any free one), or off"

/** A name or an address in the form that URLs have (`0` is `0.0.0.0`); brackets are optional around IPv6. */
export const canonicalHost = (host: string): string | undefined => {
  const inBrackets = /^\[([^:\n]*:.*)\]$/.exec(host)?.[1]
  const plain = inBrackets ?? host
  const url = `http://${plain.includes(":") ? `[${plain}]` : plain}/`
  if (plain === "" || /[\s/?#@\\[\]%]/.test(plain) || !URL.canParse(url)) return undefined
  return new URL(url).hostname.replace(/^\[|\]$/g, "")
}

/** Reads `PORT`, `HOST:PORT` or `[IPV6]:PORT`. `undefined`: it is none of these. */
export const readListenAddress = (text: string): ListenAddress | undefined => {
  const match = /^(?:(?<host>\[[^\]]+\]|[^:[\]]+):)?(?<port>\d{1,5})$/.exec(text.trim())
  const port = Number(match?.groups?.port)
  if (match === null || port > 65_535) return undefined
  const written = match.groups?.host
  if (written === undefined) return { host: undefined, port }
  const host = canonicalHost(written)
  return host === undefined ? undefined : { host, port }
}

/** Whether only this machine reaches an address in the form of {@link canonicalHost}. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  /^127(?:\.\d+){3}$/.test(host) ||
  host === "::1" ||
  /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(host)

/** Whether an address means every interface of the machine. */
export const isUnspecified = (host: string): boolean => host === "0.0.0.0" || host === "::"
