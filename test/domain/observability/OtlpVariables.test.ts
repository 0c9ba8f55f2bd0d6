import { assert, describe, it } from "@effect/vitest"
import { pairsOf, readOtlpVariables } from "../../../src/domain/observability/OtlpVariables.ts"

describe("variables of OpenTelemetry", () => {
  it("are taken where they are right, whatever their letter case and the blanks around them", () => {
    const { notices, variables } = readOtlpVariables({
      OTEL_EXPORTER_OTLP_ENDPOINT: " http://c/A?x=1 ",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-only=Metrics",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_COMPRESSION: "GZIP",
      OTEL_EXPORTER_OTLP_TIMEOUT: "1500",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "Delta",
      OTEL_SDK_DISABLED: "FALSE",
      OTEL_TRACES_EXPORTER: "console, otlp",
      OTEL_METRICS_EXPORTER: "",
      OTEL_SERVICE_NAME: "UIs",
      PATH: "/bin",
      OTEL_SOMETHING_ELSE: "x"
    })
    assert.deepStrictEqual(notices, [])
    assert.deepStrictEqual(variables, {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/A?x=1",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-only=Metrics",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TIMEOUT: "1500",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta",
      OTEL_SDK_DISABLED: "false",
      OTEL_TRACES_EXPORTER: "console, otlp",
      OTEL_SERVICE_NAME: "UIs"
    })
  })

  it("hold pairs that are percent-encoded", () => {
    const pairs = pairsOf("authorization=Bearer%20abc, x-tenant = a=b ,service.name=a%2Cb")
    assert.deepStrictEqual(pairs, { authorization: "Bearer abc", "x-tenant": "a=b", "service.name": "a,b" })
    assert.deepStrictEqual(pairsOf(undefined), {})
  })

  const cases: ReadonlyArray<readonly [variable: string, value: string, message: RegExp]> = [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", /http or https URL/],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://c:4317", /http or https URL/],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://hidden-word@c", /without a user name or password/],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:hidden-word@c", /without a user name or password/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no-pair-hidden-word", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x=%E0%A4%A", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a b=hidden-word", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=hidden-word%0d%0ax: y", /has to be a list/],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /only http\/json and http\/protobuf/],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", /only gzip and none/],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "-1", /number of milliseconds/],
    ["OTEL_METRIC_EXPORT_INTERVAL", "99999999999", /number of milliseconds/],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1s", /number of milliseconds/],
    ["OTEL_RESOURCE_ATTRIBUTES", "service.name=%", /has to be a list/],
    ["OTEL_SDK_DISABLED", "yes", /true or false/],
    ["OTEL_TRACES_EXPORTER", "otpl", /only otlp and none/],
    ["OTEL_METRICS_EXPORTER", "prometheus", /only otlp and none/]
  ]
  for (const [variable, value, message] of cases) {
    it(`have no effect where they are wrong, which is told without the value: ${variable}=${value}`, () => {
      const { notices, variables } = readOtlpVariables({ [variable]: value })
      assert.deepStrictEqual(variables, {})
      assert.deepStrictEqual(
        notices.map((notice) => notice.variable),
        [variable]
      )
      assert.match(notices[0]?.message ?? "", message)
      assert.notInclude(JSON.stringify(notices), "hidden-word")
    })
  }
})
