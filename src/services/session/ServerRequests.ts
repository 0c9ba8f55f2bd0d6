import { Context, Schema } from "effect"
import type { Effect } from "effect"

/** The server gave no answer to a request of ours. */
export class ServerSilent extends Schema.TaggedError<ServerSilent>()("ServerSilent", {
  method: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * Requests that the wrapper itself sends to the server, beside the host's. It owns their ids, which no host uses, nor
 * another wrapper before or behind this one. The session hands it the answers.
 */
export class ServerRequests extends Context.Service<
  ServerRequests,
  {
    /**
     * Sends a request and waits for the frame that answers it, whether result or error. `params` as a text is JSON that
     * goes out as it is. Fails when the server does not answer in time, or is lost.
     */
    readonly ask: (
      method: string,
      params: Readonly<Record<string, unknown>> | string
    ) => Effect.Effect<Uint8Array, ServerSilent>
    /** Takes an answer to one of our requests; `false` if it is not ours. */
    readonly onAnswer: (id: string, answer: Uint8Array) => boolean
    /** Whether an id (JSON text) is one of ours. */
    readonly isOwn: (id: string) => boolean
    /** The server is gone: all that wait fail, and what is asked until `onRestored` fails at once. */
    readonly onLost: (reason: string) => void
    readonly onRestored: () => void
  }
>()("mcp-gen-ui/services/ServerRequests") {}
