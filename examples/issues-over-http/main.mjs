/**
 * An MCP server behind a URL (Streamable HTTP, both eras of the protocol): a few issues in memory, to list, open, write and
 * change. It knows nothing about user interfaces; that is the point of it.
 *
 * `node examples/issues-over-http/main.mjs` serves http://127.0.0.1:8790/mcp; a number behind it is another port, 0 a free one.
 * Where ISSUES_TOKEN is set, requests have to bring it as a bearer token.
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { z } from "zod"

const labels = ["bug", "feature", "docs"]
const states = ["open", "closed"]

const issues = [
  {
    number: 1,
    title: "The map is empty west of Greenwich",
    state: "open",
    labels: ["bug"],
    author: "mara",
    created: "2026-04-02T09:30:00Z",
    body: "Longitudes below 0 are drawn outside.\n\n1. Open **Lima**.\n2. Look left."
  },
  {
    number: 2,
    title: "Rain as bars",
    state: "open",
    labels: ["feature"],
    author: "tomas",
    created: "2026-04-11T16:05:00Z",
    body: "A line between two days says that it rained in between."
  },
  {
    number: 3,
    title: "Say which units a figure has",
    state: "closed",
    labels: ["docs", "feature"],
    author: "aiko",
    created: "2026-04-18T07:45:00Z",
    body: "`high: 61` is a warm day in Oslo, or a very hot one."
  }
]

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(states),
  labels: z.array(z.enum(labels)),
  author: z.string(),
  created: z.iso.datetime(),
  body: z.string().describe("Markdown")
})

const title = z.string().min(1).max(120)
const body = z.string().max(5000).describe("Markdown")
const number = z.int().min(1).describe("The number of an issue")

const answer = (structuredContent) => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent
})

const withoutBody = ({ author, created, labels, number, state, title }) => ({
  number,
  title,
  state,
  labels,
  author,
  created
})

/** Calls `use` with the issue of that number; without one the call failed. */
const withIssue = (wanted, use) => {
  const issue = issues.find(({ number }) => number === wanted)
  if (issue) return answer(use(issue))
  const text = `There is no issue ${wanted}; the last one is ${issues.length}.`
  return { isError: true, content: [{ type: "text", text }] }
}

const makeServer = () => {
  const server = new McpServer({ name: "issues", title: "Issues", version: "1.0.0" })
  const reads = { readOnlyHint: true }
  server.registerTool(
    "list_issues",
    {
      title: "Issues",
      description: "Lists issues, the newest first.",
      inputSchema: z.object({ state: z.enum(states).optional(), label: z.enum(labels).optional() }),
      outputSchema: z.object({ issues: z.array(Issue.omit({ body: true })) }),
      annotations: reads
    },
    ({ label, state }) => {
      const found = issues.filter(
        (issue) =>
          (state === undefined || issue.state === state) && (label === undefined || issue.labels.includes(label))
      )
      return answer({ issues: found.map(withoutBody).toReversed() })
    }
  )
  server.registerTool(
    "get_issue",
    {
      title: "Issue",
      description: "One issue with its text.",
      inputSchema: z.object({ number }),
      outputSchema: Issue,
      annotations: reads
    },
    ({ number }) => withIssue(number, (issue) => issue)
  )
  server.registerTool(
    "create_issue",
    {
      title: "New issue",
      description: "Writes an issue.",
      inputSchema: z.object({ title, body: body.default(""), labels: z.array(z.enum(labels)).default([]) }),
      outputSchema: Issue,
      annotations: { destructiveHint: false }
    },
    (given) => {
      const created = new Date().toISOString()
      const issue = { number: issues.length + 1, state: "open", author: "you", created, ...given }
      issues.push(issue)
      return answer(issue)
    }
  )
  server.registerTool(
    "update_issue",
    {
      title: "Change issue",
      description: "Changes an issue: its title, its text, its labels, or whether it is open.",
      inputSchema: z.object({
        number,
        title: title.optional(),
        body: body.optional(),
        labels: z.array(z.enum(labels)).optional(),
        state: z.enum(states).optional()
      }),
      outputSchema: Issue,
      annotations: { idempotentHint: true }
    },
    ({ number, ...changes }) => withIssue(number, (issue) => Object.assign(issue, changes))
  )
  return server
}

const mcp = createMcpHandler(makeServer)
const { ISSUES_TOKEN } = process.env

const http = createServer(async (request, response) => {
  const { headers, method, url } = request
  if (url !== "/mcp") return response.writeHead(404).end()
  if (ISSUES_TOKEN && headers.authorization !== `Bearer ${ISSUES_TOKEN}`) {
    return response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end()
  }
  const left = new AbortController()
  response.on("close", () => left.abort())
  const body = method === "POST" ? { body: Readable.toWeb(request), duplex: "half" } : {}
  const answer = await mcp.fetch(
    new Request(`http://127.0.0.1${url}`, { method, headers, signal: left.signal, ...body })
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) response.end()
  else Readable.fromWeb(answer.body).pipe(response)
})

http.listen(Number(process.argv[2] ?? 8790), "127.0.0.1", () => {
  console.log(`Serving http://127.0.0.1:${http.address().port}/mcp`)
})
