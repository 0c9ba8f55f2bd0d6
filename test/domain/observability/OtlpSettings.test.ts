import { assert, describe, it } from "@effect/vitest"
import { readOtlpSettings } from "../../../src/domain/observability/OtlpSettings.ts"

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
const collector = { [ENDPOINT]: "http://127.0.0.1:4318" }

const read = (environment: Readonly<Record<string, string>>) => readOtlpSettings(environment).settings
const warned = (environment: Readonly<Record<string, string>>) => readOtlpSettings(environment).notices

describe("where telemetry goes", () => {
  it("is below the endpoint for all signals, whatever its path", () => {
    const urls = (url: string) => {
      const { metrics, traces } = read({ [ENDPOINT]: url })
      return [traces?.url, metrics?.url]
    }
    assert.deepStrictEqual(urls("http://c:4318"), ["http://c:4318/v1/traces", "http://c:4318/v1/metrics"])
    assert.deepStrictEqual(urls("https://c/otlp/"), ["https://c/otlp/v1/traces", "https://c/otlp/v1/metrics"])
    assert.deepStrictEqual(urls(" http://c/a?x=1 "), ["http://c/a/v1/traces?x=1", "http://c/a/v1/metrics?x=1"])
  })

  it("is exactly the endpoint of a signal, which comes first", () => {
    const { metrics, traces } = read({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/in" })
    assert.strictEqual(traces?.url, "http://t/in")
    assert.strictEqual(metrics?.url, "http://127.0.0.1:4318/v1/metrics")
    assert.isUndefined(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/in" }).metrics)
  })

  it("is nowhere without an endpoint, if it is empty, or if all or one of it is switched off", () => {
    const off = { traces: undefined, metrics: undefined }
    assert.deepInclude(read({}), off)
    assert.deepInclude(read({ [ENDPOINT]: "  " }), off)
    assert.deepInclude(read({ ...collector, OTEL_SDK_DISABLED: "TRUE" }), off)
    const noTraces = read({ ...collector, OTEL_TRACES_EXPORTER: "none" })
    assert.isUndefined(noTraces.traces)
    assert.isDefined(noTraces.metrics)
    const noMetrics = read({ ...collector, OTEL_METRICS_EXPORTER: "none" })
    assert.isDefined(noMetrics.traces)
    assert.isUndefined(noMetrics.metrics)
    assert.isDefined(read({ ...collector, OTEL_METRICS_EXPORTER: "console,otlp" }).metrics)
  })
})

describe("how it is sent", () => {
  it("has defaults", () => {
    const { attributes, metricIntervalMs, metrics, serviceName, temporality } = read(collector)
    assert.deepStrictEqual(metrics, {
      url: "http://127.0.0.1:4318/v1/metrics",
      headers: {},
      protocol: "http/json",
      compression: "none",
      timeoutMs: 10_000
    })
    assert.deepStrictEqual(
      { attributes, metricIntervalMs, serviceName, temporality },
      { attributes: {}, metricIntervalMs: 60_000, serviceName: "mcp-gen-ui", temporality: "cumulative" }
    )
  })

  it("follows the variables, those of a signal before those for all", () => {
    const { metrics, metricIntervalMs, temporality, traces } = read({
      ...collector,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-tenant = a=b ,",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-only=metrics",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TIMEOUT: "1500",
      OTEL_METRIC_EXPORT_INTERVAL: "250",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "Delta"
    })
    assert.deepStrictEqual(traces?.headers, { authorization: "Bearer abc", "x-tenant": "a=b" })
    assert.deepStrictEqual(metrics?.headers, { "x-only": "metrics" })
    assert.deepStrictEqual([traces?.protocol, metrics?.protocol], ["http/json", "http/protobuf"])
    assert.deepStrictEqual([metrics?.compression, metrics?.timeoutMs], ["gzip", 1500])
    assert.deepStrictEqual([metricIntervalMs, temporality], [250, "delta"])
  })

  it("names the service, by its variable before its attribute", () => {
    const attributes = { ...collector, OTEL_RESOURCE_ATTRIBUTES: "service.name=a%2Cb,deployment.environment=test" }
    assert.strictEqual(read(attributes).serviceName, "a,b")
    assert.deepStrictEqual(read(attributes).attributes, { "deployment.environment": "test" })
    assert.strictEqual(read({ ...attributes, OTEL_SERVICE_NAME: "c" }).serviceName, "c")
  })
})

describe("a wrong variable", () => {
  const cases: ReadonlyArray<readonly [variable: string, value: string, message: RegExp]> = [
    [ENDPOINT, "localhost:4318", /http or https URL/],
    [ENDPOINT, "grpc://c:4317", /http or https URL/],
    [ENDPOINT, "http://hidden-word@c", /must not hold a user name or password/],
    [ENDPOINT, "http://me:hidden-word@c", /must not hold a user name or password/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no-pair-hidden-word", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x=%E0%A4%A", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a b=hidden-word", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=hidden-word%0d%0ax: y", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /"grpc" is not supported, only http\/json or http\/protobuf/],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", /only gzip or none; none is used/],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "-1", /no number of milliseconds; 10000 is used/],
    ["OTEL_METRIC_EXPORT_INTERVAL", "99999999999", /no number of milliseconds; 60000 is used/],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1s", /no number of milliseconds/],
    ["OTEL_RESOURCE_ATTRIBUTES", "service.name=%", /all of it is ignored/],
    ["OTEL_SDK_DISABLED", "yes", /only true or false; false is used/],
    ["OTEL_TRACES_EXPORTER", "otpl", /otlp is used/],
    ["OTEL_METRICS_EXPORTER", "prometheus", /no metrics are exported/]
  ]
  for (const [variable, value, message] of cases) {
    it(`is told once, and nothing of it that may be secret: ${variable}=${value}`, () => {
      const notices = warned({ ...collector, [variable]: value })
      assert.deepStrictEqual(
        notices.map((notice) => notice.variable),
        [variable]
      )
      assert.match(notices[0]?.message ?? "", message)
      assert.notInclude(JSON.stringify(notices), "hidden-word")
    })
  }

  it("does not take the other signals with it", () => {
    const { metrics, traces } = read({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "nonsense" })
    assert.isUndefined(traces)
    assert.isDefined(metrics)
  })

  it("is none where everything is right", () => {
    assert.deepStrictEqual(warned({ ...collector, OTEL_SDK_DISABLED: "false", OTEL_TRACES_EXPORTER: "otlp" }), [])
  })
})
