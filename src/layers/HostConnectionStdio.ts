import { Duration, Effect, Layer } from "effect"
import { fstatSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable, Writable } from "node:stream"
import { makeStreamLink } from "../adapters/streamLink.ts"
import { HostConnection } from "../services/HostConnection.ts"

const FLUSH_TIME = Duration.seconds(1)

/** Ends the stream and waits until what was written is out, but not for a host that no longer reads. */
const flush = (writable: Writable): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (writable.destroyed) return resume(Effect.void)
    writable.once("close", () => resume(Effect.void))
    writable.end(() => resume(Effect.void))
  }).pipe(Effect.timeoutOption(FLUSH_TIME), Effect.asVoid)

/** A link over any pair of streams; the writable is flushed when the layer's scope closes. */
export const layerStreams = (readable: Readable, writable: Writable): Layer.Layer<HostConnection> =>
  Layer.effect(
    HostConnection,
    Effect.acquireRelease(
      Effect.sync(() => makeStreamLink(readable, writable)),
      () => flush(writable)
    )
  )

/** Unlike `process.stdout`, a socket of our own over the descriptor can be ended, and says when it is flushed. */
const standardOutput = (): Writable => {
  const kind = fstatSync(1)
  return kind.isFIFO() || kind.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout
}

/** Standard input and output of this process: how a host that starts us speaks to us. */
export const layer: Layer.Layer<HostConnection> = Layer.suspend(() => layerStreams(process.stdin, standardOutput()))
