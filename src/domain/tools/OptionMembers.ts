import { isObject } from "../isObject.ts"
import { nameWords, singular } from "./nameWords.ts"

/** Members of a row that stands for a choice. */
export interface OptionMembers {
  /** What is sent; the row itself where it is no object. */
  readonly value?: string
  /** What is shown, or a text with members in braces: `{first_name} {last_name}`. */
  readonly label?: string
  readonly color?: string
}

export interface Option {
  readonly value: unknown
  readonly label: string
  /** What else tells it from others. */
  readonly note: string
  readonly color: string | undefined
}

/** The members of a row by name, with the JSON type of their values; "" where it is not known. */
export type Members = ReadonlyMap<string, string>

/** What a field is called and what it takes. */
export interface OptionField {
  readonly name: string
  /** Only numbers are valid. */
  readonly isNumber: boolean
}

const IDS = "id|gid|uuid|guid|sid|key|slug|number|identifier|code|sku|ref|login|username|email|handle"
const NAMES =
  "display name|full name|name|title|label|summary|subject|headline|login|username|user name|email|description|text"
const ID_WORD = new RegExp(`^(?:${IDS})$`)
const SAMPLE = 20

/** The words of a name in the singular: `tagIds` → tag, id. */
export const singularWords = (name: string): ReadonlyArray<string> =>
  nameWords(name).map((word) => (word === "ids" ? "id" : singular(word)))

/** What a field is about, and the kind of name that it takes for it: `location_id` → location, id. */
export const subjectOf = (name: string): { readonly noun: ReadonlyArray<string>; readonly key: string | undefined } => {
  const words = singularWords(name)
  const last = words.at(-1) ?? ""
  return ID_WORD.test(last) ? { noun: words.slice(0, -1), key: last } : { noun: words, key: undefined }
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "" : typeof value)

/** The members of the first rows. */
export const membersOfRows = (rows: ReadonlyArray<unknown>): Members => {
  const members = new Map<string, string>()
  for (const row of rows.slice(0, SAMPLE)) {
    if (!isObject(row)) continue
    for (const [name, value] of Object.entries(row)) members.set(name, typeOf(value) || (members.get(name) ?? ""))
  }
  return members
}

const named = (
  members: Members,
  names: ReadonlyArray<string>,
  isFit: (type: string) => boolean
): string | undefined => {
  const fitting = [...members].filter(([, type]) => type === "" || isFit(type)).map(([name]) => name)
  return names
    .map((wanted) => fitting.find((name) => nameWords(name).join(" ") === wanted))
    .find((name) => name !== undefined)
}

const isText = (type: string): boolean => type === "string"
const isNumber = (type: string): boolean => type === "number" || type === "integer"

/** Which members of a row are what a field takes, what a person reads, and its colour. `given` goes before the rule. */
export const optionMembers = (members: Members, field: OptionField, given: OptionMembers): OptionMembers => {
  const { key, noun } = subjectOf(field.name)
  const words = noun.join(" ")
  const last = noun.at(-1) ?? ""
  const whole = singularWords(field.name).join(" ")
  const ids = IDS.split("|")
  const plain = key === undefined ? [whole, "name", ...ids, "value", "title"] : [whole, key, ...ids, "name", "value"]
  const keys = key === undefined ? ids : [key]
  const ranked = [
    ...plain.slice(0, 2),
    ...keys.flatMap((one) => [`${words} ${one}`, `${last} ${one}`]),
    ...plain.slice(2)
  ]
  const isFit = (type: string): boolean =>
    isNumber(type) ? field.isNumber || key !== undefined : isText(type) && !field.isNumber
  const value = given.value ?? named(members, ranked, isFit)
  const others = new Map([...members].filter(([name]) => name !== value))
  const [first, family] = ["first name", "last name"].map((name) => named(others, [name], isText))
  const label =
    given.label ??
    named(others, [`${words} name`, `${last} name`, ...NAMES.split("|")], isText) ??
    (first === undefined || family === undefined ? undefined : `{${first}} {${family}}`)
  const color = given.color ?? named(others, ["color", "colour", "hex", "hex color", "color hex"], isText)
  return { ...(value && { value }), ...(label && { label }), ...(color && { color }) }
}

const textAt = (row: Readonly<Record<string, unknown>>, name: string | undefined): string => {
  const value = name === undefined ? undefined : row[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** The choice that a row stands for; `undefined` if it has no value. */
export const optionIn = (row: unknown, { color, label, value }: OptionMembers): Option | undefined => {
  if (!isObject(row)) {
    return typeof row === "string" || typeof row === "number"
      ? { value: row, label: String(row), note: "", color: undefined }
      : undefined
  }
  const sent = value === undefined ? undefined : row[value]
  if (typeof sent !== "string" && typeof sent !== "number") return undefined
  const text = label?.includes("{")
    ? label.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => textAt(row, name)).trim()
    : textAt(row, label)
  const others = Object.keys(row).filter((name) => name !== value && textAt(row, name) !== "")
  return {
    value: sent,
    label: text || String(sent),
    note:
      text === ""
        ? others
            .slice(0, 3)
            .map((name) => textAt(row, name))
            .join(" · ")
        : text === String(sent)
          ? ""
          : String(sent),
    color: textAt(row, color) || undefined
  }
}
