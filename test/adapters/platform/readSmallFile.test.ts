import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readCacheFiles } from "../../../src/adapters/cache/cacheDirectory.ts"
import { localFiles } from "../../../src/adapters/platform/localFiles.ts"
import { isUnfitFile, readSmallFile } from "../../../src/adapters/platform/readSmallFile.ts"
import { systemErrorCode } from "../../../src/adapters/platform/replaceFile.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-small-files-"))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

const outcome = (path: string, maxBytes: number): Promise<string> =>
  readSmallFile(path, maxBytes).pipe(
    Effect.catch((failure) => Effect.succeed(systemErrorCode(failure))),
    Effect.provide(localFiles),
    Effect.runPromise
  )

writeFileSync(at("text"), "grün \u{1F3A8}\n")
writeFileSync(at("empty"), "")
mkdirSync(at("folder"))
execFileSync("mkfifo", [at("pipe")])
// Of a size that no text could be made of; it takes no room on the disk.
writeFileSync(at("huge"), "")
truncateSync(at("huge"), 40_000_000_000)
symlinkSync("text", at("link"))

describe("readSmallFile", () => {
  it("reads text, also behind a link", async () => {
    assert.strictEqual(await outcome(at("text"), 11), "grün \u{1F3A8}\n")
    assert.strictEqual(await outcome(at("link"), 1000), "grün \u{1F3A8}\n")
    assert.strictEqual(await outcome(at("empty"), 0), "")
  })

  it("reads nothing that is too large, whatever its size is said to be", async () => {
    assert.strictEqual(await outcome(at("text"), 10), "EFBIG")
    assert.strictEqual(await outcome(at("huge"), 1_000_000), "EFBIG")
    if (process.platform === "linux") {
      assert.strictEqual(await outcome("/proc/self/maps", 100), "EFBIG")
      assert.isAbove((await outcome("/proc/self/maps", 5_000_000)).length, 1000)
    }
  })

  it.skipIf(process.platform !== "linux")("reads nothing of what says that it is too large", async () => {
    const readByProcess = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1])
    const before = readByProcess()
    assert.strictEqual(await outcome(at("huge"), 200_000_000), "EFBIG")
    assert.isBelow(readByProcess() - before, 100_000_000)
  })

  it("neither waits for a pipe nor reads a folder or a device", async () => {
    const codes = await Promise.all(["pipe", "folder", "none"].map((name) => outcome(at(name), 100)))
    assert.deepStrictEqual(codes, ["ENOTREG", "EISDIR", "ENOENT"])
    assert.strictEqual(await outcome("/dev/zero", 100), "ENOTREG")
    assert.deepStrictEqual(codes.map(isUnfitFile), [true, true, false])
  })
})

describe("readCacheFiles", () => {
  it.effect("calls damaged what can be no entry, and leaves out what is gone", () =>
    Effect.gen(function* () {
      const files = ["pipe", "folder", "huge", "none"].map((name) => ({
        key: name,
        path: at(name),
        bytes: 0,
        usedAt: 0
      }))
      const read = yield* readCacheFiles(files)
      assert.deepStrictEqual(
        read,
        files.slice(0, 3).map((file) => ({ file, stored: { _tag: "Damaged" } }))
      )
    }).pipe(Effect.provide(localFiles))
  )
})
