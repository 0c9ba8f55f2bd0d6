import { Redacted } from "effect"
import { isSensitiveName } from "../observability/Redaction.ts"
import { type Said, saidSecret, type Told } from "./ConfigProblem.ts"
import { formatPath } from "../valuePath.ts"
import { hasReference, resolveReferences } from "./ConfigText.ts"
import type { Environment } from "./ConfigText.ts"
import { BEARER_TOKEN_EXPECTED, isBearerToken, NOT_SHOWN, UPSTREAM_TOKEN_VARIABLE } from "./Secrets.ts"

/** A header field of HTTP, RFC 9110 section 5. */
interface HeaderField {
  readonly name: string
  readonly value: string
}

/** A name (token of RFC 9110). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]+$/

/** Headers that the connection or the protocol sets for each message. */
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

/** Whether a header is set by us for every message. */
export const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return RESERVED.has(lower) || lower.startsWith("mcp-param-")
}

/** What is wrong with a field for every request, without quoting its value; `undefined` if nothing is. */
export const headerProblem = ({ name, value }: HeaderField): string | undefined => {
  if (!HEADER_NAME.test(name))
    return `${JSON.stringify(name)} is not the name of a header; allowed: letters, digits and -_.`
  if (isReservedHeader(name)) return `${name} is set by mcp-gen-ui itself; leave it out`
  if (value.trim() === "") return `${name} has no value`
  if (!HEADER_VALUE.test(value)) return `the value of ${name} has a character other than visible ASCII, space and tab`
  return undefined
}

/** Reads `Name: value`. `undefined`: there is no colon after a first character. */
export const readHeaderField = (text: string): HeaderField | undefined => {
  const colon = text.indexOf(":")
  return colon < 1 ? undefined : { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() }
}

/** What to send to a server behind a URL, strongest source first. */
export interface UpstreamHeaderSources {
  /** Fields as `Name: value`, with `${ENV}` references. */
  readonly flag: Said<ReadonlyArray<string>> | undefined
  readonly variable: Said<ReadonlyArray<string>> | undefined
  readonly file: Said<Readonly<Record<string, string>>> | undefined
  readonly tokenInFile: Said<string> | undefined
  readonly environment: Environment
}

export interface UpstreamHeaders {
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly token: Redacted.Redacted | undefined
  /** Who said the token or the `Authorization` field that is sent. */
  readonly identifiedBy: string | undefined
}

interface Field extends Said<string> {
  readonly name: string
  /** 0 flag, 1 environment, 2 file. */
  readonly level: number
}

const AUTHORIZATION = "authorization"

/**
 * Settles header fields and bearer token. Of two fields with one name (letter case aside) the stronger source wins,
 * as it does between a token and an `Authorization` field; from one source both are a problem.
 */
export const resolveUpstreamHeaders = (sources: UpstreamHeaderSources, told: Told): UpstreamHeaders => {
  const fields = new Map<string, Field>()
  const take = (field: Field): void => {
    const problem = headerProblem(field)
    if (problem !== undefined) return told.problem(field.source, field.path, problem)
    const other = fields.get(field.name.toLowerCase())
    if (other === undefined) fields.set(field.name.toLowerCase(), field)
    else if (other.level === field.level) told.problem(field.source, field.path, `${field.name} is given twice`)
  }
  const takeTexts = (said: Said<ReadonlyArray<string>> | undefined, level: number): void => {
    for (const text of said?.value ?? []) {
      const { path, source } = said ?? { path: "", source: "" }
      const written = readHeaderField(text)
      if (written === undefined) {
        told.problem(source, path, `${NOT_SHOWN}; allowed: "Name: value"`)
        continue
      }
      const { document: value, problems } = resolveReferences(written.value, sources.environment)
      for (const { text } of problems) told.problem(source, path, `${written.name} ${text}`)
      if (problems.length > 0 || typeof value !== "string") continue
      if (level === 0 && isSensitiveName(written.name) && !hasReference(written.value)) {
        told.notice({
          level: "warn",
          event: "secret-in-flag",
          message:
            `the value of ${written.name} stands in the command line, which other programs of this machine can read; ` +
            `write --header "${written.name}: \${NAME}" and keep it in the environment`
        })
      }
      take({ name: written.name, value: value.trim(), source, path, level })
    }
  }
  takeTexts(sources.flag, 0)
  takeTexts(sources.variable, 1)
  for (const [name, value] of Object.entries(sources.file?.value ?? {})) {
    const { path, source } = sources.file ?? { path: "", source: "" }
    take({
      name,
      value: value.trim(),
      source,
      path: `${path}${formatPath([name]).replace(/^(?!\[)/, ".")}`,
      level: 2
    })
  }

  const saidToken = saidSecret(sources.environment, UPSTREAM_TOKEN_VARIABLE, sources.tokenInFile)
  const token = saidToken && { ...saidToken, level: saidToken === sources.tokenInFile ? 2 : 1 }
  if (token !== undefined && !isBearerToken(token.value)) {
    told.problem(token.source, token.path, `${NOT_SHOWN}; allowed: ${BEARER_TOKEN_EXPECTED}`)
  }
  const authorization = fields.get(AUTHORIZATION)
  if (token !== undefined && authorization !== undefined && token.level === authorization.level) {
    const where = [authorization.source, authorization.path].filter((part) => part !== "").join(": ")
    told.problem(token.source, token.path, `stands beside an Authorization header (${where}); keep one of the two`)
  }
  const usesToken = token !== undefined && (authorization === undefined || token.level < authorization.level)
  if (usesToken) fields.delete(AUTHORIZATION)
  return {
    headers: Object.fromEntries(
      [...fields.values()].map(({ name, value }) => [name, Redacted.make(value, { label: "header" })])
    ),
    token: usesToken ? Redacted.make(token.value, { label: "token" }) : undefined,
    identifiedBy: (usesToken ? token : authorization)?.source
  }
}
