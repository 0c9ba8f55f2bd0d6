import { Effect } from "effect"
import { endProcessWithin } from "../adapters/endProcess.ts"
import type { HttpListenFailed, HttpPortInUse } from "../services/HttpHosts.ts"
import { Session } from "../services/Session.ts"
import { Settings } from "../services/Settings.ts"
import type { UpstreamExited, UpstreamLost, UpstreamUnavailable } from "../services/Upstream.ts"
import { MainLayer } from "./MainLayer.ts"

/** After the conversation what was started has so long to end in order. */
const END_GRACE_MS = 8000

const serveStdio = Effect.gen(function* () {
  const session = yield* Session
  yield* session.run.pipe(Effect.ensuring(Effect.sync(() => endProcessWithin(END_GRACE_MS, 1))))
}).pipe(Effect.provide(MainLayer))

/**
 * Wraps the server of the settings. Over standard input and output it serves one host, until that ends the conversation;
 * fails with `UpstreamUnavailable` if the server does not start, with the others if it ends and does not come back. Over
 * HTTP it serves hosts until it is interrupted; fails if it can not listen.
 */
export const serve: Effect.Effect<
  void,
  UpstreamExited | UpstreamLost | UpstreamUnavailable | HttpListenFailed | HttpPortInUse,
  Settings
> = Effect.gen(function* () {
  const { http } = yield* Settings
  if (http === undefined) return yield* serveStdio
  const { serveHttp } = yield* Effect.promise(() => import("./serveHttp.ts"))
  return yield* serveHttp(http)
})
