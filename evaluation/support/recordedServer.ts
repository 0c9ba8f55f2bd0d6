/**
 * An MCP server on stdio that has recorded tools and answers their calls as recorded: `node recordedServer.ts case.json`, with
 * `{server, tools, results: {[tool]: result}, log?}`. The file `log` gets the name of each tool that was called, one a line.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { isRecord, type JsonRecord } from "../eval/json.ts"

const given: unknown = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
if (!isRecord(given) || !isRecord(given.results)) throw new Error("the case is no JSON object with results")
const { log, results } = given

const answers: Readonly<Record<string, (params: JsonRecord) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: String(given.server), version: "1.0.0" }
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: given.tools }),
  "tools/call": ({ name }) => {
    if (typeof log === "string") appendFileSync(log, `${String(name)}\n`)
    return results[String(name)] ?? { isError: true, content: [{ type: "text", text: "This call was not recorded." }] }
  },
  // Links of a result lead somewhere.
  "resources/list": () => ({ resources: [] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/read": ({ uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: `The content of ${String(uri)}` }]
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: unknown = JSON.parse(line)
  if (!isRecord(message) || message.id === undefined || typeof message.method !== "string") continue
  const answer = answers[message.method]?.(isRecord(message.params) ? message.params : {})
  const outcome = answer === undefined ? { error: { code: -32601, message: "Method not found" } } : { result: answer }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...outcome })}\n`)
}
