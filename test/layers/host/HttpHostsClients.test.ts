import { afterEach, assert, describe } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { rawHttp, turn } from "../../fixtures/RawHttp.ts"
import { hosted } from "../../fixtures/httpServing.ts"

const open: Array<{ close: () => Promise<void> }> = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const connect = async (url: string, mode: "legacy" | "auto" | { pin: "2026-07-28" }): Promise<Client> => {
  const client = new Client({ name: "sdk-2", version: "1" }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  open.push(client)
  return client
}

const connectLegacy = async (url: string, transport: "http" | "sse" = "http"): Promise<LegacyClient> => {
  const client = new LegacyClient({ name: "sdk-1", version: "1" }, { capabilities: { sampling: {}, elicitation: {} } })
  const at = transport === "http" ? new LegacyTransport(new URL(url)) : new SSEClientTransport(new URL("/sse", url))
  await client.connect(at as LegacyTransport)
  open.push(client)
  return client
}

interface Caller {
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}

const echoed = async (client: Caller, args: Record<string, unknown>): Promise<unknown> => {
  const result = (await client.callTool({ name: "echo", arguments: args })) as { content: [{ text: string }] }
  return JSON.parse(result.content[0].text)
}

describe("clients of the SDKs", () => {
  const clients: Readonly<Record<string, (url: string) => Promise<Client | LegacyClient>>> = {
    "SDK 1.x": (url) => connectLegacy(url),
    "SDK 1.x, HTTP with SSE": (url) => connectLegacy(url, "sse"),
    "SDK 2.x, legacy era": (url) => connect(url, "legacy"),
    "SDK 2.x, negotiating": (url) => connect(url, "auto"),
    "SDK 2.x, modern era": (url) => connect(url, { pin: "2026-07-28" })
  }
  for (const [name, connectTo] of Object.entries(clients)) {
    hosted(`${name}: two at once, with the same ids, large and small`, async ({ url }) => {
      const [one, other] = await Promise.all([connectTo(url), connectTo(url)])
      const { tools } = await one.listTools()
      assert.include(
        tools.map((tool) => tool.name),
        "echo"
      )
      const text = "é".repeat(500_000)
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => echoed(one, { one: n })),
        ...Array.from({ length: 20 }, (_, n) => echoed(other, { other: n })),
        echoed(one, { text })
      ])
      assert.deepStrictEqual(
        answers.slice(0, 20),
        Array.from({ length: 20 }, (_, n) => ({ one: n }))
      )
      assert.deepStrictEqual(
        answers.slice(20, 40),
        Array.from({ length: 20 }, (_, n) => ({ other: n }))
      )
      assert.deepStrictEqual(answers[40], { text })
    })

    hosted(`${name}: progress`, async ({ url }) => {
      const client = await connectTo(url)
      const steps: Array<number> = []
      const onprogress = ({ progress }: { progress: number }): void => {
        steps.push(progress)
        void client.callTool({ name: "step", arguments: {} })
      }
      const params = { name: "steps", arguments: {} }
      await (client instanceof Client
        ? client.callTool(params, { onprogress })
        : client.callTool(params, undefined, { onprogress }))
      assert.deepStrictEqual(steps, [1, 2, 3])
    })

    hosted(`${name}: a call that is given up is cancelled at the server`, async ({ url }) => {
      const client = await connectTo(url)
      const abort = new AbortController()
      const params = { name: "hang", arguments: {} }
      const call =
        client instanceof Client
          ? client.callTool(params, { signal: abort.signal })
          : client.callTool(params, undefined, { signal: abort.signal })
      const failed = call.then(
        () => false,
        () => true
      )
      await echoed(client, {})
      abort.abort()
      assert.isTrue(await failed)
      for (;;) {
        const heard = JSON.stringify(await client.callTool({ name: "heard", arguments: {} }))
        if (heard.includes("notifications/cancelled")) break
      }
    })
  }

  for (const transport of ["http", "sse"] as const) {
    hosted(`SDK 1.x over ${transport}: requests of the server, and what it tells of itself`, async ({ url }) => {
      const client = await connectLegacy(url, transport)
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }))
      client.setRequestHandler(CreateMessageRequestSchema, () => ({
        model: "m",
        role: "assistant",
        content: { type: "text", text: "sampled" }
      }))
      const ask = async (method: string, params: unknown) =>
        JSON.stringify(await client.callTool({ name: "ask", arguments: { method, params } }))
      const elicit = {
        message: "Who?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } }
      }
      assert.include(await ask("elicitation/create", elicit), "Ada")
      assert.include(await ask("sampling/createMessage", { messages: [], maxTokens: 1 }), "sampled")
      const changed = new Promise<void>((resolve) => {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
      })
      await client.callTool({ name: "change", arguments: {} })
      await changed
    })
  }

  hosted("SDK 2.x, modern era: hear of changes by a subscription", async ({ url }) => {
    const heard = new Set<string>()
    for (const name of ["one", "other"]) {
      const client = new Client(
        { name, version: "1" },
        {
          versionNegotiation: { mode: { pin: "2026-07-28" } },
          listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => heard.add(name) } }
        }
      )
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      open.push(client)
    }
    const client = await connect(url, { pin: "2026-07-28" })
    while (heard.size < 2) {
      await client.callTool({ name: "change", arguments: {} })
      await turn()
    }
  })

  hosted("SDK 1.x: ends its session when told to, and with its stream in HTTP with SSE", async ({ sessions, url }) => {
    const client = await connectLegacy(url)
    await (client.transport as LegacyTransport).terminateSession()
    while (sessions.running.size > 0) await turn()
    const old = await connectLegacy(url, "sse")
    await echoed(old, {})
    assert.strictEqual(sessions.running.size, 1)
    await old.close()
    while (sessions.running.size > 0) await turn()
  })

  hosted("HTTP with SSE: a session that is not there is not found", async ({ url }) => {
    const headers = { "content-type": "application/json" }
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const answer = await rawHttp(new URL("/messages?sessionId=none", url), { method: "POST", headers, body })
    assert.strictEqual(answer.status, 404)
    const stream = await rawHttp(new URL("/sse", url), { headers: { accept: "text/event-stream" } })
    const endpoint = await stream.next()
    assert.strictEqual(endpoint?.event, "endpoint")
    const path = endpoint?.data ?? ""
    assert.match(path, /^\/messages\?sessionId=[\da-f-]{36}$/)
    const posted = await rawHttp(new URL(path, url), { method: "POST", headers, body })
    assert.strictEqual(posted.status, 202)
    assert.strictEqual((await stream.next())?.data, '{"jsonrpc":"2.0","id":1,"result":{}}')
    const wrong = await rawHttp(new URL(path, url), { method: "POST", headers, body: "{" })
    assert.strictEqual(wrong.status, 400)
  })
})
