import { Redacted } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import type { ConfigFile } from "./ConfigFile.ts"
import type { Environment } from "./ConfigText.ts"
import type { Said, Told } from "./Said.ts"
import { CLIENT_SECRET_VARIABLE, NOT_SHOWN } from "./Secrets.ts"

type Section = NonNullable<NonNullable<ConfigFile["upstream"]>["oauth"]>

/** `services/Settings` calls it `OAuthLogin`. */
export interface ResolvedOAuthLogin {
  readonly clientId: string | undefined
  readonly clientSecret: Redacted.Redacted | undefined
  readonly clientMetadataUrl: string | undefined
  readonly scope: string | undefined
  readonly callbackPort: number | undefined
  readonly callbackHost: "127.0.0.1" | "localhost" | undefined
  readonly loginTimeoutMs: number
}

/** What a command line says of a login, see {@link withLoginFlags}. */
export type LoginFlags = Pick<
  ResolvedOAuthLogin,
  "clientId" | "clientMetadataUrl" | "scope" | "callbackPort" | "callbackHost"
>

/** RFC 6749, appendix A.2. */
export const CLIENT_SECRET = /^[\x20-\x7e]+$/

const secretInEnvironment = (environment: Environment): string | undefined =>
  environment[CLIENT_SECRET_VARIABLE]?.trim() || undefined

const secret = (value: string): Redacted.Redacted => Redacted.make(value, { label: "clientSecret" })

/** Settles how to log in. The client's secret comes from {@link CLIENT_SECRET_VARIABLE}, else from the file. */
export const resolveOAuthLogin = (
  sources: { readonly section: Section | undefined; readonly file: string; readonly environment: Environment },
  told: Told
): ResolvedOAuthLogin => {
  const { environment, file, section = {} } = sources
  const { clientId, clientMetadataUrl, clientSecret } = section
  if (clientId !== undefined && clientMetadataUrl !== undefined) {
    const text = "stands beside upstream.oauth.clientId; each of them names a client, keep one of the two"
    told.problem(file, "upstream.oauth.clientMetadataUrl", text)
  }
  if (clientSecret !== undefined && clientId === undefined) {
    told.problem(file, "upstream.oauth.clientSecret", "needs upstream.oauth.clientId beside it, to say whose it is")
  }
  const inEnvironment = secretInEnvironment(environment)
  const said: Said<string> | undefined =
    inEnvironment !== undefined
      ? { value: inEnvironment, source: CLIENT_SECRET_VARIABLE, path: "" }
      : clientSecret !== undefined
        ? { value: clientSecret, source: file, path: "upstream.oauth.clientSecret" }
        : undefined
  if (said !== undefined && !CLIENT_SECRET.test(said.value)) {
    told.problem(said.source, said.path, `${NOT_SHOWN}; allowed: visible ASCII characters and blanks`)
  }
  return {
    clientId,
    clientSecret: said && secret(said.value),
    clientMetadataUrl,
    scope: section.scope,
    callbackPort: section.callbackPort,
    callbackHost: section.callbackHost,
    loginTimeoutMs: section.loginTimeoutMs ?? CONFIG_DEFAULTS.upstream.oauth.loginTimeoutMs
  }
}

/**
 * A login with the flags of a command line over what was settled. Flags that name another client leave nothing of the
 * first one: a secret of the file is not shown to a client that it does not belong to.
 */
export const withLoginFlags = (
  login: ResolvedOAuthLogin | undefined,
  flags: LoginFlags,
  environment: Environment
): ResolvedOAuthLogin => {
  const isOther =
    (flags.clientId !== undefined && flags.clientId !== login?.clientId) || flags.clientMetadataUrl !== undefined
  const client = isOther ? undefined : login
  const inEnvironment = secretInEnvironment(environment)
  return {
    clientId: flags.clientId ?? client?.clientId,
    clientSecret: inEnvironment === undefined ? client?.clientSecret : secret(inEnvironment),
    clientMetadataUrl: flags.clientMetadataUrl ?? client?.clientMetadataUrl,
    scope: flags.scope ?? login?.scope,
    callbackPort: flags.callbackPort ?? login?.callbackPort,
    callbackHost: flags.callbackHost ?? login?.callbackHost,
    loginTimeoutMs: login?.loginTimeoutMs ?? CONFIG_DEFAULTS.upstream.oauth.loginTimeoutMs
  }
}
