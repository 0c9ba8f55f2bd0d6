/** An MCP server on stdio that has the tools of a corpus file and answers one recorded call: `node recordedServer.ts case.json`. */
import { createInterface } from "node:readline"
import { readFileSync } from "node:fs"
import { isRecord, type JsonRecord } from "../eval/json.ts"

const given: unknown = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
if (!isRecord(given)) throw new Error("the case is no JSON object")

const answers: Readonly<Record<string, (params: JsonRecord) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: String(given.server), version: "1.0.0" }
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: given.tools }),
  "tools/call": ({ name }) =>
    name === given.tool
      ? given.result
      : { isError: true, content: [{ type: "text", text: "This call was not recorded." }] }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: unknown = JSON.parse(line)
  if (!isRecord(message) || message.id === undefined || typeof message.method !== "string") continue
  const answer = answers[message.method]?.(isRecord(message.params) ? message.params : {})
  const outcome = answer === undefined ? { error: { code: -32601, message: "Method not found" } } : { result: answer }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...outcome })}\n`)
}
