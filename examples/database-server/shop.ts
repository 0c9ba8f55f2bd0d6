import type { DatabaseSync } from "node:sqlite"

/** A column: its JSON Schema, and what the tools make of it. */
export interface Column {
  readonly schema: { readonly type: string; readonly [keyword: string]: unknown }
  /** The table whose `id` it holds; of an array, each item. */
  readonly of?: string
  /** May be left out when a row is made. */
  readonly optional?: true
  /** The list can be narrowed to one value of it. */
  readonly filter?: true
  /** Too long for a list. */
  readonly long?: true
}

export interface Table {
  readonly one: string
  /** How a page of its list is asked for: each way that servers use is here somewhere. */
  readonly paging: "offset" | "page" | "cursor"
  /** Where the list searches. */
  readonly search: ReadonlyArray<string>
  /** Without the primary key, which is `id` everywhere. */
  readonly columns: Readonly<Record<string, Column>>
}

const text = (maxLength: number): Column["schema"] => ({ type: "string", minLength: 1, maxLength })
const name = { schema: text(80) }
const note = { schema: { type: "string", maxLength: 2000 }, optional: true } as const
const date = { type: "string", format: "date" }
const price = { schema: { type: "number", minimum: 0, description: "In euros." } }
const idOf = (of: string, description?: string) =>
  ({ schema: { type: "integer", ...(description && { description }) }, of, filter: true }) as const

const colors = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]
const statuses = ["pending", "paid", "shipped", "delivered", "cancelled"]

export const shop: Readonly<Record<string, Table>> = {
  locations: {
    one: "location",
    paging: "offset",
    search: ["name", "city"],
    columns: { name, city: name, country: { ...name, filter: true } }
  },
  tags: {
    one: "tag",
    paging: "offset",
    search: ["name"],
    columns: { name, color: { schema: { type: "string", pattern: "^#[0-9a-f]{6}$" } } }
  },
  categories: { one: "category", paging: "offset", search: ["name"], columns: { name } },
  products: {
    one: "product",
    paging: "cursor",
    search: ["name", "sku"],
    columns: {
      name,
      sku: { schema: text(20) },
      category_id: idOf("categories"),
      price,
      stock: { schema: { type: "integer", minimum: 0 } },
      photo: {
        schema: { type: "string", contentEncoding: "base64", contentMediaType: "image/png", maxLength: 400_000 },
        optional: true,
        long: true
      }
    }
  },
  customers: {
    one: "customer",
    paging: "offset",
    search: ["name", "email"],
    columns: {
      name,
      email: { schema: { type: "string", format: "email" } },
      location_id: idOf("locations", "The shop that they go to."),
      tag_ids: {
        schema: { type: "array", items: { type: "integer" }, uniqueItems: true, default: [] },
        of: "tags",
        optional: true
      },
      active: { schema: { type: "boolean", default: true }, optional: true, filter: true },
      joined_on: { schema: date, optional: true },
      note
    }
  },
  orders: {
    one: "order",
    paging: "page",
    search: ["note"],
    columns: {
      customer_id: idOf("customers"),
      location_id: idOf("locations"),
      status: { schema: { type: "string", enum: statuses, default: "pending" }, filter: true },
      ordered_on: { schema: date },
      total: price,
      note
    }
  },
  order_items: {
    one: "order_item",
    paging: "cursor",
    search: [],
    columns: {
      order_id: idOf("orders"),
      product_id: idOf("products"),
      quantity: { schema: { type: "integer", minimum: 1 } },
      price
    }
  }
}

const words = (list: string) => list.split(" ")
const cities = words("Berlin Bern Bordeaux Bristol Cork Gdańsk Ghent Graz Leipzig Lisbon Lyon Oslo")
const countries = words(
  "Germany Switzerland France England Ireland Poland Belgium Austria Germany Portugal France Norway"
)
const goods = words("Books Coffee Garden Kitchen Music Office Sport Toys")
const kinds = words("Small Large Blue Green Folding Light Heavy Classic Outdoor Silent")
const things = words("Lamp Chair Kettle Notebook Speaker Basket Bottle Clock Ladder Puzzle Racket Mug Shelf Spade Tent")
const first = words(
  "Ada Ben Clara David Elif Femi Grace Hugo Ines Jonas Kira Liam Mina Noah Olga Priya Quinn Rosa Sven Tara"
)
const last = words(
  "Adler Bauer Costa Dubois Eriksen Fischer Garcia Haas Ivanova Jansen Keller Lopez Moreau Novak Okafor"
)
const labels = words("Newsletter Business Student Late VIP Returns Family Local Web")

/** Numbers that are the same at every run (mulberry32): from 0 up to `below`. */
const dice = () => {
  let state = 42
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const day = (after: number) => new Date(Date.UTC(2024, 0, 1 + after)).toISOString().slice(0, 10)

/** The first rows of all tables: 10,000 together, the same at every run. */
const rows = (): Record<string, ReadonlyArray<Record<string, string | number>>> => {
  const roll = dice()
  const pick = (list: ReadonlyArray<string>) => list[roll(list.length)] ?? ""
  const many = <A>(length: number, row: (id: number) => A) => Array.from({ length }, (_, index) => row(index + 1))
  const products = many(171, (id) => ({
    name: `${pick(kinds)} ${pick(things)}`,
    sku: `SKU-${1000 + id}`,
    category_id: 1 + roll(goods.length),
    price: (99 + roll(20_000)) / 100,
    stock: roll(300)
  }))
  const customers = many(1800, (id) => {
    const [given, family] = [pick(first), pick(last)]
    return {
      name: `${given} ${family}`,
      email: `${given}.${family}.${id}@example.com`.toLowerCase(),
      location_id: 1 + roll(cities.length),
      tag_ids: JSON.stringify([...new Set(many(roll(4), () => 1 + roll(labels.length)))]),
      active: Number(roll(10) > 0),
      joined_on: day(roll(700)),
      note: roll(8) === 0 ? "Prefers to be called in the morning." : ""
    }
  })
  const items = many(5400, (id) => {
    const product_id = 1 + roll(products.length)
    const order_id = id <= 2600 ? id : 1 + roll(2600)
    return { order_id, product_id, quantity: 1 + roll(5), price: products[product_id - 1]?.price ?? 0 }
  })
  const totals = new Map<number, number>()
  for (const item of items) totals.set(item.order_id, (totals.get(item.order_id) ?? 0) + item.price * item.quantity)
  const orders = many(2600, (id) => {
    const customer_id = 1 + roll(customers.length)
    return {
      customer_id,
      location_id: customers[customer_id - 1]?.location_id ?? 1,
      status: pick(statuses),
      ordered_on: day(700 + roll(150)),
      total: Math.round((totals.get(id) ?? 0) * 100) / 100,
      note: roll(20) === 0 ? "Leave with the neighbour." : ""
    }
  })
  return {
    locations: cities.map((city, index) => ({ name: `${city} shop`, city, country: countries[index] ?? "" })),
    tags: labels.map((name, index) => ({ name, color: colors[index] ?? "" })),
    categories: goods.map((name) => ({ name })),
    products,
    customers,
    orders,
    order_items: items
  }
}

const sqlTypes: Readonly<Record<string, string>> = { integer: "INTEGER", boolean: "INTEGER", number: "REAL" }

const definition = ([column, { of, optional, schema }]: [string, Column]) =>
  `${column} ${sqlTypes[schema.type] ?? "TEXT"}${optional === true ? "" : " NOT NULL"}` +
  (of === undefined || schema.type === "array" ? "" : ` REFERENCES ${of}(id)`)

/** Makes and fills the tables where they are not there yet. Two that start at once do it once. */
export const fill = (database: DatabaseSync): void => {
  database.exec("PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'customers'").get() === undefined) {
    for (const [table, { columns }] of Object.entries(shop)) {
      const definitions = ["id INTEGER PRIMARY KEY", ...Object.entries(columns).map(definition)]
      database.exec(`CREATE TABLE ${table} (${definitions.join(", ")})`)
    }
    database.exec(
      "CREATE INDEX items_of_order ON order_items(order_id); CREATE INDEX by_customer ON orders(customer_id)"
    )
    for (const [table, all] of Object.entries(rows())) {
      const columns = Object.keys(all[0] ?? {})
      const insert = database.prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
      )
      for (const row of all) insert.run(...columns.map((column) => row[column] ?? null))
    }
  }
  database.exec("COMMIT")
}
