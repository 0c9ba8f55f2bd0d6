type Variables = Readonly<Record<string, string>>

/** A variable that has no effect. The message never quotes a value, which may be secret. */
interface OtlpNotice {
  readonly variable: string
  readonly message: string
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** `name=value` pairs with percent-encoding, separated by commas (W3C Baggage); `undefined` if there is a slip in them. */
const readPairs = (text: string): Variables | undefined => {
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

/** The pairs of a variable of {@link readOtlpVariables}. */
export const pairsOf = (text: string | undefined): Variables => readPairs(text ?? "") ?? {}

const isAddress = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

const areHeaders = (value: string): boolean =>
  Object.entries(readPairs(value) ?? { "": "" }).every(
    ([name, text]) => HEADER_NAME.test(name) && HEADER_VALUE.test(text)
  )

const LIST = "has to be a list such as name=value,other=value, percent-encoded"
const MILLISECONDS = "has to be a number of milliseconds"

/** Which values have an effect. Letter case counts in lists and addresses only. */
const RULES: ReadonlyArray<readonly [variable: RegExp, isRight: (value: string) => boolean, message: string]> = [
  [
    /^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?ENDPOINT$/,
    isAddress,
    "has to be an http or https URL, without a user name or password, which belong in OTEL_EXPORTER_OTLP_HEADERS"
  ],
  [/^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?HEADERS$/, areHeaders, LIST],
  [
    /^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?PROTOCOL$/,
    (value) => /^http\/(json|protobuf)$/.test(value),
    "only http/json and http/protobuf are supported"
  ],
  [
    /^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?COMPRESSION$/,
    (value) => /^(gzip|none)$/.test(value),
    "only gzip and none are supported"
  ],
  [/^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?TIMEOUT$/, (value) => /^[1-9]\d{0,8}$/.test(value), MILLISECONDS],
  [/^OTEL_METRIC_EXPORT_INTERVAL$/, (value) => /^[1-9]\d{0,8}$/.test(value), MILLISECONDS],
  [
    /^OTEL_EXPORTER_OTLP_(TRACES_|METRICS_)?TEMPORALITY_PREFERENCE$/,
    (value) => /^(cumulative|delta)$/.test(value),
    "only cumulative and delta are supported"
  ],
  [/^OTEL_SDK_DISABLED$/, (value) => /^(true|false)$/.test(value), "has to be true or false"],
  [
    /^OTEL_(TRACES|METRICS)_EXPORTER$/,
    (value) => /(^|,) *(otlp|none) *(,|$)/.test(value),
    "only otlp and none are supported"
  ],
  [/^OTEL_RESOURCE_ATTRIBUTES$/, (value) => readPairs(value) !== undefined, LIST],
  [/^OTEL_SERVICE_NAME$/, () => true, ""]
]

const KEEPS_CASE = /(ENDPOINT|HEADERS|ATTRIBUTES|SERVICE_NAME)$/

/**
 * The variables of OpenTelemetry's specification ("Environment Variable Specification", "OTLP Exporter") that have an effect
 * here. An empty one counts as not set, as the specification demands. So does a wrong one, with a notice.
 */
export const readOtlpVariables = (
  environment: Readonly<Record<string, string | undefined>>
): { readonly variables: Variables; readonly notices: ReadonlyArray<OtlpNotice> } => {
  const variables: Record<string, string> = {}
  const notices: Array<OtlpNotice> = []
  for (const [variable, given = ""] of Object.entries(environment)) {
    const rule = RULES.find(([name]) => name.test(variable))
    const value = KEEPS_CASE.test(variable) ? given.trim() : given.trim().toLowerCase()
    if (rule === undefined || value === "") continue
    const [, isRight, message] = rule
    if (isRight(value)) variables[variable] = value
    else notices.push({ variable, message: `${message}; it has no effect` })
  }
  return { variables, notices }
}
