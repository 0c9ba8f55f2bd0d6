import type { Arguments, GalleryCase } from "../GalleryCase.ts"
import { longWord, paragraph } from "../sampleData.ts"

type Schema = Readonly<Record<string, unknown>>

const form = (
  id: string,
  title: string,
  properties: Schema,
  more: { readonly about?: string; readonly input?: Arguments; readonly schema?: Schema } = {}
): GalleryCase => ({
  id: `form-${id}`,
  title,
  ...(more.about === undefined ? {} : { about: more.about }),
  tool: {
    name: `form_${id.replaceAll("-", "_")}`,
    title,
    inputSchema: { type: "object", properties, ...more.schema }
  },
  host:
    more.input === undefined ? [] : [{ input: more.input }, { result: { content: [{ type: "text", text: "Done" }] } }]
})

const text = (more: Schema = {}): Schema => ({ type: "string", ...more })
const integer = (more: Schema = {}): Schema => ({ type: "integer", ...more })

const address = {
  type: "object",
  title: "Address",
  properties: { street: text({ title: "Street" }), city: text({ title: "City" }), country: text({ title: "Country" }) },
  required: ["city"]
}

/** Written as text: JavaScript takes an object with a `then` for a promise. */
const dependent: Schema = JSON.parse(`{
  "if": { "properties": { "kind": { "const": "card" } } },
  "then": { "properties": { "number": { "type": "string", "title": "Card number" } }, "required": ["number"] },
  "else": { "properties": { "iban": { "type": "string", "title": "IBAN" } } }
}`)

export const forms: ReadonlyArray<GalleryCase> = [
  form("none", "No input", {}),
  form(
    "texts",
    "Texts",
    {
      name: text({ title: "Name", description: "As it stands in the passport", examples: ["Ada Byron"] }),
      note: text({ title: "Note", maxLength: 2000, description: paragraph }),
      email: text({ title: "Email", format: "email" }),
      page: text({ title: "Page", format: "uri" }),
      id: text({ title: "Identifier", format: "uuid" }),
      password: text({ title: "Password" }),
      code: text({ title: "Code", pattern: "^[A-Z]{3}$" }),
      fixed: { const: "v2", title: "Version" }
    },
    { schema: { required: ["name", "code"] } }
  ),
  form("dates", "Dates and times", {
    day: text({ title: "Day", format: "date" }),
    time: text({ title: "Time", format: "time" }),
    moment: text({ title: "Moment", format: "date-time" })
  }),
  form("numbers", "Numbers", {
    count: integer({ title: "Count" }),
    limit: integer({ title: "Limit", minimum: 1, maximum: 100, default: 20 }),
    ratio: { type: "number", title: "Ratio", minimum: 0, maximum: 1, multipleOf: 0.05 },
    offset: { type: "number", title: "Offset", exclusiveMinimum: -10 }
  }),
  form("choices", "Choices", {
    few: text({ title: "Few", enum: ["C", "F", "K"] }),
    some: text({ title: "Some", enum: ["created", "updated", "comments", "author", "assignee", "milestone", "label"] }),
    many: text({ title: "Many", enum: Array.from({ length: 204 }, (_, index) => `Country ${index + 1}`) }),
    mixed: { title: "Not only texts", enum: ["auto", 2, false, null] },
    flag: { type: "boolean", title: "Flag", default: true },
    maybe: { type: "boolean", title: "Maybe" },
    several: { type: "array", title: "Several", items: { enum: ["rain", "sun", "wind"] } }
  }),
  form("lists", "Lists", {
    tags: { type: "array", title: "Tags", items: text() },
    numbers: { type: "array", title: "Numbers", items: { type: "number" }, minItems: 1 },
    pair: { type: "array", title: "Pair", prefixItems: [text({ title: "Name" }), integer({ title: "Size" })] },
    people: {
      type: "array",
      title: "People",
      items: { type: "object", properties: { name: text({ title: "Name" }), age: integer({ title: "Age" }) } }
    }
  }),
  form(
    "lists-filled",
    "Lists, filled",
    {
      tags: { type: "array", title: "Tags", items: text() },
      people: {
        type: "array",
        title: "People",
        items: { type: "object", properties: { name: text({ title: "Name" }), address } }
      }
    },
    {
      input: {
        tags: ["one", "two", longWord],
        people: [{ name: "Ada", address: { city: "London" } }, { name: "Grace" }]
      }
    }
  ),
  form("groups", "Groups", {
    name: text({ title: "Name" }),
    address,
    billing: { ...address, title: "Billing address" },
    deep: {
      type: "object",
      title: "Outer",
      properties: { inner: { type: "object", title: "Inner", properties: { value: text({ title: "Value" }) } } }
    }
  }),
  form("unions", "Choice of shapes", {
    target: {
      title: "Target",
      oneOf: [
        {
          title: "User",
          type: "object",
          properties: { kind: { const: "user" }, name: text() },
          required: ["kind", "name"]
        },
        { title: "Team", type: "object", properties: { kind: { const: "team" }, size: integer() }, required: ["kind"] }
      ]
    },
    value: { title: "Text or number", anyOf: [{ type: "string" }, { type: "number" }] },
    nullable: { title: "May be null", type: ["string", "null"] }
  }),
  form(
    "conditions",
    "Fields that depend on others",
    { kind: text({ title: "Kind", enum: ["card", "transfer"] }) },
    {
      input: { kind: "card" },
      schema: dependent
    }
  ),
  form("maps", "Maps and free JSON", {
    headers: { type: "object", title: "Headers", additionalProperties: { type: "string" } },
    filter: { title: "Filter", description: "Any JSON" },
    options: { type: "object", title: "Options" }
  }),
  form(
    "recursive",
    "A schema that contains itself",
    { tree: { $ref: "#/$defs/node" } },
    {
      schema: {
        $defs: {
          node: {
            type: "object",
            title: "Node",
            properties: { name: text(), children: { type: "array", items: { $ref: "#/$defs/node" } } }
          }
        }
      }
    }
  ),
  form(
    "odd",
    "Arguments that the schema does not know",
    { count: integer({ title: "Count" }), state: text({ title: "State", enum: ["open", "closed"] }) },
    { input: { count: "twelve", state: "elsewhere", extra: { kept: null } } }
  ),
  form(
    "many",
    "Many fields",
    Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`field_${index}`, text({ title: `Field ${index + 1}` })])
    ),
    { about: "200 of them.", schema: { required: ["field_0", "field_1"] } }
  ),
  form("long-names", "Long names", {
    [longWord]: text({ description: paragraph.repeat(4) }),
    "If-Match": text(),
    "Parameter1.Name": text(),
    "{{userName}}": text()
  })
]
