import { isObject } from "../isObject.ts"
import { nameWords } from "./nameWords.ts"

type Members = Readonly<Record<string, unknown>>

/** A page of a list as its server counts, and the arguments that bring others. */
export interface ListPaging {
  /** The first is 1. */
  readonly page: number
  /** Rows of a full page, if known. */
  readonly size: number | undefined
  /** Of all that match, if the server says so. */
  readonly total: number | undefined
  readonly pages: number | undefined
  readonly hasMore: boolean
  /** The arguments of another page; `undefined` where it takes a cursor that is not known. */
  readonly argumentsOf: (page: number) => Members | undefined
}

const CURSOR = /^(?:next |start |page |end )*(?:cursor|token|after|marker|continuation)$/
const PAGE = /^(?:page|page (?:number|no|index|num))$/
const OFFSET = /^(?:offset|skip|start|start (?:at|index)|from)$/
const SIZE =
  /^(?:limit|per page|page (?:size|limit)|size|count|take|(?:max )?results|max (?:items|records|rows)|results per page)$/
const TOTAL =
  /^(?:total|(?:total|full) (?:count|results|items|records|rows|hits|matches|size)|(?:total )?matches|found|num found)$/
const PAGES = /^(?:pages|total pages|page count|last page|num pages)$/
const MORE = /^(?:has )?(?:more|next|next page|more (?:items|results|pages|data))$/
const NEXT_PAGE = /^next(?: page| offset)?$/
const SORT = /^(?:sort|order|sort(?:ed)? by|order(?:ed)? by|sort (?:field|column|key)|order (?:field|column|key))$/
const DIRECTION =
  /^(?:order|direction|dir|sort (?:order|dir|direction)|order (?:dir|direction)|desc|descending|reverse)$/
const SEARCH =
  /^(?:q|query|search|search (?:term|text|query)|term|text|keyword|keywords|filter|contains|name contains)$/

const wordsOf = (name: string): string => nameWords(name).join(" ")

const named = (members: Members, pattern: RegExp): string | undefined =>
  Object.keys(members).find((name) => pattern.test(wordsOf(name)))

const propertiesOf = (inputSchema: unknown): Members =>
  isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {}

/** The value of the first such member of an answer, beside its list or one level below (`{page: {total}}`). */
const toldIn = (rest: Members, pattern: RegExp, kind: string): unknown =>
  [rest, ...Object.values(rest).filter(isObject)]
    .flatMap((part) => Object.entries(part).filter(([name]) => pattern.test(wordsOf(name))))
    .find(([, value]) => typeof value === kind)?.[1]

const countIn = (rest: Members, pattern: RegExp): number | undefined => {
  const found = toldIn(rest, pattern, "number")
  return typeof found === "number" && found >= 0 ? found : undefined
}

const numberIn = (args: Members, properties: Members, name: string | undefined): number | undefined => {
  if (name === undefined) return undefined
  const schema = properties[name]
  const value = args[name] ?? (isObject(schema) ? schema.default : undefined)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/**
 * How a list is paged, by the arguments that its tool takes and what stands beside its rows; `undefined` where there is
 * nothing beyond these rows. `visited` has the arguments of pages that were asked for, by page: a cursor leads forwards only.
 */
export const pagingOf = (
  inputSchema: unknown,
  args: Members,
  answer: { readonly rest: Members; readonly count: number },
  visited: ReadonlyMap<number, Members> = new Map()
): ListPaging | undefined => {
  const { count, rest } = answer
  const properties = propertiesOf(inputSchema)
  const [cursor, page, offset, limit] = [CURSOR, PAGE, OFFSET, SIZE].map((pattern) => named(properties, pattern))
  const total = countIn(rest, TOTAL)
  const told = numberIn(args, properties, limit)
  const toldPages = countIn(rest, PAGES)
  const more = toldIn(rest, MORE, "boolean")
  const nextTold = toldIn(rest, NEXT_PAGE, "number") !== undefined
  const paging = (at: number, size: number | undefined, argumentsOf: ListPaging["argumentsOf"], after: number) => {
    const pages =
      toldPages ?? (total !== undefined && size !== undefined && size > 0 ? Math.ceil(total / size) : undefined)
    const hasMore =
      typeof more === "boolean"
        ? more
        : pages !== undefined
          ? at < pages
          : total !== undefined
            ? after < total
            : nextTold || (size !== undefined && count >= size)
    return at === 1 && !hasMore ? undefined : { page: at, size, total, pages, hasMore, argumentsOf }
  }

  if (page !== undefined) {
    const schema = properties[page]
    const first = isObject(schema) && (schema.default === 0 || schema.minimum === 0) ? 0 : 1
    const at = (numberIn(args, properties, page) ?? first) - first + 1
    const size = told ?? (toldPages !== undefined && at < toldPages ? count : undefined)
    return paging(at, size, (to) => ({ ...args, [page]: to - 1 + first }), (at - 1) * (size ?? count) + count)
  }
  if (offset !== undefined) {
    const from = numberIn(args, properties, offset) ?? 0
    // Without a limit, the first page tells how long the server makes them.
    const size = told ?? (from === 0 ? count : from)
    if (size <= 0) return undefined
    return paging(Math.floor(from / size) + 1, size, (to) => ({ ...args, [offset]: (to - 1) * size }), from + count)
  }
  if (cursor === undefined) return undefined
  const next = toldIn(rest, CURSOR, "string") ?? toldIn(rest, /^next(?: page)?$/, "string")
  const [at] = [...visited].find(([, before]) => before[cursor] === args[cursor]) ?? [1]
  const { [cursor]: _, ...bare } = args
  const argumentsOf = (to: number): Members | undefined => {
    if (to === 1) return bare
    const there = to === at + 1 ? next : visited.get(to)?.[cursor]
    return there === undefined || there === "" ? undefined : { ...bare, [cursor]: there }
  }
  const hasMore = typeof next === "string" && next !== "" && more !== false
  return at === 1 && !hasMore ? undefined : { page: at, size: told, total, pages: toldPages, hasMore, argumentsOf }
}

const without = (args: Members, ...patterns: ReadonlyArray<RegExp>): Members =>
  Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => value !== undefined && !patterns.some((pattern) => pattern.test(wordsOf(name)))
    )
  )

/** The arguments of the first page. */
export const firstPageOf = (args: Members): Members => without(args, CURSOR, PAGE, OFFSET)

/** The arguments that filter a list, without those that only page or order it. */
export const filterOf = (args: Members): Members => without(args, CURSOR, PAGE, OFFSET, SIZE, SORT, DIRECTION)

/** What a person can narrow a list by: the argument that is searched with, and those with few values. */
export interface ListFilters {
  readonly search: string | undefined
  readonly choices: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<unknown> }>
}

const MAX_CHOICES = 4
const MAX_VALUES = 30

const valuesOf = (schema: unknown): ReadonlyArray<unknown> => {
  if (!isObject(schema)) return []
  if (schema.type === "boolean") return [true, false]
  return Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null) : []
}

export const filtersOf = (inputSchema: unknown): ListFilters => {
  const properties = propertiesOf(inputSchema)
  const isAside = (name: string): boolean =>
    [SORT, DIRECTION, PAGE, OFFSET, SIZE].some((pattern) => pattern.test(wordsOf(name)))
  const choices = Object.entries(properties)
    .map(([name, schema]) => ({ name, values: valuesOf(schema) }))
    .filter(({ name, values }) => !isAside(name) && values.length > 1 && values.length <= MAX_VALUES)
    .slice(0, MAX_CHOICES)
  const search = Object.entries(properties).find(
    ([name, schema]) => SEARCH.test(wordsOf(name)) && isObject(schema) && schema.type === "string" && !schema.enum
  )
  return { search: search?.[0], choices }
}

/** An order of rows by one member. */
export interface SortedBy {
  readonly key: string
  readonly desc: boolean
}

/** How a server orders a list, where its tool can be told. */
export interface ListOrder {
  /** The order of the rows on screen, if it was asked for. */
  readonly sort: SortedBy | undefined
  /** The arguments for another order, or none; `undefined` where the server does not order by this member. */
  readonly argumentsOf: (sort: SortedBy | undefined) => Members | undefined
}

const isDown = (value: unknown): boolean => value === true || /^desc/i.test(String(value))

export const orderOf = (inputSchema: unknown, args: Members): ListOrder | undefined => {
  const properties = propertiesOf(inputSchema)
  const direction = Object.keys(properties).find(
    (name) => DIRECTION.test(wordsOf(name)) && valuesOf(properties[name]).some(isDown)
  )
  const by = Object.keys(properties).find((name) => {
    const schema = properties[name]
    return name !== direction && SORT.test(wordsOf(name)) && isObject(schema) && schema.type === "string"
  })
  if (by === undefined) return undefined
  const keys = valuesOf(properties[by])
  const directions = direction === undefined ? [] : valuesOf(properties[direction])
  const now = args[by]
  const key = typeof now === "string" ? now.replace(/^-/, "") : undefined
  return {
    sort:
      key === undefined ? undefined : { key, desc: direction === undefined ? now !== key : isDown(args[direction]) },
    argumentsOf: (sort) => {
      const { [by]: _by, [direction ?? ""]: _direction, ...bare } = args
      if (sort === undefined) return bare
      // Without an argument for the direction, "-name" is the usual way.
      const value = direction === undefined && sort.desc ? `-${sort.key}` : sort.key
      if (keys.length > 0 ? !keys.includes(value) : value !== sort.key) return undefined
      const way = directions.find((one) => isDown(one) === sort.desc)
      return { ...bare, [by]: value, ...(direction === undefined ? {} : { [direction]: way }) }
    }
  }
}
