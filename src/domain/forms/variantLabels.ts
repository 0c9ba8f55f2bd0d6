import { choiceLabel, humanName, saidText } from "./FieldText.ts"
import { isObject } from "../isObject.ts"
import type { SchemaReading } from "./SchemaReader.ts"

const NOUNS: Readonly<Record<string, string>> = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  array: "List",
  object: "Object"
}

const referredName = (raw: unknown): string | undefined => {
  const last = isObject(raw) && typeof raw.$ref === "string" ? raw.$ref.split("/").at(-1) : undefined
  return last === undefined || /[#%~]/.test(last) ? undefined : humanName(last)
}

/** The members that only this shape has, the required ones first. */
const ownMembers = (readings: ReadonlyArray<SchemaReading>, index: number): string | undefined => {
  const others = readings.filter((_reading, other) => other !== index)
  const reading = readings[index]
  for (const pick of [(of: SchemaReading) => [...of.required], (of: SchemaReading) => [...of.properties.keys()]]) {
    const own =
      reading === undefined ? [] : pick(reading).filter((name) => !others.some((other) => pick(other).includes(name)))
    if (own.length > 0) return own.slice(0, 2).map(humanName).join(", ")
  }
  return undefined
}

const typeNoun = ({ types, constants, schema }: SchemaReading): string => {
  if (constants !== undefined) return constants.length === 1 ? (constants[0]?.label ?? "") : "One of a list"
  const [type] = types
  if (type === "string" && typeof schema.format === "string") return humanName(schema.format)
  return types.size === 1 ? (NOUNS[type ?? ""] ?? "JSON") : "JSON"
}

/** "List (text)" where there are several kinds of lists. */
const listNoun = ({ schema: { items } }: SchemaReading): string => {
  const type = isObject(items) && typeof items.type === "string" ? items.type : ""
  const noun = Object.hasOwn(NOUNS, type) ? NOUNS[type] : undefined
  return noun === undefined ? "List" : `List (${noun.toLowerCase()})`
}

/**
 * Distinct names for union variants: their titles, else what tells them apart. `raws` are the schemas as written,
 * `kinds` their discriminator values.
 */
export const variantLabels = (
  readings: ReadonlyArray<SchemaReading>,
  raws: ReadonlyArray<unknown>,
  kinds: ReadonlyArray<unknown>
): ReadonlyArray<string> => {
  const labels = readings.map((reading, index) => {
    const kind = kinds[index]
    return (
      saidText(reading.schema.title) ??
      (kind === undefined ? undefined : humanName(choiceLabel(kind))) ??
      referredName(raws[index]) ??
      (reading.types.has("object") ? ownMembers(readings, index) : undefined) ??
      typeNoun(reading)
    )
  })
  const bare = labels.indexOf("Object")
  const own = labels.length === 2 && bare !== -1 ? ownMembers(readings, 1 - bare) : undefined
  if (own !== undefined && own === labels[1 - bare]) {
    const name = own.charAt(0).toLowerCase() + own.slice(1)
    return labels.map((_label, index) => (index === bare ? `Without ${name}` : `With ${name}`))
  }
  const isShared = (label: string, _index: number, all: ReadonlyArray<string>): boolean =>
    all.indexOf(label) !== all.lastIndexOf(label)
  const finer = labels.map((label, index, all) => {
    const reading = readings[index]
    return label === "List" && reading !== undefined && isShared(label, index, all) ? listNoun(reading) : label
  })
  return finer.map((label, index, all) =>
    isShared(label, index, all)
      ? `${label} ${all.slice(0, index + 1).filter((other) => other === label).length}`
      : label
  )
}
