/**
 * The reference server as a process: `node main.ts --stdio`, or `node main.ts --http [port]`, which prints its URL on
 * standard error when it listens and ends with its standard input.
 */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { createReferenceServer } from "./ReferenceServer.ts"

const [mode, port = "0"] = process.argv.slice(2)

if (mode === "--stdio") {
  await createReferenceServer().connect(new StdioServerTransport())
  process.stdin.once("end", () => process.exit())
} else if (mode === "--http") {
  const { serveReferenceHttp } = await import("./serveReferenceHttp.ts")
  const address = (await serveReferenceHttp(Number(port))).address()
  if (address === null || typeof address === "string") throw new Error("The reference server listens on no port.")
  process.stderr.write(`http://127.0.0.1:${address.port}/mcp\n`)
  process.stdin.resume().once("end", () => process.exit())
} else {
  process.stderr.write("usage: node main.ts --stdio | --http [port]\n")
  process.exitCode = 2
}
