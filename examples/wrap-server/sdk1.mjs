/**
 * A server made with the MCP SDK 1.x that gives its own tools UIs: `node examples/wrap-server/sdk1.mjs` speaks MCP over
 * standard input and output. With a key in ANTHROPIC_API_KEY a model writes them; without one they are built in.
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { wrapServer } from "mcp-gen-ui"
import { z } from "zod"

const STOCK = [
  { sku: "A-1", name: "Lamp", stock: 3 },
  { sku: "B-7", name: "Desk", stock: 12 },
  { sku: "C-2", name: "Chair", stock: 0 }
]

const server = new McpServer({ name: "stock", version: "1.0.0" })
server.registerTool(
  "list_stock",
  {
    title: "Stock",
    description: "Lists the items of a warehouse",
    inputSchema: { atLeast: z.number().int().min(0).default(0).describe("Only items with as many pieces") },
    outputSchema: { items: z.array(z.object({ sku: z.string(), name: z.string(), stock: z.number() })) },
    annotations: { readOnlyHint: true }
  },
  ({ atLeast }) => {
    const items = STOCK.filter(({ stock }) => stock >= atLeast)
    return { content: [{ type: "text", text: `${items.length} items` }], structuredContent: { items } }
  }
)

const apiKey = process.env.ANTHROPIC_API_KEY
const model = apiKey === undefined ? {} : { model: { provider: "anthropic", apiKey } }
await wrapServer(server, { theme: "dark", ...model }).connect(new StdioServerTransport())
