import { labelOf } from "../labelOf.ts"
import type { TextFormat } from "./FormField.ts"
import type { JsonObject } from "../isObject.ts"

/** Text as it is, everything else as JSON. */
export const asText = (value: unknown): string => {
  if (typeof value === "string") return value
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return "…"
  }
}

/** The label of a choice when the schema has none for it. */
export const choiceLabel = (value: unknown): string =>
  value === null ? "None (null)" : value === "" ? "(empty)" : asText(value)

/** A text that is not blank, or `undefined`. */
export const saidText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

/** A member's name for people: `user_name` and `userName` become "User name". Names that are not identifiers stay. */
export const humanName = (name: string): string =>
  !/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) || /^[A-Z0-9_]+$/.test(name) ? name : labelOf(name)

const ALIASES: Readonly<Record<string, TextFormat>> = {
  "idn-email": "email",
  url: "uri",
  iri: "uri",
  guid: "uuid",
  textarea: "multiline",
  markdown: "multiline",
  html: "multiline"
}
const isFormat = (format: unknown): format is TextFormat =>
  typeof format === "string" && /^(date|time|date-time|email|uri|uuid|password|multiline)$/.test(format)

const LONG_NAME =
  /(^|_)(body|contents?|text|message|sql|code|script|markdown|html|prompt|template|notes?|css|svg|xml|yaml|json|diff|patch|description|instructions?|comment|thought|reasoning|summary|details)$/
const QUERY_LANGUAGE = /sql|graphql|cypher|sparql|promql|jql|gaql|pipeline/i
const SHORT_NAME =
  /(^|_)(path|file|filename|dir|directory|folder|url|uri|link|ids?|name|title|key|email|host|slug|query|q|search|pattern|format|chars?|cursor)$/
/** Limits that are powers of two come from machines; limits for prose are round numbers. */
const isPowerOfTwo = (limit: number): boolean => Number.isInteger(Math.log2(limit))
const LONG_TEXT = 120
const LONG_LIMIT = 300
const SHORT_LIMIT = 100

const SECRET_NAME =
  /(^|_)(passw(or)?d|pwd|passphrase|passcode|secrets?|token|credentials?|(api|access|secret|private|auth|encryption|license)_?key)$/
/** Tokens that are not secret: a page cursor, an id, a coin, a unit of text. */
const OPEN_TOKEN =
  /(^|_)(page|pagination|next|prev|previous|start|end|continue|continuation|cursor|sync|resume|file|folder|doc|document|node|space)_token$/
const OPEN_MEANING =
  /\b(pages?|pagination|paging|cursor|identifier|unique|uuid\w*|(of the|the) (file|document|node)|symbol|ticker|contract|mint|crypto\w*|erc-?20)\b/i

/** How the text of a member is best entered, by its format, its limits, its examples and its name. */
export const textFormat = (schema: JsonObject, name: string): TextFormat => {
  const named = asText(schema.format)
  const format = Object.hasOwn(ALIASES, named) ? ALIASES[named] : schema.format
  if (isFormat(format)) return format
  const description = saidText(schema.description) ?? ""
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase()
  if (
    SECRET_NAME.test(snake) &&
    !OPEN_TOKEN.test(snake) &&
    !(snake.endsWith("token") && OPEN_MEANING.test(description))
  ) {
    return "password"
  }
  const maxLength = typeof schema.maxLength === "number" ? schema.maxLength : undefined
  const samples = [schema.default, schema.example, ...(Array.isArray(schema.examples) ? schema.examples : [])]
  const isLong =
    typeof schema.contentMediaType === "string" ||
    samples.some((sample) => typeof sample === "string" && (sample.includes("\n") || sample.length > LONG_TEXT)) ||
    (!SHORT_NAME.test(snake) && maxLength !== undefined && maxLength > LONG_LIMIT && !isPowerOfTwo(maxLength)) ||
    ((maxLength === undefined || maxLength > SHORT_LIMIT) &&
      (LONG_NAME.test(snake) || (/(^|_)query$/.test(snake) && QUERY_LANGUAGE.test(`${snake} ${description}`))))
  return isLong ? "multiline" : "text"
}
