import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { posix, win32 } from "node:path"
import { handMadeFileName } from "../../../src/domain/tools/handMadeFileName.ts"

/** Names as servers give them, and as nobody should. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 30 }) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom("a", ".", "/", "\\", "%", ":", "2", "E", " "),
      minLength: 1,
      maxLength: 8
    })
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("con", "NUL.txt", "com1", "..", ".", "a\0b", "%2E%2E", "\uD800", "\uFFFD")
  }
)

describe("handMadeFileName", () => {
  const examples: ReadonlyArray<readonly [string, string]> = [
    ["get_forecast", "get_forecast.html"],
    ["Files.Read-all", "Files.Read-all.html"],
    ["a/b", "a%2Fb.html"],
    ["..", "%2E..html"],
    [".hidden", "%2Ehidden.html"],
    ["100%", "100%25.html"],
    ["größe", "gr%C3%B6%C3%9Fe.html"],
    ["a b", "a%20b.html"],
    ["con", "%63on.html"],
    ["COM1.x", "%43OM1.x.html"],
    ["console", "console.html"]
  ]
  for (const [tool, file] of examples) {
    it(`${tool} is in ${file}`, () => assert.strictEqual(handMadeFileName(tool), file))
  }

  it("never leaves the folder, on any system", () => {
    fc.assert(
      fc.property(name, (tool) => {
        const file = handMadeFileName(tool)
        assert.match(file, /^(?!\.)[A-Za-z0-9_.%-]*\.html$/)
        for (const { basename, isAbsolute, normalize } of [posix, win32]) {
          assert.strictEqual(normalize(file), file)
          assert.strictEqual(basename(file), file)
          assert.isFalse(isAbsolute(file))
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("gives two tools two files", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one.toWellFormed() !== other.toWellFormed())
        assert.notStrictEqual(handMadeFileName(one), handMadeFileName(other))
      }),
      { numRuns: 3000 }
    )
  })

  it("says the tool's name to who decodes it, so that a file can be taken back", () => {
    fc.assert(
      fc.property(name, (tool) => {
        const encoded = handMadeFileName(tool).slice(0, -".html".length)
        assert.strictEqual(decodeURIComponent(encoded), tool.toWellFormed())
      }),
      { numRuns: 2000 }
    )
  })

  it("is no device on Windows", () => {
    const devices = ["con", "PRN", "aux", "Nul", "com1", "LPT9", "COM0"]
    for (const device of devices.flatMap((one) => [one, `${one}.a`])) {
      assert.notMatch(handMadeFileName(device), /^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
    }
  })
})
