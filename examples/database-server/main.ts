/**
 * An MCP server over a SQLite file: a shop with 10,000 rows in seven tables. Each table has tools that list (search, filters,
 * sorting, pages), get, create, update and delete; `query` runs one read-only statement.
 * It knows nothing about user interfaces; that is the point of it.
 *
 * Run it with `node examples/database-server/main.ts shop.sqlite`. A file that is not there is made and filled.
 */
import { McpServer, fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite"
import { type Column, type Table, fill, shop } from "./shop.ts"

const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error("Which file? Say: node examples/database-server/main.ts shop.sqlite")
  process.exit(2)
}

const database = new DatabaseSync(path)
fill(database)
/** For `query`: what it opens cannot be written to. */
const reader = new DatabaseSync(path, { readOnly: true })

const MAX_QUERY_ROWS = 1000

type Values = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, SQLOutputValue>>

const object = (properties: object, required: ReadonlyArray<string> = Object.keys(properties)): JsonSchemaType =>
  Object({ type: "object", properties, required, additionalProperties: false })

const id = { type: "integer", minimum: 1 }
const whole = (minimum: number, maximum: number, initial: number) => ({
  type: "integer",
  minimum,
  maximum,
  default: initial
})

const pagings = {
  offset: { limit: whole(1, 100, 25), offset: whole(0, 1_000_000, 0) },
  page: { page: whole(1, 100_000, 1), per_page: whole(1, 100, 25) },
  cursor: { limit: whole(1, 100, 25), cursor: { type: "string", description: "`next_cursor` of the page before." } }
}

const toSql = (value: unknown): SQLInputValue => {
  if (typeof value === "boolean") return Number(value)
  if (typeof value === "string" || typeof value === "number") return value
  return value === undefined || value === null ? null : JSON.stringify(value)
}

const record = (row: Row, columns: Table["columns"]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = columns[name]?.schema.type
      if (type === "boolean") return [name, value === 1]
      return [name, type === "array" && typeof value === "string" ? JSON.parse(value) : value]
    })
  )

const reply = (structuredContent: Record<string, unknown>) => ({
  content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
  structuredContent
})

/** A page as it is asked for, as SQL has it, and what the answer says of it. */
const pageOf = (paging: Table["paging"], values: Values) => {
  if (paging === "page") {
    const { page, per_page } = { page: 1, per_page: 25, ...values }
    return { limit: per_page, offset: (page - 1) * per_page, said: (total: number) => ({ total, page, per_page }) }
  }
  const { cursor, limit, offset: start } = { cursor: "", limit: 25, offset: 0, ...values }
  if (paging === "offset") return { limit, offset: start, said: (total: number) => ({ total, limit, offset: start }) }
  const decoded = cursor === "" ? "0" : Buffer.from(cursor, "base64url").toString()
  if (!/^\d{1,9}$/.test(decoded)) throw new Error(`"${cursor}" is no cursor of this list.`)
  const offset = Number(decoded)
  const next = offset + limit
  const said = (total: number) => (next < total ? { next_cursor: Buffer.from(String(next)).toString("base64url") } : {})
  return { limit, offset, said }
}

const addTools = (server: McpServer, table: string, { columns, one, paging, search }: Table) => {
  const entries = Object.entries(columns)
  const schemas = (chosen: ReadonlyArray<[string, Column]>) =>
    Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema]))
  /** A default of an update would change what nobody named. */
  const withoutDefaults = (all: Record<string, Column["schema"]>) =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, { ...schema, default: undefined }]))
  const nullable = ([name, { optional, schema }]: [string, Column]) => [
    name,
    optional === true ? { ...schema, type: [schema.type, "null"] } : schema
  ]
  const short = entries.filter(([, { long }]) => long !== true)
  const filters = entries.filter(([, { filter }]) => filter === true)
  const rowSchema = (chosen: ReadonlyArray<[string, Column]>) =>
    object({ id, ...Object.fromEntries(chosen.map(nullable)) })
  const find = (wanted: unknown) => {
    const row = database.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(toSql(wanted))
    if (row === undefined) throw new Error(`There is no ${one} with the id ${String(wanted)}.`)
    return record(row, columns)
  }
  const tool = (
    name: string,
    description: string,
    inputSchema: JsonSchemaType,
    outputSchema: JsonSchemaType,
    annotations: object,
    run: (values: Values) => Record<string, unknown>
  ) =>
    server.registerTool(
      name,
      {
        description,
        inputSchema: fromJsonSchema<Values>(inputSchema),
        outputSchema: fromJsonSchema(outputSchema),
        annotations: { openWorldHint: false, ...annotations }
      },
      (values) => reply(run(values))
    )

  const searchable = search.length === 0 ? {} : { search: { type: "string", description: `In ${search.join(", ")}.` } }
  const sorting = { sort: { type: "string", enum: ["id", ...short.map(([name]) => name)], default: "id" } }
  const order = { order: { type: "string", enum: ["asc", "desc"], default: "asc" } }
  const pageFacts = { total: { type: "integer" }, next_cursor: { type: "string" }, ...pagings[paging] }
  tool(
    `list_${table}`,
    `Lists ${table.replace("_", " ")}, a page at a time.`,
    object({ ...searchable, ...schemas(filters), ...sorting, ...order, ...pagings[paging] }, []),
    object({ [table]: { type: "array", items: rowSchema(short) }, ...pageFacts }, [table]),
    { readOnlyHint: true },
    (values) => {
      const given = filters.filter(([name]) => values[name] !== undefined)
      const text = typeof values.search === "string" ? values.search.trim() : ""
      const wheres = given.map(([name]) => `${name} = ?`)
      if (text !== "") wheres.push(`(${search.map((name) => `instr(lower(${name}), lower(?)) > 0`).join(" OR ")})`)
      const where = wheres.length === 0 ? "" : `WHERE ${wheres.join(" AND ")}`
      const bound = [...given.map(([name]) => toSql(values[name])), ...(text === "" ? [] : search.map(() => text))]
      const { limit, offset, said } = pageOf(paging, values)
      const total = Number(database.prepare(`SELECT count(*) AS n FROM ${table} ${where}`).get(...bound)?.n)
      const names = ["id", ...short.map(([name]) => name)].join(", ")
      const direction = values.order === "desc" ? "DESC" : "ASC"
      const sql = `SELECT ${names} FROM ${table} ${where} ORDER BY ${String(values.sort ?? "id")} ${direction}, id LIMIT ? OFFSET ?`
      const rows = database.prepare(sql).all(...bound, limit, offset)
      return { [table]: rows.map((row) => record(row, columns)), ...said(total) }
    }
  )
  tool(`get_${one}`, `Returns one ${one}.`, object({ id }), rowSchema(entries), { readOnlyHint: true }, (values) =>
    find(values.id)
  )
  tool(
    `create_${one}`,
    `Adds a ${one}.`,
    object(
      schemas(entries),
      entries.filter(([, { optional }]) => optional !== true).map(([name]) => name)
    ),
    rowSchema(entries),
    { readOnlyHint: false, destructiveHint: false },
    (values) => {
      const given = entries.map(([name, { schema }]) => toSql(values[name] ?? schema.default))
      const sql = `INSERT INTO ${table} (${Object.keys(columns).join(", ")}) VALUES (${given.map(() => "?").join(", ")})`
      return find(database.prepare(sql).run(...given).lastInsertRowid)
    }
  )
  tool(
    `update_${one}`,
    `Changes the given columns of a ${one}.`,
    object({ id, ...withoutDefaults(schemas(entries)) }, ["id"]),
    rowSchema(entries),
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    (values) => {
      const given = Object.keys(columns).filter((name) => values[name] !== undefined)
      const bound = given.map((name) => toSql(values[name]))
      const set = given.map((name) => `${name} = ?`).join(", ")
      if (given.length > 0) database.prepare(`UPDATE ${table} SET ${set} WHERE id = ?`).run(...bound, toSql(values.id))
      return find(values.id)
    }
  )
  tool(
    `delete_${one}`,
    `Deletes a ${one}. Refused while other rows name it.`,
    object({ id }),
    object({ id, deleted: { type: "boolean" } }),
    { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    (values) => {
      const found = find(values.id)
      database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(toSql(values.id))
      return { id: found.id, deleted: true }
    }
  )
}

const addQuery = (server: McpServer) =>
  server.registerTool(
    "query",
    {
      description: `Runs one SELECT. The tables are ${Object.keys(shop).join(", ")}. At most ${MAX_QUERY_ROWS} rows.`,
      inputSchema: fromJsonSchema<{ readonly sql: string }>(
        object({ sql: { type: "string", minLength: 1, maxLength: 10_000, examples: ["SELECT * FROM locations"] } })
      ),
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    ({ sql }) => {
      if (!/^\s*(?:select|with|values)\b/i.test(sql)) throw new Error("Only SELECT, WITH and VALUES can be run.")
      const rows = reader
        .prepare(sql)
        .iterate()
        .take(MAX_QUERY_ROWS + 1)
        .toArray()
      return reply({ rows: rows.slice(0, MAX_QUERY_ROWS), cut: rows.length > MAX_QUERY_ROWS })
    }
  )

serveStdio(() => {
  const server = new McpServer(
    { name: "shop-database", title: "Shop database", version: "1.0.0" },
    { instructions: "A shop with customers, orders and products in a SQLite file." }
  )
  for (const [table, spec] of Object.entries(shop)) addTools(server, table, spec)
  addQuery(server)
  return server
})
