import type { Chance } from "./Chance.ts"
import { isRecord, type JsonRecord, sameJson } from "./json.ts"
import { mergedSchema } from "./mergedSchema.ts"
import { textOfPattern } from "./textOfPattern.ts"
import { oddText, textOfFormat, textOfName } from "./textSamples.ts"
import type { Validator } from "./validatorOf.ts"

/** `minimal`: what is required. `full`: everything that the schema names. `random`: what chance says. */
export type SampleKind = "minimal" | "full" | "random"

export interface ArgumentsOptions {
  readonly kind: SampleKind
  readonly chance: Chance
  readonly validator: Validator
  /** How often a text is one that forms are known to bend (`lines`: with line breaks, which not every control takes). */
  readonly odd?: { readonly share: number; readonly lines: boolean }
}

/** Nothing that the schema allows was found. */
const nothing = Symbol("nothing")

interface Place {
  readonly kind: SampleKind
  readonly depth: number
  readonly name: string
  /** References under way, so that one that only points at itself ends. */
  readonly refs: ReadonlyArray<string>
}

const MOST_DEPTH = 5
const MOST_VALUES = 400
const TRIES = 60

const TYPES: ReadonlySet<unknown> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"])

const hints: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]]
]

const stringsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : []

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

const pointed = (root: unknown, reference: string): unknown => {
  if (!reference.startsWith("#")) return undefined
  if (reference.length > 1 && !reference.startsWith("#/")) return anchored(root, reference.slice(1), 0)
  let at = root
  for (const step of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(at)) at = at[Number(name)]
    else if (isRecord(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

const anchored = (at: unknown, anchor: string, depth: number): unknown => {
  if (depth > 12 || typeof at !== "object" || at === null) return undefined
  if (isRecord(at) && (at.$anchor === anchor || at.$dynamicAnchor === anchor || at.$id === `#${anchor}`)) return at
  for (const below of Object.values(at)) {
    const found = anchored(below, anchor, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

class Writer {
  private left = MOST_VALUES
  private readonly root: unknown
  private readonly chance: Chance
  private readonly odd: { readonly share: number; readonly lines: boolean }

  constructor(root: unknown, chance: Chance, odd: { readonly share: number; readonly lines: boolean }) {
    this.root = root
    this.chance = chance
    this.odd = odd
  }

  value(schema: unknown, place: Place): unknown {
    this.left -= 1
    const flat = this.flattened(schema, place, 0)
    if (flat === false) return nothing
    const { schema: known, place: here } = flat
    if ("const" in known) return known.const
    const samples = [
      ...(Array.isArray(known.examples) ? known.examples : []),
      ...("default" in known ? [known.default] : [])
    ]
    if (Array.isArray(known.enum)) return known.enum.length === 0 ? nothing : this.chance.pick(known.enum)
    if (samples.length > 0 && here.kind !== "minimal" && this.chance.is(0.25)) return this.chance.pick(samples)
    return this.ofType(this.typeOf(known, here), known, here)
  }

  /** Follows references, `allOf`, and one branch of each union and condition, until none is left. */
  private flattened(schema: unknown, place: Place, rounds: number): { schema: JsonRecord; place: Place } | false {
    if (schema === false) return false
    if (!isRecord(schema)) return { schema: {}, place }
    if (rounds > 40) return { schema, place }
    const { $ref, $dynamicRef, ...beside } = schema
    const reference = $ref ?? $dynamicRef
    if (typeof reference === "string") {
      const seen = place.refs.filter((other) => other === reference).length
      if (seen > MOST_DEPTH) return false
      const below = { ...place, refs: [...place.refs, reference] }
      return this.flattened(mergedSchema(beside, pointed(this.root, reference) ?? {}), below, rounds + 1)
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema
      let merged: JsonRecord | false = rest
      for (const part of Array.isArray(allOf) ? allOf : []) {
        const read: { schema: JsonRecord; place: Place } | false = this.referenced(part, place)
        merged = read === false ? false : mergedSchema(merged, read.schema)
      }
      return this.flattened(merged, place, rounds + 1)
    }
    for (const union of ["oneOf", "anyOf"] as const) {
      const variants = schema[union]
      if (!Array.isArray(variants) || variants.length === 0) continue
      const { [union]: _taken, ...rest } = schema
      for (const variant of this.ordered(variants, place)) {
        const found = this.flattened(mergedSchema(rest, variant), place, rounds + 1)
        if (found !== false && !this.isEmpty(found.schema)) return found
      }
      return false
    }
    if ("if" in schema) {
      const { if: condition, then, else: otherwise, ...rest } = schema
      const isMet = this.chance.is(0.5)
      const branch = isMet ? mergedSchema(condition, then ?? {}) : (otherwise ?? {})
      return this.flattened(mergedSchema(rest, branch), place, rounds + 1)
    }
    return { schema, place }
  }

  private referenced(part: unknown, place: Place): { schema: JsonRecord; place: Place } | false {
    if (part === false) return false
    return isRecord(part) && "$ref" in part ? this.flattened(part, place, 1) : { schema: recordOf(part), place }
  }

  private isEmpty({ enum: values, type }: JsonRecord): boolean {
    return (Array.isArray(values) && values.length === 0) || (Array.isArray(type) && type.length === 0)
  }

  /** Deep down, variants without further structure come first: that is where recursion ends. */
  private ordered(variants: ReadonlyArray<unknown>, { depth, kind }: Place): ReadonlyArray<unknown> {
    if (depth < MOST_DEPTH && this.left > 0) return kind === "minimal" ? variants : this.chance.shuffled(variants)
    const weight = (variant: unknown): number =>
      isRecord(variant) && ("$ref" in variant || "properties" in variant || "items" in variant) ? 1 : 0
    return variants.toSorted((a, b) => weight(a) - weight(b))
  }

  private typeOf(schema: JsonRecord, { kind }: Place): string {
    const given = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => TYPES.has(type))
    const types = given.length > 1 && kind !== "random" ? given.filter((type) => type !== "null") : given
    const picked = kind === "minimal" ? types[0] : this.chance.pick(types)
    if (picked !== undefined) return picked
    return hints.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0] ?? "any"
  }

  private ofType(type: string, schema: JsonRecord, place: Place): unknown {
    switch (type) {
      case "null":
        return null
      case "boolean":
        return this.chance.is(0.5)
      case "integer":
      case "number":
        return this.number(schema, type === "integer")
      case "string":
        return this.text(schema, place)
      case "array":
        return this.list(schema, place)
      case "object":
        return this.object(schema, place)
      default:
        return this.anything(place)
    }
  }

  private anything({ kind, name }: Place): unknown {
    const simple = [textOfName(name, this.chance), this.chance.whole(0, 99), this.chance.is(0.5)]
    const structured = [{ note: textOfName("note", this.chance), count: this.chance.whole(1, 9) }, [1, "two", null]]
    return this.chance.pick(kind === "random" ? [...simple, ...structured, null] : simple)
  }

  private number(schema: JsonRecord, isInteger: boolean): number | typeof nothing {
    const step = numberOf(schema.multipleOf) ?? (isInteger ? 1 : undefined)
    const smallest = step ?? 0.01
    // Draft 4 says by a boolean whether a bound is itself outside.
    const isDraft4Open = (keyword: string): boolean => schema[keyword] === true
    const low = Math.max(
      (numberOf(schema.minimum) ?? Number.NEGATIVE_INFINITY) + (isDraft4Open("exclusiveMinimum") ? smallest : 0),
      (numberOf(schema.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY) + smallest
    )
    const high = Math.min(
      (numberOf(schema.maximum) ?? Number.POSITIVE_INFINITY) - (isDraft4Open("exclusiveMaximum") ? smallest : 0),
      (numberOf(schema.exclusiveMaximum) ?? Number.POSITIVE_INFINITY) - smallest
    )
    const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 100 * (step ?? 1) : (step ?? 1)
    const to = Math.min(high, from + 100 * Math.max(1, step ?? 1))
    if (to < from) return from <= (numberOf(schema.maximum) ?? Number.POSITIVE_INFINITY) ? from : nothing
    if (step === undefined) return Math.min(to, Math.max(from, Math.round(this.chance.between(from, to) * 100) / 100))
    const [first, last] = [Math.ceil(from / step), Math.floor(to / step)]
    if (last < first) return nothing
    const value = this.chance.whole(first, last) * step
    return Number(value.toPrecision(12))
  }

  private text(schema: JsonRecord, { name }: Place): string | typeof nothing {
    const minLength = numberOf(schema.minLength) ?? 0
    const maxLength = numberOf(schema.maxLength) ?? Number.POSITIVE_INFINITY
    if (typeof schema.pattern === "string")
      return textOfPattern(schema.pattern, this.chance, { minLength, maxLength }) ?? nothing
    const formatted = typeof schema.format === "string" ? textOfFormat(schema.format, this.chance) : undefined
    if (formatted !== undefined) return formatted
    if (schema.contentEncoding === "base64") return btoa(textOfName(name, this.chance))
    const plain = this.chance.is(this.odd.share) ? oddText(this.chance, this.odd.lines) : textOfName(name, this.chance)
    const characters = [...plain]
    if (characters.length > maxLength) return characters.slice(0, maxLength).join("").trim().padEnd(minLength, "x")
    return plain.padEnd(minLength, " and more")
  }

  private list(schema: JsonRecord, place: Place): ReadonlyArray<unknown> | typeof nothing {
    const prefix = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : []
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
    const least = Math.max(
      numberOf(schema.minItems) ?? 0,
      "contains" in schema ? (numberOf(schema.minContains) ?? 1) : 0
    )
    const most = Math.max(least, numberOf(schema.maxItems) ?? Number.POSITIVE_INFINITY)
    const isDeep = place.depth >= MOST_DEPTH || this.left <= 0
    const wished = place.kind === "minimal" || isDeep ? 0 : place.kind === "full" ? 2 : this.chance.whole(0, 3)
    const wantsTuple = prefix.length > 0 && place.kind !== "minimal" && !isDeep
    const count = Math.min(most, Math.max(least, wantsTuple ? prefix.length : wished))
    const items: Array<unknown> = []
    const below = { ...place, depth: place.depth + 1 }
    for (let tries = 0; items.length < count && tries < count + 30; tries += 1) {
      const index = items.length
      const needed = "contains" in schema && index < (numberOf(schema.minContains) ?? 1)
      const base = index < prefix.length ? prefix[index] : (rest ?? {})
      const item = this.value(needed ? mergedSchema(base === true ? {} : base, schema.contains) : base, below)
      if (item === nothing) break
      // Nobody ticks a box twice, but a model may send anything twice.
      const isUnique = schema.uniqueItems === true || place.kind !== "random"
      if (isUnique && items.some((other) => sameJson(other, item))) continue
      items.push(item)
    }
    return items.length < least ? nothing : items
  }

  private isWanted({ depth, kind }: Place): boolean {
    if (kind === "minimal" || depth >= MOST_DEPTH || this.left <= 0) return false
    return kind === "full" || this.chance.is(depth === 0 ? 0.5 : 0.35)
  }

  private object(given: JsonRecord, place: Place): JsonRecord | typeof nothing {
    let schema = given
    const names = new Set(stringsOf(schema.required))
    for (const [name, member] of Object.entries(recordOf(schema.properties)))
      if (isRecord(member) && member.required === true) names.add(name)
    for (const name of Object.keys(recordOf(schema.properties))) if (this.isWanted(place)) names.add(name)
    for (let rounds = 0; rounds < 10; rounds += 1) {
      const before = names.size
      for (const [name, needs] of Object.entries({
        ...recordOf(schema.dependencies),
        ...recordOf(schema.dependentRequired),
        ...recordOf(schema.dependentSchemas)
      })) {
        if (!names.has(name)) continue
        for (const needed of stringsOf(needs)) names.add(needed)
        if (!isRecord(needs)) continue
        const flat = this.flattened(mergedSchema(schema, needs), place, 0)
        if (flat === false) return nothing
        schema = flat.schema
        for (const needed of stringsOf(schema.required)) names.add(needed)
      }
      if (names.size === before) break
    }
    const result: Record<string, unknown> = {}
    const inOrder = [...Object.keys(recordOf(schema.properties)), ...names].filter((name) => names.has(name))
    for (const name of new Set(inOrder)) {
      const value = this.member(schema, name, place)
      if (value === nothing) {
        if (stringsOf(schema.required).includes(name)) return nothing
        continue
      }
      Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
    }
    this.addOthers(schema, result, place)
    return result
  }

  private schemaOf(schema: JsonRecord, name: string): unknown {
    const properties = recordOf(schema.properties)
    const patterns = Object.entries(recordOf(schema.patternProperties)).filter(([pattern]) => {
      try {
        return new RegExp(pattern, "u").test(name)
      } catch {
        return false
      }
    })
    const named = Object.hasOwn(properties, name) ? [properties[name]] : []
    const found = [...named, ...patterns.map(([, member]) => member)]
    return found.length === 0 ? (schema.additionalProperties ?? {}) : found.length === 1 ? found[0] : { allOf: found }
  }

  private member(schema: JsonRecord, name: string, place: Place): unknown {
    return this.value(this.schemaOf(schema, name), { ...place, depth: place.depth + 1, name })
  }

  /** Members with names of their own, where a map asks for them. */
  private addOthers(schema: JsonRecord, result: Record<string, unknown>, place: Place): void {
    const patterns = Object.keys(recordOf(schema.patternProperties))
    const isMap =
      (isRecord(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0) ||
      patterns.length > 0
    const least = numberOf(schema.minProperties) ?? 0
    const most = numberOf(schema.maxProperties) ?? Number.POSITIVE_INFINITY
    const isFree = !("properties" in schema)
    const wished = (isMap || (isFree && schema.additionalProperties !== false)) && this.isWanted(place) ? 2 : 0
    for (let tries = 0; tries < 10; tries += 1) {
      const count = Object.keys(result).length
      if (count >= Math.min(most, Math.max(least, wished))) return
      const pattern = schema.additionalProperties === false || tries % 2 === 0 ? this.chance.pick(patterns) : undefined
      const name =
        pattern === undefined
          ? this.value(mergedSchema({ type: "string" }, schema.propertyNames ?? {}), { ...place, name: "name" })
          : textOfPattern(pattern, this.chance)
      if (typeof name !== "string" || Object.hasOwn(result, name)) continue
      const value = this.member(schema, name, place)
      if (value !== nothing) result[name] = value
    }
  }
}

/**
 * Arguments that a tool's input schema allows, the same for the same chance: `undefined` when none were found, which a schema
 * that nothing fits explains, or one with demands that no generator meets by luck. Members stand in the order of the schema.
 */
export const argumentsFrom = (schema: unknown, options: ArgumentsOptions): JsonRecord | undefined => {
  const { chance, validator } = options
  for (let tries = 0; tries < TRIES; tries += 1) {
    // The last tries fall back to less: a union deep in an optional part may be what cannot be met.
    const kind = options.kind === "full" && tries > TRIES / 2 ? "random" : options.kind
    const isPlain = kind === "minimal" && tries > TRIES / 2
    const writer = new Writer(schema, chance, options.odd ?? { share: 0, lines: false })
    const { default: _default, examples: _examples, ...known } = recordOf(schema)
    const place = { kind: isPlain ? "random" : kind, depth: 0, name: "", refs: [] } as const
    const value = writer.value({ ...known, type: "object" }, place)
    if (isRecord(value) && validator.problemOf(value) === undefined) return value
  }
  return undefined
}
