import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, describe, it } from "@effect/vitest"
import { root } from "../fixtures/RawClient.ts"
import { type Era, sdkClient } from "../fixtures/sdkHosts.ts"

const cases: ReadonlyArray<{ file: string; era: Era; written: string }> = [
  { file: "sdk1.mjs", era: "legacy", written: "Only items with as many pieces" },
  { file: "sdk1.mjs", era: "negotiating", written: "Only items with as many pieces" },
  { file: "sdk2.mjs", era: "legacy", written: 'header(\\"Warehouse\\")' },
  { file: "sdk2.mjs", era: "modern", written: 'header(\\"Warehouse\\")' }
]

describe("examples/wrap-server", () => {
  it.for(cases)("$file gives its own tool a UI, $era", async ({ era, file, written }) => {
    const client = sdkClient(era)
    const args = [`${root}examples/wrap-server/${file}`]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }))
    const { tools } = await client.listTools()
    assert.deepNestedInclude(tools[0], { name: "list_stock", "_meta.ui.resourceUri": "ui://list_stock" })
    assert.include(
      tools.map(({ name }) => name),
      "_ui_refine"
    )
    const { contents } = await client.readResource({ uri: "ui://list_stock" })
    assert.include(JSON.stringify(contents), written)
    const { content } = await client.callTool({ name: "list_stock", arguments: {} })
    assert.isNotEmpty(content)
  })
})
