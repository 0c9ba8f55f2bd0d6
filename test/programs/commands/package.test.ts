import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { inflateRawSync } from "node:zlib"
import { onTestFinished } from "vitest"
import { fileFolder, testFolder } from "../../fixtures/folders.ts"
import { appsCapability, root } from "../../fixtures/RawClient.ts"
import { startModel } from "../../fixtures/wrapperWithModel.ts"

const folder = fileFolder()
const clone = join(folder, "clone")
const modules = join(folder, "elsewhere", "node_modules")
const installed = join(modules, "mcp-gen-ui")
const bin = join(installed, "bin", "mcp-gen-ui.mjs")
const forecasts = ["--", process.execPath, join(installed, "examples", "weather-server.mjs")]
/** A whole build takes its time on a busy machine. */
const BUILD_MS = 300_000

/** What the image is built from is enough to make the package. */
const SOURCES = [...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/^COPY (?!--)(.*) \.\/[a-z]*$/gm)].flatMap(
  ([, paths = ""]) => paths.split(" ")
)

let unpackedBytes = Infinity
let version = ""

beforeAll(() => {
  for (const name of SOURCES) cpSync(join(root, name), join(clone, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  assert.isFalse(existsSync(join(clone, "dist")))
  const words = ["pack", "--json", "--pack-destination", folder]
  const [packed] = JSON.parse(execFileSync("npm", words, { cwd: clone, encoding: "utf8", stdio: "pipe" }))
  unpackedBytes = packed.unpackedSize
  version = packed.version
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", installed, "--strip-components=1"])
}, BUILD_MS)

const run = (...words: ReadonlyArray<string>) =>
  execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8" })

const unzip = (file: string, target: string) => {
  const archive = readFileSync(file)
  for (let at = 0; archive.readUInt32LE(at) === 0x04_03_4b_50;) {
    const start = at + 30 + archive.readUInt16LE(at + 26)
    const path = join(target, archive.toString("utf8", at + 30, start))
    at = start + archive.readUInt32LE(at + 18)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, inflateRawSync(archive.subarray(start, at)))
  }
}

const PAGE = `<!-- rich -->
<script type="module">
import { show, table } from "mcp-gen-ui/parts"
show((data) => [table(data.days)])
</script>
`

describe("the package, packed where nothing was built and installed where nothing else is", () => {
  it("is below 9 MB and needs no other", () => {
    assert.isBelow(unpackedBytes, 9_000_000)
    assert.isUndefined(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).dependencies)
  })

  it("becomes a bundle for Claude Desktop that runs", () => {
    execFileSync(process.execPath, ["scripts/mcpb.ts"], { cwd: clone, stdio: "pipe" })
    const bundle = join(folder, "bundle")
    unzip(join(clone, `mcp-gen-ui-${version}.mcpb`), bundle)
    const { server, user_config } = JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8"))
    assert.hasAllKeys(user_config, ["server", "provider", "key"])
    assert.include(run(join(bundle, server.entry_point), "--version"), version)
  })

  it("has what its README links to", () => {
    const readme = readFileSync(join(installed, "README.md"), "utf8")
    const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path)
    assert.isAbove(linked.length, 20)
    assert.deepStrictEqual(
      linked.filter((path) => !existsSync(join(installed, path))),
      []
    )
  })

  it("has the licence of every package that is bundled", () => {
    const licences = readFileSync(join(installed, "dist", "THIRD-PARTY-LICENSES.txt"), "utf8")
    for (const name of ["effect", "zod", "openai", "@redis/client", "@modelcontextprotocol/ext-apps"]) {
      assert.match(licences, new RegExp(`^${name} \\d[^ ]* \\([^)]+\\)\\n\\n.{10}`, "ms"), name)
    }
  })

  it("runs", () => {
    assert.match(run(bin, "--version"), /^mcp-gen-ui \d+\.\d+\.\d+/)
    assert.include(run(bin, "--help"), "mcp-gen-ui")
  })

  it.for([
    { provider: "anthropic", path: "" },
    { provider: "openai", path: "/v1" },
    { provider: "ollama", path: "" }
  ])("serves what $provider writes", async ({ path, provider }) => {
    const { model } = await startModel(PAGE)
    const client = new Client({ name: "test", version: "1" }, { capabilities: appsCapability })
    onTestFinished(() => client.close())
    const name = provider.toUpperCase()
    const env = {
      HOME: testFolder(),
      [`${name}_API_KEY`]: "a-key",
      [`${name}_BASE_URL`]: `${model.url}${path}`,
      OLLAMA_HOST: model.url
    }
    const flags = ["--llm", provider, "--model", "a-model"]
    const args = [bin, ...flags, ...forecasts]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }))
    const { contents } = await client.readResource({ uri: "ui://get_forecast" })
    assert.include(JSON.stringify(contents), "[table(data.days)]")
    const { structuredContent } = await client.callTool({ name: "get_forecast", arguments: { location: "Oslo" } })
    assert.property(structuredContent, "days")
  })

  it("is a library beside nothing but effect", () => {
    const types = join(installed, "dist", "types")
    const declarations = globSync("**/*.d.ts", { cwd: types }).map((file) => readFileSync(join(types, file), "utf8"))
    assert.include(declarations.join("\n"), 'from "effect"')
    assert.notMatch(declarations.join("\n"), /^(?:im|ex)port .* from "(?!\.|effect"|node:)/m)
    symlinkSync(join(root, "node_modules", "effect"), join(modules, "effect"))
    const program = `import * as library from "mcp-gen-ui"; console.log(typeof library.layerUiLibrary)`
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: join(modules, "..") })
  })
})
