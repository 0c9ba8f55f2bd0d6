import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import { type Said, saidIn, saidSecret, type Told } from "./ConfigProblem.ts"
import type { Environment } from "./ConfigText.ts"
import { CLIENT_SECRET_VARIABLE, NOT_SHOWN } from "./Secrets.ts"

type Section = NonNullable<NonNullable<ConfigFile["upstream"]>["oauth"]>

/**
 * How to log in to a server that asks for it. What is `undefined` is left to the login, see docs/oauth.md.
 *
 * @example
 * import { type OAuthLogin, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerLogin = (login: OAuthLogin) => layerUpstreamOAuth({ ...login, url: "https://example.com/mcp" })
 */
export interface OAuthLogin {
  /** A client that was registered by hand. */
  readonly clientId: string | undefined
  readonly clientSecret: Redacted.Redacted | undefined
  /** An `https:` address that is a client id. */
  readonly clientMetadataUrl: string | undefined
  /** Separated by blanks, instead of what the server asks for. */
  readonly scope: string | undefined
  readonly callbackPort: number | undefined
  readonly callbackHost: "127.0.0.1" | "localhost" | undefined
  readonly loginTimeoutMs: number
}

/** What a command line says of a login, see {@link withLoginFlags}. */
export type LoginFlags = Pick<OAuthLogin, "clientId" | "clientMetadataUrl" | "scope" | "callbackPort" | "callbackHost">

/** RFC 6749, appendix A.2. */
export const CLIENT_SECRET = /^[\x20-\x7e]+$/

const secret = (said: Said<string> | undefined): Redacted.Redacted | undefined =>
  said && Redacted.make(said.value, { label: "clientSecret" })

/** Settles how to log in. The client's secret comes from {@link CLIENT_SECRET_VARIABLE}, else from the file. */
export const resolveOAuthLogin = (
  sources: { readonly section: Section | undefined; readonly file: string; readonly environment: Environment },
  told: Told
): OAuthLogin => {
  const { environment, file, section = {} } = sources
  const { clientId, clientMetadataUrl, clientSecret } = section
  if (clientId !== undefined && clientMetadataUrl !== undefined) {
    const text = "stands beside upstream.oauth.clientId; each of them names a client, keep one of the two"
    told.problem(file, "upstream.oauth.clientMetadataUrl", text)
  }
  if (clientSecret !== undefined && clientId === undefined) {
    told.problem(file, "upstream.oauth.clientSecret", "needs upstream.oauth.clientId beside it, to say whose it is")
  }
  const inFile = saidIn(file, "upstream.oauth.clientSecret", clientSecret)
  const said = saidSecret(environment, CLIENT_SECRET_VARIABLE, inFile)
  if (said !== undefined && !CLIENT_SECRET.test(said.value)) {
    told.problem(said.source, said.path, `${NOT_SHOWN}; allowed: visible ASCII characters and blanks`)
  }
  return {
    clientId,
    clientSecret: secret(said),
    clientMetadataUrl,
    scope: section.scope,
    callbackPort: section.callbackPort,
    callbackHost: section.callbackHost,
    loginTimeoutMs: section.loginTimeoutMs ?? CONFIG_DEFAULTS.upstream.oauth.loginTimeoutMs
  }
}

/**
 * Puts the flags of a command line over a settled login. If they name another client, nothing of the first one stays: a
 * secret of the file must not be sent for another client.
 */
export const withLoginFlags = (
  login: OAuthLogin | undefined,
  flags: LoginFlags,
  environment: Environment
): OAuthLogin => {
  const isOther =
    (flags.clientId !== undefined && flags.clientId !== login?.clientId) || flags.clientMetadataUrl !== undefined
  const client = isOther ? undefined : login
  const inEnvironment = saidSecret(environment, CLIENT_SECRET_VARIABLE, undefined)
  return {
    clientId: flags.clientId ?? client?.clientId,
    clientSecret: secret(inEnvironment) ?? client?.clientSecret,
    clientMetadataUrl: flags.clientMetadataUrl ?? client?.clientMetadataUrl,
    scope: flags.scope ?? login?.scope,
    callbackPort: flags.callbackPort ?? login?.callbackPort,
    callbackHost: flags.callbackHost ?? login?.callbackHost,
    loginTimeoutMs: login?.loginTimeoutMs ?? CONFIG_DEFAULTS.upstream.oauth.loginTimeoutMs
  }
}
