import { Redacted } from "effect"
import { hiddenSegments } from "../wire/HttpAddress.ts"
import { isSensitiveName, passwordsIn, secretsOf } from "./Redaction.ts"

/** The settings that may hold secrets. */
export interface SecretSettings {
  readonly llm: { readonly apiKey: Redacted.Redacted | undefined }
  readonly http: { readonly token: Redacted.Redacted | undefined } | undefined
  readonly cache: { readonly url: Redacted.Redacted | undefined }
  readonly upstream:
    | {
        readonly transport: "stdio"
        readonly args: ReadonlyArray<string>
        readonly env: Readonly<Record<string, string>>
      }
    | {
        readonly transport: "auto" | "http" | "sse"
        readonly url: string
        readonly headers: Readonly<Record<string, Redacted.Redacted>>
        readonly token: Redacted.Redacted | undefined
        readonly oauth?: { readonly clientSecret: Redacted.Redacted | undefined } | undefined
      }
}

/** Headers that say what is wanted, never who asks. */
const ORDINARY_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "mcp-protocol-version",
  "origin",
  "pragma",
  "referer",
  "user-agent",
  "x-requested-with"
])

const valueOf = (secret: Redacted.Redacted | undefined): ReadonlyArray<string> =>
  secret === undefined ? [] : [Redacted.value(secret)]

/** `user:password` of the Basic scheme (RFC 7617), as a whole and the password alone. */
const basicCredentials = (value: string): ReadonlyArray<string> => {
  const encoded = /^Basic\s+([A-Za-z0-9+/_-]+={0,2})$/i.exec(value)?.[1]
  if (encoded === undefined) return []
  const credentials = Buffer.from(encoded, "base64").toString("utf8")
  return [credentials, credentials.slice(credentials.indexOf(":") + 1)]
}

/** A header such as `Bearer …` or a cookie is a secret as a whole and in its parts. */
const secretsOfHeader = (name: string, value: string): ReadonlyArray<string> => {
  if (ORDINARY_HEADERS.has(name.toLowerCase())) return []
  if (!isSensitiveName(name)) return [value]
  const parts = value.split(/[\s;,]+/)
  const pairs = parts.flatMap((part) => (/^[\w.-]+=[^=]/.test(part) ? [part.slice(part.indexOf("=") + 1)] : []))
  return [value, ...parts, ...pairs, ...basicCredentials(value)]
}

/** `--api-key=value`, and what follows `--api-key`. */
const secretsOfArguments = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((argument, index) => {
    const [flag = "", ...value] = argument.split("=")
    if (value.length > 0 && isSensitiveName(flag)) return [value.join("=")]
    const before = args[index - 1] ?? ""
    const isNamed = /^-[^=]*$/.test(before) && isSensitiveName(before) && !argument.startsWith("--")
    return isNamed ? [argument] : passwordsIn(argument)
  })

const secretsOfUrl = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return passwordsIn(url)
  const { searchParams } = new URL(url)
  const named = [...searchParams].flatMap(([name, value]) => (isSensitiveName(name) || name === "key" ? [value] : []))
  const keys = hiddenSegments(new URL(url)).filter((segment) => segment.length >= 12 && /\d/.test(segment))
  return [...passwordsIn(url), ...named, ...keys]
}

/**
 * Every secret that the settings and the environment of a run are known to hold: keys, tokens, passwords, header values.
 * For a redactor; short ones and repeated ones are its business.
 */
export const secretsOfRun = (
  { cache, http, llm, upstream }: SecretSettings,
  environment: Readonly<Record<string, string | undefined>>
): ReadonlyArray<string> => [
  ...valueOf(llm.apiKey),
  ...valueOf(http?.token),
  ...valueOf(cache.url).flatMap((url) => [url].concat(passwordsIn(url))),
  ...(upstream.transport === "stdio"
    ? [...secretsOf(upstream.env), ...secretsOfArguments(upstream.args)]
    : [
        ...valueOf(upstream.token),
        ...valueOf(upstream.oauth?.clientSecret),
        ...secretsOfUrl(upstream.url),
        ...Object.entries(upstream.headers).flatMap(([name, header]) => secretsOfHeader(name, Redacted.value(header)))
      ]),
  ...secretsOf(environment)
]
