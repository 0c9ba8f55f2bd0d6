import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { root } from "../fixtures/RawClient.ts"

describe("examples/embed", () => {
  it("runs with the layers of the built package, and a model and a store of its own", async () => {
    const { stderr, stdout } = await promisify(execFile)(process.execPath, [`${root}examples/embed/main.ts`], {
      maxBuffer: 10_000_000
    })
    assert.match(stderr, /^applied: Call it Inventory$/m)
    assert.match(stderr, /level 0, rich/)
    assert.match(stdout, /^<!doctype html>/)
    assert.include(stdout, 'header("Inventory")')
    assert.include(stdout, "list_stock")
  })
})
