import { assert, describe, it } from "@effect/vitest"
import { saysDone, saysNothing, textKind, withoutEscapes } from "../../../src/domain/results/ResultText.ts"

describe("textKind", () => {
  const kinds: ReadonlyArray<readonly [string, string]> = [
    ["blank", " \n"],
    ["svg", "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'></svg>"],
    ["diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new"],
    ["diff", "  a\n- b\n+ B\n  c"],
    ["html", "<!doctype html><html><body><p>Hi</p></body></html>"],
    ["html", "<h2>Sheet</h2>\n<table><tr><td>1</td></tr></table>"],
    ["xml", "<?xml version='1.0'?><rss><item/></rss>"],
    ["log", "2025-01-01T10:00:00Z INFO started\n2025-01-01T10:00:01Z ERROR failed"],
    ["log", "TypeError: x\n    at foo (/app/index.js:10:5)\n    at bar (/app/main.js:3:1)"],
    ["log", 'Traceback (most recent call last):\n  File "/a.py", line 3, in f\nKeyError: 1'],
    ["markdown", "# Title\n\n- a\n- b"],
    ["code", "import fs from 'fs';\n\nexport function main() {\n  return 1;\n}"],
    ["code", "#!/bin/sh\nls"],
    ["code", "-rw-r--r--   1 user     5 w.txt\ndrwxr-xr-x   2 user     0 bin"],
    ["code", "+----+------+\n| id | name |\n+----+------+"],
    ["code", "\u001B[32mok\u001B[0m all tests pass"],
    ["prose", "It rains. Take an umbrella; the wind is strong."],
    ["prose", "First line of a letter.\nSecond line of it.\nAnd a third."],
    ["prose", `${"A long sentence that goes on and on, as sentences do. ".repeat(5)}\n  indented\n  twice`]
  ]

  it("tells text by its looks", () => {
    assert.deepEqual(
      kinds.map(([, text]) => textKind(text)),
      kinds.map(([kind]) => kind)
    )
  })

  it("believes a MIME type that says something", () => {
    assert.strictEqual(textKind("x = 1", "text/x-python"), "code")
    assert.strictEqual(textKind("plain words", "text/markdown; charset=utf-8"), "markdown")
    assert.strictEqual(textKind("plain words", "text/plain"), "prose")
    assert.strictEqual(textKind("<b>x", "text/html"), "html")
  })

  it("is quick on text made to be slow", () => {
    const started = performance.now()
    for (const part of ["<a ", "[", "- ", "+ ", " at ", "```", "|", "\t", "<!-- ", "{;", "a  "])
      textKind(part.repeat(400_000))
    assert.isBelow(performance.now() - started, 2000)
  })
})

describe("short answers", () => {
  it("say that there is nothing", () => {
    const nothing = [
      "No matches found",
      "no results",
      "0 results",
      "null",
      "[]",
      "No open tasks.",
      "There are no files in this folder."
    ]
    assert.deepEqual(
      nothing.filter((text) => !saysNothing(text)),
      []
    )
    const something = [
      "Notes",
      "No, that is not the way. Try it\nanother way",
      "Nobody",
      "3 results",
      "none of these tools is safe to call"
    ]
    assert.deepEqual(something.filter(saysNothing), [])
  })

  it("say that something was done", () => {
    const done = [
      "Successfully wrote 5 bytes to /w.txt",
      "File a.md updated successfully",
      "Deleted 3 files.",
      "ok",
      "The issue was created",
      "Shader rendered successfully"
    ]
    assert.deepEqual(
      done.filter((text) => !saysDone(text)),
      []
    )
    const not = [
      "The file could not be created",
      "Nothing was deleted: no permission",
      "hello",
      "Failed to update successfully",
      "12"
    ]
    assert.deepEqual(not.filter(saysDone), [])
  })
})

describe("withoutEscapes", () => {
  it("takes off colours, cursor movements and titles of terminals", () => {
    assert.strictEqual(withoutEscapes("\u001B[1;31mred\u001B[0m \u001B[2K\u001B]0;title\u0007end"), "red end")
  })
})
