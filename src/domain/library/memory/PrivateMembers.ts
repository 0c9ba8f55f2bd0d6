import { isSecretUnder } from "../../observability/SensitiveNames.ts"
import { oneTimeCodes } from "./PersonalData.ts"

/** Names of values that belong to one person, beside the usual names of secrets. */
const PRIVATE_NAMES: ReadonlySet<string> = new Set([
  "pin",
  "otp",
  "ssn",
  "jwt",
  "cvv",
  "cvc",
  "iban",
  "sessionid",
  "signature",
  "socialsecuritynumber",
  "creditcard",
  "cardnumber",
  "accountnumber",
  "backupcodes",
  "recoverycodes"
])
/** Also used for meetings, so what is under it is checked. */
const SESSION_NAMES: ReadonlySet<string> = new Set([
  "session",
  "usersession",
  "sid",
  "sessid",
  "phpsessid",
  "connectsid"
])
const SESSION = /^(?=[^\s]*\d)[^\s]{8,}$/

/** Whether a value of this name must not be kept. */
const isPrivate = (name: string, value: unknown): boolean => {
  if (value === null || value === undefined) return false
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "")
  if (PRIVATE_NAMES.has(plain) || isSecretUnder(name, value)) return true
  return SESSION_NAMES.has(plain) && typeof value === "string" && SESSION.test(value)
}

const NAMING = /^(?:name|key|variable|env|header|field|label|option|setting)$/i
const NAMED = /^(?:value|val|content|default|defaultvalue)$/i

/** Members whose value is the name of the value beside them. */
const MAX_NAMING = 20

const isFull = (value: unknown): boolean => value !== "" && value !== null && typeof value !== "boolean"

/**
 * The names of members that must not be kept: because of their own name, a name beside them (`{"name": "DB_PASSWORD",
 * "value": …}`), or a text beside them that calls them a one-time code.
 */
export const privateMembers = (members: ReadonlyArray<readonly [string, unknown]>): ReadonlySet<string> => {
  const hidden = new Set(members.flatMap(([name, value]) => (isPrivate(name, value) ? [name] : [])))
  const naming = members.filter(([name, value]) => NAMING.test(name) && typeof value === "string")
  const said = naming.slice(0, MAX_NAMING).map(([, value]) => String(value))
  for (const [name, value] of said.length === 0 ? [] : members) {
    if (NAMED.test(name) && isFull(value) && said.some((text) => isPrivate(text.slice(0, 100), value))) hidden.add(name)
  }
  const digits = members.flatMap(([name, value]) => {
    const text = typeof value === "number" ? String(value) : value
    return typeof text === "string" && /^\d{3}[ -]?\d{1,5}$/.test(text) ? [{ name, text }] : []
  })
  if (digits.length === 0) return hidden
  const codes = new Set(
    members.flatMap(([, value]) => (typeof value === "string" ? oneTimeCodes(value.slice(0, 1000)) : []))
  )
  for (const { name, text } of digits) if (codes.has(text)) hidden.add(name)
  return hidden
}

/**
 * The places in a list that must not be kept: what follows a flag such as `--password` and, in a pair, what follows the
 * name of a secret. `isItem`: the list is one of several in a list.
 */
export const privateItems = (list: ReadonlyArray<unknown>, isItem: boolean): ReadonlySet<number> => {
  const hidden = new Set<number>()
  for (const [index, name] of list.entries()) {
    const value = list[index + 1]
    if (typeof name !== "string" || typeof value !== "string" || name.length > 100 || !isPrivate(name, value)) continue
    const isPair = list.length === 2 && index === 0 && (isItem || !/^[A-Za-z_ -]*$/.test(value))
    if (isPair || (name.startsWith("-") && !value.startsWith("-"))) hidden.add(index + 1)
  }
  return hidden
}
