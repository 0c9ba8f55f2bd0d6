import { isRecord, type JsonRecord, sameJson } from "./json.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const both = (left: unknown, right: unknown): unknown => ({ allOf: [left, right] })

const members = (left: unknown, right: unknown): JsonRecord => {
  const [first, second] = [isRecord(left) ? left : {}, isRecord(right) ? right : {}]
  return {
    ...first,
    ...Object.fromEntries(
      Object.entries(second).map(([name, value]) => [
        name,
        Object.hasOwn(first, name) ? both(first[name], value) : value
      ])
    )
  }
}

const stricter =
  (pick: (left: number, right: number) => number) =>
  (left: unknown, right: unknown): unknown => {
    if (typeof left !== "number") return right
    return typeof right === "number" ? pick(left, right) : left
  }

const types = (left: unknown, right: unknown): unknown => {
  const second = listOf(right)
  const shared = listOf(left).flatMap((type) => {
    if (second.includes(type)) return [type]
    if (type === "number" && second.includes("integer")) return ["integer"]
    return type === "integer" && second.includes("number") ? ["integer"] : []
  })
  return shared.length === 1 ? shared[0] : shared
}

const together = (left: unknown, right: unknown): unknown => [...listOf(left), ...listOf(right)]

const mergers: Readonly<Record<string, (left: unknown, right: unknown) => unknown>> = {
  type: types,
  enum: (left, right) => listOf(left).filter((value) => listOf(right).some((other) => sameJson(value, other))),
  required: (left, right) => [...new Set([...listOf(left), ...listOf(right)])],
  properties: members,
  patternProperties: members,
  $defs: members,
  definitions: members,
  dependentSchemas: members,
  dependentRequired: members,
  dependencies: members,
  items: both,
  contains: both,
  propertyNames: both,
  additionalProperties: (left, right) => (left === false || right === false ? false : both(left, right)),
  allOf: together,
  minimum: stricter(Math.max),
  exclusiveMinimum: stricter(Math.max),
  minLength: stricter(Math.max),
  minItems: stricter(Math.max),
  minProperties: stricter(Math.max),
  maximum: stricter(Math.min),
  exclusiveMaximum: stricter(Math.min),
  maxLength: stricter(Math.min),
  maxItems: stricter(Math.min),
  maxProperties: stricter(Math.min)
}

/** Unions that both sides have cannot be one keyword: the second goes into `allOf`, which a reader works off next. */
const UNIONS = ["oneOf", "anyOf", "if", "not"]

/** A schema for what both allow, as far as that is one schema; `false` where one of them allows nothing. */
export const mergedSchema = (left: unknown, right: unknown): JsonRecord | false => {
  if (left === false || right === false) return false
  if (!isRecord(left)) return isRecord(right) ? right : {}
  if (!isRecord(right)) return left
  const merged: Record<string, unknown> = { ...left }
  const second: Record<string, unknown> = { ...right }
  for (const keyword of UNIONS) {
    if (!(keyword in merged) || !(keyword in second)) continue
    const names = keyword === "if" ? ["if", "then", "else"] : [keyword]
    const rest = Object.fromEntries(names.filter((name) => name in second).map((name) => [name, second[name]]))
    for (const name of names) delete second[name]
    merged.allOf = [...listOf(merged.allOf ?? []), rest]
  }
  for (const [keyword, value] of Object.entries(second)) {
    const merge = mergers[keyword]
    merged[keyword] =
      keyword in merged && merge !== undefined ? merge(merged[keyword], value) : (merged[keyword] ?? value)
  }
  return merged
}
