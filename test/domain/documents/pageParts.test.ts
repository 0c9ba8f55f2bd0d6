import { assert, describe, it } from "@effect/vitest"
import { pagePartsIn } from "../../../src/domain/documents/pageParts.ts"

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
