import { isObject } from "../isObject.ts"

/** What a label or name asks for, by its last words: "Password length" is a number. */
const KINDS: Readonly<Record<string, RegExp>> = {
  password:
    /(?:^|[\s:])(?:password|passwd|pass ?phrase|pass ?code|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|lösenord|пароль|密码|密碼|パスワード|비밀번호)$/u,
  credential:
    /(?:^|\s)(?:(?:api|access|secret|private|signing|encryption|ssh|license) ?key|api ?schlüssel|clé (?:d')?api|(?:clave|chave|chiave)(?: de| da)? api|(?:api|access|auth|authentication|authorization|bearer|refresh|session|security|personal access|bot|oauth|jwt|github|gitlab|slack) ?token|(?:your|my|the) token|(?:client|app|api|shared|webhook) ?secret|(?:your|my) secret)$|^(?:token|secret|密钥|令牌|api キー)$/u,
  code: /(?:^|\s)(?:pin|pin code|otp|tan|one ?time (?:code|password)|(?:verification|2fa|mfa|authenticator) code|验证码|認証コード)$/u,
  card: /(?:^|\s)(?:(?:credit |debit |bank )?card ?(?:number|no)|cvv|cvc|csc|kartennummer|kreditkarte(?:nnummer)?|prüfnummer|numéro de carte|número de (?:la )?tarjeta|número do cartão|iban pin|social security number|ssn)$/u,
  seed: /(?:^|\s)(?:(?:seed|recovery|backup|secret recovery|mnemonic) (?:phrase|words)|mnemonic|wallet seed)$/u
}

/** How browsers are told what a field is for (HTML, "Autofill"). */
const AUTOFILL: Readonly<Record<string, string>> = {
  "current-password": "password",
  "new-password": "password",
  "one-time-code": "code",
  "cc-number": "card",
  "cc-csc": "card"
}
/** "Password for the archive", "Password again" */
const PURPOSE = / (?:again|for|of|here|below|für|pour|para)(?= |$)/u
/** Longer texts are not labels. */
const MOST_CHARACTERS = 80
/** Inputs that take no text. */
const CHOICES: ReadonlySet<string> = new Set(
  "checkbox radio range color date time datetime-local month week file hidden submit button reset image".split(" ")
)

/** `userApiKey*` as `user api key`. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\([^)]*\)?/gu, " ")
    .replaceAll(/[^\p{L}\p{N}' ]+/gu, " ")
    .replaceAll(/ +/gu, " ")
    .trim()

/** The kind of secret that a label, a placeholder or a name asks for, or `null`. */
export const secretKind = (text: string): string | null => {
  if (text.length > MOST_CHARACTERS) return null
  const spellings = [text, text.replaceAll(/([a-z])([A-Z])/gu, "$1 $2")].map(
    (one) => wordsOf(one).split(PURPOSE, 1)[0] ?? ""
  )
  const known = AUTOFILL[text.trim().toLowerCase()]
  return known ?? Object.keys(KINDS).find((kind) => spellings.some((words) => KINDS[kind]?.test(words))) ?? null
}

const NAMING = ["placeholder", "aria-label", "title", "autocomplete", "name", "id"]

/** What secret a field asks for, by its type, its names or its label; `null` for any other element. */
export const askedSecret = (
  {
    name,
    attributes
  }: {
    readonly name: string
    readonly attributes: ReadonlyArray<{ readonly name: string; readonly value: string }>
  },
  label: string
): string | null => {
  if (name !== "input" && name !== "textarea") return null
  const valueOf = (wanted: string): string => attributes.find((one) => one.name === wanted)?.value ?? ""
  const type = valueOf("type").toLowerCase()
  if (CHOICES.has(type)) return null
  const asked = [label, ...NAMING.map(valueOf)].find((text) => secretKind(text) !== null)
  return asked ?? (type === "password" ? "password" : null)
}

const MOST_NODES = 2000

/** The names of all fields of an input schema, however deep. */
export const inputNames = (schema: unknown): ReadonlyArray<string> => {
  const names = new Set<string>()
  const open: Array<unknown> = [schema]
  for (let at = 0; at < Math.min(open.length, MOST_NODES); at++) {
    const node = open[at]
    if (typeof node !== "object" || node === null) continue
    if (isObject(node) && isObject(node.properties)) for (const name of Object.keys(node.properties)) names.add(name)
    open.push(...Object.values(node).slice(0, MOST_NODES))
  }
  return [...names]
}

/** Whether the tool has an input for what a field asks for. */
export const takesSecret = (asked: string, names: ReadonlyArray<string>): boolean => {
  const kinds = new Set(names.map(secretKind))
  return kinds.has(secretKind(asked)) || (wordsOf(asked) === "password" && kinds.size > (kinds.has(null) ? 1 : 0))
}
