import { ENCODED_EXPECTED } from "./Secrets.ts"

/** `redis[s]://[[user][:password]@]host[:port][/database]`; the rules below check the four parts. */
const PARTS =
  /^rediss?:\/\/(?:(?<credentials>[^/?#]*)@)?(?<host>\[[^\]/?#]*\]|[^:/?#@[\]]*)(?::(?<port>[^/?#]*))?(?<path>\/[^?#]*)?/i

const partsOf = (url: string): Readonly<Record<string, string | undefined>> => PARTS.exec(url)?.groups ?? {}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The rules below as far as a pattern can say them: without encodings and port numbers. */
export const REDIS_URL =
  /^[Rr][Ee][Dd][Ii][Ss][Ss]?:\/\/(?:[^/?#]*@)?(?:\[[^\]/?#@]*\]|[^:/?#@[\]]+)(?::\d{0,5})?(?:\/\d*)?(?:[?#][^@]*)?$/

/** How the address of a Redis begins, with TLS (`rediss:`) or without. */
const REDIS_SCHEME = /^[Rr][Ee][Dd][Ii][Ss][Ss]?:\/\//

/**
 * Rules for the address of a Redis, with what is allowed instead. The first that fails is the reason. The client takes
 * every address that passes them all.
 */
export const REDIS_URL_RULES: ReadonlyArray<{
  readonly is: (url: string) => boolean
  readonly expected: string
}> = [
  { is: (url) => REDIS_SCHEME.test(url), expected: "a URL that begins with redis:// or rediss://" },
  {
    is: (url) => !/^\w+:\/\/[^/?#]*[/?#][^]*@/.test(url) && isDecodable(partsOf(url)["credentials"] ?? ""),
    expected: ENCODED_EXPECTED
  },
  {
    is: (url) => (partsOf(url)["host"] ?? "") !== "",
    expected: "a host after the two slashes, as in redis://127.0.0.1:6379"
  },
  {
    is: (url) => {
      const { port } = partsOf(url)
      return (
        port === undefined || port === "" || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
      )
    },
    expected: "a port from 1 to 65535 after the host (6379 without one)"
  },
  {
    is: (url) => /^\/?\d*$/.test(partsOf(url)["path"] ?? ""),
    expected: "the number of a database after the host and port, as in redis://127.0.0.1:6379/2"
  },
  {
    is: (url) => URL.canParse(url),
    expected:
      "redis[s]://[[user][:password]@]host[:port][/database], with what is special in a password percent-encoded"
  }
]
