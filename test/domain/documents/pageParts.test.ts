import { assert, describe, it } from "@effect/vitest"
import { drawingsFor, pagePartsIn } from "../../../src/domain/documents/pageParts.ts"

describe("pagePartsIn", () => {
  it.each([
    [`import { show, compare } from "mcp-gen-ui/parts"\nshow(({ request }) => request)`, ["compare"]],
    [`import {\n  scale as line,\n  frame\n} from 'mcp-gen-ui/parts'`, ["frame", "scale"]],
    [`import { frames } from "mcp-gen-ui/parts"`, []],
    [`import { wizard } from "elsewhere"; import { show } from "mcp-gen-ui/parts"`, []],
    [`import { show } from "mcp-gen-ui/parts"; import { request } from "mcp-gen-ui/parts"`, ["request"]],
    [`import * as parts from "mcp-gen-ui/parts"\nparts.show(() => parts.scale(3))`, ["scale"]],
    [`a page with a frame that makes a request`, []]
  ])("%s", (source, parts) => assert.deepEqual(pagePartsIn(source), parts))
})

describe("drawingsFor", () => {
  const paths = { "file-text": "M1 1", book: "M2 2", x: "M3 3" }

  it("lends the drawings whose names are texts of the source", () =>
    assert.deepEqual(
      drawingsFor(`icon("file-text"); button("Go", f, { icon: 'x' }); book("novel", \`toString\`)`, paths),
      [`mcpGenUi.lend({"file-text":"M1 1","x":"M3 3"})`]
    ))

  it("is nothing where there are none", () => assert.deepEqual(drawingsFor(`h("p", "a book")`, paths), []))
})
