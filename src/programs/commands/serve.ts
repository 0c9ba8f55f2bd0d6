import { Effect, Layer } from "effect"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import * as Logging from "../../layers/observability/Logging.ts"
import { logNotices, resolveSettings } from "../../layers/settings/Settings.ts"
import * as Telemetry from "../../layers/observability/Telemetry.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { serve } from "../serve.ts"

/** `mcp-gen-ui -- <command>`: wraps a server for the host on the other end of standard input and output. */
export const runServe = Effect.fn("runServe")(function* (given: CommandLineArguments) {
  const { settings, notices } = yield* resolveSettings({ ...given, environment: process.env })
  const told = Layer.succeed(Settings, settings)
  yield* Effect.andThen(logNotices(notices), serve).pipe(
    Effect.provide(Telemetry.layer(process.env).pipe(Layer.provideMerge(Logging.layer), Layer.provideMerge(told)))
  )
})
