import { assert, describe, it } from "@effect/vitest"
import { filterOf, filtersOf, firstPageOf, orderOf, pagingOf } from "../../../src/domain/tools/ListPaging.ts"

type Json = Readonly<Record<string, unknown>>

const schemaOf = (properties: Json) => ({ type: "object", properties })
const byOffset = schemaOf({ query: {}, limit: { default: 25 }, offset: { default: 0 } })
const byPage = schemaOf({ page: { default: 1 }, per_page: { default: 10 } })
const byCursor = schemaOf({ cursor: { type: "string" }, limit: {} })

describe("the pages of a list", () => {
  it.each<readonly [why: string, schema: unknown, args: Json, rest: Json, count: number, expected: unknown]>([
    ["offset and limit", byOffset, { query: "a" }, { total: 60 }, 25, [1, 3, true, { query: "a", offset: 25 }]],
    ["the last of them", byOffset, { offset: 50 }, { total: 60 }, 10, [3, 3, false, { offset: 75 }]],
    ["a limit that was asked for", byOffset, { limit: 5 }, { total: 60 }, 5, [1, 12, true, { limit: 5, offset: 5 }]],
    ["a full page, without a total", byOffset, {}, {}, 25, [1, undefined, true, { offset: 25 }]],
    ["a short page, without a total", byOffset, {}, {}, 7, undefined],
    ["all on one page", byOffset, {}, { total: 25 }, 25, undefined],
    ["numbers", byPage, { page: 2 }, { pagination: { total_count: 31 } }, 10, [2, 4, true, { page: 3 }]],
    ["numbers from 0", schemaOf({ page: { minimum: 0 } }), {}, { total_pages: 2 }, 10, [1, 2, true, { page: 1 }]],
    ["a word for more", byPage, {}, { has_more: true }, 3, [1, undefined, true, { page: 2 }]],
    ["a word for no more", byPage, {}, { has_more: false }, 10, undefined],
    ["a cursor", byCursor, { limit: 5 }, { next_cursor: "n" }, 5, [1, undefined, true, { limit: 5, cursor: "n" }]],
    ["a cursor one level below", byCursor, {}, { page: { endCursor: "n" } }, 5, [1, undefined, true, { cursor: "n" }]],
    ["no cursor any more", byCursor, {}, {}, 5, undefined],
    ["none", schemaOf({ query: {} }), {}, { total: 60 }, 25, undefined]
  ])("%s", (_why, schema, args, rest, count, expected) => {
    const paging = pagingOf(schema, args, { rest, count })
    const { argumentsOf, hasMore, page = 0, pages } = paging ?? {}
    assert.deepStrictEqual(paging && [page, pages, hasMore, argumentsOf?.(page + 1)], expected)
  })

  it("go back by cursors that were seen", () => {
    const visited = new Map([
      [2, { cursor: "two" }],
      [3, { cursor: "three" }]
    ])
    const paging = pagingOf(byCursor, { cursor: "three" }, { rest: {}, count: 2 }, visited)
    assert.deepInclude(paging, { page: 3, hasMore: false })
    assert.deepStrictEqual([paging?.argumentsOf(2), paging?.argumentsOf(1)], [{ cursor: "two" }, {}])
  })

  it("are told from filters and order", () => {
    const args = { query: "a", active: false, page: 3, limit: 5, sort_by: "name", sortOrder: "desc", cursor: undefined }
    assert.deepStrictEqual(filterOf(args), { query: "a", active: false })
    assert.deepStrictEqual(firstPageOf({ offset: 3, query: "a" }), { query: "a" })
  })
})

describe("what a list is narrowed by", () => {
  it("is what is searched with, and what has few values", () => {
    const schema = schemaOf({
      search: { type: "string" },
      status: { type: "string", enum: ["open", "done"] },
      sort: { enum: ["a", "b"] },
      active: { type: "boolean" },
      name: { type: "string" }
    })
    assert.deepStrictEqual(filtersOf(schema), {
      search: "search",
      choices: [
        { name: "status", values: ["open", "done"] },
        { name: "active", values: [true, false] }
      ]
    })
    assert.deepStrictEqual(filtersOf(undefined), { search: undefined, choices: [] })
  })
})

describe("the order of a list", () => {
  const keyed = { sort: { type: "string", enum: ["name", "age"] }, order: { enum: ["asc", "desc"] } }
  const signed = { sort: { type: "string", enum: ["name", "-name"] } }
  const flagged = { order_by: { type: "string" }, descending: { type: "boolean" } }
  const down = (key: string) => ({ key, desc: true })

  it.each<readonly [properties: Json, args: Json, asked: string | undefined, expected: unknown]>([
    [keyed, { query: "a" }, "name", { query: "a", sort: "name", order: "desc" }],
    [keyed, {}, "city", undefined],
    [keyed, { sort: "name", order: "desc", query: "a" }, undefined, { query: "a" }],
    [signed, {}, "name", { sort: "-name" }],
    [signed, {}, "age", undefined],
    [flagged, {}, "anything", { order_by: "anything", descending: true }],
    [{ sort: { type: "string" } }, {}, "name", undefined]
  ])("by %j from %j to %s", (properties, args, asked, expected) => {
    const order = orderOf(schemaOf(properties), args)
    assert.deepStrictEqual(order?.argumentsOf(asked === undefined ? undefined : down(asked)), expected)
  })

  it("is read from the arguments", () => {
    assert.deepStrictEqual(orderOf(schemaOf(keyed), { sort: "name", order: "desc" })?.sort, down("name"))
    assert.deepStrictEqual(orderOf(schemaOf(signed), { sort: "-name" })?.sort, down("name"))
    assert.isUndefined(orderOf(schemaOf({ sort: { type: "array" } }), {}))
  })
})
