import { Effect, Layer } from "effect"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
]

/**
 * Sends spans and metrics to a collector, if the variables of OpenTelemetry in the environment name one; otherwise it
 * is empty, and what it would need is not loaded. Give it to what is to be observed, and give it the log: wrong
 * variables and a collector that cannot be reached are told there, and have no other effect.
 *
 * Spans carry what errors say. The `secrets` are taken out of them, as is what looks like one, whatever the settings want for the log: a collector is somebody else's.
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
