import { afterAll, assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestConsole } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readCorpus } from "../../../src/programs/generate/readCorpus.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-corpus-"))
afterAll(() => rmSync(folder, { recursive: true }))

const definitions = JSON.stringify([{ name: "a", inputSchema: { type: "object" } }])
const corpus = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, "good.json"), definitions)
  return path
}

const namesIn = (path: string, glob?: string) =>
  Effect.map(readCorpus(path, glob), (tools) => tools.map(({ server, tool }) => `${server} ${tool.name}`))

describe("readCorpus", () => {
  itEffect("reads a file that begins with a byte order mark", function* () {
    const path = corpus("mark")
    writeFileSync(join(path, "mark.json"), `\uFEFF${definitions}`)
    assert.deepStrictEqual(yield* namesIn(path), ["good a", "mark a"])
  })

  itEffect("passes over folders and pipes, and says so", function* () {
    const path = corpus("unfit")
    mkdirSync(join(path, "a.json"))
    execFileSync("mkfifo", [join(path, "b.json")])
    assert.deepStrictEqual(yield* namesIn(path), ["good a"])
    const lines = yield* TestConsole.errorLines
    assert.match(lines.join("\n"), /a\.json is no file: it is passed over\n.*b\.json is no file/)
  })

  itEffect("refuses a file that is too large, and a glob that matches nothing", function* () {
    const path = corpus("refused")
    const unmatched = yield* Effect.flip(readCorpus(path, "b*"))
    assert.match(unmatched.message, /^--tools: "b\*" matches none of the names of tools in .* \(1 found\)$/)
    writeFileSync(join(path, "large.json"), "")
    truncateSync(join(path, "large.json"), 64_000_001)
    const { message } = yield* Effect.flip(readCorpus(path))
    assert.match(message, /large\.json: is larger than 64000000 bytes$/)
  })
})
