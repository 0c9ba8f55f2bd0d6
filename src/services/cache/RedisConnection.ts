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

/** What was configured is no URL of a Redis. It may hold a password: no part of it is told. */
export class RedisUrlRejected extends Schema.TaggedError<RedisUrlRejected>()("RedisUrlRejected", {}) {
  override get message(): string {
    return "The URL of Redis is not of the form redis[s]://[[user][:password]@]host[:port][/database]."
  }
}

/**
 * Whether a command is worth waiting for as long as the connection may be silent, also while Redis is slow. Reads are not:
 * memory answers them. Who has won a lock is.
 */
export const RedisPatience = Context.Reference<boolean>("mcp-gen-ui/services/RedisPatience", {
  defaultValue: () => false
})

/**
 * The one connection of this process to a Redis that may be away, at the start and at any time later. It owns
 * connecting, waiting and what the log says of an outage, and knows nothing of what is stored.
 */
export class RedisConnection extends Context.Service<
  RedisConnection,
  {
    /**
     * Sends one command; the reply is as RESP2 has it: text, a number, `null`, or a list of these. Nothing waits for a
     * Redis that is known to be away, and nothing is sent again: a command that failed may have been carried out.
     * Bounded in time (see {@link RedisPatience}), and therefore fit for finalizers.
     */
    readonly send: (command: ReadonlyArray<string>) => Effect.Effect<unknown, RedisUnavailable>
    /**
     * How many connections there have been. What a former connection has told may no longer be so: a Redis that
     * started again may have come back empty.
     */
    readonly connections: () => number
    /** Runs `work` in the background every time that Redis is there, as long as the scope is open. */
    readonly whenThere: (work: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  }
>()("mcp-gen-ui/services/RedisConnection") {}
