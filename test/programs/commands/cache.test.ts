import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cachePath } from "../../../src/adapters/cache/cacheDirectory.ts"
import { entryText } from "../../../src/adapters/cache/uiEntryText.ts"
import { runBin, runHere } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { keyOf, uiEntry } from "../../fixtures/uiEntry.ts"

const folder = fileFolder()

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(["cache", ...args], { cwd: folder, env })

const ODD = "a/../b \u001B[2J\u202E%s"
const SOURCE = '<script type="module">// \u001B[31mred\u001B[0m\n</script>'

let folders = 0

/** Two UIs of `tool` (the second used last), one of a tool with an odd name, one built-in, and files that are none. */
const filled = (): string => {
  const directory = join(folder, `cache ${(folders += 1)}`)
  mkdirSync(directory)
  const usage = { inputTokens: 1000, outputTokens: 200 }
  const entries = [
    uiEntry("first", { source: SOURCE, usage, createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) }),
    uiEntry("second", { refinements: ["bigger"], level: 1, usage }),
    uiEntry("odd", { toolName: ODD, usage: null }),
    uiEntry("built in", {
      toolName: "plain",
      source: null,
      model: null,
      usage: null,
      fallback: { code: "TIMEOUT", message: "It took too long.", transient: true }
    })
  ]
  entries.forEach((entry, index) => {
    const path = cachePath(directory, entry.key)
    writeFileSync(path, entryText(entry))
    utimesSync(path, 1_700_000_000 + index, 1_700_000_000 + index)
  })
  writeFileSync(cachePath(directory, keyOf("cut")), entryText(uiEntry("cut")).slice(0, -40))
  writeFileSync(cachePath(directory, keyOf("other")), '{"mcp-gen-ui":99,"sha256":"-"}\n{}\n')
  writeFileSync(join(directory, "notes.ui.json"), "mine")
  writeFileSync(join(directory, "README.md"), "mine")
  mkdirSync(join(directory, `${keyOf("folder")}.ui.json`))
  return directory
}

const STRANGERS = ["README.md", `${keyOf("folder")}.ui.json`, "notes.ui.json"].toSorted()

describe("mcp-gen-ui cache", () => {
  it("lists what there is, those used last first, and what it cannot read", async () => {
    const directory = filled()
    const { status, stderr, stdout } = await run(["ls", "--cache-dir", directory])
    assert.deepStrictEqual([status, stderr], [0, ""])
    const [head = "", ...rows] = stdout.trimEnd().split("\n")
    assert.deepStrictEqual(head.split(/ {2,}/), ["KEY", "TOOL", "KIND", "LEVEL", "MODEL", "REFINED", "SIZE", "CREATED"])
    const cells = rows.map((row) => row.split(/ {2,}/))
    assert.lengthOf(cells, 6)
    assert.deepStrictEqual(
      cells
        .slice(0, 2)
        .map(([key, tool, kind]) => [key, tool, kind])
        .toSorted(),
      [keyOf("cut"), keyOf("other")].map((key) => [key.slice(0, 12), "?", "unreadable"]).toSorted()
    )
    assert.deepStrictEqual(
      cells.slice(2).map(([, tool, kind]) => [tool, kind]),
      [
        ["plain", "built-in (TIMEOUT)"],
        ["a/../b [2J%s", "generated"],
        ["tool", "generated"],
        ["tool", "generated"]
      ]
    )
    assert.strictEqual(cells[5]?.at(-1), "2026-01-02T03:04:05")
    assert.strictEqual(cells[4]?.[5], "1")
    for (const character of ["\u001B", "\u202E"]) assert.notInclude(stdout, character)
    assert.strictEqual(runBin(["cache", "ls", "--cache-dir", directory]).stdout, stdout)
  })

  it("lists the same as JSON, with whole names and keys", async () => {
    const listed: ReadonlyArray<Record<string, unknown>> = JSON.parse(
      (await run(["ls", "--json", "--cache-dir", filled()])).stdout
    )
    assert.deepStrictEqual(
      listed.slice(2).map(({ key, toolName }) => [key, toolName]),
      [
        [keyOf("built in"), "plain"],
        [keyOf("odd"), ODD],
        [keyOf("second"), "tool"],
        [keyOf("first"), "tool"]
      ]
    )
    assert.include(listed[4], { refinements: 1, level: 1, model: "m", kind: "generated" })
  })

  it("shows one by its tool's name, by its key and by the beginning of it", async () => {
    const directory = filled()
    const byName = await run(["show", "tool", "--cache-dir", directory])
    assert.strictEqual(byName.status, 0, byName.stderr)
    assert.include(byName.stdout, keyOf("second"))
    assert.include(byName.stdout, "(the last used of 2; name the others by key)")

    const first = keyOf("first")
    for (const what of [first, first.slice(0, 8)]) {
      const { stdout } = await run(["show", what, "--cache-dir", directory])
      assert.include(stdout, '<script type="module">// [31mred[0m\n</script>')
      assert.notInclude(stdout, "\u001B")
      assert.include(stdout, '"inputTokens": 1000')
    }
    assert.strictEqual(
      JSON.parse((await run(["show", first, "--json", "--cache-dir", directory])).stdout).source,
      SOURCE
    )
    assert.include((await run(["show", "plain", "--cache-dir", directory])).stdout, "(the built-in UI)")
    assert.include((await run(["show", ODD, "--cache-dir", directory])).stdout, keyOf("odd"))
  })

  it("says what there is when there is no such thing, also for too short a key", async () => {
    const directory = filled()
    for (const what of ["nope", keyOf("first").slice(0, 3), keyOf("cut")]) {
      const { status, stderr, stdout } = await run(["show", what, "--cache-dir", directory])
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.strictEqual(
        stderr,
        `mcp-gen-ui: no UI in the cache is of the tool, or under the key, "${what}". There are: plain, a/../b [2J%s, tool.\n`
      )
    }
  })

  it("removes the UIs of a tool, then all, and nothing that is not its own", async () => {
    const directory = filled()
    const names = () => readdirSync(directory).toSorted()
    assert.strictEqual(
      (await run(["clear", "--tool", "tool", "--cache-dir", directory])).stdout,
      "Removed 2 UIs of tool.\n"
    )
    assert.isFalse(existsSync(cachePath(directory, keyOf("first"))))
    assert.lengthOf(names(), 4 + STRANGERS.length)
    assert.strictEqual(
      (await run(["clear", "--tool", ODD, "--cache-dir", directory])).stdout,
      "Removed 1 UI of a/../b [2J%s.\n"
    )
    assert.strictEqual(
      (await run(["clear", "--tool", "tool", "--cache-dir", directory])).stdout,
      "There was nothing of tool to remove.\n"
    )
    assert.strictEqual((await run(["clear", "--cache-dir", directory])).stdout, "Removed 3 UIs.\n")
    assert.deepStrictEqual(names(), STRANGERS)
  })

  it("counts", async () => {
    const directory = filled()
    const { stdout } = await run(["stats", "--json", "--cache-dir", directory])
    const { bytes, ...facts } = JSON.parse(stdout)
    assert.isAbove(bytes, 1000)
    assert.deepStrictEqual(facts, {
      directory,
      entries: 4,
      unreadable: 2,
      tools: 3,
      generated: 3,
      builtIn: 0,
      fallbacks: 1,
      inputTokens: 2000,
      outputTokens: 400
    })
    assert.match((await run(["stats", "--cache-dir", directory])).stdout, /^unreadable +2$/m)
  })

  it("takes an empty folder and a missing one for an empty cache", async () => {
    const empty = join(folder, "empty")
    mkdirSync(empty, { recursive: true })
    for (const directory of [empty, join(folder, "missing")]) {
      assert.strictEqual((await run(["ls", "--cache-dir", directory])).stdout, "The cache is empty.\n")
      assert.strictEqual((await run(["clear", "--cache-dir", directory])).stdout, "There was nothing to remove.\n")
      assert.strictEqual(JSON.parse((await run(["stats", "--json", "--cache-dir", directory])).stdout).entries, 0)
      const shown = await run(["show", "tool", "--cache-dir", directory])
      assert.deepStrictEqual([shown.status, shown.stderr.includes("The cache is empty.")], [2, true])
    }
    assert.isFalse(existsSync(join(folder, "missing")))
  })

  it("finds the folder in the environment, in a file, and in the usual place", async () => {
    const directory = filled()
    const file = fileIn(folder, "config.json", { cache: { directory } })
    const whereIs = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
      JSON.parse((await run(["stats", "--json", ...args], environment)).stdout).directory
    assert.strictEqual(await whereIs([], { MCP_GEN_UI_CACHE_DIR: directory }), directory)
    assert.strictEqual(await whereIs(["--config", file]), directory)
    if (process.platform === "linux") {
      assert.strictEqual(await whereIs([], { XDG_CACHE_HOME: folder }), join(folder, "mcp-gen-ui"))
    }
  })

  it("refuses what is no folder, and what is kept elsewhere", async () => {
    const file = fileIn(folder, "a file", "")
    const noFolder = await run(["ls", "--cache-dir", file])
    assert.deepStrictEqual([noFolder.status, noFolder.stderr], [2, `mcp-gen-ui: ${file} cannot be read (ENOTDIR)\n`])
    const redis = fileIn(folder, "redis.json", { cache: { url: "redis://:secret-0123456789@localhost" } })
    const kept = await run(["ls", "--config", redis])
    assert.strictEqual(kept.status, 2)
    assert.include(kept.stderr, "the UIs are in Redis")
    assert.notInclude(kept.stderr, "secret-0123456789")
  })
})
