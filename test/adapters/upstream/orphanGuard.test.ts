import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterEach } from "vitest"
import { turn } from "../../fixtures/RawHttp.ts"

const fixture = fileURLToPath(new URL("../../fixtures/guardedServer.ts", import.meta.url))

/** All processes but those that have ended and wait for their parent to take note. */
const processes = (): ReadonlyArray<{ readonly pid: number; readonly parent: number; readonly args: string }> =>
  execFileSync("ps", ["-eo", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent, , ...args]) => ({ pid: Number(pid), parent: Number(parent), args: args.join(" ") }))

const processesWith = (mark: string) => processes().filter(({ args }) => args.includes(mark) && !args.includes(fixture))
const watchersOf = (pid: number) => processes().filter(({ parent, args }) => parent === pid && args.startsWith("sh -c"))
const alive = (pids: ReadonlyArray<number>) => processes().filter(({ pid }) => pids.includes(pid))

/** Resolves when there are no such processes; nobody tells of the end of processes that are not our own. */
const none = async (such: () => ReadonlyArray<unknown>): Promise<void> => {
  while (such().length > 0) await turn()
}

const started: Array<number> = []
afterEach(() => {
  for (const group of started.splice(0)) {
    try {
      process.kill(-group, "SIGKILL")
    } catch {
      // It ended, as it should.
    }
  }
})

const run = async (mark: string, mode: ReadonlyArray<string> = [], env: NodeJS.ProcessEnv = process.env) => {
  const wrapper = spawn(process.execPath, [fixture, mark, ...mode], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    env
  })
  let text = ""
  wrapper.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
  })
  /** Waits until it has said something. */
  const told = async (what: RegExp): Promise<string> => {
    while (!what.test(text)) await once(wrapper.stdout, "data")
    return what.exec(text)?.[0] ?? ""
  }
  const servers = (await told(/^\d+ \d+$/m)).split(" ").map(Number)
  const pid = wrapper.pid ?? 0
  started.push(pid, ...servers)
  return { wrapper, pid, servers, told }
}

describe("the guard against orphans", () => {
  it("ends servers that ignore everything when the wrapper's whole process group is killed, and then itself", async () => {
    const mark = `mark-${process.pid}-killed`
    const { pid, servers } = await run(mark)
    const watchers = watchersOf(pid).map(({ pid }) => pid)
    assert.lengthOf(watchers, 1)
    assert.lengthOf(processesWith(mark), 2)
    process.kill(-pid, "SIGKILL")
    await none(() => alive([...servers, ...watchers]))
    assert.deepStrictEqual(processesWith(mark), [])
  })

  it("leaves servers alone that it no longer guards, and ends with the last of them", async () => {
    const { pid, servers, wrapper } = await run(`mark-${process.pid}-lifted`, ["lift"])
    await none(() => watchersOf(pid))
    wrapper.kill("SIGKILL")
    await once(wrapper, "exit")
    assert.lengthOf(alive(servers), 2)
  })

  it("is done without where there is no sh", async () => {
    const { told } = await run(`mark-${process.pid}-bare`, [], { PATH: "/nowhere" })
    await told(/^failed: .*ENOENT/m)
  })
})
