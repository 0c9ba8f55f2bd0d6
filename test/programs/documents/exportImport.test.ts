import { assert, describe } from "@effect/vitest"
import { Cause, Effect, Exit, Runtime } from "effect"
import { TestConsole } from "effect/testing"
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { readManifest } from "../../../src/domain/documents/export/ExportManifest.ts"
import { type ExportArguments, runExport } from "../../../src/programs/commands/export.ts"
import { type ImportArguments, runImport } from "../../../src/programs/commands/import.ts"
import { type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { fileFolder } from "../../fixtures/folders.ts"
import { initialize, noModel, root, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const folder = fileFolder()
const KEY = "sk-ant-secret-0123456789abcdef"

const answer = `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show((data, ctx) => [header("Weather as it was written")])
</script>
`

let model: ModelStandIn
let names = 0
let place = ""

beforeAll(async () => {
  Object.assign(process.env, noModel, { EXPORT_TEST_KEY: KEY })
  model = await startModelStandIn({ answer })
})
afterAll(async () => {
  await model.close()
})
beforeEach(() => {
  place = join(folder, String((names += 1)))
  mkdirSync(place)
})

/** A server with one tool, of this name. */
const longServer = (name: string): string => `
import { createInterface } from "node:readline"
const tools = [{ name: ${JSON.stringify(name)}, inputSchema: { type: "object" } }]
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "long", version: "1" } },
  "tools/list": { tools }
}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? {} }))
})
`

const configFile = (): string => {
  const file = join(place, "config.json")
  writeFileSync(
    file,
    JSON.stringify({
      llm: { provider: "anthropic", apiKey: "${EXPORT_TEST_KEY}", baseUrl: model.url },
      generation: { onTimeout: "continue" }
    })
  )
  return file
}

/** What a command answers: its exit as far as it matters, and what it printed on standard output. */
const outcome = Effect.fnUntraced(function* <E>(command: Effect.Effect<void, E>) {
  const exit = yield* Effect.exit(command)
  const printed = (yield* TestConsole.logLines).join("\n")
  const said = (yield* TestConsole.errorLines).join("\n")
  const failure = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  const code = failure === undefined ? 0 : Runtime.getErrorExitCode(failure)
  return { code, printed, said, failure: failure instanceof Error ? failure.message : failure }
})

const exporting = (more: Partial<ExportArguments> = {}) =>
  outcome(runExport({ command: weather, flags: {}, out: join(place, "out"), tools: undefined, ...more })).pipe(
    Effect.provide(TestConsole.layer)
  )
const importing = (more: Partial<ImportArguments> = {}) =>
  outcome(runImport({ command: weather, flags: {}, from: join(place, "out"), tool: undefined, ...more })).pipe(
    Effect.provide(TestConsole.layer)
  )

const written = (path: string): string => readFileSync(join(place, "out", path), "utf8")

describe("mcp-gen-ui export", () => {
  itLive("writes a page for every tool without any model, and says so in a table", function* () {
    const { failure, printed } = yield* exporting()
    assert.isUndefined(failure)
    const lines = printed.split("\n")
    assert.match(lines[0] ?? "", /^TOOL +UI +FILES$/)
    assert.match(printed, /^get_forecast +built-in +get_forecast\.html$/m)
    const manifest = readManifest(written("manifest.json"))
    assert.strictEqual(manifest?.uis.length, lines.length - 1)
    for (const ui of manifest?.uis ?? [])
      assert.deepStrictEqual(
        ui.files.map(({ path }) => path),
        [`${ui.tool}.html`]
      )
    assert.deepStrictEqual(readdirSync(join(place, "out", "sources")), [])
  })

  itLive("writes only the tools that a glob names, with their sources, and no key", function* () {
    const asked = model.requests.length
    const flags = { config: configFile() }
    const { failure, printed } = yield* exporting({ flags, tools: "get_f*" })
    assert.isUndefined(failure)
    assert.match(printed, /^get_forecast +generated +get_forecast\.html, sources\/get_forecast\.html$/m)
    assert.strictEqual(model.requests.length - asked, 1)
    assert.sameMembers(readdirSync(join(place, "out")), ["get_forecast.html", "manifest.json", "sources"])
    assert.include(written("sources/get_forecast.html"), "Weather as it was written")
    const [ui] = readManifest(written("manifest.json"))?.uis ?? []
    assert.deepInclude(ui, { tool: "get_forecast", uri: "ui://get_forecast", version: 1, level: 0, uiType: "rich" })
    assert.strictEqual(ui?.provider, "anthropic")
    assert.isAbove(ui?.tokens?.outputTokens ?? 0, 0)
    for (const path of ["manifest.json", "get_forecast.html"]) assert.notInclude(written(path), KEY)
  })

  itLive("leaves files alone that it did not write, and fails for these", function* () {
    mkdirSync(join(place, "out"))
    writeFileSync(join(place, "out/get_forecast.html"), "mine")
    const { failure, printed } = yield* exporting()
    assert.strictEqual(failure, "1 of 8 UIs could not be written")
    assert.match(printed, /get_forecast +built-in +not written: get_forecast\.html is there, and was not exported/)
    assert.strictEqual(written("get_forecast.html"), "mine")
    assert.isTrue(readdirSync(join(place, "out")).includes("get_current_weather.html"))
  })

  itLive("says that no tool is named so", function* () {
    const { failure } = yield* exporting({ tools: "nothing*" })
    assert.match(String(failure), /no tool of the server is named like "nothing\*"/)
  })
})

describe("mcp-gen-ui import", () => {
  itLive("takes an edited source back: the next read serves it, as a version of its own", function* () {
    const config = configFile()
    const cacheDir = join(place, "cache")
    const flags = { config, cacheDir }
    assert.isUndefined((yield* exporting({ flags, tools: "get_forecast" })).failure)
    assert.match((yield* importing({ flags })).printed, /^get_forecast +unchanged/m)

    const path = join(place, "out/sources/get_forecast.html")
    writeFileSync(path, readFileSync(path, "utf8").replace("as it was written", "as I like it"))
    const { failure, printed } = yield* importing({ flags })
    assert.isUndefined(failure)
    assert.match(printed, /^get_forecast +accepted$/m)
    const entry = readdirSync(cacheDir).find((name) => name.endsWith(".ui.json")) ?? ""
    assert.include(readFileSync(join(cacheDir, entry), "utf8"), `"level":0,"repairs":[]`)

    const asked = model.requests.length
    const client = startSession(weather, { flags: ["--config", config, "--cache-dir", cacheDir] })
    yield* Effect.promise(() => initialize(client))
    yield* Effect.promise(() => client.request("tools/list"))
    const read = yield* Effect.promise(() => client.request("resources/read", { uri: "ui://get_forecast" }))
    assert.include(read.text, "Weather as I like it")
    assert.strictEqual(model.requests.length, asked)
    yield* Effect.promise(client.close)
    // What was edited and imported is the UI now, so it can be exported again.
    assert.match((yield* exporting({ flags, tools: "get_forecast" })).printed, /made by hand +get_forecast\.html/)
    assert.include(written("get_forecast.html"), "Weather as I like it")
  })

  itLive("refuses what would be refused of a model, with the problems, and takes the rest", function* () {
    const flags = { cacheDir: join(place, "cache") }
    const sources = join(place, "mine")
    mkdirSync(sources)
    writeFileSync(join(sources, "get_forecast.html"), answer)
    writeFileSync(join(sources, "get_current_weather.html"), `<script type="module">import x from "react"</script>`)
    writeFileSync(join(sources, "get_forecasts.html"), answer)
    const { failure, printed } = yield* importing({ flags, from: sources })
    assert.match(String(failure), /^2 of 3 sources were refused/)
    assert.match(printed, /^get_forecast +accepted/m)
    assert.match(printed, /^get_current_weather +refused .*react/m)
    assert.match(
      printed,
      /^get_forecasts +refused +the server has no tool "get_forecasts"; did you mean "get_forecast"\?/m
    )
  })

  itLive("takes one file for a tool that is named, and not an exported page", function* () {
    const flags = { cacheDir: join(place, "cache") }
    const from = join(place, "anything.html")
    writeFileSync(from, answer)
    assert.match((yield* importing({ flags, from, tool: "get_forecast" })).printed, /^get_forecast +accepted/m)
    yield* exporting({ flags, tools: "get_forecast" })
    const page = yield* importing({ flags, from: join(place, "out/get_forecast.html") })
    assert.match(page.printed, /^get_forecast +refused +this is an exported page/m)
  })

  itLive("says what is odd in a folder, and takes the rest", function* () {
    const sources = join(place, "mine")
    mkdirSync(join(sources, "folder.html"), { recursive: true })
    symlinkSync("gone", join(sources, "dangling.html"))
    execFileSync("mkfifo", [join(sources, "pipe.html")])
    writeFileSync(join(sources, "empty.html"), " \n")
    writeFileSync(join(sources, "bytes.html"), Buffer.from([0, 1, 2, 255]))
    writeFileSync(join(sources, "large.html"), "x".repeat(2_000_001))
    writeFileSync(join(sources, "get_forecast.html"), answer)
    const flags = { cacheDir: join(place, "cache") }
    const { failure, printed } = yield* importing({ flags, from: sources })
    assert.match(String(failure), /^6 of 7 sources were refused/)
    assert.match(printed, /^get_forecast +accepted$/m)
    const reasons = {
      folder: "it is a folder, and no file",
      dangling: "it is a link to something that is not there",
      pipe: "it is no ordinary file",
      empty: "it is empty",
      bytes: "it is no text",
      large: "it is larger than 2 MB"
    }
    for (const [name, why] of Object.entries(reasons)) {
      assert.match(printed, new RegExp(`/${name}\\.html +refused +${why}$`, "m"))
    }
    const alone = yield* importing({ flags, from: join(sources, "pipe.html"), tool: "get_forecast" })
    assert.match(String(alone.failure), /^1 of 1 sources were refused/)
  })

  itLive(
    "takes from a folder of two servers what is of its own, and one file of the other where it is told",
    function* () {
      const twin = [process.execPath, join(place, "twin-server.mjs")]
      copyFileSync(join(root, "examples/weather-server.mjs"), join(place, "twin-server.mjs"))
      const flags = { config: configFile(), cacheDir: join(place, "cache") }
      const tools = "get_forecast"
      yield* exporting({ flags, tools })
      const printed = (yield* exporting({ flags, tools, command: twin })).printed
      const [path = ""] = /sources\/get_forecast~[0-9a-f]{8}\.html/.exec(printed) ?? []
      assert.isTrue(existsSync(join(place, "out", path)))
      assert.isTrue(existsSync(join(place, "out/sources/get_forecast.html")))
      const own = yield* importing({ flags, command: twin })
      assert.isUndefined(own.failure)
      assert.match(own.printed, /^get_forecast +unchanged/m)
      assert.match(own.printed, /^get_forecast +left out +exported from another server, \S+ weather-server\.mjs/m)
      const from = join(place, "out/sources/get_forecast.html")
      assert.match((yield* importing({ flags, command: twin, from, tool: tools })).printed, /^get_forecast +unchanged/m)
      // A third one cannot know which of the two is meant.
      copyFileSync(join(root, "examples/weather-server.mjs"), join(place, "third-server.mjs"))
      const third = yield* importing({ flags, command: [process.execPath, join(place, "third-server.mjs")] })
      assert.match(String(third.failure), /^2 of 2 sources were refused/)
    }
  )

  itLive("says that a manifest is damaged, and knows the tools by the names of their files", function* () {
    const flags = { config: configFile(), cacheDir: join(place, "cache") }
    yield* exporting({ flags, tools: "get_forecast" })
    writeFileSync(join(place, "out/manifest.json"), "{")
    const { failure, printed, said } = yield* importing({ flags })
    assert.isUndefined(failure)
    assert.match(printed, /^get_forecast +unchanged/m)
    assert.match(said, /^mcp-gen-ui: manifest\.json is damaged, or was not written by an export/m)
    const again = yield* exporting({ flags, tools: "get_forecast" })
    assert.match(again.printed, /not written: manifest\.json of this folder is damaged/)
  })

  itLive("knows the tool of a file whose name is only its start", function* () {
    const name = "x".repeat(300)
    const server = join(place, "long-server.mjs")
    writeFileSync(server, longServer(name))
    const command = [process.execPath, server]
    const flags = { config: configFile(), cacheDir: join(place, "cache") }
    assert.isUndefined((yield* exporting({ flags, command })).failure)
    const [file = ""] = readdirSync(join(place, "out/sources"))
    assert.match(file, /^x{178}~[0-9a-f]{16}\.html$/)
    assert.match((yield* importing({ flags, command })).printed, /^x{59}… +unchanged/m)
    rmSync(join(place, "out/manifest.json"))
    const from = join(place, "out/sources")
    assert.match((yield* importing({ flags, command, from })).printed, /^x{59}… +unchanged/m)
  })

  itLive("says that nothing was kept where the cache cannot be written, and fails", function* () {
    const from = join(place, "get_forecast.html")
    writeFileSync(from, answer)
    const redis = join(place, "redis.json")
    writeFileSync(redis, JSON.stringify({ cache: { type: "redis", url: "redis://127.0.0.1:1" } }))
    for (const flags of [{ cacheDir: join(from, "cache") }, { config: redis }]) {
      const { code, failure, printed } = yield* importing({ flags, from })
      assert.strictEqual(code, 1)
      assert.match(printed, /^get_forecast +not kept +it could not be written into the cache$/m)
      assert.strictEqual(failure, "1 of 1 sources were refused or not kept")
    }
  })

  itLive("needs a cache that lasts", function* () {
    assert.match(String((yield* importing()).failure), /forgotten when the process ends; name a folder for it/)
    const withoutCache = yield* importing({ flags: { noCache: true, cacheDir: join(place, "cache") } })
    assert.match(String(withoutCache.failure), /forgotten when the process ends/)
  })
})
