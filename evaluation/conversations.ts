/**
 * Lets a stranger play the model of a chat, to see whether the words of the wrapper's tools are enough (docs/no-key.md):
 *
 *   npm run -s build
 *   node evaluation/conversations.ts serve            serves a wrapped list of issues, in one session for all calls
 *   node evaluation/conversations.ts list             the tools, as a host shows them to its model
 *   node evaluation/conversations.ts call NAME JSON   calls one; `-` in place of the JSON reads it from standard input
 *   node evaluation/conversations.ts outcome          what has become of the UI, and the calls so far
 *
 * `PORT` (4747 unless set) tells several conversations apart.
 */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { McpServer } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { json, text } from "node:stream/consumers"
import { wrapperBin } from "./support/paths.ts"

interface Question {
  readonly command: string
  readonly name: string
  readonly args: Record<string, unknown>
}

const port = Number(process.env["PORT"] ?? 4747)
const [command = "list", name = "", given = "{}"] = process.argv.slice(2)

const issues = [
  ["Login fails with a long password", "open", ["bug", "auth"], "maria", "2026-10-02T09:12:00Z"],
  ["Dark mode for the settings page", "open", ["enhancement"], null, "2026-10-21T16:40:00Z"],
  ["Export as CSV drops the last row", "open", ["bug"], "li", "2026-11-03T07:05:00Z"],
  ["Say in the docs how tokens are refreshed", "open", ["documentation", "auth"], "jonas", "2026-08-14T12:00:00Z"],
  ["Upgrade to Node 24", "closed", [], "maria", "2026-09-30T18:22:00Z"]
].map(([title, state, labels, assignee, updatedAt], index) => ({
  number: 101 + index,
  title,
  state,
  labels,
  assignee,
  updatedAt
}))

/** The server that is wrapped: it knows nothing of UIs. */
const serveIssues = async (): Promise<void> => {
  const server = new McpServer({ name: "tracker", version: "1.0.0" })
  const description = "Lists the issues of the project, open and closed."
  server.registerTool("list_issues", { description, annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: "text", text: JSON.stringify({ issues }) }],
    structuredContent: { issues }
  }))
  await server.connect(new StdioServerTransport())
}

/** The host: one session, which answers calls from the shell, and shows its model what hosts show. */
const serve = async (): Promise<void> => {
  const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }
  const client = new Client({ name: "conversation", version: "1" }, { capabilities })
  const server = [process.execPath, fileURLToPath(import.meta.url), "issues"]
  const args = [wrapperBin, "--llm", "host", "--log-level", "warn", "--", ...server]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const calls: Array<string> = []
  const answers: Readonly<Record<string, (question: Question) => Promise<unknown>>> = {
    list: async () => {
      const { tools } = await client.listTools()
      const isForModel = (meta: unknown): boolean => !JSON.stringify(meta ?? {}).includes('"visibility":["app"]')
      return tools.flatMap(({ _meta, description, inputSchema, name }) =>
        isForModel(_meta) ? [{ name, description, inputSchema }] : []
      )
    },
    call: async ({ args, name }) => {
      const answer = await client.callTool({ name, arguments: args })
      calls.push(`${name} ${JSON.stringify(args).slice(0, 100)}${answer.isError === true ? " (refused)" : ""}`)
      return answer
    },
    outcome: async () => {
      const { structuredContent } = await client.callTool({ name: "_ui_list", arguments: { toolName: "list_issues" } })
      return { calls, ui: structuredContent }
    }
  }
  const http = createServer(async (request, response) => {
    const question = (await json(request)) as Question
    const answer = await answers[question.command]?.(question).catch((error: unknown) => ({ error: String(error) }))
    response.end(JSON.stringify(answer ?? { error: "commands: serve, list, call NAME JSON, outcome" }))
  })
  http.listen(port, "127.0.0.1", () => console.error(`a conversation is served on port ${port}; Ctrl-C ends it`))
}

const ask = async (): Promise<void> => {
  const args: unknown = JSON.parse(given === "-" ? await text(process.stdin) : given)
  const body = JSON.stringify({ command, name, args })
  const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })
  const answer = (await response.json()) as { readonly content?: ReadonlyArray<{ readonly text?: string }> }
  console.log(answer.content?.map((block) => block.text).join("\n") ?? JSON.stringify(answer, null, 2))
}

if (command === "issues") await serveIssues()
else await (command === "serve" ? serve() : ask())
