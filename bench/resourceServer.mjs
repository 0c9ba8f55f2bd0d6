// A server with a resource of a size: what reading the same bytes directly costs. `node resourceServer.mjs BYTES`
import { createInterface } from "node:readline"

const result = JSON.stringify({
  contents: [
    { uri: "ui://tool", mimeType: "text/html;profile=mcp-app", text: "<p>x</p>".repeat(Number(process.argv[2]) >> 3) }
  ]
})
const greeting = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, resources: {} },
  serverInfo: { name: "bench", version: "1" }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer = method === "resources/read" ? result : method === "initialize" ? JSON.stringify(greeting) : "{}"
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer}}\n`)
})
