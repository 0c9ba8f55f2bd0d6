import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { localFiles } from "../../../src/adapters/platform/localFiles.ts"
import { makeDirectory } from "../../../src/adapters/platform/makeDirectory.ts"
import { systemErrorCode } from "../../../src/adapters/platform/replaceFile.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-made-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** `made`, or the code of the error. */
const codeOf = (path: string): Promise<string> =>
  makeDirectory(path).pipe(
    Effect.match({ onSuccess: () => "made", onFailure: systemErrorCode }),
    Effect.provide(localFiles),
    Effect.runPromise
  )

describe("makeDirectory", () => {
  it("makes what is missing, for its owner alone", async () => {
    const path = join(folder, "a", "b", "c")
    assert.strictEqual(await codeOf(path), "made")
    assert.strictEqual(await codeOf(path), "made")
    if (process.platform === "win32") return assert.isTrue(statSync(path).isDirectory())
    for (const made of [path, join(folder, "a")]) assert.strictEqual(statSync(made).mode & 0o777, 0o700)
  })

  it("lets several make the same at once", async () => {
    const path = join(folder, "at", "once", "all")
    const made = await Promise.all(Array.from({ length: 8 }, () => codeOf(path)))
    assert.deepStrictEqual(new Set(made), new Set(["made"]))
    assert.isTrue(statSync(path).isDirectory())
  })

  it("fails where something else is in the way", async () => {
    writeFileSync(join(folder, "file"), "")
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"))
    assert.strictEqual(await codeOf(join(folder, "file")), "ENOTDIR")
    assert.strictEqual(await codeOf(join(folder, "file", "below", "it")), "ENOTDIR")
    assert.strictEqual(await codeOf(join(folder, "dangling")), "EEXIST")
  })

  it.skipIf(process.platform !== "linux")("fails where a folder says that nothing can be in it", async () => {
    assert.strictEqual(await codeOf("/proc/mcp-gen-ui"), "ENOENT")
    assert.strictEqual(await codeOf("/proc/mcp-gen-ui/a/b"), "ENOENT")
  })
})
