import { Effect, Layer } from "effect"
import { secretsOfRun } from "../domain/observability/secretsOfRun.ts"
import * as Logging from "../layers/observability/Logging.ts"
import * as Telemetry from "../layers/observability/Telemetry.ts"
import { Settings } from "../services/settings/Settings.ts"

/** The log that the settings ask for, without their secrets. */
export const logs = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Logging.layer({ ...settings.logging, secrets: secretsOfRun(settings, process.env) })
  )
)

/** Spans and metrics, if the environment names a collector. */
export const telemetry = (environment: Readonly<Record<string, string | undefined>>) =>
  Layer.unwrap(
    Effect.map(Settings, (settings) =>
      Telemetry.layer({ environment, secrets: () => secretsOfRun(settings, environment) })
    )
  )
