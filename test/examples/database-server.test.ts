import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const main = fileURLToPath(new URL("../../examples/database-server/main.ts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "database-server-"))
const client = new Client({ name: "test", version: "1.0.0" })

const serve = (file: string) =>
  new StdioClientTransport({ command: process.execPath, args: [main, join(folder, file)], stderr: "ignore" })

beforeAll(() => client.connect(serve("shop.sqlite")))

afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

type Row = Readonly<Record<string, unknown>>

const call = async (name: string, values: Row = {}, by = client): Promise<Row> => {
  const { structuredContent } = await by.callTool({ name, arguments: values })
  return { ...Object(structuredContent) }
}

const rowsOf = (page: Row): ReadonlyArray<Row> => Object.values(page).find((member) => Array.isArray(member)) ?? []

const failure = async (name: string, values: Row) => {
  const { content, isError } = await client.callTool({ name, arguments: values })
  assert.isTrue(isError)
  return JSON.stringify(content)
}

describe("database server", () => {
  it("has list, get, create, update and delete for each of seven tables, and a query", async () => {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    assert.lengthOf(names, 7 * 5 + 1)
    const ofCustomers = ["list_customers", "get_customer", "create_customer", "update_customer", "delete_customer"]
    assert.includeMembers(names, [...ofCustomers, "list_locations", "list_order_items", "query"])
    for (const { annotations, name } of tools) {
      assert.strictEqual(annotations?.readOnlyHint, /^(?:list|get|query)/.test(name), name)
    }
  })

  it("has 10,000 rows that are the same in every file", async () => {
    const tables = ["locations", "tags", "categories", "products", "customers", "orders", "order_items"]
    const counts = `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ")} AS rows`
    assert.deepStrictEqual(rowsOf(await call("query", { sql: counts })), [{ rows: 10_000 }])
    const other = new Client({ name: "test", version: "1.0.0" })
    await other.connect(serve("other.sqlite"))
    const last = { sort: "id", order: "desc", limit: 5 }
    assert.deepStrictEqual(await call("list_customers", last, other), await call("list_customers", last))
    await other.close()
  })

  it.each([
    { list: "list_customers", first: { limit: 20 }, second: { limit: 20, offset: 20 }, total: 1800 },
    { list: "list_orders", first: { per_page: 20 }, second: { per_page: 20, page: 2 }, total: 2600 },
    { list: "list_products", first: { limit: 20 }, second: { limit: 20 }, total: undefined }
  ])("$list has pages", async ({ first, list, second, total }) => {
    const one = await call(list, first)
    const two = await call(list, { ...second, ...(one.next_cursor !== undefined && { cursor: one.next_cursor }) })
    const ids = [one, two].flatMap((page) => rowsOf(page).map(({ id }) => id))
    assert.deepStrictEqual(
      ids,
      Array.from({ length: 40 }, (_, index) => index + 1)
    )
    assert.strictEqual(one.total, total)
  })

  it("searches, narrows and sorts", async () => {
    const found = await call("list_customers", { search: "ADLER", location_id: 3, sort: "joined_on", order: "desc" })
    const rows = rowsOf(found)
    assert.isAbove(rows.length, 2)
    const days = rows.map(({ joined_on }) => String(joined_on))
    assert.deepStrictEqual(days, days.toSorted().toReversed())
    for (const { location_id, name } of rows) {
      assert.strictEqual(location_id, 3)
      assert.match(String(name), /Adler/)
    }
    const orders = rowsOf(await call("list_orders", { customer_id: 1 }))
    assert.deepStrictEqual(
      orders.map(({ customer_id }) => customer_id),
      orders.map(() => 1)
    )
  })

  it("creates, changes and deletes", async () => {
    const given = { name: "Zoë O'Neil", email: "zoe@example.com", location_id: 2, tag_ids: [1, 4] }
    const made = await call("create_customer", given)
    assert.deepInclude(made, { ...given, active: true, note: null })
    await call("update_customer", { id: made.id, active: false })
    assert.deepStrictEqual(await call("get_customer", { id: made.id }), { ...made, active: false })
    assert.deepStrictEqual(await call("delete_customer", { id: made.id }), { id: made.id, deleted: true })
    assert.include(await failure("get_customer", { id: made.id }), "There is no customer with the id")
  })

  it.each([
    ["delete_location", { id: 1 }, "FOREIGN KEY"],
    ["create_order", { customer_id: 9999, location_id: 1, ordered_on: "2026-01-01", total: 1 }, "status"],
    ["update_customer", { id: 9999, active: true }, "There is no customer with the id 9999"],
    ["list_products", { cursor: "bogus" }, "no cursor"],
    ["query", { sql: "DELETE FROM customers" }, "Only SELECT"],
    ["query", { sql: "WITH gone AS (SELECT 1) DELETE FROM order_items" }, "readonly"]
  ])("refuses %s %j", async (name, values, reason) => {
    assert.include(await failure(name, values), reason)
  })
})
