import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { weather } from "../../fixtures/RawClient.ts"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"

const packaged = (path: string): Array<string> => [
  process.execPath,
  fileURLToPath(new URL(`../../../node_modules/@modelcontextprotocol/${path}`, import.meta.url))
]

const uisOf = (server: string): ReadonlyArray<string> =>
  readdirSync(new URL(`../../../library/${server}`, import.meta.url))
    .filter((name) => name.endsWith(".html"))
    .map((name) => name.slice(0, -".html".length))
    .sort()

const env = { MCP_GEN_UI_NO_LIBRARY: "" }

describe("servers as they are installed, without a model", () => {
  it.each<[string, Array<string>]>([
    ["filesystem", [...packaged("server-filesystem/dist/index.js"), tmpdir()]],
    ["memory", packaged("server-memory/dist/index.js")],
    ["everything", [...packaged("server-everything/dist/index.js"), "stdio"]],
    ["weather", weather]
  ])("%s has the UIs of the library, and no others", async (server, command) => {
    const client = await overStdio("legacy", command, { env })
    await client.listTools()
    const { tools } = (await sdkHost(client).ask("_ui_list")) as { tools: ReadonlyArray<Record<string, unknown>> }
    const finished = tools.filter(({ status }) => status === "library").map(({ name }) => String(name))
    assert.deepStrictEqual(finished.sort(), uisOf(server))
    assert.isFalse(tools.some(({ status }) => status === "generated"))
  })

  it("serve them as a version that can be told from others, and refuse to refine them", async () => {
    const { ask, call, read } = sdkHost(await overStdio("legacy", weather, { env, flags: ["--llm", "none"] }))
    const toolName = "get_forecast"
    assert.include(await read(toolName), "Rain on")
    assert.deepInclude(await ask("_ui_inspect", { toolName }), { status: "library", provider: "library", version: 1 })
    const { versions } = (await ask("_ui_history", { toolName })) as { versions: ReadonlyArray<object> }
    assert.deepInclude(versions[0], { number: 1, origin: "library", current: true, model: null })
    const refused = await call("_ui_refine", { toolName, feedback: "larger" })
    assert.isTrue(refused.isError)
    assert.include(await read(toolName), "Rain on")
  })

  it.each<[string, Parameters<typeof overStdio>[2]]>([
    ["--no-library", { env, flags: ["--no-library"] }],
    ["MCP_GEN_UI_NO_LIBRARY", { env: { MCP_GEN_UI_NO_LIBRARY: "1" } }]
  ])("have the built-in UI with %s", async (_, options) => {
    const { ask, read } = sdkHost(await overStdio("legacy", weather, options))
    assert.notInclude(await read("get_forecast"), "Rain on")
    assert.deepInclude(await ask("_ui_inspect", { toolName: "get_forecast" }), { status: "built-in" })
  })
})
