import { Context, Schema } from "effect"
import type { Effect, Scope } from "effect"

/**
 * Redis gave no answer, or refused a command. `code` is `AWAY` (no connection that answers), `NO_ANSWER` (not in time),
 * the first word of an error that Redis replied with (`OOM`, `NOPERM`), or the code of a system error (`ECONNRESET`).
 */
export class RedisUnavailable extends Schema.TaggedError<RedisUnavailable>()("RedisUnavailable", {
  code: Schema.String
}) {
  override get message(): string {
    return `Redis is not available: ${this.code}`
  }
}

/** The configured URL is not one of Redis. It may hold a password, so no part of it is shown. */
export class RedisUrlRejected extends Schema.TaggedError<RedisUrlRejected>()("RedisUrlRejected", {}) {
  override get message(): string {
    return "The URL of Redis is not of the form redis[s]://[[user][:password]@]host[:port][/database]."
  }
}

/**
 * Whether a command waits as long as the connection may be silent, also while Redis is slow. A read need not: memory
 * answers it. A claim for a lock must.
 */
export const RedisPatience = Context.Reference<boolean>("mcp-gen-ui/services/RedisPatience", {
  defaultValue: () => false
})

/**
 * The one connection of this process to a Redis that may be away at any time. It owns connecting, waiting and what the
 * log says of an outage, and knows nothing of what is stored.
 */
export class RedisConnection extends Context.Service<
  RedisConnection,
  {
    /**
     * Sends one command; the reply is as RESP2 has it: text, a number, `null`, or a list of these. It fails at once if
     * Redis is known to be away. It sends nothing twice: a command that failed may have been carried out. It is bounded
     * in time (see {@link RedisPatience}), so finalizers may use it.
     */
    readonly send: (command: ReadonlyArray<string>) => Effect.Effect<unknown, RedisUnavailable>
    /**
     * How many connections there have been. What an earlier one told may be wrong now: a Redis that started again may
     * have come back empty.
     */
    readonly connections: () => number
    /** Runs `work` in the background whenever Redis is there, until the scope closes. */
    readonly whenThere: (work: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("mcp-gen-ui/services/RedisConnection") {}
