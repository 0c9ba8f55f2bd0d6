// A server that costs nothing: a thousand tools, and `big`, which answers with `bytes` bytes.
// `node server.mjs [TOOLS [MS]]`: with so many tools, and after so long a start.
import { createInterface } from "node:readline"

const [count = 1000, startMs = 0] = process.argv.slice(2).map(Number)

const properties = {
  query: { type: "string", description: "What to look for." },
  limit: { type: "integer", minimum: 1 }
}
const tools = Array.from({ length: count }, (_, index) => ({
  name: `tool_${index}`,
  description: `Tool number ${index} of a server that has many.`,
  inputSchema: { type: "object", properties, required: ["query"] },
  annotations: { readOnlyHint: true }
}))
const lists = new Map([["tools/list", JSON.stringify({ tools })]])

const resultOf = (method, params) => {
  if (method === "initialize") {
    const { protocolVersion } = params
    return JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1" } })
  }
  if (method !== "tools/call") return lists.get(method) ?? "{}"
  return JSON.stringify({ content: [{ type: "text", text: "x".repeat(params.arguments.bytes) }] })
}

await new Promise((resolve) => setTimeout(resolve, startMs))
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) {
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultOf(method, params)}}\n`)
  }
})
