/** The address of a server, and the part of it that may be shown. */
export interface HttpAddress {
  /** Without user, password and fragment. */
  readonly url: URL
  /** For people and logs, see {@link nameOfUrl}. */
  readonly name: string
  /** `Basic …` (RFC 7617), if the URL holds a user or a password. A secret. */
  readonly basic: string | undefined
  readonly isLoopback: boolean
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** A longer part of a path may be a secret key. */
const LONGEST_SHOWN = 24

const segmentsOf = (url: URL): ReadonlyArray<string> => url.pathname.split("/").filter((segment) => segment !== "")

/**
 * The part of a URL that people and logs may see: its origin and, if the path has one or two parts, the last of them.
 * Credentials, query and other parts of a path (`/s/<key>/mcp`) may be secrets.
 */
export const nameOfUrl = (url: URL): string => {
  const [last, ...before] = segmentsOf(url).toReversed()
  if (last === undefined || before.length > 1 || last.length > LONGEST_SHOWN) return url.origin
  return `${url.origin}/${before.length === 0 ? "" : "…/"}${last}`
}

/** The parts of a URL's path that its name leaves out. */
export const hiddenSegments = (url: URL): ReadonlyArray<string> => {
  const segments = segmentsOf(url)
  const name = nameOfUrl(url)
  return segments.filter((segment, index) => index < segments.length - 1 || !name.endsWith(`/${segment}`))
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `undefined` if this is no `http` or `https` URL. */
export const readHttpAddress = (text: string): HttpAddress | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined
  const bytes = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`)
  const pair = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  const hasCredentials = url.username !== "" || url.password !== ""
  url.username = ""
  url.password = ""
  url.hash = ""
  return {
    url,
    name: nameOfUrl(url),
    basic: hasCredentials ? `Basic ${btoa(pair)}` : undefined,
    isLoopback: LOOPBACK.test(url.hostname)
  }
}
