import { assert, describe, it } from "@effect/vitest"
import { filesInText } from "../../../src/domain/results/ResultFiles.ts"

describe("filesInText", () => {
  it.each([
    [
      "lines of ls -l",
      "total 8\ndrwxr-xr-x 2 user user 4096 Nov 21 20:25 my dir\n-rw-r--r--  1 user user  5 2025-11-21 20:25 w.txt",
      [
        { path: "my dir", type: "directory", size: 4096, time: "Nov 21 20:25" },
        { path: "w.txt", type: "file", size: 5, time: "2025-11-21 20:25" }
      ]
    ],
    [
      "tags with sizes and a total",
      "[FILE] a b.log     198.93 KB\n[DIR] data\n\nTotal: 1 files, 1 directories",
      [
        { path: "a b.log", type: "file", size: "198.93 KB" },
        { path: "data", type: "directory" }
      ]
    ],
    ["paths", "/README.md\n./src/a.ts\ndocs/index.md", ["/README.md", "./src/a.ts", "docs/index.md"].map(asPath)],
    ["paths of Windows", "C:\\a\\b.txt\nC:\\a\\c d.txt", ["C:\\a\\b.txt", "C:\\a\\c d.txt"].map(asPath)],
    ["paths below a heading", "Allowed directories:\n/srv/a\n/srv/b", ["/srv/a", "/srv/b"].map(asPath)]
  ])("reads %s", (_, text, files) => {
    assert.deepEqual(filesInText(text), files)
  })

  it.each([
    ["prose", "See a.ts, then b.ts.\nAll is well there; is it not?"],
    ["a path among other lines", "/a/b.ts\nnot found!"],
    ["nothing", ""],
    ["what is too long", "/a/b.ts\n".repeat(30_000)]
  ])("leaves %s", (_, text) => {
    assert.isUndefined(filesInText(text))
  })
})

function asPath(path: string): { readonly path: string } {
  return { path }
}
