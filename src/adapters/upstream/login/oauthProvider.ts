import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/client"
import type { StoredClient, StoredTokens } from "../../../services/upstream/TokenStore.ts"

/** What one renewal works on; the SDK reads and changes it through {@link oauthProvider}. */
export interface OAuthDraft {
  client: StoredClient | undefined
  tokens: StoredTokens | undefined
  discovery: OAuthDiscoveryState | undefined
  /** PKCE (RFC 7636). */
  verifier: string
  state: string
  /** The page that a person has to see. */
  address: URL | undefined
  /** The status of the last answer to a POST: a registration or a token request. */
  posted: number
  /** The authorization server's own name may differ from its address. */
  isAlias: boolean
}

export interface OAuthProviderOptions {
  /** An `https:` address of a client metadata document, for authorization servers that take one as client id. */
  readonly clientMetadataUrl: string | undefined
  readonly scope: string | undefined
  /** Where the browser comes back to. Without it the SDK is stopped by {@link PersonNeeded} instead of asking a person. */
  readonly redirectUrl: string | undefined
}

/** Ends an attempt to renew without a person. */
export class PersonNeeded extends Error {}

/** The part of a client that we keep. The SDK stores clients from three sources; only registration gives every member. */
const storedClient = (
  client: Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0]
): StoredClient => {
  const registered: Partial<StoredClient> = "redirect_uris" in client ? client : {}
  return {
    client_id: client.client_id,
    client_secret: client.client_secret,
    client_secret_expires_at: client.client_secret_expires_at,
    token_endpoint_auth_method: registered.token_endpoint_auth_method,
    redirect_uris: registered.redirect_uris,
    issuer: client.issuer
  }
}

/**
 * The SDK's view of a draft. A client that was registered by hand is never replaced, and only the first authorization
 * server that took it gets to see it.
 */
export const oauthProvider = (draft: OAuthDraft, options: OAuthProviderOptions): OAuthClientProvider => {
  const silent = options.redirectUrl === undefined
  const redirectUrl = options.redirectUrl ?? draft.client?.redirect_uris?.[0] ?? "http://127.0.0.1/"
  const isGiven = draft.client?.by_hand === true
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "mcp-gen-ui",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(options.scope === undefined ? {} : { scope: options.scope })
    },
    ...(options.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: options.clientMetadataUrl }),
    state: () => {
      if (silent) throw new PersonNeeded()
      return draft.state
    },
    clientInformation: () => {
      if (draft.client === undefined) return undefined
      const { by_hand: _, redirect_uris: __, ...client } = draft.client
      return client
    },
    ...(silent || isGiven
      ? {}
      : {
          saveClientInformation: (client) => {
            draft.client = storedClient(client)
          }
        }),
    tokens: () => (draft.tokens === undefined ? undefined : { ...draft.tokens }),
    saveTokens: (tokens) => {
      draft.tokens = tokens
      if (draft.client !== undefined) draft.client = { ...draft.client, issuer: tokens.issuer ?? draft.client.issuer }
    },
    redirectToAuthorization: (address) => {
      draft.address = address
    },
    saveCodeVerifier: (verifier) => {
      draft.verifier = verifier
    },
    codeVerifier: () => draft.verifier,
    invalidateCredentials: (what) => {
      if (what === "all" || what === "tokens") draft.tokens = undefined
      if ((what === "all" || what === "client") && !isGiven) draft.client = undefined
      if (silent && what !== "client") throw new PersonNeeded()
    },
    saveDiscoveryState: (discovery) => {
      draft.discovery = discovery
    },
    discoveryState: () => draft.discovery
  }
}
