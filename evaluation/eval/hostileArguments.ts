import type { Chance } from "./Chance.ts"
import { isRecord, type JsonRecord } from "./json.ts"

const ODD_VALUES: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  "tomorrow",
  -0.5,
  1e21,
  9_007_199_254_740_991,
  true,
  [],
  {},
  [null],
  [[1], { deep: [true] }],
  { "": "", "a/b~c": [1, "1"] },
  "not one of the choices",
  ["a", 1, null]
]

const withOddValues = (value: JsonRecord, chance: Chance, share: number): JsonRecord =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (chance.is(share)) return [name, chance.pick(ODD_VALUES)]
      return [name, isRecord(member) ? withOddValues(member, chance, share) : member]
    })
  )

const namesOf = (schema: unknown): ReadonlyArray<string> =>
  isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []

/**
 * Arguments as a model may send them though the schema says otherwise: members that nobody named, in front and behind, and
 * members of the wrong type. As JSON texts, because not every member name survives an object literal.
 */
export const hostileArguments = (sample: JsonRecord, schema: unknown, chance: Chance): ReadonlyArray<string> => {
  const names = namesOf(schema)
  const nulls = Object.fromEntries(names.map((name) => [name, null]))
  const wrong = Object.fromEntries(names.map((name) => [name, chance.pick(ODD_VALUES)]))
  const surrounded = {
    _before: chance.pick(ODD_VALUES),
    ...withOddValues(sample, chance, 0.2),
    "odd name ~1/$": { list: [1, { two: null }], text: "  kept  " },
    constructor: "kept"
  }
  const withPrototype = JSON.stringify(surrounded).replace(/\}$/, ',"__proto__":{"kept":true}}')
  return [withPrototype, ...(names.length > 0 ? [JSON.stringify(nulls), JSON.stringify(wrong)] : [])]
}
