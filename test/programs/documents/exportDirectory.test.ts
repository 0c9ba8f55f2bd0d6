import { assert, it } from "@effect/vitest"
import { copyFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readManifest } from "../../../src/domain/documents/export/ExportManifest.ts"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { root, weather } from "../../fixtures/RawClient.ts"
import { KEY, pageTitled, startWithModel } from "../../fixtures/wrapperWithModel.ts"

/** The wrapper with `--export-dir`. */
const start = async (out: string, server = weather) => {
  const host = await startWithModel({
    answer: (index) => ({ text: pageTitled(index === 0 ? "As generated" : "As refined") }),
    server,
    flags: ["--export-dir", out]
  })
  await host.list("tools")
  return host
}

const uisIn = (out: string) => readManifest(readFileSync(join(out, "manifest.json"), "utf8"))?.uis ?? []

it("with --export-dir every UI is in the folder when it is accepted, with the calls that were seen", async () => {
  const out = join(testFolder(), "uis")
  const { call, client, read } = await start(out)
  await call("get_forecast", { location: "Oslo" })
  await read("get_forecast")
  await call("_ui_refine", { toolName: "get_forecast", feedback: "Bigger" })
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
  const folder = testFolder()
  const out = join(folder, "shared")
  const twin = join(folder, "twin-server.mjs")
  copyFileSync(join(root, "examples/weather-server.mjs"), twin)
  for (const server of [weather, [process.execPath, twin]]) {
    const { client, read } = await start(out, server)
    await read("get_forecast")
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

it("a folder that cannot be written costs a warning, and no read", async () => {
  const { client } = await start(fileIn(testFolder(), "a-file", ""))
  for (const name of ["get_forecast", "get_current_weather"]) {
    const { message } = await client.request("resources/read", { uri: `ui://${name}` })
    assert.isDefined(message.result)
  }
  await client.close()
  assert.strictEqual(client.log().match(/was not exported/g)?.length, 1)
})
