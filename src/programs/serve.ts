import { Effect } from "effect"
import { Session } from "../services/Session.ts"
import type { Settings } from "../services/Settings.ts"
import type { UpstreamExited, UpstreamUnavailable } from "../services/Upstream.ts"
import { MainLayer } from "./MainLayer.ts"

/**
 * Wraps the server of the settings and serves one host over standard input and output, until the host ends the
 * conversation. Fails with `UpstreamUnavailable` if the server does not start, `UpstreamExited` if it ends first.
 */
export const serve: Effect.Effect<void, UpstreamExited | UpstreamUnavailable, Settings> = Effect.gen(function* () {
  const session = yield* Session
  yield* session.run
}).pipe(Effect.provide(MainLayer))
