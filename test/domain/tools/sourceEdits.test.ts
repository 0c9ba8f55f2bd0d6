import { assert, describe, it } from "@effect/vitest"
import { editedSource, holdsEdits } from "../../../src/domain/tools/sourceEdits.ts"

const source = `<script type="module">
  import { show, table } from "mcp-gen-ui/parts"
  show((data) => [
    table(data.items),
    table(data.items)
  ])
</script>`

const block = (find: string, replace: string): string =>
  `<<<<<<< SEARCH\n${find}\n=======\n${replace === "" ? "" : `${replace}\n`}>>>>>>> REPLACE`

const IMPORT = '  import { show, table } from "mcp-gen-ui/parts"'
const header = block("  show((data) => [", '  show((data) => [\n    header("$& Items"),')
const withHeader = source.replace("[\n", () => '[\n    header("$& Items"),\n')

describe("editedSource", () => {
  const CRLF = source.replaceAll("\n", "\r\n")
  it.each([
    ["one block", source, header, withHeader],
    [
      "blocks in any order",
      source,
      `${header}\n${block(IMPORT, "  import it")}`,
      withHeader.replace(IMPORT, "  import it")
    ],
    [
      "a part of a line",
      source,
      block("show, table }", "show, header, table }"),
      source.replace("show, table", "show, header, table")
    ],
    ["lines that are taken away", source, block(IMPORT, ""), source.replace(`${IMPORT}\n`, "")],
    ["a part of a line that is taken away", source, block(", table }", ""), source.replace(", table }", "")],
    ["words around them", source, `Here you are:\n\n${header}\n\nDone.`, withHeader],
    ["a verdict before them", source, `<!-- rich -->\n${header}`, withHeader],
    ["a fence around them", source, `\`\`\`html\n${header}\n\`\`\``, withHeader],
    ["marks without words", source, header.replace(" SEARCH", "").replace(" REPLACE", ""), withHeader],
    ["CRLF in the answer", source, header.replaceAll("\n", "\r\n"), withHeader],
    ["CRLF in the source", CRLF, header, withHeader.replaceAll("\n", "\r\n")],
    [
      "twins, told apart by what follows",
      source,
      block("    table(data.items)\n  ])", "  ])"),
      source.replace("    table(data.items)\n  ])", "  ])")
    ]
  ])("applies %s", (_, before, answer, after) => {
    assert.deepStrictEqual(editedSource(before, answer), { _tag: "Edited", source: after })
  })

  it.each([
    [
      "nothing found",
      block("  tabel(data)", "x"),
      ['block 1: "tabel(data)" does not stand in the current page; copy the lines exactly']
    ],
    [
      "other spaces",
      block("show( (data) => [", "x"),
      ['block 1: "show( (data) => [" stands there with other spaces or line ends; copy the lines exactly']
    ],
    [
      "found twice",
      block("table(data.items)", "x"),
      ['block 1: "table(data.items)" stands in the current page more than once; add lines around it']
    ],
    ["an empty search", block("  ", "x"), ["block 1: nothing to search for; name lines of the current page"]],
    [
      "an overlap",
      `${header}\n${block("[\n    table(data.items),", "[")}`,
      ["blocks 1 and 2 change the same lines; make one of them"]
    ],
    [
      "several problems",
      `${block("qq ww", "x")}\n${header}\n${block("", "x")}`,
      [
        'block 1: "qq ww" does not stand in the current page; copy the lines exactly',
        "block 3: nothing to search for; name lines of the current page"
      ]
    ],
    ["no end", header.slice(0, -20), ["block 1: it has no ======= or no >>>>>>> REPLACE"]],
    [
      "a page beside them",
      `${header}\n<!-- rich -->\n${source}`,
      ["there are edits and a page; answer with one of the two"]
    ]
  ])("refuses %s, and applies none", (_, answer, problems) => {
    assert.deepStrictEqual(editedSource(source, answer), { _tag: "Misfit", problems })
  })

  it.each([
    ["a page", source],
    ["a page in a fence", `\`\`\`html\n<!-- rich -->\n${source}\n\`\`\``],
    ["the verdict minimal", "<!-- minimal -->"],
    ["nothing", ""]
  ])("leaves %s to whoever reads pages", (_, answer) => {
    assert.deepStrictEqual(editedSource(source, answer), { _tag: "Whole" })
    assert.isFalse(holdsEdits(answer))
  })

  it("edits no page that is not there", () => {
    const problems = ["there is no page to edit; answer with the whole page"]
    assert.deepStrictEqual(editedSource(null, header), { _tag: "Misfit", problems })
    assert.isTrue(holdsEdits("Here:\r\n<<<<<<< SEARCH\r\n  show"))
  })
})
