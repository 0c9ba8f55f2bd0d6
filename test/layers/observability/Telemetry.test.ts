import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Logger, Metric, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import * as Telemetry from "../../../src/layers/observability/Telemetry.ts"
import { telemetry } from "../../../src/programs/MainLayer.ts"
import * as UiMetrics from "../../../src/services/observability/UiMetrics.ts"
import { attributesOf, OtlpCollector } from "../../fixtures/otlpCollector.ts"
import { settingsWith } from "../../fixtures/settings.ts"
import { whileTimePasses } from "../../fixtures/time.ts"

interface Line {
  readonly level: string
  readonly message: string
}

/** What was logged, as it comes. */
class Log {
  readonly lines: Array<Line> = []
  readonly #waiting = new Set<() => void>()

  readonly logger = Logger.make(({ logLevel, message }) => {
    this.lines.push({ level: logLevel, message: String(message) })
    for (const go of this.#waiting) go()
  })

  of(level: string): ReadonlyArray<string> {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message)
  }

  /** Ends when a line of this level has come. */
  until(level: string): Effect.Effect<void> {
    return Effect.promise(async () => {
      while (this.of(level).length === 0) await new Promise<void>((go) => this.#waiting.add(go))
    })
  }
}

interface Run {
  readonly collector: OtlpCollector
  readonly url: string
  readonly log: Log
}

/** Runs a test beside a collector, with metrics and a log of its own. */
const withCollector = (use: (run: Run) => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const collector = new OtlpCollector()
      return { collector, url: await collector.listen() }
    }),
    ({ collector, url }) => {
      const log = new Log()
      return use({ collector, url, log }).pipe(
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.provideService(References.MinimumLogLevel, "Debug"),
        Effect.provide(Logger.layer([log.logger]))
      )
    },
    ({ collector }) => Effect.sync(() => collector.close())
  )

type Body = (run: Run) => Effect.fn.Return<void>

/** A test beside a collector, by the clock of the test or in real time. */
const effect = (name: string, body: Body): void => it.effect(name, () => withCollector(Effect.fnUntraced(body)))
const live = (name: string, body: Body): void => it.live(name, () => withCollector(Effect.fnUntraced(body)))

/** Runs a program as the command line does, to its end. */
const observed = (
  environment: Readonly<Record<string, string>>,
  program: Effect.Effect<void> = Effect.void,
  settings = settingsWith()
): Effect.Effect<void> => Effect.provide(program, Layer.provide(telemetry(environment), settings))

const endpoint = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })

const generation = Effect.void.pipe(Effect.withSpan("UiGenerator.generate"), Effect.withSpan("Generations.generate"))

describe("telemetry", () => {
  live("sends spans as OTLP/JSON when the process ends", function* ({ collector, log, url }) {
    yield* observed({ ...endpoint(url), OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test" }, generation)
    const post = collector.posts.find(({ path }) => path === "/v1/traces")
    assert.strictEqual(post?.headers["content-type"], "application/json")
    const resource = attributesOf(post?.body.resourceSpans?.[0]?.resource.attributes ?? [])
    assert.deepInclude(resource, { "service.name": "mcp-gen-ui", "deployment.environment": "test" })
    assert.match(String(resource["service.instance.id"]), /^[0-9a-f-]{36}$/)
    const [inner, outer] = ["UiGenerator.generate", "Generations.generate"].map((name) =>
      collector.spans.find((span) => span.name === name)
    )
    assert.match(inner?.traceId ?? "", /^[0-9a-f]{32}$/)
    assert.match(inner?.spanId ?? "", /^[0-9a-f]{16}$/)
    assert.strictEqual(inner?.parentSpanId, outer?.spanId)
    assert.isTrue(BigInt(inner?.endTimeUnixNano ?? 0) >= BigInt(inner?.startTimeUnixNano ?? 1))
    assert.deepStrictEqual(log.lines, [])
  })

  live("sends metrics, each with its unit and only its own labels", function* ({ collector, url }) {
    const program = Effect.all([UiMetrics.generationEnded("repaired", 2500), UiMetrics.uiRead("miss")], {
      discard: true
    })
    yield* observed({ ...endpoint(url), OTEL_SERVICE_NAME: "uis" }, program)
    const post = collector.posts.find(({ path }) => path === "/v1/metrics")
    const resource = attributesOf(post?.body.resourceMetrics?.[0]?.resource.attributes ?? [])
    assert.strictEqual(resource["service.name"], "uis")
    const named = (name: string) => collector.metrics.find((metric) => metric.name === name)
    const duration = named("mcp_gen_ui_generation_duration_seconds")
    assert.strictEqual(duration?.unit, "s")
    const point = duration?.histogram?.dataPoints.find(({ count }) => count === 1)
    assert.deepStrictEqual(attributesOf(point?.attributes ?? []), { outcome: "repaired", draft: "first" })
    assert.strictEqual(point?.sum, 2.5)
    assert.strictEqual(point?.bucketCounts?.length, (point?.explicitBounds?.length ?? 0) + 1)
    assert.strictEqual(
      point?.bucketCounts?.reduce((sum, count) => sum + count, 0),
      1
    )
    const reads = named("mcp_gen_ui_ui_reads_total")
    assert.deepInclude(reads?.sum, { isMonotonic: true, aggregationTemporality: 2 })
    const values = reads?.sum?.dataPoints.map(({ asDouble, attributes }) => [attributesOf(attributes), asDouble])
    assert.deepStrictEqual(values, [
      [{ result: "hit" }, 0],
      [{ result: "miss" }, 1]
    ])
    assert.isFalse(collector.metrics.some(({ unit }) => unit === "1"))
  })

  it.live("sends metrics at their interval, while the process goes on", () =>
    withCollector(({ collector, url }) =>
      Effect.asVoid(
        observed(
          { ...endpoint(url), OTEL_METRIC_EXPORT_INTERVAL: "20", OTEL_TRACES_EXPORTER: "none" },
          Effect.promise(() => collector.received("/v1/metrics", 3))
        )
      ).pipe(
        Effect.andThen(Effect.sync(() => assert.isFalse(collector.posts.some(({ path }) => path === "/v1/traces"))))
      )
    )
  )

  live("sends headers, compresses, and speaks protobuf where it is told to", function* ({ collector, log, url }) {
    const environment = {
      ...endpoint(`${url}/otlp`),
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hidden-word",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf"
    }
    yield* observed(environment, generation)
    const [traces, metrics] = ["/otlp/v1/traces", "/otlp/v1/metrics"].map((path) =>
      collector.posts.find((post) => post.path === path)
    )
    assert.strictEqual(traces?.headers["content-type"], "application/x-protobuf")
    assert.include(traces?.bytes.toString("latin1"), "UiGenerator.generate")
    assert.strictEqual(metrics?.headers["content-encoding"], "gzip")
    for (const post of [traces, metrics]) assert.strictEqual(post?.headers.authorization, "Bearer hidden-word")
    assert.deepStrictEqual(log.lines, [])
  })

  live("takes secrets out of what errors say", function* ({ collector, url }) {
    const failing = Effect.die("refused key-1234567890, Bearer abcdefgh").pipe(
      Effect.withSpan("UiGenerator.generate"),
      Effect.ignoreCause
    )
    yield* observed({ ...endpoint(url), SOME_API_KEY: "key-1234567890" }, failing)
    const span = collector.spans.find(({ name }) => name === "UiGenerator.generate")
    assert.include(span?.status.message, "refused [redacted]")
    const sent = JSON.stringify(collector.posts.map(({ body }) => body))
    assert.notInclude(sent, "key-1234567890")
    assert.notInclude(sent, "abcdefgh")
  })

  live("takes secrets out that only the settings know", function* ({ collector, url }) {
    const secrets = {
      key: "plain words of a key",
      header: "plain words of a header",
      token: "plain words of a host",
      password: "plain-words-of-a-cache"
    }
    const settings = settingsWith({
      llm: { provider: "openai", apiKey: Redacted.make(secrets.key) },
      http: {
        ...CONFIG_DEFAULTS.http,
        port: 0,
        token: Redacted.make(secrets.token),
        allowedOrigins: [],
        allowedHosts: []
      },
      cache: { type: "redis", url: Redacted.make(`redis://me:${secrets.password}@host`) },
      upstream: {
        transport: "http",
        url: "https://host.example/mcp",
        headers: { "X-Acme": Redacted.make(secrets.header) },
        token: undefined,
        reconnectDelayMs: 1,
        maxReconnectDelayMs: 1
      },
      logging: { redactSensitiveData: false }
    })
    const failing = Effect.die(new Error(`refused: ${Object.values(secrets).join(" / ")}`)).pipe(
      Effect.annotateSpans("answer", secrets.header),
      Effect.withSpan("UiGenerator.generate"),
      Effect.ignoreCause
    )
    yield* observed(endpoint(url), failing, settings)
    const span = collector.spans.find(({ name }) => name === "UiGenerator.generate")
    assert.include(span?.status.message, `refused: ${Array(4).fill("[redacted]").join(" / ")}`)
    const sent = JSON.stringify(collector.posts.map(({ body }) => body))
    for (const secret of Object.values(secrets)) assert.notInclude(sent, secret)
  })
})

describe("a collector", () => {
  effect("that is away is warned of for each signal, and keeps nobody", function* ({ collector, log, url }) {
    collector.close()
    const environment = { ...endpoint(url), OTEL_EXPORTER_OTLP_HEADERS: "x-key=hidden-word" }
    yield* whileTimePasses(observed(environment, generation))
    assert.isAtMost(yield* Clock.currentTimeMillis, 1500)
    assert.deepStrictEqual([...log.of("Warn")].toSorted(), [
      "metrics cannot be sent to the collector: ECONNREFUSED",
      "traces cannot be sent to the collector: ECONNREFUSED"
    ])
    assert.notInclude(JSON.stringify(log.lines), "hidden-word")
  })

  live("that fails is warned of once, until it works again", function* ({ collector, log, url }) {
    collector.answer = 503
    const environment = {
      ...endpoint(url),
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRIC_EXPORT_INTERVAL: "10"
    }
    const program = Effect.gen(function* () {
      yield* log.until("Debug")
      collector.answer = 200
      yield* log.until("Info")
    })
    yield* observed(environment, program)
    assert.deepStrictEqual(log.of("Warn"), ["metrics cannot be sent to the collector: HTTP 503"])
    assert.deepStrictEqual(log.of("Info"), ["metrics reach the collector again"])
  })

  effect("that never answers keeps the end of the process for no more than a second", function* ({ collector, url }) {
    collector.answer = "hang"
    const ending = yield* Effect.forkChild(observed(endpoint(url), generation), { startImmediately: true })
    yield* Effect.promise(() => collector.received("/v1/traces"))
    yield* Effect.promise(() => collector.received("/v1/metrics"))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(ending)
    assert.sameMembers(
      collector.posts.map(({ path }) => path),
      ["/v1/traces", "/v1/metrics"]
    )
  })

  live("that never answers holds no request longer than it may", function* ({ collector, log, url }) {
    collector.answer = "hang"
    const environment = {
      ...endpoint(url),
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRIC_EXPORT_INTERVAL: "10",
      OTEL_EXPORTER_OTLP_TIMEOUT: "50"
    }
    yield* observed(
      environment,
      Effect.promise(() => collector.received("/v1/metrics", 2))
    )
    assert.deepStrictEqual(log.of("Warn"), ["metrics cannot be sent to the collector: no answer within 50 ms"])
  })

  live("that refuses is told by its status, and gets no request somewhere else", function* ({ collector, log, url }) {
    collector.answer = { redirect: `${url}/elsewhere` }
    yield* observed({ ...endpoint(url), OTEL_METRICS_EXPORTER: "none" }, generation)
    assert.deepStrictEqual(log.of("Warn"), ["traces cannot be sent to the collector: HTTP 307"])
    assert.isFalse(collector.posts.some(({ path }) => path === "/elsewhere"))
  })
})

describe("variables", () => {
  live("that are wrong are warned of, and stop nothing", function* ({ collector, log, url }) {
    yield* observed(
      { ...endpoint(url), OTEL_RESOURCE_ATTRIBUTES: "%", OTEL_METRIC_EXPORT_INTERVAL: "soon" },
      generation
    )
    assert.strictEqual(log.lines.length, 2)
    assert.match(log.of("Warn")[0] ?? "", /^OTEL_RESOURCE_ATTRIBUTES: /)
    assert.match(log.of("Warn")[1] ?? "", /^OTEL_METRIC_EXPORT_INTERVAL: has to be a number of milliseconds/)
    assert.isTrue(collector.spans.some(({ name }) => name === "UiGenerator.generate"))
  })

  const paths: ReadonlyArray<readonly [string, (url: string) => Record<string, string>, ReadonlyArray<string>]> = [
    ["one endpoint for all", (url) => endpoint(`${url}/a/`), ["/a/v1/metrics", "/a/v1/traces"]],
    ["that of a signal first", (url) => ({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/in` }), ["/in"]],
    ["one switched off", (url) => ({ ...endpoint(url), OTEL_METRICS_EXPORTER: "none" }), ["/v1/traces"]],
    [
      "one of two exporters",
      (url) => ({ ...endpoint(url), OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "x,otlp" }),
      ["/v1/metrics"]
    ],
    ["all switched off", (url) => ({ ...endpoint(url), OTEL_SDK_DISABLED: "TRUE" }), []]
  ]
  for (const [name, environment, expected] of paths) {
    live(`say where things are sent: ${name}`, function* ({ collector, url }) {
      yield* observed(environment(url), generation)
      assert.deepStrictEqual(collector.posts.map(({ path }) => path).toSorted(), expected)
    })
  }

  live("name the service and the temporality, by the attribute where there is no name", function* ({ collector, url }) {
    yield* observed(
      {
        ...endpoint(url),
        OTEL_RESOURCE_ATTRIBUTES: "service.name=a%2Cb",
        OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "Delta"
      },
      UiMetrics.uiRead("miss")
    )
    const [metrics] = collector.posts.flatMap(({ body }) => body.resourceMetrics ?? [])
    assert.strictEqual(attributesOf(metrics?.resource.attributes ?? [])["service.name"], "a,b")
    const reads = collector.metrics.find(({ name }) => name === "mcp_gen_ui_ui_reads_total")
    assert.strictEqual(reads?.sum?.aggregationTemporality, 1)
  })

  live("without an endpoint mean that nothing is done", function* ({ log }) {
    const environment = { OTEL_SERVICE_NAME: "x", OTEL_EXPORTER_OTLP_ENDPOINT: " " }
    assert.strictEqual(Telemetry.layer({ environment, secrets: () => [] }), Layer.empty)
    yield* observed({ OTEL_METRIC_EXPORT_INTERVAL: "soon" }, generation)
    assert.deepStrictEqual(log.lines, [])
  })
})
