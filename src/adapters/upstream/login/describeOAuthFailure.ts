import { makeRedactor } from "../../../domain/observability/Redaction.ts"
import { hiddenSegments, nameOfUrl } from "../../../domain/wire/HttpAddress.ts"
import type { OAuthDraft } from "./oauthProvider.ts"

/** So many characters of what an authorization server says are shown. */
const LONGEST_REASON = 300

export interface OAuthFailure {
  /** `Unreachable`: it was only the network. */
  readonly reason: "Unauthorized" | "Unreachable"
  /** What happened and what to do about it, without secrets. */
  readonly detail: string
}

export interface OAuthServerNames {
  /** The MCP server's address. */
  readonly server: URL
  /** What a client that is registered by hand has to have. */
  readonly redirectUrl: string
}

/** What a person types to log in. It has the address only if nothing in the address is secret. */
export const loginCommand = (server: URL): string =>
  `mcp-gen-ui login ${hiddenSegments(server).length === 0 ? nameOfUrl(server) : "<url>"}`

/** Explains an error of the SDK's `auth` to the person who wanted to log in. */
export const describeOAuthFailure = (draft: OAuthDraft, error: unknown, names: OAuthServerNames): OAuthFailure => {
  const { client, discovery, posted, state, tokens, verifier } = draft
  const { redirectUrl, server } = names
  const url = nameOfUrl(server)
  const metadata = discovery?.authorizationServerMetadata
  const at = metadata?.issuer ?? discovery?.authorizationServerUrl ?? server.origin
  const again = `To try again: ${loginCommand(server)}`

  const credentials = [verifier, state, client?.client_secret, tokens?.access_token, tokens?.refresh_token]
  const secrets = [...credentials, ...hiddenSegments(server)]
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  // An answer with a foreign issuer (RFC 9207) may be an attack: show nothing of it.
  const isForeign = error instanceof Error && "kind" in error && error.kind === "authorization_response"
  const told = isForeign
    ? "the answer does not come from the authorization server that was asked"
    : makeRedactor(secrets.filter((secret) => secret !== undefined))
        .text(message)
        .replaceAll(/\s+/g, " ")
        .slice(0, LONGEST_REASON)

  if (error instanceof TypeError || name === "TimeoutError") {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : told
    return { reason: "Unreachable", detail: `${at} cannot be reached to log in to ${url} (${code}). ${again}` }
  }
  // Servers without OAuth often answer every address with the same page.
  const isUnknown =
    discovery === undefined
      ? error instanceof SyntaxError
      : metadata === undefined && discovery.resourceMetadata === undefined
  if (isUnknown && client === undefined) {
    return {
      reason: "Unauthorized",
      detail: `${url} wants an authorization, but offers no login with OAuth. Give it a token: MCP_GEN_UI_UPSTREAM_TOKEN in the environment, or a header`
    }
  }
  const isRegistering = discovery !== undefined && client === undefined
  if (isRegistering && (posted >= 400 || metadata?.registration_endpoint === undefined)) {
    return {
      reason: "Unauthorized",
      detail: `${at} does not register mcp-gen-ui as a client by itself (${told}). Register a client there by hand with the redirect URL ${redirectUrl}, then: ${loginCommand(server)} --client-id ID`
    }
  }
  return { reason: "Unauthorized", detail: `the login to ${url} at ${at} failed: ${told}. ${again}` }
}
