import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CorpusRecord } from "../../../src/programs/generate/CorpusRecord.ts"
import { runHere, startBin } from "../../fixtures/commandLine.ts"
import { fileFolder } from "../../fixtures/folders.ts"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"

const folder = fileFolder()
const corpus = join(folder, "corpus")
mkdirSync(corpus)
const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: "object" } })
const write = (name: string, content: unknown): void => writeFileSync(join(corpus, name), JSON.stringify(content))
write("a-server.json", { package: "a", tools: [tool("list_boats"), tool("get_boat"), { title: "no name" }] })
write("b-answer.json", { jsonrpc: "2.0", id: 1, result: { tools: [tool("list_cars", "long ".repeat(500))] } })
write("c-list.json", [tool("get_plane"), tool("get_plane", "the same again")])
write("a-server.results.json", { calls: [] })
write("INDEX.json", { entries: [] })

const page = `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show(() => header("Boats"))
</script>
`

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(["generate", ...args], { cwd: folder, env })
const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  startBin(["generate", ...args], { cwd: folder, env })

const linesOf = (text: string): ReadonlyArray<CorpusRecord> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as CorpusRecord)

describe("mcp-gen-ui generate --corpus", () => {
  it("writes the sizes of the prompts of every tool, and a table of all, without a model", async () => {
    const { status, stderr, stdout } = await run(["--corpus", corpus], { ANTHROPIC_API_KEY: "sk-ant-not-asked" })
    assert.strictEqual(status, 0, stderr)
    const records = linesOf(stdout)
    assert.deepStrictEqual(
      records.map(({ server, tool: name }) => `${server} ${name}`),
      ["a-server list_boats", "a-server get_boat", "b-answer list_cars", "c-list get_plane"]
    )
    for (const { characters, tokens, ...more } of records) {
      assert.deepStrictEqual(Object.keys(more), ["server", "tool"])
      assert.isAtMost(tokens.system, 3300)
      assert.isBelow(tokens.tool, characters.tool / 2)
    }
    const [first, , third] = records
    assert.isAbove(third?.characters.tool ?? 0, (first?.characters.tool ?? Infinity) + 1500)
    assert.match(stderr, /^4 tools\n +median +p95 +max\nsystem, tokens \(estimated\) +2,\d+ +2,\d+ +2,\d+\n/u)
    assert.match(stderr, /^tool part, characters +\d+ +2,\d+ +2,\d+$/mu)
  })

  it("takes some of the tools, and writes the lines to a file", async () => {
    const out = join(folder, "lines.jsonl")
    const { status, stderr, stdout } = await run([
      "--corpus",
      corpus,
      "--tools",
      "*_boat*",
      "--limit",
      "1",
      "--out",
      out
    ])
    assert.deepStrictEqual([status, stderr], [0, ""])
    assert.match(stdout, /^1 tool\n/)
    assert.deepStrictEqual(
      linesOf(readFileSync(out, "utf8")).map((record) => record.tool),
      ["list_boats"]
    )
  })

  it("asks the model that it is told, and says what became of each tool", async () => {
    const model = await startModelStandIn({
      answer: ({ body }) => {
        if (JSON.stringify(body).includes("name: get_boat")) return { text: "<!-- minimal -->" }
        if (JSON.stringify(body).includes("name: list_cars")) return { text: "I cannot do that." }
        return { text: page }
      }
    })
    try {
      const { status, stderr, stdout } = await run(["--corpus", corpus, "--llm", "anthropic"], {
        ANTHROPIC_API_KEY: "sk-ant-0123456789",
        ANTHROPIC_BASE_URL: model.url
      })
      assert.strictEqual(status, 0, stderr)
      const made = new Map(linesOf(stdout).map((record) => [record.tool, record]))
      assert.deepInclude(made.get("list_boats"), { verdict: "rich", level: 0, failure: null, repairs: [] })
      assert.deepInclude(made.get("get_boat"), { verdict: "minimal", level: 0, failure: null })
      assert.deepInclude(made.get("list_cars"), { verdict: null, level: 2 })
      assert.include(["REJECTED", "PROMPT_INJECTION"], made.get("list_cars")?.failure?.code)
      assert.isAbove(made.get("list_boats")?.outputTokens ?? 0, 0)
      assert.isAtLeast(made.get("list_boats")?.seconds ?? -1, 0)
      assert.match(stderr, /^output tokens +\d+ +\d+ +\d+$/mu)
      assert.match(stderr, /^verdicts: (?:REJECTED|PROMPT_INJECTION) 1, minimal 1, rich 2\nlevels: 0 3, 2 1$/mu)
      assert.notInclude(stdout + stderr, "sk-ant-0123456789")
    } finally {
      await model.close()
    }
  })

  it("writes what there is when it is interrupted", async () => {
    const model = await startModelStandIn({
      answer: ({ body }) =>
        JSON.stringify(body).includes("name: list_boats") ? { text: page } : { fault: "hang-before-headers" }
    })
    try {
      const { child, ended } = start(["--corpus", corpus, "--llm", "anthropic"], {
        ANTHROPIC_API_KEY: "sk-ant-0123456789",
        ANTHROPIC_BASE_URL: model.url
      })
      child.stdout.once("data", () => child.kill("SIGINT"))
      const { status, stderr, stdout } = await ended
      assert.strictEqual(status, 130)
      assert.deepStrictEqual(
        linesOf(stdout).map((record) => record.tool),
        ["list_boats"]
      )
      assert.match(stderr, /^1 tool\n/u)
    } finally {
      await model.close()
    }
  })

  it("ends at once when it is told to, also where no model is waited for", async () => {
    const large = join(folder, "large")
    mkdirSync(large)
    const tools = Array.from({ length: 20_000 }, (_, at) => tool(`tool_${at}`))
    writeFileSync(join(large, "server.json"), JSON.stringify(tools))
    const { child, ended } = start(["--corpus", large])
    child.stdout.once("data", () => child.kill("SIGTERM"))
    const { status, stderr, stdout } = await ended
    assert.strictEqual(status, 143)
    assert.isBelow(linesOf(stdout).length, tools.length)
    assert.match(stderr, /^[\d,]+ tools?\n/u)
  })

  const broken = join(folder, "broken")
  mkdirSync(broken)
  writeFileSync(join(broken, "server.json"), '{"tools": ')
  const listless = join(folder, "listless")
  mkdirSync(listless)
  writeFileSync(join(listless, "server.json"), '{"tools": 3}')
  const empty = join(folder, "empty")
  mkdirSync(empty)

  const slips: ReadonlyArray<readonly [string, ReadonlyArray<string>, RegExp]> = [
    ["no folder", [], /--corpus/],
    ["a folder that is not there", ["--corpus", "nope"], /--corpus: nope: does not exist/],
    ["a file that is not JSON", ["--corpus", broken], /server\.json: is not JSON/],
    ["a file without a list", ["--corpus", listless], /server\.json: there is no list of tools in it/],
    ["tools that are not there", ["--corpus", corpus, "--tools", "zz*"], /--tools: "zz\*" matches none .* \(4 found\)/],
    ["a folder without tools", ["--corpus", empty], /there are no tools in it/],
    [
      "a limit that is none",
      ["--corpus", corpus, "--limit", "0"],
      /--limit: found "0"; allowed: a whole number above 0/
    ],
    ["a server", ["--corpus", corpus, "--", "node", "x.js"], /--: stands beside generate, which starts no server/],
    ["a file that cannot be written", ["--corpus", corpus, "--out", "no/such/file"], /--out: no\/such\/file cannot/]
  ]
  for (const [name, args, message] of slips) {
    it(`ends with 2 for ${name}`, async () => {
      const { status, stderr, stdout } = await run(args)
      assert.match(stderr, message)
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.isFalse(existsSync(join(folder, "no")))
    })
  }
})
