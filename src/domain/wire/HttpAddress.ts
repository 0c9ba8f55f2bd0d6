/** Where a server is, and what may be said of it. */
export interface HttpAddress {
  /** Without user, password and fragment. */
  readonly url: URL
  /** For people and logs: also without the query, which may hold a key. */
  readonly name: string
  /** `Basic …` (RFC 7617), if the URL holds a user or a password. A secret. */
  readonly basic: string | undefined
  readonly isLoopback: boolean
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** What of a URL may be said to people: no credentials, query or fragment. */
export const nameOfUrl = (url: URL): string => `${url.origin}${url.pathname}`

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `undefined` for what is no URL with the scheme `http` or `https`. */
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
