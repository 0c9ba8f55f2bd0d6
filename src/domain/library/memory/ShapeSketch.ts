import { REDACTED } from "../../observability/Redaction.ts"
import { textKind } from "../../results/ResultText.ts"
import { privateItems, privateMembers } from "./PrivateMembers.ts"
import type { Spend } from "./WorkBudget.ts"

/** Bounds of what is looked into. */
const MAX_DEPTH = 8
const MAX_ITEMS = 60
const MAX_NODES = 1500
/** An object with more names than these is a map. */
const MAX_MEMBERS = 80
const MAX_LITERALS = 6
const LITERAL_CHARACTERS = 24
/** From this many like values on, an object may be a map by its names alone: for structures, and for plain values. */
const ALIKE_STRUCTURES = 8
const ALIKE_VALUES = 25
const KEY_CHARACTERS = 60

/** From the most detail to the least; the first that fits is taken. */
const DETAILS: ReadonlyArray<{ readonly depth: number; readonly members: number }> = [
  { depth: MAX_DEPTH, members: MAX_MEMBERS },
  { depth: 6, members: 40 },
  { depth: 5, members: 24 },
  { depth: 4, members: 16 },
  { depth: 3, members: 12 },
  { depth: 2, members: 10 },
  { depth: 1, members: 6 }
]

export interface ShapeOptions {
  /** Characters; a longer shape is written with less detail. */
  readonly maxCharacters: number
  /** Whether repeated texts may be shown as literals. They are data, so not where only shapes may be kept. */
  readonly literals: boolean
  /** What may be shown of a name or a literal. */
  readonly clean: (text: string) => string
}

interface Detail extends ShapeOptions {
  readonly depth: number
  readonly members: number
}

const FORMATS: ReadonlyArray<readonly [string, RegExp]> = [
  ["ISO date", /^\d{4}-\d\d-\d\d$/],
  ["ISO date-time", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ["time of day", /^\d{1,2}:\d\d(?::\d\d)?$/],
  ["image URL", /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|gif|webp|svg|avif)(?:[?#]\S*)?$/i],
  ["data URL", /^data:/],
  ["URL", /^https?:\/\/\S+$/i],
  ["UUID", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ["e-mail address", /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/],
  ["number as text", /^[-+]?\d[\d,]*(?:\.\d+)?%?$/]
]

const formatOf = (text: string): string | undefined => {
  const found = FORMATS.find(([, pattern]) => text.length <= 2000 && pattern.test(text))
  if (found !== undefined) return found[0]
  const kind = text.includes("\n") || text.length > 200 ? textKind(text) : "prose"
  if (kind !== "prose" && kind !== "blank") return kind
  return text.length > 200 ? "long text" : undefined
}

/** Dates, numbers, paths and addresses are data. */
const isName = (key: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$ .-]{0,39}$/u.test(key)
const MOMENT_NAME = /(?:at|on|time|timestamp|date|epoch|expires|created|updated|modified|since|until)$/i

interface Member {
  readonly shape: ShapeSketch
  seen: number
}

class Texts {
  /** Of texts that are not empty. */
  count = 0
  hasBlank = false
  readonly #formats = new Map<string, number>()
  #values: Map<string, number> | undefined = new Map()

  add(text: string): void {
    if (text === "") {
      this.hasBlank = true
      return
    }
    this.count += 1
    const format = formatOf(text) ?? ""
    this.#formats.set(format, (this.#formats.get(format) ?? 0) + 1)
    this.#keep(text)
  }

  absorb(other: Texts): void {
    this.count += other.count
    this.hasBlank ||= other.hasBlank
    for (const [format, count] of other.#formats) this.#formats.set(format, (this.#formats.get(format) ?? 0) + count)
    if (other.#values === undefined) this.#values = undefined
    else for (const [value, count] of other.#values) this.#keep(value, count)
  }

  print({ clean, literals }: ShapeOptions): string {
    const values = [...(this.#values?.keys() ?? [])]
    const [format, ...others] = this.#formats.keys()
    const isRepeated = this.count >= 4 && this.count >= values.length * 2 && values.length > 1
    if (literals && isRepeated && format === "" && values.every((value) => clean(value) === value)) {
      return [...values, ...(this.hasBlank ? [""] : [])]
        .sort()
        .map((value) => JSON.stringify(value))
        .join(" | ")
    }
    return format === undefined || format === "" || others.length > 0 ? "string" : `string /* ${format} */`
  }

  /** Only words that may belong to a small set. */
  #keep(text: string, count = 1): void {
    if (this.#values === undefined) return
    const known = this.#values.get(text)
    const isShort = text.length <= LITERAL_CHARACTERS && /^[\p{L}\w.:/+-]+(?: [\p{L}\w.:/+-]+){0,2}$/u.test(text)
    if (!isShort || (known === undefined && this.#values.size >= MAX_LITERALS)) this.#values = undefined
    else this.#values.set(text, (known ?? 0) + count)
  }
}

/** How many sketches one shape may consist of, and how long looking at values may take. */
interface Budget {
  left: number
  readonly spend: Spend
}

/**
 * The shape of JSON values, learned value by value and written as a TypeScript type, with `?` for what is sometimes
 * missing. It keeps no values except short texts that may be an enumeration, and its size is bounded.
 */
export class ShapeSketch {
  readonly #budget: Budget
  readonly #texts = new Texts()
  #nulls = 0
  #booleans = 0
  #numbers = 0
  #least = Number.POSITIVE_INFINITY
  #most = Number.NEGATIVE_INFINITY
  #areWhole = true
  #objects = 0
  #lists = 0
  #beyond = false
  #members: Map<string, Member> | undefined = new Map()
  #values: ShapeSketch | undefined
  #items: ShapeSketch | undefined

  constructor(spend: Spend | Budget = () => undefined) {
    this.#budget = typeof spend === "function" ? { left: MAX_NODES, spend } : spend
  }

  add(value: unknown, depth = MAX_DEPTH, isItem = false): void {
    this.#budget.spend()
    if (value === null || value === undefined) this.#nulls += 1
    else if (typeof value === "string") this.#texts.add(value)
    else if (typeof value === "boolean") this.#booleans += 1
    else if (typeof value === "number") this.#addNumber(value)
    else if (typeof value !== "object") return
    else if (depth === 0 || this.#budget.left <= 0) this.#beyond = true
    else if (Array.isArray(value)) this.#addList(value, depth - 1, isItem)
    else this.#addObject(value, depth - 1)
  }

  /** Adds all that another sketch has learned. */
  absorb(other: ShapeSketch): void {
    this.#nulls += other.#nulls
    this.#booleans += other.#booleans
    this.#numbers += other.#numbers
    this.#least = Math.min(this.#least, other.#least)
    this.#most = Math.max(this.#most, other.#most)
    this.#areWhole &&= other.#areWhole
    this.#objects += other.#objects
    this.#lists += other.#lists
    this.#beyond ||= other.#beyond
    this.#texts.absorb(other.#texts)
    if (other.#items !== undefined) this.#itemShape().absorb(other.#items)
    if (other.#values !== undefined) this.#valueShape().absorb(other.#values)
    for (const [key, { seen, shape }] of other.#members ?? []) {
      const member = this.#memberAt(key)
      if (member === undefined) this.#valueShape().absorb(shape)
      else {
        member.seen += seen
        member.shape.absorb(shape)
      }
    }
  }

  /** Much shorter than the whole, and equal for values of roughly the same kind. */
  get outline(): string {
    const detail = { maxCharacters: 0, literals: false, clean: (text: string) => text, depth: 3, members: 30 }
    return this.#print(detail, "")
  }

  /** `unknown` before anything was added. */
  text(options: ShapeOptions): string {
    for (const detail of DETAILS) {
      const text = this.#print({ ...options, ...detail }, "")
      if (text.length <= options.maxCharacters) return text
    }
    return this.#lists > 0 ? "unknown[] /* large */" : "{ … } /* large */"
  }

  #addNumber(value: number): void {
    this.#numbers += 1
    this.#least = Math.min(this.#least, value)
    this.#most = Math.max(this.#most, value)
    this.#areWhole &&= Number.isInteger(value)
  }

  /** A few elements of a long list, from all over it. */
  #addList(list: ReadonlyArray<unknown>, depth: number, isItem: boolean): void {
    this.#lists += 1
    const hidden = privateItems(list, isItem)
    const step = Math.max(1, list.length / MAX_ITEMS)
    for (let at = 0; at < list.length; at += step) {
      const index = Math.floor(at)
      this.#itemShape().add(hidden.has(index) ? REDACTED : list[index], depth, true)
    }
  }

  #addObject(value: object, depth: number): void {
    this.#objects += 1
    const entries = Object.entries(value)
    const hidden = privateMembers(entries)
    for (const [key, item] of entries) {
      const isHidden = hidden.has(key) && (typeof item === "string" || (typeof item === "object" && item !== null))
      const inner: unknown = isHidden ? REDACTED : item
      const member = this.#memberAt(key)
      if (member === undefined) this.#valueShape().add(inner, depth)
      else {
        member.seen += 1
        member.shape.add(inner, depth)
      }
    }
  }

  #itemShape(): ShapeSketch {
    this.#items ??= this.#make()
    return this.#items
  }

  #valueShape(): ShapeSketch {
    this.#values ??= this.#make()
    return this.#values
  }

  #make(): ShapeSketch {
    this.#budget.left -= 1
    return new ShapeSketch(this.#budget)
  }

  /** `undefined` if there are too many names: this is a map. */
  #memberAt(key: string): Member | undefined {
    const members = this.#members
    const known = members?.get(key)
    if (members === undefined || known !== undefined) return known
    if (members.size < MAX_MEMBERS) {
      const member = { shape: this.#make(), seen: 0 }
      members.set(key, member)
      return member
    }
    this.#members = undefined
    for (const { shape } of members.values()) this.#valueShape().absorb(shape)
    return undefined
  }

  /** The shape of the values, if this is a map. */
  #mapped(detail: Detail): ShapeSketch | undefined {
    const members = this.#members
    if (members === undefined) return this.#valueShape()
    const shapes = [...members.values()].map(({ shape }) => shape)
    const areNames = [...members.keys()].filter(isName).length > members.size / 3
    const enough = shapes.some((shape) => shape.#objects + shape.#lists > 0) ? ALIKE_STRUCTURES : ALIKE_VALUES
    const isMap =
      members.size > 1 &&
      (!areNames || (members.size >= enough && new Set(shapes.map((shape) => shape.#print(detail, ""))).size === 1))
    if (!isMap) return undefined
    const all = new ShapeSketch()
    for (const shape of shapes) all.absorb(shape)
    return all
  }

  #print(detail: Detail, key: string): string {
    const kinds = this.#kinds(detail, key)
    return kinds.length === 0 ? "unknown" : kinds.join(" | ")
  }

  #kinds(detail: Detail, key: string): ReadonlyArray<string> {
    return [
      ...(this.#texts.count > 0 || this.#isOnlyBlank ? [this.#texts.print(detail)] : []),
      ...(this.#numbers > 0 ? [this.#printNumber(key)] : []),
      ...(this.#booleans > 0 ? ["boolean"] : []),
      ...(this.#lists > 0 ? [this.#printList(detail)] : []),
      ...(this.#objects > 0 ? [this.#printObject(detail)] : []),
      ...(this.#beyond && this.#lists + this.#objects === 0 ? ["{ … }"] : []),
      ...(this.#nulls > 0 ? ["null"] : [])
    ]
  }

  /** Whether all texts were empty. */
  get #isOnlyBlank(): boolean {
    return (
      this.#numbers + this.#booleans + this.#lists + this.#objects + this.#nulls === 0 &&
      !this.#beyond &&
      this.#texts.hasBlank
    )
  }

  #printNumber(key: string): string {
    const isMoment = this.#areWhole && (MOMENT_NAME.test(key) || key === "")
    if (isMoment && this.#least > 1e12 && this.#most < 3e12) return "number /* ms since 1970 */"
    if (isMoment && key !== "" && this.#least > 1e9 && this.#most < 3e9) return "number /* s since 1970 */"
    return "number"
  }

  #printList(detail: Detail): string {
    if (this.#items === undefined) return "unknown[]"
    if (detail.depth === 0) return "…[]"
    const [item = "unknown", ...others] = this.#items.#kinds({ ...detail, depth: detail.depth - 1 }, "")
    const isOne = others.length === 0 && (item.startsWith("{") || !/[ "]/.test(item))
    return isOne ? `${item}[]` : `(${[item, ...others].join(" | ")})[]`
  }

  #printObject(detail: Detail): string {
    if (detail.depth === 0) return "{ … }"
    const inner = { ...detail, depth: detail.depth - 1 }
    const values = this.#mapped(inner)
    if (values !== undefined) return `{ [key: string]: ${values.#print(inner, "")} }`
    const members = [...(this.#members ?? [])]
    const lines = members.slice(0, detail.members).map(([key, { seen, shape }]) => {
      const name = cutName(detail.clean(key))
      return `${name}${seen < this.#objects ? "?" : ""}: ${shape.#print(inner, key)}`
    })
    if (members.length > lines.length) lines.push(`/* ${members.length - lines.length} more */`)
    return lines.length === 0 ? "{}" : `{ ${lines.join(", ")} }`
  }
}

const cutName = (key: string): string => {
  if (/^[A-Za-z_$][\w$]*$/.test(key) && key.length <= KEY_CHARACTERS) return key
  return JSON.stringify(key.length <= KEY_CHARACTERS ? key : `${key.slice(0, KEY_CHARACTERS - 1).toWellFormed()}…`)
}
