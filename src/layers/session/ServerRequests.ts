import { Deferred, Duration, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { idKey, requestFrame, requestFrameOf } from "../../domain/wire/Frame.ts"
import { ServerRequests, ServerSilent } from "../../services/session/ServerRequests.ts"
import { Upstream } from "../../services/upstream/Upstream.ts"

/** How long an answer may take: a slow server gets its UIs late, not never. */
const PATIENCE = Duration.minutes(2)

export const layer: Layer.Layer<ServerRequests, never, Upstream> = Layer.effect(
  ServerRequests,
  Effect.gen(function* () {
    const { link } = yield* Upstream
    const prefix = `mcp-gen-ui:${randomUUID()}:`
    const waiting = new Map<
      string,
      { readonly method: string; readonly answer: Deferred.Deferred<Uint8Array, ServerSilent> }
    >()
    let asked = 0
    let gone: string | undefined

    const isOwn = (id: string): boolean => idKey(id).startsWith(`s${prefix}`)

    return ServerRequests.of({
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
    })
  })
)
