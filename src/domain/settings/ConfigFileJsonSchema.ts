import { Schema } from "effect"
import { isObject } from "../isObject.ts"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import { FONT_NAME, HOUSE_ACCENT } from "../tools/HouseTheme.ts"
import { configFileSchema, FRAME_ORIGIN, HTTP_URL, HTTPS_URL, TOOL_PREFIX } from "./ConfigFile.ts"
import { valueAt } from "../valuePath.ts"
import { REDIS_URL } from "./RedisUrl.ts"
import { ALLOWED_HOST, ALLOWED_ORIGIN } from "./resolveHttpServing.ts"
import { CLIENT_SECRET } from "./resolveOAuthLogin.ts"
import { REACHED, STARTED } from "./resolveUpstream.ts"
import { HEADER_NAME } from "./resolveUpstreamHeaders.ts"
import { BEARER_TOKEN } from "./Secrets.ts"

type Json = Readonly<Record<string, unknown>>

/** An editor sees a text before its references are replaced: what has one may become anything. */
const REFERENCE = String.raw`\$\{`

const orReference = ({ source }: RegExp): string => `${REFERENCE}|${source}`

/** A value of a header, which is taken without what surrounds it. */
const HEADER_VALUE = /^\s*[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?\s*$/
const NO_URL = /^(?![A-Za-z][\d+.A-Za-z-]*:\/\/)/

/** What texts look like, by where they stand; `[]` is any item of a list, `*` any member. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  "upstream.command": NO_URL,
  "upstream.url": HTTP_URL,
  "upstream.token": BEARER_TOKEN,
  "upstream.headers.*": HEADER_VALUE,
  "upstream.oauth.clientSecret": CLIENT_SECRET,
  "upstream.oauth.clientMetadataUrl": HTTPS_URL,
  "theme.accent": HOUSE_ACCENT,
  "theme.font": FONT_NAME,
  "theme.monoFont": FONT_NAME,
  "llm.baseUrl": HTTP_URL,
  "cache.url": REDIS_URL,
  "http.token": BEARER_TOKEN,
  "http.allowedOrigins[]": ALLOWED_ORIGIN,
  "http.allowedHosts[]": ALLOWED_HOST,
  "generation.tools.*.frames[]": FRAME_ORIGIN,
  toolPrefix: TOOL_PREFIX
}

const known = (names: ReadonlyArray<string>): Json => Object.fromEntries(names.map((name) => [name, true]))
const has = (...names: ReadonlyArray<string>): Json => ({ properties: known(names), required: names })
const without = (...names: ReadonlyArray<string>): Json => ({
  properties: Object.fromEntries(names.map((name) => [name, false]))
})
const is = (name: string, ...values: ReadonlyArray<string>): Json => ({
  properties: { [name]: { enum: values } },
  required: [name]
})
/** What meets the condition has to meet the consequence, too. */
const implies = (condition: Json, consequence: Json): Json => ({
  type: "object",
  anyOf: [{ not: condition }, consequence]
})

/** What the keys of one section say together. */
const RULES: Readonly<Record<string, ReadonlyArray<Json>>> = {
  upstream: [
    implies(has("command"), without("url", ...REACHED)),
    implies(has("url"), without("command", ...STARTED)),
    implies({ anyOf: STARTED.map((name) => has(name)) }, without(...REACHED)),
    implies(has("args"), has("command")),
    implies(has("command"), { not: is("transport", "http", "sse", "auto") }),
    implies(has("url"), { not: is("transport", "stdio") }),
    implies(has("token"), without("oauth"))
  ],
  "upstream.oauth": [
    implies(has("clientId"), without("clientMetadataUrl")),
    implies(has("clientSecret"), has("clientId"))
  ],
  cache: [
    implies(is("type", "redis"), { ...has("url"), properties: { url: true, directory: false } }),
    implies(is("type", "memory"), without("url", "directory")),
    implies(is("type", "filesystem"), without("url")),
    implies({ properties: { type: false, ...known(["url"]) }, required: ["url"] }, without("directory"))
  ],
  logging: [implies(is("destination", "stderr"), without("file"))]
}

/** The schema at a place, with its default, and with what is said of that place and of those below it. */
const refined = (schema: unknown, path: string): unknown => {
  if (!isObject(schema)) return schema
  const { additionalProperties, enum: values, items, properties, type, ...annotations } = schema
  const byDefault = valueAt(CONFIG_DEFAULTS, path.split("."))
  const others = byDefault === undefined || isObject(byDefault) ? annotations : { ...annotations, default: byDefault }
  if (Array.isArray(values) && type === "string") {
    return {
      ...others,
      anyOf: [
        { type, enum: values },
        { type, pattern: REFERENCE }
      ]
    }
  }
  const pattern = PATTERNS[path]
  const rules = RULES[path]
  const below = path === "" ? "" : `${path}.`
  return {
    ...(type === undefined ? {} : { type }),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [name, refined(inner, `${below}${name}`)])
          )
        }
      : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: refined(additionalProperties, `${below}*`) }),
    ...(path === "upstream.headers" ? { propertyNames: { type: "string", pattern: HEADER_NAME.source } } : {}),
    ...(items === undefined ? {} : { items: refined(items, `${path}[]`) }),
    ...others,
    ...(pattern === undefined ? {} : { pattern: orReference(pattern) }),
    ...(rules === undefined ? {} : { allOf: rules })
  }
}

/**
 * The JSON Schema (draft 2020-12) of the configuration file, made from the definition that also gives its types
 * and decodes it. Apart from that definition, because what makes it is large and no run needs it.
 *
 * It refuses no file that a start without flags and variables takes. It takes some that such a start refuses: files with
 * references, and files that a flag or a variable completes. It judges the file alone: a section that contradicts itself
 * is refused, also if a flag takes its place.
 */
export const configFileJsonSchema = (): Json => {
  const { schema } = Schema.toJsonSchemaDocument(configFileSchema(), { onExcessProperty: "error" })
  const whole = refined(schema, "")
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "mcp-gen-ui configuration",
    ...(isObject(whole) ? whole : {})
  }
}
