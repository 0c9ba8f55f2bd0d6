const ENDINGS: ReadonlyArray<string> = [
  "apikey",
  "accesskey",
  "accesskeyid",
  "accountkey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "secretkey",
  "secretkeybase",
  "authkey",
  "authheader",
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "mnemonic",
  "seedphrase",
  "recoveryphrase",
  "credential",
  "credentials",
  "authorization",
  "cookie"
]
const PLURALS: ReadonlyArray<string> = ENDINGS.filter((ending) => !/s$|base$/.test(ending)).map(
  (ending) => `${ending}s`
)

/** Names of the protocol that only end like a secret. */
const HARMLESS_NAMES: ReadonlySet<string> = new Set(["progresstoken"])

/** Whose pass is a password. Other passes board planes and ski lifts, or count tests. */
const PASS_OWNERS =
  /^(?:account|admin|app|auth|basic|database|db|email|ftp|imap|ldap|login|mail|mongo|mysql|pg|postgres|proxy|rabbitmq|redis|root|service|smtp|ssh|sudo|usr|user|vault|wifi)$/

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

/** `pass`, `pw` and `pwd` are parts of many words. `PWD` is the folder that a process works in. */
const isShortPassword = (name: string): boolean => {
  if (!/p(?:ass|wd?)\W*$/i.test(name)) return false
  const words = wordsOf(name)
  const last = words.at(-1)
  if (last === "pw" || last === "pwd") return name !== "PWD"
  if (last !== "pass") return false
  return words.length === 1 || PASS_OWNERS.test(words.at(-2) ?? "") || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_PASS$/.test(name)
}

/** Whether a value under this name is a secret: `apiKey`, `x-api-key`, `OPENAI_API_KEY`, `authorization`, `db_pass`. */
export const isSensitiveName = (name: string): boolean => {
  const plain = plainOf(name)
  if (HARMLESS_NAMES.has(plain)) return false
  return ENDINGS.some((ending) => plain.endsWith(ending)) || isShortPassword(name)
}

/** Whether there may be secrets in a list or a map of this name, or a number of tokens: `tokens`, `api_keys`. */
export const isSensitivePlural = (name: string): boolean => {
  const plain = plainOf(name)
  return PLURALS.some((ending) => plain.endsWith(ending))
}

const NUMBER = /^[-+]?\d[\d.,_]*\s?[kKmM]?$/
const PATH = /^(?:[~.]{0,2}\/|[A-Za-z]:[\\/])/

/** Under the short name of a password there may be a count of tests or a folder. */
const isOrdinary = (name: string, text: string): boolean => {
  if (/^pass$/i.test(name)) return text.length < 4
  return /pwd$/i.test(name) && PATH.test(text)
}

const hasText = (value: unknown, depth: number): boolean => {
  if (typeof value === "string") return value !== "" && !NUMBER.test(value)
  if (typeof value !== "object" || value === null || depth === 0) return false
  return Object.values(value).some((item) => hasText(item, depth - 1))
}

/** Whether its name makes a value of plain data a secret. Counts of tokens or of passed tests are no secrets. */
export const isSecretUnder = (name: string, value: unknown): boolean => {
  if (value === null || value === undefined) return false
  if (isSensitivePlural(name)) return hasText(value, 4)
  if (!isSensitiveName(name)) return false
  return isShortPassword(name) ? typeof value === "string" && !isOrdinary(name, value) : true
}

/** The same for `name: value` in a text. `isData`: the name is quoted, or `=` follows; else it may be a sentence. */
export const isSecretTextUnder = (name: string, value: string, isData: boolean): boolean => {
  const isWord = /^pass$/i.test(name) || isSensitivePlural(name)
  return (isData || !isWord) && isSecretUnder(name, value)
}
