import { ConfigProvider, Duration, Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { randomUUID } from "node:crypto"
import { makeRedactor, type Redactor } from "../../domain/observability/Redaction.ts"
import {
  type OtlpSettings,
  type OtlpSignal,
  type OtlpTarget,
  readOtlpSettings
} from "../../domain/observability/OtlpSettings.ts"

/** What is left to send at the end of the process has so long; all signals are sent at once. */
const FLUSH = Duration.millis(900)

const UNIT = "unit"

interface Points {
  readonly dataPoints: Array<{ attributes?: Array<{ readonly key: string }> }>
}

/** Effect knows the unit of a metric from an attribute, which is none of its series' own. */
const withoutUnit = <Data extends Points>(data: Data): Data => {
  const dataPoints = data.dataPoints.map((point) => ({
    ...point,
    attributes: (point.attributes ?? []).filter(({ key }) => key !== UNIT)
  }))
  return { ...data, dataPoints }
}

/** Messages of errors come along with spans: secrets are taken out of them, as they are of a log. */
const serialization = (protocol: OtlpTarget["protocol"], redactor: Redactor) =>
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
  ).pipe(Layer.provide(protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf))

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
 * Posts to one collector: no redirect is followed, as headers may be secret, and no request lasts longer than it may.
 * The first failure is told, and none after it until something has arrived.
 */
const client = (signal: OtlpSignal, { timeoutMs, url }: OtlpTarget) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const fetching = yield* HttpClient.HttpClient
      let isFailing = false
      const { host, protocol } = new URL(url)
      const collector = `${protocol}//${host}`
      const annotated = Effect.annotateLogs({ component: "telemetry", signal, collector })
      const failed = (error: HttpClientError.HttpClientError) =>
        Effect.suspend(() => {
          const message = `${signal} can not be sent to the collector: ${describe(error)}`
          const line = isFailing ? Effect.logDebug(message) : Effect.logWarning(message)
          isFailing = true
          return annotated(line)
        })
      const arrived = Effect.suspend(() => {
        if (!isFailing) return Effect.void
        isFailing = false
        return annotated(Effect.logInfo(`${signal} reach the collector again`))
      })
      return HttpClient.transform(fetching, (response, request) =>
        response.pipe(
          Effect.flatMap((answer) => accepted(answer)),
          Effect.timeoutOrElse({
            duration: Duration.millis(timeoutMs),
            orElse: () => {
              const description = `no answer within ${timeoutMs} ms`
              return Effect.fail(
                new HttpClientError.HttpClientError({
                  reason: new HttpClientError.TransportError({ request, description })
                })
              )
            }
          }),
          Effect.tapError(failed),
          Effect.tap(arrived)
        )
      )
    })
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

const accepted = (
  answer: HttpClientResponse.HttpClientResponse
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
  answer.status >= 200 && answer.status < 300
    ? Effect.succeed(answer)
    : Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.StatusCodeError({ request: answer.request, response: answer })
        })
      )

const resourceOf = ({ attributes, serviceName }: OtlpSettings) => ({
  serviceName,
  // Without it, the counters of two processes on one machine would be one series.
  attributes: { "service.instance.id": randomUUID(), ...attributes }
})

const exporters = (settings: OtlpSettings, redactor: Redactor): Layer.Layer<never> => {
  const { metrics, metricIntervalMs, temporality, traces } = settings
  const resource = resourceOf(settings)
  const common = ({ compression, headers, url }: OtlpTarget) => ({
    url,
    headers,
    compression,
    resource,
    shutdownTimeout: FLUSH
  })
  const wired = (signal: OtlpSignal, target: OtlpTarget) =>
    Layer.merge(serialization(target.protocol, redactor), client(signal, target))
  const sendsTraces: Layer.Layer<never> =
    traces === undefined ? Layer.empty : OtlpTracer.layer(common(traces)).pipe(Layer.provide(wired("traces", traces)))
  const exportInterval = Duration.millis(metricIntervalMs)
  const sendsMetrics: Layer.Layer<never> =
    metrics === undefined
      ? Layer.empty
      : OtlpMetrics.layer({ ...common(metrics), exportInterval, temporality }).pipe(
          Layer.provide(wired("metrics", metrics))
        )
  return Layer.merge(sendsTraces, sendsMetrics)
}

/**
 * Sends the spans and the metrics of whatever it is provided to, in the background, as the variables of OpenTelemetry
 * say; what is left at the end of its scope is sent within a second or dropped. A variable that is wrong and a collector
 * that can not be reached are warned of, and have no other effect. Spans go out without `secrets` and
 * what looks like one.
 */
export const layer = (
  environment: Readonly<Record<string, string | undefined>>,
  secrets: ReadonlyArray<string>
): Layer.Layer<never> => {
  const { notices, settings } = readOtlpSettings(environment)
  const warnings = Effect.forEach(
    notices,
    ({ message, variable }) =>
      Effect.logWarning(`${variable}: ${message}`).pipe(Effect.annotateLogs({ component: "telemetry" })),
    { discard: true }
  )
  return Layer.merge(Layer.effectDiscard(warnings), exporters(settings, makeRedactor(secrets))).pipe(
    // The variables were read here, with more patience than Effect has.
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
  )
}
