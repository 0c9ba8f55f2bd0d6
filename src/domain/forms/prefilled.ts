import { isObject } from "../isObject.ts"
import { nameWords } from "../tools/nameWords.ts"

type Members = Readonly<Record<string, unknown>>

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? "number" : typeof value

const fits = (value: unknown, schema: unknown): boolean => {
  if (!isObject(schema)) return value !== null
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  const types = [schema.type].flat().map((type) => (type === "integer" ? "number" : type))
  return types[0] === undefined ? value !== null : types.includes(kindOf(value))
}

const sameName = (record: Members, name: string): string | undefined => {
  if (Object.hasOwn(record, name)) return name
  const words = nameWords(name).join(" ")
  return Object.keys(record).find((other) => nameWords(other).join(" ") === words)
}

/**
 * The arguments of a tool that a record already has: members of the same name, in any case, whose values the schema takes.
 * A group that the record does not have as such (`{workout: {title}}`) takes them from the record itself.
 */
export const prefilled = (schema: unknown, record: Members, depth = 0): Members => {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => {
      const found = sameName(record, name)
      const value = found === undefined ? undefined : record[found]
      const isGroup = isObject(member) && isObject(member.properties)
      if (isGroup && depth < 4) {
        const inside = prefilled(member, isObject(value) ? value : depth === 0 ? record : {}, depth + 1)
        return Object.keys(inside).length === 0 ? [] : [[name, inside] as const]
      }
      return found !== undefined && fits(value, member) ? [[name, value] as const] : []
    })
  )
}
