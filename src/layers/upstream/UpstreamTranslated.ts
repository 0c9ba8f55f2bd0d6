import { Effect, FiberSet, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { EraTranslator } from "../../domain/upstream/eras/EraTranslator.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import { Upstream } from "../../services/upstream/Upstream.ts"

/** Frames have nowhere to go before somebody listens. */
const nobody: FrameListener = { frame: () => undefined, drained: () => undefined, ended: () => undefined }

export interface UpstreamTranslatedOptions {
  /** Let a host of the modern era only use a server of the legacy era only, by answering `server/discover` for it. */
  readonly translateEras: boolean
  /** Several hosts of the modern era share the server. */
  readonly isShared: boolean
}

/**
 * The server below, in the protocol era of the host. Frames pass in the same turn and as they are, until it turns out
 * that host and server share no era; see {@link EraTranslator}.
 */
export const layer = (options: UpstreamTranslatedOptions): Layer.Layer<Upstream, never, Upstream> =>
  Layer.effect(
    Upstream,
    Effect.gen(function* () {
      const below = yield* Upstream
      const fork = yield* FiberSet.makeRuntime<never, void, never>()

      let listener = nobody
      let isReading = true

      const after = (milliseconds: number, work: () => void): (() => void) => {
        const fiber = fork(Effect.andThen(Effect.sleep(milliseconds), Effect.sync(work)))
        return () => fiber.interruptUnsafe()
      }

      const translator = new EraTranslator(
        {
          toHost: (frame, about) => listener.frame(frame, about),
          toServer: (frame, about) => {
            isReading = below.link.send(frame, about)
          },
          after,
          note: (text) => void fork(Effect.logInfo(text).pipe(Effect.annotateLogs({ component: "eras" }))),
          drained: () => listener.drained()
        },
        { ...options, random: randomUUID }
      )

      const link: FrameLink = {
        listen: (heard) => {
          listener = heard
          below.link.listen({
            frame: (frame, about) =>
              translator.isSettled ? heard.frame(frame, about) : translator.fromServer(frame, about),
            long: (frame) => translator.isSettled && heard.long?.(frame) === true,
            oversized: (head, bytes) => {
              if (translator.isSettled || !translator.onOversized(head, bytes)) heard.oversized?.(head, bytes)
            },
            drained: heard.drained,
            ended: heard.ended
          })
        },
        send: (frame, about) => {
          if (translator.isSettled) return below.link.send(frame, about)
          isReading = true
          translator.fromHost(frame, about)
          return isReading && !translator.isBehind
        },
        pause: below.link.pause,
        resume: below.link.resume,
        end: below.link.end
      }

      return Upstream.of({
        link,
        name: below.name,
        exited: below.exited,
        reject: below.reject,
        watch: ({ lost, restored }) =>
          below.watch({
            lost: (error, retryInMs, unsent) => lost(error, retryInMs, translator.onLost(unsent)),
            restored
          })
      })
    })
  )
