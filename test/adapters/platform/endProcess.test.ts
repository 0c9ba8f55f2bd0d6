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

  it("ends one, too, in which a call of the system is never answered", () => {
    const { signal, status } = run(`stall(); setTimeout(() => endProcess(0), 50)`)
    assert.deepStrictEqual([status, signal], [null, "SIGKILL"])
  })

  it("keeps the exit code where only the lookup of a name is open, and does not wait for it", () => {
    const busy = `const { pbkdf2 } = await import("node:crypto"), { lookup } = await import("node:dns")
      process.env.NODE_OPTIONS = "--no-such-option"
      for (let thread = 0; thread < 4; thread += 1) pbkdf2("a", "b", 60_000_000, 64, "sha512", () => {})
      lookup("localhost", () => {})
      endProcess(143)`
    const { signal, status, stderr } = run(busy)
    assert.deepStrictEqual([status, signal, stderr], [143, null, ""])
  })

  it("does so when the time is over", () => {
    assert.strictEqual(run(`setInterval(() => {}, 1000); endProcessWithin(50, 5)`).status, 5)
    assert.strictEqual(run(`stall(); endProcessWithin(50, 5)`).signal, "SIGKILL")
  })

  it("keeps no process alive that could end", () => {
    assert.strictEqual(run(`endProcessWithin(60_000, 5)`).status, 0)
  })
})
