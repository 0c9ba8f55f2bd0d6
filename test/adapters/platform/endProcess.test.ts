import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-end-"))
afterAll(() => rmSync(folder, { recursive: true }))

const pipe = join(folder, "pipe")
execFileSync("mkfifo", [pipe])

const module = new URL("../../../src/adapters/platform/endProcess.ts", import.meta.url).href

const run = (program: string) => {
  const script = `import { endProcess, endProcessWithin } from ${JSON.stringify(module)}
    import { open } from "node:fs/promises"
    const stall = () => void open(${JSON.stringify(pipe)}, "r")
    ${program}`
  const args = ["--input-type=module", "-e", script]
  return spawnSync(process.execPath, args, { encoding: "utf8", timeout: 15_000, killSignal: "SIGABRT" })
}

describe("endProcess", () => {
  it("ends the process with the code", () => {
    assert.strictEqual(run(`setInterval(() => {}, 1000); endProcess(3)`).status, 3)
  })

  it("lets calls of the system come to an end before", () => {
    assert.strictEqual(run(`await Promise.all([open("/", "r"), endProcess(4)])`).status, 4)
  })

  const hanging: Readonly<Record<string, string>> = {
    "a call to a dead folder": "stall()",
    // The lookup waits behind the four others for a thread.
    "the lookup of a name": `const { pbkdf2 } = await import("node:crypto"), { lookup } = await import("node:dns")
      for (let thread = 0; thread < 4; thread += 1) pbkdf2("a", "b", 60_000_000, 64, "sha512", () => {})
      lookup("localhost", () => {})`
  }
  for (const [name, start] of Object.entries(hanging)) {
    it(`does not wait for ${name}, at the price of the exit code`, () => {
      const { signal, status } = run(`${start}; setTimeout(() => endProcess(143), 50)`)
      assert.deepStrictEqual([status, signal], [null, "SIGKILL"])
    })
  }

  it("does so when the time is over", () => {
    assert.strictEqual(run(`setInterval(() => {}, 1000); endProcessWithin(50, 5)`).status, 5)
    assert.strictEqual(run(`stall(); endProcessWithin(50, 5)`).signal, "SIGKILL")
  })

  it("keeps no process alive that could end", () => {
    assert.strictEqual(run(`endProcessWithin(60_000, 5)`).status, 0)
  })
})
