import { Deferred, Duration, Effect, Exit, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { idKey, requestFrame, requestFrameOf } from "../../domain/wire/Frame.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"

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
 * Requests that the wrapper itself sends to the server, beside the host's. It owns their ids, which neither a host nor
 * another wrapper uses. `serverFrames` hands it the answers.
 */
export interface ServerRequests {
  /**
   * Sends a request and waits for the frame that answers it, be it a result or an error. A text as `params` is JSON that
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
  /** The server is gone: all open requests fail, and new ones fail at once until `onRestored`. */
  readonly onLost: (reason: string) => void
  readonly onRestored: () => void
}

/** How long an answer may take: a slow server gets its UIs late, not never. */
const PATIENCE = Duration.minutes(2)

export const makeServerRequests = (link: Pick<FrameLink, "send">): ServerRequests => {
  const prefix = `mcp-gen-ui:${randomUUID()}:`
  const waiting = new Map<
    string,
    { readonly method: string; readonly answer: Deferred.Deferred<Uint8Array, ServerSilent> }
  >()
  let asked = 0
  let gone: string | undefined

  const isOwn = (id: string): boolean => idKey(id).startsWith(`s${prefix}`)

  return {
    ask: (method, params) =>
      Effect.suspend(() => {
        if (gone !== undefined) return Effect.fail(new ServerSilent({ method, detail: gone }))
        asked += 1
        const id = `${prefix}${asked}`
        const answer = Deferred.makeUnsafe<Uint8Array, ServerSilent>()
        waiting.set(id, { method, answer })
        const json = JSON.stringify(id)
        link.send(
          typeof params === "string" ? requestFrameOf(json, method, params) : requestFrame(json, method, params)
        )
        return Deferred.await(answer).pipe(
          Effect.timeoutOrElse({
            duration: PATIENCE,
            orElse: () =>
              Effect.fail(new ServerSilent({ method, detail: `no answer within ${Duration.toSeconds(PATIENCE)} s` }))
          }),
          Effect.ensuring(Effect.sync(() => waiting.delete(id)))
        )
      }),
    onAnswer: (id, answer) => {
      if (!isOwn(id)) return false
      const asking = waiting.get(idKey(id).slice(1))
      if (asking !== undefined) Deferred.doneUnsafe(asking.answer, Exit.succeed(answer))
      return true
    },
    isOwn,
    onLost: (reason) => {
      gone = reason
      for (const { answer, method } of waiting.values()) {
        Deferred.doneUnsafe(answer, Exit.fail(new ServerSilent({ method, detail: reason })))
      }
    },
    onRestored: () => {
      gone = undefined
    }
  }
}
