import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { root } from "../fixtures/RawClient.ts"

describe("examples/promises", () => {
  it("reads a UI and refines it without Effect", async () => {
    const { stderr, stdout } = await promisify(execFile)(process.execPath, [`${root}examples/promises/main.mjs`], {
      maxBuffer: 10_000_000
    })
    assert.match(stderr, /^\d{5,} characters, then level 0, rich$/m)
    assert.match(stdout, /^<!doctype html>/)
    assert.include(stdout, 'header("Inventory")')
  })
})
