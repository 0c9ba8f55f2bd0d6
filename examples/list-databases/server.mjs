/**
 * A server that puts a UI into its results, for hosts that show mcp-ui: `node examples/list-databases/server.mjs` speaks
 * MCP over standard input and output. What it lists is what MongoDB answers to `listDatabases`, as Extended JSON.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { makeUiEmbedder } from "mcp-gen-ui"

const long = { type: "object", properties: { $numberLong: { type: "string" } }, required: ["$numberLong"] }

const tools = [
  {
    name: "list-databases",
    title: "Databases",
    description: "Lists the databases of a MongoDB deployment with their sizes",
    inputSchema: { type: "object", properties: { nameContains: { type: "string", title: "Name contains" } } },
    outputSchema: {
      type: "object",
      properties: {
        databases: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, sizeOnDisk: long, empty: { type: "boolean" } },
            required: ["name", "sizeOnDisk"]
          }
        },
        totalSize: long
      },
      required: ["databases"]
    },
    annotations: { readOnlyHint: true }
  }
]

const DATABASES = [
  { name: "admin", sizeOnDisk: { $numberLong: "340787" }, empty: false },
  { name: "local", sizeOnDisk: { $numberLong: "9007199254740993" }, empty: false },
  { name: "sample_analytics", sizeOnDisk: { $numberLong: "9863168" }, empty: false },
  { name: "sample_mflix", sizeOnDisk: { $numberLong: "128974848" }, empty: false },
  { name: "sample_scratch", sizeOnDisk: { $numberLong: "0" }, empty: true }
]

const listDatabases = (nameContains = "") => {
  const databases = DATABASES.filter(({ name }) => name.includes(nameContains))
  const total = databases.reduce((sum, { sizeOnDisk }) => sum + BigInt(sizeOnDisk.$numberLong), 0n)
  return { databases, totalSize: { $numberLong: String(total) } }
}

const { augmentWithUI } = makeUiEmbedder({ tools })

const server = new Server({ name: "databases", version: "1.0.0" }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const found = listDatabases(params.arguments?.nameContains)
  const text = `Found ${found.databases.length} databases: ${found.databases.map(({ name }) => name).join(", ")}`
  const result = { content: [{ type: "text", text }], structuredContent: found }
  return augmentWithUI(result, { toolName: params.name, toolInput: params.arguments, renderData: found })
})
await server.connect(new StdioServerTransport())
