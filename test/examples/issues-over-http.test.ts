import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { afterEach, assert, describe, it, onTestFinished } from "vitest"
import { bin, noModel, root } from "../fixtures/RawClient.ts"

const opened: Array<Client> = []
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})

/** Starts the server on a free port, and answers its address. */
const serve = async (environment: Readonly<Record<string, string>> = {}) => {
  const main = join(root, "examples/issues-over-http/main.mjs")
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, [main, "0"], { env, stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, "data")
  return /http:\S+/.exec(String(line))?.[0] ?? assert.fail(String(line))
}

type Transport = StdioClientTransport | StreamableHTTPClientTransport

const connect = async (transport: Transport, mode: "legacy" | "auto", capabilities = {}) => {
  const options = { versionNegotiation: { mode }, capabilities }
  const client = new Client({ name: "test", version: "1.0.0" }, options)
  opened.push(client)
  await client.connect(transport)
  return client
}

const call = async (client: Client, name: string, values: Readonly<Record<string, unknown>> = {}) => {
  const { isError, structuredContent } = await client.callTool({ name, arguments: values })
  assert.isNotTrue(isError)
  return JSON.stringify(structuredContent)
}

describe("issues over HTTP", () => {
  it.each(["legacy", "auto"] as const)("lists, opens, writes and changes issues: %s", async (mode) => {
    const client = await connect(new StreamableHTTPClientTransport(new URL(await serve())), mode)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    assert.deepStrictEqual(names, ["list_issues", "get_issue", "create_issue", "update_issue"])
    assert.match(await call(client, "create_issue", { title: "A new one" }), /"number":4/)
    await call(client, "update_issue", { number: 4, state: "closed", labels: ["bug"] })
    assert.match(await call(client, "list_issues", { state: "closed" }), /^{"issues":\[{"number":4.*"number":3/)
    assert.match(await call(client, "get_issue", { number: 1 }), /Open \*\*Lima\*\*/)
    const missing = await client.callTool({ name: "get_issue", arguments: { number: 9 } })
    assert.isTrue(missing.isError)
    assert.include(JSON.stringify(missing.content), "There is no issue 9; the last one is 4.")
  })

  it("gets UIs from the wrapper, which brings the token", async () => {
    const url = await serve({ ISSUES_TOKEN: "secret" })
    assert.strictEqual((await fetch(url, { method: "POST" })).status, 401)
    const env = { ...noModel, MCP_GEN_UI_UPSTREAM_TOKEN: "secret" }
    const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
    const wrapper = new StdioClientTransport({
      command: process.execPath,
      args: [bin, "--", url],
      env,
      stderr: "ignore"
    })
    const client = await connect(wrapper, "legacy", { extensions })
    const { tools } = await client.listTools()
    assert.deepInclude(tools.find(({ name }) => name === "list_issues")?._meta, {
      "ui/resourceUri": "ui://list_issues"
    })
    const { contents } = await client.readResource({ uri: "ui://list_issues" })
    assert.include(JSON.stringify(contents), "<!doctype html>")
  })
})
