import { assert, describe, it } from "@effect/vitest"
import type { LearnedResults } from "../../../src/domain/tools/LearnedResults.ts"
import { makeToolCatalog, type ToolHintsByName } from "../../../src/domain/tools/ToolCatalog.ts"
import { fieldSources } from "../../../src/domain/tools/toolExtras.ts"

type Json = Readonly<Record<string, unknown>>

const text = { type: "string" }
const number = { type: "integer" }

/** A tool with these arguments, `!` for required. */
const tool = (name: string, args: Json, more: Json = {}): Json => {
  const properties = Object.fromEntries(Object.entries(args).map(([arg, schema]) => [arg.replace("!", ""), schema]))
  const required = Object.keys(args)
    .filter((arg) => arg.endsWith("!"))
    .map((arg) => arg.slice(0, -1))
  return { name, inputSchema: { type: "object", properties, required }, ...more }
}

/** A tool that lists rows with these members. */
const list = (name: string, members: Json, args: Json = {}, more: Json = {}): Json => {
  const items = { type: "array", items: { type: "object", properties: members } }
  return tool(name, args, { outputSchema: { type: "object", properties: { items } }, ...more })
}

interface Known {
  readonly hints?: ToolHintsByName
  readonly results?: Readonly<Record<string, LearnedResults["results"]>>
}

/** The fields of the first tool that have a picker: `location_id: list_locations id name by name`. */
const found = (tools: ReadonlyArray<Json>, { hints = {}, results = {} }: Known = {}): ReadonlyArray<string> => {
  const learned = (name: string) => ({ shape: null, results: results[name] ?? [] })
  const [first] = makeToolCatalog(tools, () => true, hints, learned).tools
  const sources: ReadonlyArray<Json> = first === undefined ? [] : fieldSources(first)
  return sources.map(({ by, color, field, file, from, label, search, value }) => {
    const members = [
      from ?? file,
      value,
      label,
      search && `search=${String(search)}`,
      color && `color=${String(color)}`
    ]
    return `${String(field)}: ${[...members, by && `by ${String(by)}`].filter(Boolean).join(" ")}`
  })
}

const locations = list("list_locations", { id: number, name: text }, { query: text })

describe("a field whose values another tool lists", () => {
  it.each<readonly [why: string, expected: ReadonlyArray<string>, tools: ReadonlyArray<Json>]>([
    [
      "by its name and the name of the list",
      ["location_id: list_locations id name search=query by name"],
      [tool("create_order", { location_id: number }), locations]
    ],
    [
      "in other spellings",
      ["companyId: getCompanies id title by name"],
      [
        tool("addEmployee", { companyId: text }),
        list("getCompanies", { id: text, title: text }),
        tool("getCompany", { id: text })
      ]
    ],
    [
      "of several, with colors",
      ["label_ids: labels_list id name color=color by name"],
      [
        tool("issues_update", { label_ids: { type: "array", items: text } }),
        list("labels_list", { id: text, name: text, color: text })
      ]
    ],
    [
      "named without an id, where names are sent",
      ["labels: list_labels name color=color by name"],
      [
        tool("add_labels", { labels: { type: "array", items: text } }),
        list("list_labels", { id: number, name: text, color: text })
      ]
    ],
    [
      "in a group, and in a list of groups, behind references",
      ["address.country_code: list_countries code name by name", "items.product_id: list_products id name by name"],
      [
        tool("create_order", {
          address: { allOf: [{ type: "object", properties: { country_code: text } }] },
          items: { type: "array", items: { properties: { product_id: { anyOf: [number, { type: "null" }] } } } }
        }),
        list("list_countries", { code: text, name: text }),
        list("list_products", { id: number, name: text })
      ]
    ],
    [
      "with another word before it",
      ["billing_location_id: list_locations id name search=query by name"],
      [tool("create_order", { billing_location_id: number }), locations]
    ],
    [
      "by the id of the tool's own thing",
      ["id: list_locations id name search=query by name"],
      [tool("update_location", { id: number, name: text }), locations]
    ],
    [
      "of a list that needs what the form has",
      ["branch: list_branches name by name"],
      [
        tool("create_pull_request", { owner: text, repo: text, branch: text }),
        list("list_branches", { name: text }, { "owner!": text, "repo!": text })
      ]
    ],
    [
      "of people by what they do",
      ["assignee_id: list_users id name by name"],
      [tool("assign", { assignee_id: text }), list("list_users", { id: text, name: text })]
    ],
    [
      "after the name of the server",
      ["project_id: acme_list_projects id name by name"],
      [
        tool("acme_add_task", { project_id: text }),
        list("acme_list_projects", { id: text, name: text }),
        tool("acme_ping", {})
      ]
    ],
    [
      "by a member of its name",
      ["item_sku: list_stock item_sku title by members"],
      [tool("reserve", { item_sku: text }), list("list_stock", { item_sku: text, title: text })]
    ],
    [
      "by a hint of ours in the schema",
      ["place: list_locations id name search=query by hint"],
      [tool("create_order", { place: { ...number, "x-options": "list_locations" } }), locations]
    ],
    [
      "by the hint of connectors",
      ["place: list_locations id name search=query by hint"],
      [
        tool("create_order", {
          place: {
            ...number,
            "x-ms-dynamic-values": { operationId: "ListLocations", "value-path": "id", "value-title": "name" }
          }
        }),
        locations
      ]
    ],
    ["not where the schema has the values", [], [tool("create_order", { location_id: { enum: [1, 2] } }), locations]],
    [
      "not where the list says that it changes something",
      [],
      [tool("create_order", { location_id: number }), { ...locations, annotations: { readOnlyHint: false } }]
    ],
    [
      "not where pages may not call the list",
      [],
      [tool("create_order", { location_id: number }), { ...locations, _meta: { ui: { visibility: ["model"] } } }]
    ],
    [
      "not where the list needs what the form does not have",
      [],
      [tool("create_order", { location_id: number }), list("list_locations", { id: number }, { "country!": text })]
    ],
    [
      "not where its rows have no such value",
      [],
      [tool("create_order", { location_id: number }), list("list_locations", { name: text })]
    ],
    ["not of the thing that is made", [], [tool("create_location", { location_id: number, name: text }), locations]],
    [
      "not of a tool that gets one",
      [],
      [tool("create_order", { location_id: number }), tool("get_location", { id: number })]
    ]
  ])("is found %s", (_, expected, tools) => {
    assert.deepStrictEqual(found(tools), expected)
  })

  const form = tool("create_order", { location_id: number, branch: text })
  const plain = tool("list_locations", {})

  it("is found where the rows are not known", () => {
    assert.deepStrictEqual(found([form, plain]), ["location_id: list_locations by name"])
  })

  it("learns the members of the rows from results", () => {
    const results = { list_locations: [{ args: {}, data: { total: 1, locations: [{ id: 3, title: "Oslo" }] } }] }
    assert.deepStrictEqual(found([form, plain], { results }), ["location_id: list_locations id title by name"])
    const others = { list_locations: [{ args: {}, data: [{ slug: "oslo" }] }] }
    assert.deepStrictEqual(found([form, plain], { results: others }), [])
  })

  it("learns from a value that was sent and listed", () => {
    const results = {
      create_order: [{ args: { branch: "harbour" }, data: {} }],
      list_shops: [{ args: {}, data: [{ key: "harbour", title: "At the harbour" }] }]
    }
    const tools = [tool("create_order", { branch: text }), tool("list_shops", {}), tool("list_staff", {})]
    assert.deepStrictEqual(found(tools, { results }), ["branch: list_shops key title by results"])
    const both = { ...results, list_staff: [{ args: {}, data: [{ team: "harbour" }] }] }
    assert.deepStrictEqual(found(tools, { results: both }), [])
  })

  it("is what the configuration says", () => {
    const fields = { branch: { from: "list_locations", value: "code", color: "paint" }, location_id: false } as const
    assert.deepStrictEqual(found([form, locations], { hints: { create_order: { fields } } }), [
      "branch: list_locations code name search=query color=paint by configuration"
    ])
    const unknown = { create_order: { fields: { branch: { from: "list_cities" } } } }
    assert.deepStrictEqual(found([form], { hints: unknown }), [])
  })
})

describe("a field that takes a file", () => {
  it.each<readonly [name: string, schema: Json, expected: ReadonlyArray<string>]>([
    ["photo", { ...text, contentEncoding: "base64", contentMediaType: "image/png" }, ["photo: base64"]],
    ["photo", { ...text, format: "data-url" }, ["photo: data-url"]],
    ["photo", { ...text, format: "byte" }, ["photo: base64"]],
    ["photos", { type: "array", items: { ...text, contentEncoding: "base64url" } }, ["photos: base64url"]],
    ["file_content", { ...text, description: "The file, base64-encoded." }, ["file_content: base64"]],
    ["image", { ...text, description: "As a data URL." }, ["image: data-url"]],
    ["cursor", { ...text, description: "A base64 text of the page before." }, []],
    ["photo", { ...number, format: "byte" }, []],
    ["content", text, []]
  ])("%s %j", (name, schema, expected) => {
    assert.deepStrictEqual(found([tool("send", { [name]: schema })]), expected)
  })
})
