import { Effect, Layer } from "effect"
import { writeStandardError } from "../adapters/platform/standardError.ts"
import * as HttpHostsLayer from "../layers/host/HttpHosts.ts"
import { HttpHosts, type HttpListenFailed, type HttpPortInUse } from "../services/host/HttpHosts.ts"
import type { HttpServing, Settings } from "../services/settings/Settings.ts"
import { sessions } from "./MainLayer.ts"

/**
 * Serves hosts over HTTP until it is interrupted. The address stands on standard error as soon as hosts can connect,
 * whatever the level of logging: people and scripts wait for it.
 */
export const serveHttp = (serving: HttpServing): Effect.Effect<never, HttpListenFailed | HttpPortInUse, Settings> =>
  Effect.gen(function* () {
    const { url } = yield* HttpHosts
    yield* Effect.sync(() => writeStandardError(`mcp-gen-ui: serving ${url}\n`))
    return yield* Effect.never
  }).pipe(Effect.provide(HttpHostsLayer.layer(serving).pipe(Layer.provide(sessions))))
