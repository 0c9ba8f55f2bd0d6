type Environment = Readonly<Record<string, string | undefined>>

export type OtlpSignal = "traces" | "metrics"

/** Where one signal goes, and how. */
export interface OtlpTarget {
  /** Complete, path included. May hold a secret in its query. */
  readonly url: string
  /** Values are secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "http/json" | "http/protobuf"
  readonly compression: "gzip" | "none"
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number
}

export interface OtlpSettings {
  readonly traces: OtlpTarget | undefined
  readonly metrics: OtlpTarget | undefined
  readonly metricIntervalMs: number
  readonly temporality: "cumulative" | "delta"
  readonly serviceName: string
  /** Of the resource, without the service's name. */
  readonly attributes: Readonly<Record<string, string>>
}

/** A variable that has no effect, or not the one that was meant. The message never quotes a value that may be secret. */
export interface OtlpNotice {
  readonly variable: string
  readonly message: string
}

const DEFAULT_SERVICE = "mcp-gen-ui"
const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_INTERVAL_MS = 60_000
/** The longest time that a timer of Node can wait. */
const LONGEST_MS = 2_147_483_647
const MAX_QUOTED = 40

/** Exporters that OpenTelemetry knows and we do not have: who asks for one of them does not want the default. */
const OTHER_EXPORTERS: ReadonlySet<string> = new Set(["console", "logging", "prometheus", "zipkin", "jaeger"])

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const quote = (value: string): string =>
  JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value)

/** `key=value` pairs with percent-encoding, separated by commas (W3C Baggage); `undefined` if there is a slip in them. */
const readPairs = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    const pairs = text
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map((pair) => {
        const at = pair.indexOf("=")
        const key = decodeURIComponent(pair.slice(0, at).trim())
        return [at < 0 ? "" : key, decodeURIComponent(pair.slice(at + 1).trim())] as const
      })
    return pairs.some(([key]) => key === "") ? undefined : Object.fromEntries(pairs)
  } catch {
    return undefined
  }
}

class Reader {
  readonly notices: Array<OtlpNotice> = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** An empty variable counts as none. */
  text(variable: string): string | undefined {
    const value = this.#environment[variable]?.trim()
    return value === "" ? undefined : value
  }

  warn(variable: string, message: string): void {
    if (!this.notices.some((notice) => notice.variable === variable)) this.notices.push({ variable, message })
  }

  /** The variable of a signal, else the one for all of them. */
  named(signal: OtlpSignal, name: string): { readonly variable: string; readonly value: string } | undefined {
    const variables = [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`, `OTEL_EXPORTER_OTLP_${name}`]
    for (const variable of variables) {
      const value = this.text(variable)
      if (value !== undefined) return { variable, value }
    }
    return undefined
  }

  oneOf<const Value extends string>(
    given: { readonly variable: string; readonly value: string } | undefined,
    values: ReadonlyArray<Value>,
    fallback: Value
  ): Value {
    const found = values.find((value) => value === given?.value.toLowerCase())
    if (given !== undefined && found === undefined) {
      const allowed = values.join(" or ")
      this.warn(given.variable, `${quote(given.value)} is not supported, only ${allowed}; ${fallback} is used`)
    }
    return found ?? fallback
  }

  milliseconds(given: { readonly variable: string; readonly value: string } | undefined, fallback: number): number {
    if (given === undefined) return fallback
    const value = /^\d{1,10}$/.test(given.value) ? Number(given.value) : 0
    if (value >= 1 && value <= LONGEST_MS) return value
    this.warn(given.variable, `${quote(given.value)} is no number of milliseconds; ${fallback} is used`)
    return fallback
  }

  isDisabled(): boolean {
    const variable = "OTEL_SDK_DISABLED"
    const value = this.text(variable)
    return this.oneOf(value === undefined ? undefined : { variable, value }, ["true", "false"], "false") === "true"
  }

  isExported(signal: OtlpSignal): boolean {
    const variable = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const names = (this.text(variable) ?? "otlp")
      .toLowerCase()
      .split(",")
      .map((name) => name.trim())
    if (names.includes("otlp")) return true
    if (names.includes("none")) return false
    const other = names.find((name) => OTHER_EXPORTERS.has(name))
    if (other !== undefined) {
      this.warn(variable, `there is no exporter ${quote(other)}, only otlp; no ${signal} are exported`)
      return false
    }
    this.warn(variable, `${quote(names.join(","))} is no exporter, only otlp and none are; otlp is used`)
    return true
  }

  url(signal: OtlpSignal): string | undefined {
    const given = this.named(signal, "ENDPOINT")
    if (given === undefined) return undefined
    const none = `no ${signal} are exported`
    const url = URL.parse(given.value)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      this.warn(given.variable, `has to be an http or https URL; ${none}`)
      return undefined
    }
    if (url.username !== "" || url.password !== "") {
      this.warn(
        given.variable,
        `must not hold a user name or password, which belong in OTEL_EXPORTER_OTLP_HEADERS; ${none}`
      )
      return undefined
    }
    if (given.variable === "OTEL_EXPORTER_OTLP_ENDPOINT") {
      url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`
    }
    return url.href
  }

  headers(signal: OtlpSignal): Readonly<Record<string, string>> {
    const given = this.named(signal, "HEADERS")
    if (given === undefined) return {}
    const pairs = readPairs(given.value)
    const isValid =
      pairs !== undefined &&
      Object.entries(pairs).every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value))
    if (isValid) return pairs
    this.warn(given.variable, "has to be a list such as name=value,other=value, percent-encoded; no headers are sent")
    return {}
  }

  target(signal: OtlpSignal): OtlpTarget | undefined {
    const url = this.isExported(signal) ? this.url(signal) : undefined
    if (url === undefined) return undefined
    return {
      url,
      headers: this.headers(signal),
      protocol: this.oneOf(this.named(signal, "PROTOCOL"), ["http/json", "http/protobuf"], "http/json"),
      compression: this.oneOf(this.named(signal, "COMPRESSION"), ["gzip", "none"], "none"),
      timeoutMs: this.milliseconds(this.named(signal, "TIMEOUT"), DEFAULT_TIMEOUT_MS)
    }
  }

  attributes(): Readonly<Record<string, string>> {
    const variable = "OTEL_RESOURCE_ATTRIBUTES"
    const value = this.text(variable)
    const pairs = value === undefined ? {} : readPairs(value)
    if (pairs === undefined) {
      this.warn(variable, "has to be a list such as name=value,other=value, percent-encoded; all of it is ignored")
    }
    return pairs ?? {}
  }

  variable(variable: string): { readonly variable: string; readonly value: string } | undefined {
    const value = this.text(variable)
    return value === undefined ? undefined : { variable, value }
  }
}

/**
 * Reads the variables of OpenTelemetry's specification ("Environment Variable Specification", "OTLP Exporter") for
 * traces and metrics over HTTP. As it demands, a wrong value never fails: it gives a notice, and the default.
 */
export const readOtlpSettings = (
  environment: Environment
): { readonly settings: OtlpSettings; readonly notices: ReadonlyArray<OtlpNotice> } => {
  const reader = new Reader(environment)
  const isDisabled = reader.isDisabled()
  const traces = isDisabled ? undefined : reader.target("traces")
  const metrics = isDisabled ? undefined : reader.target("metrics")
  const { "service.name": named, ...attributes } = isDisabled ? {} : reader.attributes()
  const settings: OtlpSettings = {
    traces,
    metrics,
    metricIntervalMs: reader.milliseconds(reader.variable("OTEL_METRIC_EXPORT_INTERVAL"), DEFAULT_INTERVAL_MS),
    temporality: reader.oneOf(
      reader.variable("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"),
      ["cumulative", "delta"],
      "cumulative"
    ),
    serviceName: reader.text("OTEL_SERVICE_NAME") ?? named ?? DEFAULT_SERVICE,
    attributes
  }
  return { settings, notices: reader.notices }
}
