import { Context, Schema } from "effect"
import type { Effect, Redacted } from "effect"

/**
 * A client as an authorization server knows it, with the members of RFC 7591 that later requests need. `issuer` is
 * the authorization server that it belongs to; it is unknown to all others.
 */
export const StoredClient = Schema.Struct({
  client_id: Schema.String,
  client_secret: Schema.optional(Schema.String),
  /** Seconds since 1970; 0: never. */
  client_secret_expires_at: Schema.optional(Schema.Finite),
  token_endpoint_auth_method: Schema.optional(Schema.String),
  redirect_uris: Schema.optional(Schema.Array(Schema.String)),
  /** A person registered it: it is not replaced by registering another one. */
  by_hand: Schema.optional(Schema.Boolean),
  issuer: Schema.optional(Schema.String)
})
export type StoredClient = typeof StoredClient.Type

/** A token response (RFC 6749, 5.1), with the authorization server that it came from. */
export const StoredTokens = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.String,
  id_token: Schema.optional(Schema.String),
  /** Seconds from the moment it was issued. */
  expires_in: Schema.optional(Schema.Finite),
  scope: Schema.optional(Schema.String),
  refresh_token: Schema.optional(Schema.String),
  issuer: Schema.optional(Schema.String)
})
export type StoredTokens = typeof StoredTokens.Type

/** What is remembered about one server: both, one, or nothing. */
export interface StoredAuthorization {
  readonly client: Redacted.Redacted<StoredClient> | undefined
  readonly tokens: Redacted.Redacted<StoredTokens> | undefined
}

/**
 * Tokens could not be kept or removed. `detail` names the file and the reason, never what should have been in it.
 *
 * @example
 * import { Console, Effect } from "effect"
 * import { TokenStore } from "mcp-gen-ui"
 *
 * const logout = Effect.flatMap(TokenStore, (store) => store.remove("https://example.com/mcp")).pipe(
 *   Effect.catchTag("TokenStoreFailed", ({ detail }) => Console.error(detail))
 * )
 */
export class TokenStoreFailed extends Schema.TaggedError<TokenStoreFailed>()("TokenStoreFailed", {
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * Keeps the OAuth clients and tokens of MCP servers by the server's URL. It does not know which of them are still good.
 *
 * @example
 * import { Effect } from "effect"
 * import { TokenStore } from "mcp-gen-ui"
 *
 * const isLoggedIn = Effect.flatMap(TokenStore, (store) => store.read("https://example.com/mcp")).pipe(
 *   Effect.map(({ tokens }) => tokens !== undefined)
 * )
 */
export class TokenStore extends Context.Service<
  TokenStore,
  {
    /** What cannot be read counts as absent, with a warning. */
    readonly read: (serverUrl: string) => Effect.Effect<StoredAuthorization>
    /** Replaces what is there as a whole: a reader sees the old or the new, nothing between. */
    readonly write: (serverUrl: string, authorization: StoredAuthorization) => Effect.Effect<void, TokenStoreFailed>
    /** Answers whether there was something. */
    readonly remove: (serverUrl: string) => Effect.Effect<boolean, TokenStoreFailed>
    /**
     * Runs an effect while nobody else who uses the same store runs one for this server, in this process or another
     * one; waits for its turn without a limit. A process that died or hangs loses its turn.
     */
    readonly exclusively: (serverUrl: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("mcp-gen-ui/services/TokenStore") {}
