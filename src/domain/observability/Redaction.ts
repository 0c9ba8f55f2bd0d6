import { cutNote } from "./cutText.ts"
import { lookedAt } from "./lookedAt.ts"
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

const SCHEME = /\b(Bearer|Basic)\s+(?!\[redacted\]|(?:realm|scope|error|resource_metadata)=)([A-Za-z0-9._~+/=-]{4,})/gi
/** Secrets of signed addresses (Azure, AWS, Google), and addresses that are secrets themselves. */
const SIGNATURE =
  /([?&;\s](?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=)[^&\s"'#<>\\]+/gi
const WEBHOOK = /(\bhooks\.slack\.com\/(?:services|workflows)\/|\bdiscord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g
/** Passwords in the arguments of programs. */
const USER_OPTION = /(\s(?:-u|--user|--proxy-user)[\s=]?["']?[^\s:"']{1,64}:)[^\s"'\\]+/g
const PASSWORD_OPTION = /(\s-p)[^\s"'\\]+/g

/** Begins at the first letter of a name, so that each name is read once. */
const NAME_AND_LINK = /(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{2,})(\\*["']?\s*[=:]\s*)/g
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

/** In "basic view" and "a bearer token." no credential follows. After a capital letter one may. */
const isSentence = (scheme: string, said: string): boolean =>
  /^[a-z]/.test(scheme)
    ? /^[a-z]{1,16}\.?$/.test(said)
    : /^(?:auth(?:entication|orization)?|tokens?|credentials?|scheme|view|before)\.?$/.test(said)

/** Stands for a secret in a text about it: dots, stars, or the name of its variable. */
const SAYS_WHERE = /^(?:(?:Bearer|Basic)\s+)?[….*]+\s*$/i
const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/

/** Redacts `name: value` for sensitive names, in one pass. The value of another name is read like any other text. */
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
    if (found === "" || SAYS_WHERE.test(found) || !isSecretTextUnder(name, found, /["'=]/.test(link))) continue
    if (VARIABLE.test(found) && isSensitiveName(found)) continue
    const quote = value?.groups?.quote ?? ""
    output += `${text.slice(copied, start)}${quote}${REDACTED}${quote}`
    copied = pattern.lastIndex
    NAME_AND_LINK.lastIndex = copied
  }
  return output + text.slice(copied)
}

/** A user, and a port: an address of the web may have an `@` in its path. */
const USER = /[^\s/?#@:"'[]*:/y
const PORT = /\d{1,5}[/?#]/y
const AUTHORITY = /[^\s/?#"']+@/y
const LONGEST_PASSWORD = 1000

/** Where user and password end that begin here. A password may hold a bare `/`, `?` or `#`. */
const endOfCredentials = (text: string, start: number): number => {
  USER.lastIndex = start
  if (USER.test(text)) {
    PORT.lastIndex = USER.lastIndex
    const isPort = /(?:^|[^a-z0-9+.-])https?$/i.test(text.slice(Math.max(0, start - 9), start - 3)) && PORT.test(text)
    const rest = text.slice(USER.lastIndex, USER.lastIndex + LONGEST_PASSWORD + 1)
    const end = (/^[^\s"']+/.exec(rest)?.[0] ?? "").lastIndexOf("@")
    if (!isPort && end > 0) return USER.lastIndex + end
  }
  AUTHORITY.lastIndex = start
  return AUTHORITY.test(text) ? AUTHORITY.lastIndex - 1 : start
}

const withoutCredentials = (text: string): string => {
  let output = ""
  let copied = 0
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", Math.max(copied, at + 3))) {
    if (!/[a-z0-9+.-]/i.test(text.charAt(at - 1))) continue
    const end = endOfCredentials(text, at + 3)
    if (end === at + 3) continue
    output += `${text.slice(copied, at + 3)}${REDACTED}`
    copied = end
  }
  return output + text.slice(copied)
}

/** Replaces the password after an option if a program with that option stands before it on the line. */
const afterProgram = (text: string, option: RegExp, program: RegExp): string =>
  text.replaceAll(option, (found, head: string, at: number) => {
    const command = text.slice(Math.max(0, at - 300), at + 1)
    const start = Math.max(...["\n", "|", ";"].map((end) => command.lastIndexOf(end)))
    return program.test(command.slice(start + 1)) ? `${head}${REDACTED}` : found
  })

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
 * credentials and signatures in URLs, passwords in commands) and `name: value` with a sensitive name. Texts are cut after
 * 20,000 characters.
 */
export const makeRedactor = (secrets: ReadonlyArray<string>): Redactor => {
  const known = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(forms))].sort(
    (a, b) => b.length - a.length
  )
  const text = (input: string): string => {
    const seen = lookedAt(input, known)
    let output = seen
    for (const secret of known) output = output.replaceAll(secret, REDACTED)
    if (/[=:]/.test(output)) output = namedValues(output)
    if (output.includes("://")) output = withoutCredentials(output)
    output = output
      .replaceAll(SCHEME, (found, scheme: string, said: string) =>
        isSentence(scheme, said) ? found : `${scheme} ${REDACTED}`
      )
      .replaceAll(SIGNATURE, `$1${REDACTED}`)
      .replaceAll(WEBHOOK, `$1${REDACTED}`)
      .replaceAll(KEY_SHAPE, REDACTED)
    output = afterProgram(output, USER_OPTION, /\bcurl\b/)
    output = afterProgram(output, PASSWORD_OPTION, /\b(?:mysql(?:dump|admin)?|mariadb)\b/)
    return seen.length < input.length ? `${output}${cutNote(input.length)}` : output
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

/** The text behind percent signs, or the text itself if it is not encoded. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The password in an address such as `redis://user:password@host`, encoded and decoded, and what the password would be if
 * its `/`, `?` or `#` were not encoded.
 */
export const passwordsIn = (url: string): ReadonlyArray<string> => {
  const passwords = [PASSWORD_IN_URL, UNENCODED_PASSWORD].flatMap((pattern) => pattern.exec(url)?.[1] ?? [])
  return [...new Set(passwords.flatMap((password) => [password, decoded(password)]))]
}

/** Values of variables with sensitive names, and passwords in addresses. */
export const secretsOf = (environment: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined) return []
    return (isSensitiveName(name) ? [value] : []).concat(passwordsIn(value))
  })
