import { assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { bin } from "../fixtures/RawClient.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-bin-"))
afterAll(() => rmSync(folder, { recursive: true }))

const runAs = (version: string, file: string) => {
  const fake = `const versions = { ...process.versions, node: ${JSON.stringify(version)} }
    Object.defineProperty(process, "versions", { value: versions })`
  const preload = `data:text/javascript,${encodeURIComponent(fake)}`
  return spawnSync(process.execPath, ["--import", preload, file, "--version"], { encoding: "utf8" })
}

describe("bin/mcp-gen-ui.mjs", () => {
  it("is written in what Node 14 can parse", () => {
    const source = readFileSync(bin, "utf8")
    parse(source, { ecmaVersion: 2020, sourceType: "module", allowHashBang: true })
    assert.notMatch(source, /from "node:/)
  })

  for (const version of ["14.21.3", "18.20.0", "20.20.2", "22.18.0"]) {
    it(`refuses Node ${version} in one line`, () => {
      const { status, stderr, stdout } = runAs(version, bin)
      assert.strictEqual(status, 1)
      assert.strictEqual(stdout, "")
      assert.match(
        stderr,
        /^mcp-gen-ui: Node [\d.]+ is too old; 22\.19 or newer is needed\. .*https:\/\/nodejs\.org.*\n$/
      )
      assert.include(stderr, `Node ${version} `)
    })
  }

  for (const version of ["22.19.0", "23.0.0", "24.1.0"]) {
    it(`takes Node ${version}`, () => {
      const { status, stderr, stdout } = runAs(version, bin)
      assert.strictEqual(stderr, "")
      assert.strictEqual(status, 0)
      assert.match(stdout, /^mcp-gen-ui \d/)
    })
  }

  it("says what to do in a checkout that was not built", () => {
    const copy = join(folder, "bin", "mcp-gen-ui.mjs")
    mkdirSync(join(folder, "bin"))
    copyFileSync(bin, copy)
    const { status, stderr } = runAs("24.1.0", copy)
    assert.strictEqual(status, 1)
    assert.match(stderr, /^mcp-gen-ui: .*cli\.mjs is missing; in a checkout, run "npm run build" first\.\n$/)
  })
})
