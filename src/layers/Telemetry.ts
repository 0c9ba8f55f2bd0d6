import { Effect, Layer } from "effect"
import * as UiMetrics from "../services/UiMetrics.ts"

const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
]

/**
 * Sends spans and metrics to a collector, if the variables of OpenTelemetry in the environment name one; otherwise it
 * is empty, and what it would need is not loaded. Give it to what is to be observed, and give it the log: wrong
 * variables and a collector that can not be reached are told there, and have no other effect.
 */
export const layer = (environment: Readonly<Record<string, string | undefined>>): Layer.Layer<never> =>
  ENDPOINTS.some((name) => (environment[name] ?? "").trim() !== "")
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("../adapters/otlpExport.ts")),
          (otlp) => Layer.merge(otlp.layer(environment), Layer.effectDiscard(UiMetrics.announce))
        )
      )
    : Layer.empty
