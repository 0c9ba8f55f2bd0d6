/** What stands in a log where a secret was. */
export const REDACTED = "[redacted]"

/**
 * Shorter values are not searched for: `ollama` or `none` are common stand-ins for a key, and replacing every
 * short word would make a log unreadable without protecting anything.
 */
const SHORTEST_SECRET = 8

const SENSITIVE_ENDINGS = [
  "apikey",
  "accesskey",
  "accesskeyid",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "secretkey",
  "authkey",
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "credential",
  "credentials",
  "authorization",
  "cookie"
]

/** Names of the protocol that end like a secret and are none. */
const HARMLESS_NAMES: ReadonlySet<string> = new Set(["progresstoken"])

/** Whether a value under this name is a secret: `apiKey`, `x-api-key`, `OPENAI_API_KEY`, `authorization`, `db_password`. */
export const isSensitiveName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
  return !HARMLESS_NAMES.has(plain) && SENSITIVE_ENDINGS.some((ending) => plain.endsWith(ending))
}

const KEY_PATTERNS: ReadonlyArray<RegExp> = [
  /\bsk-[A-Za-z0-9_-]{6,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g,
  /\bAKIA[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g
]

const SCHEME = /\b(Bearer|Basic)\s+(?!\[redacted\])[A-Za-z0-9._~+/=-]{4,}/gi
const CREDENTIALS_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi
/** What every pattern here needs somewhere in the text; most of what is logged has none of it. */
const WORTH_A_LOOK = /[=:]|sk-|gh[pousr]_|github_pat_|xox|AKIA|AIza|eyJ|bearer\s|basic\s/i

const NAME_AND_LINK = /([A-Za-z][A-Za-z0-9_.-]{2,63})\\*["']?\s*[=:]\s*/g
/** A quoted value, to the end of the text if the quote is never closed, or a bare word. */
const VALUE = /(?<quote>\\*["'])(?<quoted>.*?)(?:(?<!\\)\k<quote>|$)|(?<bare>[^\s"',;&<>(){}[\]\\]+)/sy
/** The value of an `Authorization` header may be several words. */
const HEADER_VALUE = /(?<bare>[^\r\n"',;&<>(){}[\]\\]+)/y

/** Redacts `name: value` for sensitive names. One pass: an innocent name's value is looked at like any other text. */
const namedValues = (text: string): string => {
  let output = ""
  let copied = 0
  NAME_AND_LINK.lastIndex = 0
  for (let head = NAME_AND_LINK.exec(text); head !== null; head = NAME_AND_LINK.exec(text)) {
    const name = head[1] ?? ""
    if (!isSensitiveName(name)) continue
    const start = NAME_AND_LINK.lastIndex
    const isHeader = /authorization$/i.test(name) && !/["'\\]/.test(text.charAt(start))
    const pattern = isHeader ? HEADER_VALUE : VALUE
    pattern.lastIndex = start
    const value = pattern.exec(text)
    if (value === null || (value.groups?.quoted ?? value.groups?.bare) === "") continue
    const quote = value.groups?.quote ?? ""
    output += `${text.slice(copied, start)}${quote}${REDACTED}${quote}`
    copied = pattern.lastIndex
    NAME_AND_LINK.lastIndex = copied
  }
  return output + text.slice(copied)
}

/** Takes secrets out of text and data. Pure; made once for the secrets of a run. */
export interface Redactor {
  readonly text: (text: string) => string
  /** A copy of plain data: strings redacted, values under sensitive names replaced. Cycles end in `"[circular]"`. */
  readonly value: (value: unknown) => unknown
}

const forms = (secret: string): ReadonlyArray<string> => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed())
]

/**
 * Knows the given secrets in plain, JSON and URL form, the usual shapes of keys (`sk-…`, `Bearer …`, tokens of
 * GitHub, Slack, AWS and Google, JWTs, credentials in URLs) and `name: value` with a sensitive name.
 */
export const makeRedactor = (secrets: ReadonlyArray<string>): Redactor => {
  const known = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(forms))].sort(
    (a, b) => b.length - a.length
  )
  const text = (input: string): string => {
    let output = input
    for (const secret of known) output = output.replaceAll(secret, REDACTED)
    if (!WORTH_A_LOOK.test(output)) return output
    output = namedValues(output)
    output = output.replaceAll(SCHEME, `$1 ${REDACTED}`).replaceAll(CREDENTIALS_IN_URL, `$1${REDACTED}@`)
    for (const pattern of KEY_PATTERNS) output = output.replaceAll(pattern, REDACTED)
    return output
  }
  const value = (input: unknown, path: ReadonlyArray<object>): unknown => {
    if (typeof input === "string") return text(input)
    if (typeof input !== "object" || input === null) return input
    if (path.includes(input)) return "[circular]"
    const inside = [...path, input]
    if (Array.isArray(input)) return input.map((item) => value(item, inside))
    return Object.fromEntries(
      Object.entries(input).map(([name, item]) => [
        text(name),
        isSensitiveName(name) && item !== null && item !== undefined ? REDACTED : value(item, inside)
      ])
    )
  }
  return { text, value: (input) => value(input, []) }
}

/** Values of the variables of an environment whose names say that they are secret. */
export const secretsOf = (environment: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(environment).flatMap(([name, value]) => (value !== undefined && isSensitiveName(name) ? [value] : []))
