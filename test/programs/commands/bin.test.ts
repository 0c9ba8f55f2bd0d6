import { assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync
} from "node:fs"
import { join } from "node:path"
import { fileFolder, testFolder } from "../../fixtures/folders.ts"
import { bin } from "../../fixtures/RawClient.ts"

const folder = fileFolder()

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
    assert.notMatch(source, /^import /m, "its modules may not be there")
  })

  for (const version of ["14.21.3", "20.20.2", "22.18.0"]) {
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

  for (const version of ["22.19.0", "24.1.0"]) {
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

/** What the version is printed with: a folder for caches and one for temporary files, both empty, and our own in the first. */
const withFolders = () => {
  const base = testFolder()
  const home = join(base, "cache")
  const shared = join(base, "tmp")
  for (const path of [home, shared]) mkdirSync(path, { mode: 0o700 })
  const ours = join(home, "mcp-gen-ui", "compiled")
  return {
    base,
    shared,
    ours,
    make: (mode: number) => {
      mkdirSync(ours, { recursive: true, mode: 0o700 })
      chmodSync(ours, mode)
    },
    run: (more: Readonly<Record<string, string>> = {}) => {
      const { NODE_COMPILE_CACHE: _, ...environment } = process.env
      const env = { ...environment, XDG_CACHE_HOME: home, TMPDIR: shared, ...more }
      const { status, stderr } = spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8", env })
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.deepStrictEqual(readdirSync(shared), [], "a folder that everybody shares")
    }
  }
}

describe.skipIf(process.platform === "win32")("compiled code", () => {
  it("is kept in a folder of our own, and nowhere else", () => {
    const { ours, run } = withFolders()
    run()
    assert.isNotEmpty(readdirSync(ours))
    for (const path of [ours, join(ours, "..")]) assert.strictEqual(statSync(path).mode & 0o777, 0o700)
    run()
  })

  for (const mode of [0o777, 0o770, 0o1777]) {
    it(`is kept nowhere if others can write to that folder (${mode.toString(8)})`, () => {
      const { make, ours, run } = withFolders()
      make(mode)
      run()
      assert.deepStrictEqual(readdirSync(ours), [])
    })
  }

  it("is kept nowhere if others can put another folder in its place", () => {
    const { make, ours, run } = withFolders()
    make(0o700)
    chmodSync(join(ours, ".."), 0o777)
    run()
    assert.deepStrictEqual(readdirSync(ours), [])
  })

  it("is kept nowhere behind a link", () => {
    const { base, ours, run } = withFolders()
    const elsewhere = join(base, "elsewhere")
    mkdirSync(elsewhere, { mode: 0o700 })
    mkdirSync(join(ours, ".."), { mode: 0o700 })
    symlinkSync(elsewhere, ours)
    run()
    assert.deepStrictEqual(readdirSync(elsewhere), [])
  })

  it.runIf(process.getuid?.() === 0)("is kept nowhere if the folder is another user's", () => {
    const { make, ours, run } = withFolders()
    make(0o700)
    chownSync(ours, 12_345, 12_345)
    run()
    assert.deepStrictEqual(readdirSync(ours), [])
  })

  it("is kept nowhere if there is no place for such a folder", () => {
    const { run } = withFolders()
    for (const XDG_CACHE_HOME of ["/proc/mcp-gen-ui", "/dev/null", "/no/such/folder"]) run({ XDG_CACHE_HOME })
  })

  it("is kept where Node's own variables say, or not at all", () => {
    const { base, ours, run } = withFolders()
    const told = join(base, "told")
    run({ NODE_COMPILE_CACHE: told })
    assert.isNotEmpty(readdirSync(told))
    run({ NODE_DISABLE_COMPILE_CACHE: "1" })
    assert.isFalse(existsSync(ours))
  })
})
