import { Effect, Layer } from "effect"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
]

/**
 * Sends spans and metrics to a collector, if the variables of OpenTelemetry in the environment name one; otherwise it
 * is empty and loads nothing. Provide it to what is to be observed, and provide the log to it: wrong variables and a
 * collector that cannot be reached are told there, and have no other effect.
 *
 * Spans carry messages of errors. The `secrets`, and what looks like one, are taken out whatever the settings say about the
 * log: a collector is somebody else's.
 */
export const layer = ({
  environment,
  secrets
}: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly secrets: () => ReadonlyArray<string>
}): Layer.Layer<never> =>
  ENDPOINTS.some((name) => (environment[name] ?? "").trim() !== "")
    ? Layer.unwrap(
        Effect.gen(function* () {
          const otlp = yield* Effect.promise(() => import("../../adapters/observability/otlpExport.ts"))
          return Layer.merge(otlp.layer(environment, secrets()), Layer.effectDiscard(UiMetrics.announce))
        })
      )
    : Layer.empty
