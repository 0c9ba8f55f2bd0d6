import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readManifest } from "../../../src/domain/documents/export/ExportManifest.ts"
import { type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { initialize, root, startWrapper } from "../../fixtures/RawClient.ts"

const KEY = "sk-ant-secret-0123456789abcdef"
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-export-dir-"))
const weather = [process.execPath, join(root, "examples/weather-server.mjs")]

const page = (words: string): string => `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show((data, ctx) => header("${words}"))
</script>
`

let model: ModelStandIn
beforeAll(async () => {
  model = await startModelStandIn({
    answer: (_request, index) => ({ text: page(index === 0 ? "As generated" : "As refined") })
  })
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

const start = async (out: string, server = weather) => {
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url }
  const client = startWrapper(server, { flags: ["--export-dir", out], env })
  await initialize(client)
  await client.request("tools/list")
  return client
}

const uisIn = (out: string) => readManifest(readFileSync(join(out, "manifest.json"), "utf8"))?.uis ?? []

it("with --export-dir every UI is in the folder when it is accepted, with the calls that were seen", async () => {
  const out = join(folder, "uis")
  const client = await start(out)
  await client.request("tools/call", { name: "get_forecast", arguments: { location: "Oslo" } })
  await client.request("resources/read", { uri: "ui://get_forecast" })
  await client.request("tools/call", {
    name: "_ui_refine",
    arguments: { toolName: "get_forecast", feedback: "Bigger" }
  })
  await client.close()

  assert.include(readFileSync(join(out, "sources/get_forecast.html"), "utf8"), "As refined")
  const saved = readFileSync(join(out, "get_forecast.html"), "utf8")
  assert.include(saved, `"args":{"location":"Oslo"}`)
  assert.notInclude(saved + readFileSync(join(out, "manifest.json"), "utf8"), KEY)
  const uis = uisIn(out)
  assert.deepStrictEqual(
    uis.map(({ refinements, shows, tool, version }) => ({ tool, version, refinements, shows })),
    [{ tool: "get_forecast", version: 2, refinements: ["Bigger"], shows: "calls" }]
  )
})

it("two wrappers that share a folder each keep their own UI of a tool with the same name", async () => {
  const out = join(folder, "shared")
  const twin = join(folder, "twin-server.mjs")
  copyFileSync(join(root, "examples/weather-server.mjs"), twin)
  for (const server of [weather, [process.execPath, twin]]) {
    const client = await start(out, server)
    await client.request("resources/read", { uri: "ui://get_forecast" })
    await client.close()
  }
  const uis = uisIn(out)
  assert.deepStrictEqual(
    uis.map(({ server, tool }) => [tool, server?.name.split(" ").at(-1)]),
    [
      ["get_forecast", "twin-server.mjs"],
      ["get_forecast", "weather-server.mjs"]
    ]
  )
  const paths = uis.flatMap(({ files }) => files.map(({ path }) => path))
  assert.strictEqual(new Set(paths).size, 4)
  for (const path of paths) assert.isTrue(existsSync(join(out, path)), path)
})

it("a folder that can not be written costs a warning, and no read", async () => {
  const out = join(folder, "a-file")
  writeFileSync(out, "")
  const client = await start(out)
  for (const name of ["get_forecast", "get_current_weather"]) {
    const { message } = await client.request("resources/read", { uri: `ui://${name}` })
    assert.isDefined(message.result)
  }
  await client.close()
  assert.strictEqual(client.log().match(/was not exported/g)?.length, 1)
})
