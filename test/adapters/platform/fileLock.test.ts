import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { execFileSync } from "node:child_process"
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { withFileLock } from "../../../src/adapters/platform/fileLock.ts"
import { localFiles } from "../../../src/adapters/platform/localFiles.ts"

const folders: Array<string> = []

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-lock-"))
  folders.push(folder)
  return folder
}

/** A path for a lock, with something under it that was last touched so many minutes ago. */
const lockWith = (put: (path: string) => void, minutesAgo: number): string => {
  const path = join(newFolder(), "lock")
  put(path)
  const at = Date.now() / 1000 - minutesAgo * 60
  utimesSync(path, at, at)
  return path
}

afterEach(() => {
  for (const folder of folders.splice(0)) {
    for (const name of readdirSync(folder)) {
      // Whoever waits at the other end of a pipe goes on.
      closeSync(openSync(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK))
    }
    rmSync(folder, { recursive: true })
  }
})

const strangers: ReadonlyArray<readonly [string, (path: string) => void]> = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  [
    "a huge file that names a process that runs",
    (path) => writeFileSync(path, JSON.stringify({ id: "x", pid: process.ppid, host: hostname() }).padEnd(50_000_000))
  ]
]

/** Holds a lock in a process that can write nothing into files, as on a full disk, and says what came of it. */
const lockWhereNothingFits = (path: string): string => {
  const folder = new URL("../../../src/adapters/platform/", import.meta.url).href
  const script = `
    import { Effect } from "effect"
    import { withFileLock } from ${JSON.stringify(`${folder}fileLock.ts`)}
    import { localFiles } from ${JSON.stringify(`${folder}localFiles.ts`)}
    const work = withFileLock(${JSON.stringify(path)})(Effect.succeed("done"))
    console.log(await Effect.runPromise(Effect.provide(work, localFiles)))`
  const words = ["-c", 'ulimit -f 0; exec "$0" --input-type=module --eval "$1"', process.execPath, script]
  return execFileSync("/bin/sh", words, { encoding: "utf8", cwd: import.meta.dirname })
}

describe.skipIf(process.platform === "win32")("withFileLock", () => {
  it("leaves no file where the disk is full, and does without", () => {
    const folder = newFolder()
    assert.strictEqual(lockWhereNothingFits(join(folder, "lock")), "done\n")
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  for (const [name, put] of strangers) {
    it.live(
      `takes the place of ${name} that is old`,
      () =>
        Effect.gen(function* () {
          const path = lockWith(put, 3)
          const holder = yield* withFileLock(path)(Effect.sync(() => readFileSync(path, "utf8")))
          assert.deepInclude(JSON.parse(holder), { pid: process.pid, host: hostname() })
          assert.isFalse(existsSync(path))
          assert.deepStrictEqual(readdirSync(join(path, "..")), [])
        }).pipe(Effect.provide(localFiles)),
      10_000
    )

    it.live(
      `waits while ${name} is new, and lets itself be interrupted`,
      () =>
        Effect.gen(function* () {
          const path = lockWith(put, 1)
          const locked = withFileLock(path)(Effect.succeed("locked"))
          assert.isTrue(Option.isNone(yield* Effect.timeoutOption(locked, "300 millis")))
          assert.isTrue(existsSync(path))
        }).pipe(Effect.provide(localFiles)),
      10_000
    )
  }
})
