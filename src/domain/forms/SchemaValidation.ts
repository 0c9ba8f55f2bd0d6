import { choiceLabel } from "./FieldText.ts"
import { Unread } from "./FormDraft.ts"
import type { FieldPath } from "./FormDraft.ts"
import { isObject } from "../isObject.ts"
import type { JsonObject } from "../isObject.ts"
import { dependentsOf, followReference, layersOf, mergeLayers, unionsOf, withExclusiveLimits } from "./JsonSchema.ts"
import type { SchemaDocument } from "./JsonSchema.ts"
import { sameJson } from "./sameJson.ts"

/** What a schema does not allow in a value. */
export interface SchemaProblem {
  readonly path: FieldPath
  /** The JSON Schema keyword that failed; `false` for the schema `false`. */
  readonly keyword: string
  /** One sentence for the person at the form. */
  readonly message: string
}

const MAX_STEPS = 100_000
/** Budget for checks while a person types: which variant of a union, whether a condition holds. */
const MAX_QUICK_STEPS = 10_000
/** One validation step is worth this many backtracking steps of a pattern. */
const STEP_COST = 1000
const MAX_DEPTH = 200
const MAX_PATTERN = 1000
const MAX_MATCHED = 10_000
const MAX_NESTED = 20
/** For one text and one pattern, in backtracking steps. */
const MAX_COST = 1e7
/** Tokens of a pattern: escapes, classes, group openings, repetitions, single characters. */
const TOKENS = /\\.|\[(?:\\.?|[^\]\\])*\]?|\((?:\?(?:[:=!]|<[=!]?))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gs

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The JSON type of a value, as `type` names it; whole numbers are `number` too. */
export const jsonType = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
  array: "a list",
  object: "an object",
  null: "nothing (null)"
}

const isOfType = (value: unknown, type: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : type === jsonType(value) || !Object.hasOwn(TYPE_NOUNS, String(type))

/** What matching a pattern costs. */
interface Reach {
  /** The longest text that can be matched. */
  readonly characters: number
  /** Backtracking steps that a text of this length may take. */
  readonly costOf: (length: number) => number
}

/**
 * How long a text may be to be matched without blocking the page. Each varying repetition adds a power of the length to
 * backtracking. A repetition in another one takes exponential time; the base is the number of ways in which the inner
 * one can take a character.
 */
const reachOf = (pattern: string): Reach => {
  const above: Array<{ readonly varies: boolean; readonly ways: number }> = []
  let varies = false
  let ways = 1
  let last: { readonly varies: boolean; readonly ways: number } | undefined
  let nested = MAX_MATCHED
  let weight = pattern.startsWith("^") ? 0 : 1
  for (const [token] of pattern.matchAll(TOKENS)) {
    const group = last
    last = undefined
    if (token.startsWith("(")) {
      above.push({ varies, ways })
      varies = false
      ways = 1
    } else if (token === ")") {
      last = { varies, ways }
      const outer = above.pop()
      varies = outer?.varies === true || varies
      ways += (outer?.ways ?? 1) - 1
    } else if (token === "|") {
      varies = true
      ways += 1
    } else if (/^([*+?]|\{\d)/.test(token)) {
      const isOption = token.startsWith("?")
      if (group?.varies === true && !isOption)
        nested = Math.min(nested, /\d\d/.test(token) ? 0 : Math.floor(MAX_NESTED / Math.log2(Math.max(2, group.ways))))
      if (/^\{\d+\}/.test(token)) continue
      varies = true
      ways += 1
      weight += isOption ? 0.5 : 1
    }
  }
  return {
    characters: Math.min(nested, weight > 10 ? 0 : Math.max(MAX_NESTED, MAX_COST ** (1 / weight))),
    costOf: (length) => (nested < MAX_MATCHED ? 2 ** MAX_NESTED : Math.min(MAX_COST, length ** weight))
  }
}

const patterns = new Map<string, RegExp | undefined>()
const reaches = new Map<string, Reach>()

const compiled = (pattern: string): RegExp | undefined => {
  if (patterns.has(pattern)) return patterns.get(pattern)
  let expression: RegExp | undefined
  for (const flags of pattern.length > MAX_PATTERN ? [] : ["", "u"]) {
    try {
      expression = new RegExp(pattern, flags)
    } catch {
      // Not a pattern in this dialect.
    }
  }
  patterns.set(pattern, expression)
  return expression
}

/**
 * `undefined` if the pattern is not valid in JavaScript, or the text is too long for it. `spend` is told the possible
 * cost and may refuse.
 */
const tested = (pattern: string, value: string, spend: (cost: number) => boolean = () => true): boolean | undefined => {
  const expression = compiled(pattern)
  const reach = reaches.get(pattern) ?? reachOf(pattern)
  reaches.set(pattern, reach)
  return value.length <= reach.characters && spend(reach.costOf(value.length)) ? expression?.test(value) : undefined
}

/** Whether a text matches a pattern, as far as that is known; for `spend` see {@link tested}. */
export const matchesPattern = (pattern: unknown, value: string, spend?: (cost: number) => boolean): boolean =>
  typeof pattern !== "string" || (tested(pattern, value, spend) ?? true)

const isDate = (value: string): boolean => {
  const at = new Date(`${value}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

const isTime = (value: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(value)

const ADDRESS = ["a whole address, such as https://example.com", /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i] as const
const EMAIL = ["an e-mail address", /^[^\s@]+@[^\s@]+$/] as const

type Format = readonly [noun: string, test: RegExp | ((value: string) => boolean)]

const FORMATS: Readonly<Record<string, Format>> = {
  date: ["a date, such as 2027-03-31", isDate],
  time: ["a time with its zone, such as 10:30:00Z", isTime],
  "date-time": [
    "a date and time with its zone, such as 2027-03-31T10:30:00Z",
    (value) => isDate(value.slice(0, 10)) && /^t$/i.test(value.charAt(10)) && isTime(value.slice(11))
  ],
  email: EMAIL,
  "idn-email": EMAIL,
  uri: ADDRESS,
  iri: ADDRESS,
  url: ADDRESS,
  uuid: ["a UUID", /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ipv4: ["an IPv4 address", /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/],
  duration: ["a duration, such as P1DT12H", /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?!$)(\d+H)?(\d+M)?(\d+S)?)?)$/],
  ipv6: ["an IPv6 address", (value) => /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`)],
  hostname: ["the name of a host, such as example.com", /^((?!-)[a-z\d-]{1,63}(?<!-)(\.(?!$)|$))+$/i],
  regex: ["a regular expression", (value) => compiled(value) !== undefined]
}

const isMultiple = (value: number, step: number): boolean => {
  const off = Math.abs(value - Math.round(value / step) * step)
  return off <= Math.min(2 * Number.EPSILON * Math.abs(value), step / 1000)
}

const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const schemasOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

type Fail = (keyword: string, message: string, at?: FieldPath) => void

const LIMITS: ReadonlyArray<readonly [keyword: string, words: string, isBeyond: (a: number, b: number) => boolean]> = [
  ["minimum", "# or more", (value, limit) => value < limit],
  ["maximum", "# or less", (value, limit) => value > limit],
  ["exclusiveMinimum", "more than #", (value, limit) => value <= limit],
  ["exclusiveMaximum", "less than #", (value, limit) => value >= limit]
]

class Validation {
  readonly problems: Array<SchemaProblem> = []
  readonly #document: SchemaDocument
  #steps: number

  constructor(document: SchemaDocument, steps: number) {
    this.#document = document
    this.#steps = steps
  }

  #problemsOf(schema: unknown, value: unknown, path: FieldPath, depth: number): ReadonlyArray<SchemaProblem> {
    const before = this.problems.length
    this.check(schema, value, path, depth + 1)
    return this.problems.splice(before)
  }

  #tested(pattern: string, value: string): boolean | undefined {
    return tested(pattern, value, (cost) => (this.#steps -= Math.ceil(cost / STEP_COST)) > 0)
  }

  #isValid(schema: unknown, value: unknown, depth: number): boolean {
    return this.#problemsOf(schema, value, [], depth).length === 0
  }

  check(schema: unknown, value: unknown, path: FieldPath, depth = 0): void {
    const fail = (keyword: string, message: string, at: FieldPath = path): void => {
      this.problems.push({ path: at, keyword, message })
    }
    if (value === undefined || value instanceof Unread || depth > MAX_DEPTH || this.#steps-- <= 0) return
    if (schema === false) return fail("false", "Nothing may stand here.")
    if (!isObject(schema)) return
    if (value === null && schema.nullable === true) return

    const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef
    if (typeof reference === "string") {
      this.check(followReference(reference, this.#document), value, path, depth + 1)
      if (this.#document.refStandsAlone) return
    }
    const types: ReadonlyArray<unknown> = Array.isArray(schema.type) ? schema.type : [schema.type]
    if (schema.type !== undefined && !types.some((type) => isOfType(value, type))) {
      const nouns = types.map(String).map((type) => (Object.hasOwn(TYPE_NOUNS, type) ? TYPE_NOUNS[type] : type))
      return fail("type", `Enter ${nouns.join(" or ")}.`)
    }
    if ("const" in schema && !sameJson(schema.const, value)) fail("const", `Must be ${choiceLabel(schema.const)}.`)
    if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => sameJson(allowed, value))) {
      fail("enum", "Choose one of the values on offer.")
    }
    if (typeof value === "string") this.#text(schema, value, fail)
    else if (typeof value === "number") this.#number(withExclusiveLimits(schema), value, fail)
    else if (Array.isArray(value)) this.#list(schema, value, path, depth, fail)
    else if (isObject(value)) this.#object(schema, value, path, depth, fail)
    this.#combined(schema, value, path, depth, fail)
    this.#unevaluated(schema, value, path, fail)
  }

  /** `minLength`, `maxItems` and the like. */
  #count(schema: JsonObject, of: string, count: number, verb: string, noun: string, fail: Fail): void {
    const least = asNumber(schema[`min${of}`]) ?? 0
    const most = asNumber(schema[`max${of}`]) ?? Infinity
    if (count < least) fail(`min${of}`, `${verb} at least ${plural(least, noun)}.`)
    if (count > most) fail(`max${of}`, `${verb} at most ${plural(most, noun)}; this has ${count}.`)
  }

  #text(schema: JsonObject, value: string, fail: Fail): void {
    const { pattern, format } = schema
    this.#count(schema, "Length", [...value].length, "Enter", "character", fail)
    if (typeof pattern === "string" && this.#tested(pattern, value) === false)
      fail("pattern", `Must match the pattern ${pattern}`)
    const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (known === undefined) return
    const [noun, test] = known
    if (!(test instanceof RegExp ? test.test(value) : test(value))) fail("format", `Enter ${noun}.`)
  }

  #number(schema: JsonObject, value: number, fail: Fail): void {
    for (const [keyword, words, isBeyond] of LIMITS) {
      const limit = asNumber(schema[keyword])
      if (limit !== undefined && isBeyond(value, limit)) fail(keyword, `Must be ${words.replace("#", String(limit))}.`)
    }
    const step = asNumber(schema.multipleOf) ?? 0
    if (step > 0 && !isMultiple(value, step)) fail("multipleOf", `Must be a multiple of ${step}.`)
  }

  #list(schema: JsonObject, value: ReadonlyArray<unknown>, path: FieldPath, depth: number, fail: Fail): void {
    this.#count(schema, "Items", value.length, "Add", "item", fail)
    const isOldTuple = Array.isArray(schema.items)
    const prefix = schemasOf(isOldTuple ? schema.items : schema.prefixItems)
    const rest = isOldTuple ? schema.additionalItems : schema.items
    for (const [index, item] of value.entries()) {
      this.check(index < prefix.length ? prefix[index] : rest, item, [...path, index], depth + 1)
    }
    if (schema.uniqueItems === true) {
      const seen = new Map<string, number>()
      for (const [index, item] of value.entries()) {
        const text = JSON.stringify(item, (_name, part: unknown) =>
          isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part
        )
        const earlier = seen.get(text)
        if (earlier !== undefined) {
          fail("uniqueItems", `Items ${earlier + 1} and ${index + 1} are the same.`)
          break
        }
        seen.set(text, index)
      }
    }
    if (schema.contains === undefined) return
    const count = value.filter((item) => this.#isValid(schema.contains, item, depth)).length
    const minContains = asNumber(schema.minContains) ?? 1
    if (count < minContains || count > (asNumber(schema.maxContains) ?? Infinity)) {
      fail("contains", `Of the kind of item that is asked for, there ${count === 1 ? "is" : "are"} ${count}.`)
    }
  }

  #object(schema: JsonObject, value: JsonObject, path: FieldPath, depth: number, fail: Fail): void {
    const names = Object.keys(value)
    for (const name of schemasOf(schema.required)) {
      if (typeof name === "string" && !Object.hasOwn(value, name))
        fail("required", "This is required.", [...path, name])
    }
    this.#count(schema, "Properties", names.length, "Fill in", "value", fail)
    const properties = isObject(schema.properties) ? schema.properties : {}
    const byPattern = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
    for (const name of names) {
      if (this.#steps <= 0) return
      const at = [...path, name]
      if (schema.propertyNames !== undefined) {
        const [problem] = this.#problemsOf(schema.propertyNames, name, at, depth)
        if (problem !== undefined) fail("propertyNames", `The name “${name}”: ${problem.message}`, at)
      }
      const isNamed = Object.hasOwn(properties, name)
      if (isNamed) this.check(properties[name], value[name], at, depth + 1)
      const outcomes = byPattern.map(([pattern, member]) => {
        const outcome = this.#tested(pattern, name)
        if (outcome === true) this.check(member, value[name], at, depth + 1)
        return outcome
      })
      if (isNamed || outcomes.some((outcome) => outcome !== false)) continue
      if (schema.additionalProperties === false) fail("additionalProperties", `“${name}” is not expected here.`, at)
      else this.check(schema.additionalProperties, value[name], at, depth + 1)
    }
    for (const [name, asked] of dependentsOf(schema)) {
      if (Object.hasOwn(value, name)) this.check(asked, value, path, depth + 1)
    }
  }

  #combined(schema: JsonObject, value: unknown, path: FieldPath, depth: number, fail: Fail): void {
    for (const part of schemasOf(schema.allOf)) this.check(part, value, path, depth + 1)
    for (const keyword of ["anyOf", "oneOf"]) {
      const union = schemasOf(schema[keyword])
      if (union.length === 0) continue
      const outcomes = union.map((part) => this.#problemsOf(part, value, path, depth))
      const valid = outcomes.filter((problems) => problems.length === 0).length
      if (valid > 1 && keyword === "oneOf") fail(keyword, "This is as several of the alternatives at once.")
      if (valid === 0) this.problems.push(...(outcomes[this.#best(union, outcomes, value, path)] ?? []))
    }
    if (schema.not !== undefined && this.#isValid(schema.not, value, depth)) fail("not", "This value is not allowed.")
    if (schema.if !== undefined) {
      this.check(this.#isValid(schema.if, value, depth) ? schema.then : schema.else, value, path, depth + 1)
    }
  }

  /** `unevaluated…: false`, where only `allOf` and references evaluate members: no unions, no conditions. */
  #unevaluated(schema: JsonObject, value: unknown, path: FieldPath, fail: Fail): void {
    const ofItems = Array.isArray(value)
    const keyword = `unevaluated${ofItems ? "Items" : "Properties"}`
    if (schema[keyword] !== false || typeof value !== "object") return
    const { layers, isConditional } = layersOf(schema, this.#document)
    const rest = ofItems ? ["items", "contains", keyword] : ["additionalProperties", keyword]
    const isOpen = (layer: JsonObject): boolean =>
      unionsOf(layer).length > 0 || rest.some((other) => (layer[other] ?? false) !== false)
    if (isConditional || layers.some(isOpen)) return
    const { properties, patterns: named } = mergeLayers(layers)
    const known = Math.max(...layers.map(({ prefixItems }) => schemasOf(prefixItems).length))
    for (const name of Object.keys(value ?? {})) {
      const isKnown = properties.has(name) || [...named.keys()].some((pattern) => this.#tested(pattern, name) !== false)
      if (ofItems ? Number(name) >= known : !isKnown)
        fail(keyword, "This is not expected here.", [...path, ofItems ? Number(name) : name])
    }
  }

  #membersOf(schema: unknown): ReadonlyMap<string, unknown> | undefined {
    if (this.#steps <= 0) return undefined
    const { layers } = layersOf(schema, this.#document)
    this.#steps -= layers.length
    return mergeLayers(layers).properties
  }

  #best(
    union: ReadonlyArray<unknown>,
    outcomes: ReadonlyArray<ReadonlyArray<SchemaProblem>>,
    value: unknown,
    { length }: FieldPath
  ): number {
    const scores = outcomes.map((problems, index) => {
      const isOther = problems.some(({ keyword, path }) => keyword === "type" && path.length === length)
      const mistaken = problems.filter(
        ({ keyword, path }) => /^(const|enum)$/.test(keyword) && path.length === length + 1
      ).length
      const known = isObject(value) ? this.#membersOf(union[index]) : undefined
      const present = known === undefined ? 0 : Object.keys(Object(value)).filter((name) => known.has(name)).length
      const near = problems.length === 0 ? 50 : -Math.min(problems.length, 40)
      return (isOther ? -1e9 : near) + present * 100 - mistaken * 1e6
    })
    return scores.indexOf(Math.max(...scores))
  }

  /** See {@link fittingSchema}. */
  fitting(union: ReadonlyArray<unknown>, value: unknown): number | undefined {
    if (value === undefined || union.length === 0) return undefined
    const outcomes = union.map((part) => this.#problemsOf(part, value, [], 0))
    return this.#best(union, outcomes, value, [])
  }
}

/**
 * Everything that a schema does not allow in a value, by drafts 4 to 2020-12. Common formats count; `unevaluated…`
 * counts only without unions and conditions. A union without a fitting member gives the problems of the nearest one.
 * Invalid schemas, invalid patterns and dead references allow everything. Bounded: 100,000 steps, 200 deep.
 */
export const schemaProblems = (
  schema: unknown,
  value: unknown,
  document: SchemaDocument
): ReadonlyArray<SchemaProblem> => {
  const validation = new Validation(document, MAX_STEPS)
  validation.check(schema, value, [])
  return validation.problems
}

/** Whether a value matches a schema, by the same rules; after 10,000 steps it counts as valid. */
export const isValidQuickly = (schema: unknown, value: unknown, document: SchemaDocument): boolean => {
  const validation = new Validation(document, MAX_QUICK_STEPS)
  validation.check(schema, value, [])
  return validation.problems.length === 0
}

/** The schema that a value is meant for, valid or not: by type, then constants, then member names. */
export const fittingSchema = (
  schemas: ReadonlyArray<unknown>,
  value: unknown,
  document: SchemaDocument
): number | undefined => new Validation(document, MAX_QUICK_STEPS).fitting(schemas, value)
