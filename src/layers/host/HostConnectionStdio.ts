import { Duration, Effect, Layer } from "effect"
import { fstatSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable, Writable } from "node:stream"
import { makeStreamLink, type StreamLinkOptions } from "../../adapters/platform/streamLink.ts"
import { watchParent } from "../../adapters/host/watchParent.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { HostConnection } from "../../services/host/HostConnection.ts"

const FLUSH_TIME = Duration.seconds(1)

/** Waits until an ended stream is flushed, but not for a host that no longer reads. */
const flushed = (writable: Writable): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (writable.destroyed || writable.writableFinished) return resume(Effect.void)
    writable.once("close", () => resume(Effect.void))
    writable.once("finish", () => resume(Effect.void))
  }).pipe(Effect.timeoutOption(FLUSH_TIME), Effect.asVoid)

const layerLink = (makeLink: (options: StreamLinkOptions) => FrameLink, writable: Writable, maxMessageBytes?: number) =>
  Layer.effect(
    HostConnection,
    Effect.acquireRelease(
      Effect.gen(function* () {
        const log = Effect.runForkWith(yield* Effect.context<never>())
        const onCut = (line: Uint8Array): void => {
          const length = line.length
          log(Effect.logWarning(`the host ended within a message, after ${length} bytes of it; they are left out`))
        }
        return HostConnection.of(makeLink({ maxMessageBytes, onCut }))
      }),
      (link) => Effect.andThen(Effect.sync(link.end), flushed(writable))
    )
  )

/**
 * A link over any pair of streams; the writable is flushed when the layer's scope closes. A message longer than
 * `maxMessageBytes` is told to the listener's `oversized`.
 *
 * @example
 * import { PassThrough } from "node:stream"
 * import { layerHostStreams } from "mcp-gen-ui"
 *
 * const layerHost = layerHostStreams(new PassThrough(), new PassThrough(), 50_000_000)
 */
export const layerStreams = (
  readable: Readable,
  writable: Writable,
  maxMessageBytes?: number
): Layer.Layer<HostConnection> =>
  layerLink((options) => makeStreamLink(readable, writable, options), writable, maxMessageBytes)

/** Unlike `process.stdout`, a socket of our own over the descriptor can be ended, and says when it is flushed. */
const standardOutput = (): Writable => {
  const kind = fstatSync(1)
  return kind.isFIFO() || kind.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout
}

/**
 * Standard input and output of this process: how a host that starts us speaks to us.
 *
 * @example
 * import { layerHostStdio } from "mcp-gen-ui"
 *
 * const layerHost = layerHostStdio({ maxMessageBytes: 50_000_000 })
 */
export const layer = ({ maxMessageBytes }: { readonly maxMessageBytes: number }): Layer.Layer<HostConnection> =>
  Layer.suspend(() => {
    const writable = standardOutput()
    const makeLink = (options: StreamLinkOptions): FrameLink =>
      watchParent(makeStreamLink(process.stdin, writable, options), () => process.ppid)
    return layerLink(makeLink, writable, maxMessageBytes)
  })
