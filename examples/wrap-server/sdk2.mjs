/**
 * A server made with the MCP SDK 2.x that gives its own tools UIs, in both eras of the protocol:
 * `node examples/wrap-server/sdk2.mjs` speaks MCP over standard input and output. A function stands for the model.
 */
import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { wrapServer } from "mcp-gen-ui"
import { z } from "zod"

/** Stands for whatever you call. */
const model = async ({ prompt }) => `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("${prompt.includes("warehouse") ? "Warehouse" : "Items"}"), table(data.items)])
</script>
`

serveStdio(() => {
  const server = new McpServer({ name: "stock", version: "1.0.0" })
  server.registerTool(
    "list_stock",
    {
      description: "Lists the items of a warehouse",
      inputSchema: z.object({ warehouse: z.enum(["north", "south"]).default("north") }),
      annotations: { readOnlyHint: true }
    },
    ({ warehouse }) => {
      const items = [{ sku: "A-1", warehouse, stock: 3 }]
      return { content: [{ type: "text", text: JSON.stringify({ items }) }] }
    }
  )
  return wrapServer(server, { model })
})
