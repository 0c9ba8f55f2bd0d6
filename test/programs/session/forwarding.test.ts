import { assert, beforeAll, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { fixtureServer, type FrameClient, initialize, root, startRawClient } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

type Json = Readonly<Record<string, unknown>>

const packaged = (name: string): string => join(root, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")

const folder = fileFolder()
beforeAll(() => void fileIn(folder, "notes.txt", 'line one\nline "two"\n\u{1F600} three\n'))

/** The text of the member that every answer to a call has after its id, as the server wrote it. */
const exact = async (client: FrameClient, name: string, args: Json): Promise<string> =>
  (await client.call(name, args)).text

const allTools = async (client: FrameClient): Promise<ReadonlyArray<Json>> => {
  const tools: Array<Json> = []
  let cursor: unknown
  do {
    const { message } = await client.request("tools/list", cursor === undefined ? {} : { cursor })
    const result = message.result as { tools: ReadonlyArray<Json>; nextCursor?: string }
    tools.push(...result.tools)
    cursor = result.nextCursor
  } while (cursor !== undefined)
  return tools
}

const OUR_KEYS: ReadonlySet<string> = new Set(["ui", "ui/resourceUri"])

const withoutUi = (tool: Json): Json => {
  const { _meta, ...rest } = tool
  const meta = Object.entries((_meta ?? {}) as Json).filter(([key]) => !OUR_KEYS.has(key))
  return meta.length > 0 ? { ...rest, _meta: Object.fromEntries(meta) } : rest
}

const isOurs = (tool: Json): boolean => String(tool.name).startsWith("_ui_")

/** Servers as npm has them, with calls whose answers do not depend on time or chance. */
const servers = [
  {
    name: "server-everything",
    args: () => [packaged("server-everything"), "stdio"],
    env: () => ({}),
    calls: (): ReadonlyArray<readonly [string, Json]> => [
      ["echo", { message: 'quotes " and \u{1F600}' }],
      ["get-sum", { a: 1.5, b: -2 }],
      ["get-tiny-image", {}],
      ["get-structured-content", { location: "New York" }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-resource-links", { count: 3 }],
      ["echo", { wrong: true }],
      ["no-such-tool", {}]
    ]
  },
  {
    name: "server-filesystem",
    args: () => [packaged("server-filesystem"), folder],
    env: () => ({}),
    calls: (): ReadonlyArray<readonly [string, Json]> => [
      ["read_text_file", { path: join(folder, "notes.txt") }],
      ["read_text_file", { path: "/etc/hosts" }],
      ["write_file", { path: join(folder, "new.txt"), content: "written\n" }],
      ["list_directory", { path: folder }],
      ["directory_tree", { path: folder }],
      ["search_files", { path: folder, pattern: "*.txt" }],
      ["list_allowed_directories", {}]
    ]
  },
  {
    name: "server-memory",
    args: () => [packaged("server-memory")],
    env: () => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    calls: (): ReadonlyArray<readonly [string, Json]> => [
      ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["wrote notes"] }] }],
      ["read_graph", {}],
      ["search_nodes", { query: "ada" }],
      ["open_nodes", { names: ["Ada", "Nobody"] }],
      ["delete_entities", { entityNames: ["Ada"] }]
    ]
  }
]

describe("forwarding", () => {
  for (const server of servers) {
    it(`leaves the tools and answers of ${server.name} as they are`, async () => {
      const run = async (client: FrameClient) => {
        const greeting = await initialize(client)
        const tools = await allTools(client)
        const answers: Array<string> = []
        for (const [name, args] of server.calls()) answers.push(await exact(client, name, args))
        await client.close()
        return { greeting: greeting.message.result as Json, tools, answers }
      }
      const command = [process.execPath, ...server.args()]
      const direct = await run(startRawClient(command[0] ?? "", command.slice(1), { env: server.env() }))
      const wrapped = await run(startSession(command, { env: server.env() }))

      assert.isAbove(direct.tools.length, 0)
      const theirs = wrapped.tools.filter((tool) => !isOurs(tool))
      assert.deepStrictEqual(theirs.map(withoutUi), direct.tools.map(withoutUi))
      for (const tool of theirs) {
        const uri = `ui://${encodeURIComponent(String(tool.name))}`
        assert.deepInclude(tool._meta, { ui: { resourceUri: uri }, "ui/resourceUri": uri })
      }
      assert.strictEqual(wrapped.tools.filter(isOurs).length, 5)

      assert.strictEqual(wrapped.answers.length, direct.answers.length)
      const sameIds = (texts: ReadonlyArray<string>) => texts.map((text) => text.replace(/"id":\d+/, '"id":0'))
      assert.deepStrictEqual(sameIds(wrapped.answers), sameIds(direct.answers))

      const { capabilities: before, ...rest } = direct.greeting
      const { capabilities: after, ...same } = wrapped.greeting
      assert.deepStrictEqual(same, rest)
      assert.containsSubset(after, before as object)
      assert.containsSubset(after, { extensions: { "io.modelcontextprotocol/ui": {} }, resources: {} })
    })
  }

  it("passes an odd answer byte for byte, whatever the chunks", async () => {
    const client = startSession([process.execPath, fixtureServer("odd.mjs"), "junk"])
    await initialize(client)
    client.send('{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"plain"}}')
    const { text } = await client.receive((message) => message.id === "x")
    assert.strictEqual(
      text,
      '{"jsonrpc":"2.0","id":"x", "result" : {"content":[{"type":"hologram","n":1e400,"z":-0,"i":12345678901234567890}],"content":[],"vendor":{"b":1,"a":2}}}'
    )
    assert.strictEqual(await client.close(), 0)
  })

  it("carries 30 MB", async () => {
    const client = startSession([process.execPath, fixtureServer("odd.mjs")])
    await initialize(client)
    const bytes = 30_000_000
    const { message } = await client.request("tools/call", { name: "big", arguments: { bytes } })
    const { content } = message.result as { content: ReadonlyArray<{ text: string }> }
    assert.strictEqual(content[0]?.text.length, bytes)
    await client.close()
  })
})
