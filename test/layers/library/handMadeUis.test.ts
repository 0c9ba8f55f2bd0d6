import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { handMadeFileName } from "../../../src/domain/tools/handMadeFileName.ts"
import { findHandMadeUi } from "../../../src/layers/library/handMadeUis.ts"
import { folder, logged } from "../../fixtures/refinements.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const setUp = Effect.gen(function* () {
  const directory = yield* folder
  const find = yield* findHandMadeUi(directory)
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const sourceOf = (toolName: string) => Effect.map(find(toolName), (found) => found?.source)
  return { directory, find, write, sourceOf }
})

describe("a UI made by hand", () => {
  itEffect("finds the file of a tool, whatever the tool is called", function* () {
    const { sourceOf, write } = yield* setUp
    for (const name of ["plain", "a.b-c_d", "a/b", "..", "CON", "größe \u{1F3A8}", "100%", "工".repeat(200)]) {
      write(handMadeFileName(name), `<p>${name}</p>`)
      assert.strictEqual(yield* sourceOf(name), `<p>${name}</p>`)
    }
    assert.isUndefined(yield* sourceOf("other"))
    assert.isUndefined(yield* sourceOf("x".repeat(5000)))
  })

  itEffect("sees a file that is made, changed and removed at once, each content with a hash of its own", function* () {
    const { directory, find, write } = yield* setUp
    assert.isUndefined(yield* find("tool"))
    write("tool.html", "<p>one</p>")
    const one = yield* find("tool")
    write("tool.html", "<p>two</p>")
    const two = yield* find("tool")
    assert.strictEqual(two?.source, "<p>two</p>")
    assert.notStrictEqual(two?.hash, one?.hash)
    write("tool.html", "<p>one</p>")
    assert.deepStrictEqual(yield* find("tool"), one)
    rmSync(join(directory, "tool.html"))
    assert.isUndefined(yield* find("tool"))
  })

  itEffect("has what the file beside it declares", function* () {
    const { find, write } = yield* setUp
    const declared = {
      csp: {
        connectDomains: ["https://api.example.com", "wss://live.example.com:8443"],
        frameDomains: ["https://*.example.com"]
      },
      permissions: ["geolocation"],
      prefersBorder: false,
      displayModes: ["inline", "pip"],
      title: "Map"
    }
    write("tool.html", "<p>map</p>")
    assert.isUndefined((yield* find("tool"))?.declared)
    write("tool.json", JSON.stringify(declared))
    assert.deepStrictEqual((yield* find("tool"))?.declared, declared as object)
  })

  const WRONG: ReadonlyArray<readonly [text: string, why: string]> = [
    [
      `{"csp": {"connectDomains": ["https://a.example; script-src *"]}}`,
      `csp.connectDomains[0]: found "https://a.example; script-src *"; allowed: an origin such as https://example.com`
    ],
    [`{"permissions": ["bluetooth"]}`, `permissions[0]: found "bluetooth"; allowed: `],
    [`{"prefersBorders": true}`, `did you mean "prefersBorder"?`],
    [`{"title": 1}`, "title: found 1; allowed: a text"],
    [`{"title": "a",}`, "line 1, column 15: expected"]
  ]
  for (const [text, why] of WRONG) {
    it.effect(`is closed where the file beside it is wrong, and the log says where: ${text}`, () => {
      const lines: Array<string> = []
      return Effect.gen(function* () {
        const { find, write } = yield* setUp
        write("tool.html", "<p>map</p>")
        write("tool.json", text)
        assert.isUndefined((yield* find("tool"))?.declared)
        assert.strictEqual((yield* find("tool"))?.source, "<p>map</p>")
        assert.lengthOf(lines, 1)
        assert.include(lines[0], why)
        assert.include(lines[0], "tool.json")
      }).pipe(Effect.provide(logged(lines)))
    })
  }

  itEffect("leaves out the mark that some editors write before a text", function* () {
    const { sourceOf, write } = yield* setUp
    write("tool.html", "\uFEFF<p>text</p>")
    assert.strictEqual(yield* sourceOf("tool"), "<p>text</p>")
  })

  it.effect("leaves out what is empty, too large or cannot be read, and says each once", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { directory, find, sourceOf, write } = yield* setUp
      write("empty.html", " \n\t\uFEFF")
      write("large.html", "x".repeat(2_000_001))
      write("full.html", "x".repeat(2_000_000))
      mkdirSync(join(directory, "folder.html"))
      symlinkSync("loop.html", join(directory, "loop.html"))
      execFileSync("mkfifo", [join(directory, "pipe.html")])
      for (let round = 0; round < 2; round += 1) {
        for (const name of ["empty", "large", "folder", "loop", "pipe"]) assert.isUndefined(yield* find(name), name)
      }
      assert.lengthOf((yield* sourceOf("full")) ?? "", 2_000_000)
      assert.deepStrictEqual(
        lines,
        ["empty", "larger than 2000000 bytes", "EISDIR", "ELOOP", "ENOTREG"].map(
          (why) => `a UI made by hand cannot be read (${why}): the tool gets another one`
        )
      )
      write("empty.html", "<p>no longer</p>")
      assert.strictEqual(yield* sourceOf("empty"), "<p>no longer</p>")
    }).pipe(Effect.provide(logged(lines)))
  })

  it.effect("finds nothing in a folder that is not there, and says nothing: it may come", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { directory } = yield* setUp
      const missing = join(directory, "missing")
      const find = yield* findHandMadeUi(missing)
      assert.isUndefined(yield* find("tool"))
      mkdirSync(missing)
      writeFileSync(join(missing, "tool.html"), "<p>there</p>")
      assert.isDefined(yield* find("tool"))
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(logged(lines)))
  })

  itEffect("has none without a folder", function* () {
    assert.isUndefined(yield* (yield* findHandMadeUi(undefined))("tool"))
  })
})
