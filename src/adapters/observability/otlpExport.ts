import { ConfigProvider, Duration, Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { randomUUID } from "node:crypto"
import { pairsOf, readOtlpVariables } from "../../domain/observability/OtlpVariables.ts"
import { makeRedactor, type Redactor } from "../../domain/observability/Redaction.ts"

/** How long the last sending at the end of the process may take (milliseconds); all signals are sent at once. */
const FLUSH_MS = 900
/** For one request. */
const DEFAULT_TIMEOUT_MS = 10_000

const UNIT = "unit"

interface Points {
  readonly dataPoints: Array<{ attributes?: Array<{ readonly key: string }> }>
}

/** Effect takes the unit of a metric from an attribute; it must not become a label of the series. */
const withoutUnit = <Data extends Points>(data: Data): Data => {
  const dataPoints = data.dataPoints.map((point) => ({
    ...point,
    attributes: (point.attributes ?? []).filter(({ key }) => key !== UNIT)
  }))
  return { ...data, dataPoints }
}

/** Spans carry messages of errors: take secrets out of them, as out of a log. */
const serialization = (protocol: string | undefined, redactor: Redactor) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(OtlpSerialization.OtlpSerialization, (plain) =>
      OtlpSerialization.OtlpSerialization.of({
        ...plain,
        traces: (data) => plain.traces(redactor.value(data) as typeof data),
        metrics: ({ resourceMetrics }) =>
          plain.metrics({
            resourceMetrics: resourceMetrics.map((resource) => ({
              ...resource,
              scopeMetrics: resource.scopeMetrics.map((scope) => ({
                ...scope,
                metrics: scope.metrics.map(({ gauge, histogram, sum, ...metric }) => ({
                  ...metric,
                  ...(gauge === undefined ? {} : { gauge: withoutUnit(gauge) }),
                  ...(histogram === undefined ? {} : { histogram: withoutUnit(histogram) }),
                  ...(sum === undefined ? {} : { sum: withoutUnit(sum) })
                }))
              }))
            }))
          })
      })
    )
  ).pipe(Layer.provide(protocol === "http/protobuf" ? OtlpSerialization.layerProtobuf : OtlpSerialization.layerJson))

const codeOf = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause ? codeOf(cause.cause) : undefined
}

const describe = ({ reason }: HttpClientError.HttpClientError): string => {
  if (reason._tag === "StatusCodeError") return `HTTP ${reason.response.status}`
  if (reason._tag !== "TransportError") return reason._tag
  return reason.description ?? codeOf(reason.cause) ?? "no answer"
}

/**
 * Posts to the collector: no redirect is followed, as headers may be secret, and no request lasts longer than it may.
 * The first failure is told, and none after it until something has arrived.
 */
const client = (signal: string, timeoutMs: number) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const fetching = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      let isFailing = false
      return HttpClient.transform(fetching, (response, request) => {
        const annotated = Effect.annotateLogs({
          component: "telemetry",
          signal,
          collector: URL.parse(request.url)?.origin
        })
        const description = `no answer within ${timeoutMs} ms`
        const late = new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, description })
        })
        return response.pipe(
          Effect.timeoutOrElse({ duration: Duration.millis(timeoutMs), orElse: () => Effect.fail(late) }),
          Effect.tapError((error) => {
            const message = `${signal} cannot be sent to the collector: ${describe(error)}`
            const line = isFailing ? Effect.logDebug(message) : Effect.logWarning(message)
            isFailing = true
            return annotated(line)
          }),
          Effect.tap(() => {
            if (!isFailing) return Effect.void
            isFailing = false
            return annotated(Effect.logInfo(`${signal} reach the collector again`))
          })
        )
      })
    })
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

/**
 * Sends the spans and the metrics of whatever it is provided to, in the background, as the variables of OpenTelemetry
 * say; what is left at the end of its scope is sent within a second or dropped. A variable that is wrong and a collector
 * that cannot be reached are warned of, and have no other effect. Spans go out without `secrets` and what looks like one.
 */
export const layer = (
  environment: Readonly<Record<string, string | undefined>>,
  secrets: ReadonlyArray<string>
): Layer.Layer<never> => {
  const { notices, variables } = readOtlpVariables(environment)
  const redactor = makeRedactor(secrets)
  const named = pairsOf(variables.OTEL_RESOURCE_ATTRIBUTES)
  const resource = {
    serviceName: variables.OTEL_SERVICE_NAME ?? named["service.name"] ?? "mcp-gen-ui",
    // Without it, two processes on one machine would share their series.
    attributes: { "service.instance.id": randomUUID(), ...named }
  }
  const sends = (
    signal: "traces" | "metrics",
    exporter: typeof OtlpTracer.layerFromConfig | typeof OtlpMetrics.layerFromConfig
  ): Layer.Layer<never> => {
    const of = (name: string) =>
      variables[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`] ?? variables[`OTEL_EXPORTER_OTLP_${name}`]
    const config = {
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "otlp",
      ...variables,
      // Effect takes it for the flush at the end of the process; our client has the timeout of a request.
      [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_TIMEOUT`]: String(FLUSH_MS)
    }
    return exporter({ resource, headers: pairsOf(of("HEADERS")) }).pipe(
      Layer.provide(serialization(of("PROTOCOL"), redactor)),
      Layer.provide(client(signal, Number(of("TIMEOUT") ?? DEFAULT_TIMEOUT_MS))),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(config)))
    )
  }
  const warnings = Effect.forEach(
    notices,
    ({ message, variable }) =>
      Effect.logWarning(`${variable}: ${message}`).pipe(Effect.annotateLogs({ component: "telemetry" })),
    { discard: true }
  )
  return Layer.mergeAll(
    Layer.effectDiscard(warnings),
    sends("traces", OtlpTracer.layerFromConfig),
    sends("metrics", OtlpMetrics.layerFromConfig)
  )
}
