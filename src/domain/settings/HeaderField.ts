/** A header field of HTTP, RFC 9110 section 5. */
export interface HeaderField {
  readonly name: string
  readonly value: string
}

/** A name (token of RFC 9110). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e]+$/

/** What a connection or the protocol decides, message by message. */
const RESERVED: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** What is wrong with a field to be sent with every request, without its value; `undefined` if nothing is. */
export const headerProblem = ({ name, value }: HeaderField): string | undefined => {
  if (!HEADER_NAME.test(name))
    return `${JSON.stringify(name)} is not the name of a header; allowed: letters, digits and -_.`
  const lower = name.toLowerCase()
  if (RESERVED.has(lower) || lower.startsWith("mcp-param-")) return `${name} is set by mcp-gen-ui itself; leave it out`
  if (value.trim() === "") return `${name} has no value`
  if (!VALUE.test(value)) return `the value of ${name} has a character other than visible ASCII, space and tab`
  return undefined
}

/** Reads `Name: value`. `undefined`: there is no colon after a first character. */
export const readHeaderField = (text: string): HeaderField | undefined => {
  const colon = text.indexOf(":")
  return colon < 1 ? undefined : { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() }
}
