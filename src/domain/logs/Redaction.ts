import { KEY_SHAPE } from "./KeyShapes.ts"
import { isSecretTextUnder, isSecretUnder, isSensitiveName, isSensitivePlural } from "./SensitiveNames.ts"

export { isSensitiveName } from "./SensitiveNames.ts"

/** What stands in a log where a secret was. */
export const REDACTED = "[redacted]"

/**
 * Shorter values are not searched for: `ollama` or `none` are common stand-ins for a key, and replacing every
 * short word would make a log unreadable without protecting anything.
 */
const SHORTEST_SECRET = 8

const SCHEME = /\b(Bearer|Basic)\s+(?!\[redacted\])[A-Za-z0-9._~+/=-]{4,}/gi
const CREDENTIALS_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"']+@/gi
/**
 * With a password in which `/`, `?` or `#` is not encoded. An address of the web may have an `@` in its path: what could be
 * a port is none there.
 */
const UNENCODED_IN_URL =
  /(\b(?:https?:\/\/(?![^\s/?#@:"'[]*:\d{1,5}[/?#])|(?!https?:)[a-z][a-z0-9+.-]*:\/\/))[^\s/?#@:"'[]*:[^\s"']{1,1000}@/gi
/** Secrets of signed addresses (Azure, AWS, Google), and addresses that are secrets themselves. */
const SIGNATURE =
  /([?&;\s](?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=)[^&\s"'#<>\\]+/gi
const WEBHOOK = /(\bhooks\.slack\.com\/(?:services|workflows)\/|\bdiscord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g
/** Passwords in the arguments of programs. */
const CURL_USER = /(\bcurl\b[^\n|;]{0,300}?\s(?:-u|--user|--proxy-user)[\s=]?["']?[^\s:"']{1,64}:)[^\s"'\\]+/g
const MYSQL_PASSWORD = /(\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n|;]{0,300}?\s-p)[^\s"'\\]+/g

const NAME_AND_LINK = /([A-Za-z][A-Za-z0-9_.-]{1,63})(\\*["']?\s*[=:]\s*)/g
/** A quoted value, to the end of the text if the quote is never closed, or a bare word. */
const VALUE = /(?<quote>\\*["'])(?<quoted>.*?)(?:(?<!\\)\k<quote>|$)|(?<bare>[^\s"',;&<>(){}[\]\\]+)/sy
/** The value of an `Authorization` header may be several words, that of a `Cookie` several pairs. */
const HEADER_VALUE = /(?<bare>[^\r\n"',;&<>(){}[\]\\]+)/y
const COOKIE_VALUE = /(?<bare>[^\r\n"'<>(){}[\]\\]+)/y
/** A password may be several words: to the end of the line, or to the next name. */
const WORDS = /(?<bare>[^\s"';&<>(){}[\]\\](?:(?!,?\s[\w.-]{1,64}\s?[=:]|,\s)[^\r\n"';&<>(){}[\]\\])*)/y
const PASSWORD_NAME = /(?:pass|password|passwd|pwd|phrase|mnemonic)$/i

const valuePattern = (text: string, head: RegExpExecArray, start: number): RegExp => {
  const [, name = "", link = ""] = head
  if (/["'\\]/.test(text.charAt(start))) return VALUE
  if (/authorization$/i.test(name)) return HEADER_VALUE
  if (/cookie$/i.test(name) && link.includes(":")) return COOKIE_VALUE
  const before = text.slice(Math.max(0, head.index - 40), head.index)
  const isLine = /(?:^|\n)[ \t]*$/.test(before) && before.length < 40
  return PASSWORD_NAME.test(name) && (link.includes("=") || isLine || /\n[ \t]*$/.test(before)) ? WORDS : VALUE
}

/** Redacts `name: value` for sensitive names. One pass: an innocent name's value is looked at like any other text. */
const namedValues = (text: string): string => {
  let output = ""
  let copied = 0
  NAME_AND_LINK.lastIndex = 0
  for (let head = NAME_AND_LINK.exec(text); head !== null; head = NAME_AND_LINK.exec(text)) {
    const [, name = "", link = ""] = head
    if (!isSensitiveName(name) && !isSensitivePlural(name)) continue
    const start = NAME_AND_LINK.lastIndex
    const pattern = valuePattern(text, head, start)
    pattern.lastIndex = start
    const value = pattern.exec(text)
    const found = value?.groups?.quoted ?? value?.groups?.bare ?? ""
    if (found === "" || !isSecretTextUnder(name, found, /["'=]/.test(link))) continue
    const quote = value?.groups?.quote ?? ""
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
 * Knows the given secrets in plain, JSON and URL form, the usual shapes of keys ({@link KEY_SHAPE}, `Bearer …`,
 * credentials and signatures in URLs, passwords in commands) and `name: value` with a sensitive name.
 */
export const makeRedactor = (secrets: ReadonlyArray<string>): Redactor => {
  const known = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(forms))].sort(
    (a, b) => b.length - a.length
  )
  const text = (input: string): string => {
    let output = input
    for (const secret of known) output = output.replaceAll(secret, REDACTED)
    if (/[=:]/.test(output)) output = namedValues(output)
    return output
      .replaceAll(SCHEME, `$1 ${REDACTED}`)
      .replaceAll(UNENCODED_IN_URL, `$1${REDACTED}@`)
      .replaceAll(CREDENTIALS_IN_URL, `$1${REDACTED}@`)
      .replaceAll(SIGNATURE, `$1${REDACTED}`)
      .replaceAll(WEBHOOK, `$1${REDACTED}`)
      .replaceAll(CURL_USER, `$1${REDACTED}`)
      .replaceAll(MYSQL_PASSWORD, `$1${REDACTED}`)
      .replaceAll(KEY_SHAPE, REDACTED)
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
        isSecretUnder(name, item) ? REDACTED : value(item, inside)
      ])
    )
  }
  return { text, value: (input) => value(input, []) }
}

const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:([^\s/?#]+)@/i
const UNENCODED_PASSWORD = /^(?!https?:\/\/[^/?#@:[]*:\d{1,5}[/?#])[a-z][a-z0-9+.-]*:\/\/[^/?#@:[]*:([^]+)@/i

/** The text behind percent signs, or the text as it is if they are something else. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The password in an address such as `redis://user:password@host`, as it is written and as it is meant, and what would be it
 * if its `/`, `?` or `#` were not encoded.
 */
export const passwordsIn = (url: string): ReadonlyArray<string> => {
  const passwords = [PASSWORD_IN_URL, UNENCODED_PASSWORD].flatMap((pattern) => pattern.exec(url)?.[1] ?? [])
  return [...new Set(passwords.flatMap((password) => [password, decoded(password)]))]
}

/** Values of the variables of an environment whose names say that they are secret, and passwords in addresses. */
export const secretsOf = (environment: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined) return []
    return (isSensitiveName(name) ? [value] : []).concat(passwordsIn(value))
  })
