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

const long = fc.string({ unit: "binary", minLength: 100, maxLength: 400 })

const fnv = (text: string): string =>
  Buffer.from(text)
    .reduce((hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n), 0xcbf29ce484222325n)
    .toString(16)
    .padStart(16, "0")

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
        assert.match(file, /^(?!\.)[A-Za-z0-9_.%-]*(?:~[0-9a-f]{16})?\.html$/)
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

  it("says the tool's name to who decodes it, of a long one the start", () => {
    fc.assert(
      fc.property(fc.oneof(name, long), (tool) => {
        const [encoded = "", hash] = handMadeFileName(tool).slice(0, -".html".length).split("~")
        if (hash === undefined) assert.strictEqual(decodeURIComponent(encoded), tool.toWellFormed())
        else assert.isTrue(tool.toWellFormed().startsWith(decodeURIComponent(encoded)))
      }),
      { numRuns: 2000 }
    )
  })

  it("fits every disk, however long the tool's name is, and says as much of it as it can", () => {
    fc.assert(
      fc.property(long, (tool) => {
        const file = handMadeFileName(tool)
        assert.isAtMost(Buffer.byteLength(file), 200)
        if (file.includes("~")) assert.isAtLeast(Buffer.byteLength(file), 188)
      })
    )
    assert.strictEqual(handMadeFileName("x".repeat(195)), `${"x".repeat(195)}.html`)
    assert.match(handMadeFileName("x".repeat(196)), /^x{178}~[0-9a-f]{16}\.html$/)
    assert.match(handMadeFileName("工".repeat(200)), /^(?:%E5%B7%A5){19}~[0-9a-f]{16}\.html$/)
    assert.match(handMadeFileName(`con.${"x".repeat(300)}`), /^%63on\./)
    const ends = Array.from({ length: 1000 }, (_, index) => handMadeFileName(`${"x".repeat(300)}${index}`))
    assert.strictEqual(new Set(ends).size, 1000)
    // FNV-1a with 64 bits of "a" is a known value: others can find a file's name, too.
    assert.strictEqual(handMadeFileName("a".repeat(300)).slice(178), `~${fnv("a".repeat(300))}.html`)
    assert.strictEqual(fnv("a"), "af63dc4c8601ec8c")
  })

  it("is no device on Windows", () => {
    const devices = ["con", "PRN", "aux", "Nul", "com1", "LPT9", "COM0"]
    for (const device of devices.flatMap((one) => [one, `${one}.a`])) {
      assert.notMatch(handMadeFileName(device), /^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
    }
  })
})
