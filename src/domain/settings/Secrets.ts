import { isObject } from "../isObject.ts"
import { isSensitiveName, makeRedactor, REDACTED } from "../observability/Redaction.ts"
import type { SettingsNotice } from "./ConfigProblem.ts"
import { formatPath, valueAt } from "../valuePath.ts"
import { hasReference } from "./ConfigText.ts"

/** Variables with a bearer token: the one sent to the server, and the one that hosts have to send. */
export const UPSTREAM_TOKEN_VARIABLE = "MCP_GEN_UI_UPSTREAM_TOKEN"
export const HOST_TOKEN_VARIABLE = "MCP_GEN_UI_TOKEN"

/** The variable with the key of the provider that is chosen. As all of ours it is withheld from the server. */
export const LLM_KEY_VARIABLE = "MCP_GEN_UI_API_KEY"

/** The variable with the secret of an OAuth client that was registered by hand. */
export const CLIENT_SECRET_VARIABLE = "MCP_GEN_UI_OAUTH_CLIENT_SECRET"

/** One word of visible ASCII: issuers give out more than RFC 6750 allows. */
export const BEARER_TOKEN = /^[\x21-\x7e]+$/
export const isBearerToken = (value: string): boolean => BEARER_TOKEN.test(value)
export const BEARER_TOKEN_EXPECTED = "one word of visible ASCII characters, without Bearer before it"

/** Begins the text of a problem about a value that must not be shown. */
export const NOT_SHOWN = "has a value that is not allowed (not shown: it may be secret)"

const redactor = makeRedactor([])

/** A text for a problem, without credentials in a URL and without what looks like a key. */
export const quoted = (value: string): string => JSON.stringify(redactor.text(value))

/** An address for a problem, without anything before its last `@`, also if it is no URL. */
export const quotedAddress = (value: string): string =>
  quoted(value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^]*@/i, `$1${REDACTED}@`))

/** An unencoded character of these would end the address before the host. */
export const ENCODED_EXPECTED =
  "a URL in which /, ?, # and % of a user and a password are percent-encoded (%2F, %3F, %23, %25)"

/** Whether a URL brings a user name or a password. */
export const hasCredentials = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { password, username } = new URL(url)
  return username !== "" || password !== ""
}

/** The variables in which secrets of the file belong instead. */
export const SECRET_VARIABLES: Readonly<Record<string, string>> = {
  "llm.apiKey": LLM_KEY_VARIABLE,
  "upstream.token": UPSTREAM_TOKEN_VARIABLE,
  "upstream.oauth.clientSecret": CLIENT_SECRET_VARIABLE,
  "http.token": HOST_TOKEN_VARIABLE
}

/** The paths of secrets that stand in the file itself, not as a reference to the environment. */
export const literalSecrets = (written: unknown): ReadonlySet<string> => {
  const headers = valueAt(written, ["upstream", "headers"])
  const names = isObject(headers) ? Object.keys(headers).filter(isSensitiveName) : []
  const candidates: ReadonlyArray<ReadonlyArray<string>> = [
    ["llm", "apiKey"],
    ["upstream", "token"],
    ["upstream", "oauth", "clientSecret"],
    ["upstream", "url"],
    ...names.map((name) => ["upstream", "headers", name]),
    ["http", "token"],
    ["cache", "url"]
  ]
  const isLiteral = (path: ReadonlyArray<string>): boolean => {
    const value = valueAt(written, path)
    if (typeof value !== "string" || hasReference(value)) return false
    return path.at(-1) !== "url" || hasCredentials(value)
  }
  return new Set(candidates.filter(isLiteral).map(formatPath))
}

/** Warns of a secret in a file. `variable` is where it belongs, if there is one for it. */
export const secretInFile = (path: string, file: string, variable = SECRET_VARIABLES[path]): SettingsNotice => ({
  level: "warn",
  event: path === "llm.apiKey" ? "key-in-file" : "secret-in-file",
  message: `${path} stands in ${file}; keep it in ${variable ?? "the environment"}, or write "\${NAME}" there`
})
