import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { outlineInText } from "../../../src/domain/results/ResultOutline.ts"

describe("outlineInText", () => {
  it("reads lines of keys and values; numbers only where they would be written the same", () => {
    assert.deepEqual(outlineInText("City: Oslo\nHigh: 12\nZip: 0150\nVersion: 1.10\nOpen: true\nNote: ~"), {
      City: "Oslo",
      High: 12,
      Zip: "0150",
      Version: "1.10",
      Open: true,
      Note: null
    })
  })

  it("reads maps and lists by their indentation", () => {
    const yaml = [
      "name: web",
      "image:",
      "  repository: nginx",
      "  tag: '1.25'",
      "ports:",
      "- name: http",
      "  port: 80",
      "- name: https",
      "  port: 443",
      "tags:",
      "  - a",
      '  - "b: c"',
      "empty:"
    ].join("\n")
    assert.deepEqual(outlineInText(yaml), {
      name: "web",
      image: { repository: "nginx", tag: "1.25" },
      ports: [
        { name: "http", port: 80 },
        { name: "https", port: 443 }
      ],
      tags: ["a", "b: c"],
      empty: null
    })
  })

  it("reads drawn trees and lines that begin with a tag", () => {
    assert.deepEqual(outlineInText(".\n├── src\n│   ├── a.ts\n│   └── b.ts\n└── README.md\n\n1 directory, 3 files"), [
      { name: ".", children: [{ name: "src", children: [{ name: "a.ts" }, { name: "b.ts" }] }, { name: "README.md" }] }
    ])
    assert.deepEqual(outlineInText("[FILE] a b.md\n[DIR] data"), [
      { type: "file", name: "a b.md" },
      { type: "dir", name: "data" }
    ])
  })

  it("leaves all else as it is: prose, code, addresses, keys that come twice", () => {
    for (const text of [
      "Dear all,\nhere is what we found: nothing.",
      "The result: good\nIt took long.",
      "https://example.org/a\nhttps://example.org/b",
      "const a = { b: 1 }\nconst c: number = 2",
      "- a\n- b",
      "a: 1\na: 2",
      "__proto__: 1\nb: 2",
      "a: 1",
      "10:00: start\n11:00: end"
    ])
      assert.isUndefined(outlineInText(text), text)
  })

  it("never throws", () => {
    const line = fc.tuple(
      fc.constantFrom("", "  ", "- ", "├── ", "[X] "),
      fc.string({ maxLength: 12 }),
      fc.constantFrom("", ":", ": x")
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        outlineInText(lines.map((parts) => parts.join("")).join("\n"))
      }),
      { numRuns: 500 }
    )
  })
})
