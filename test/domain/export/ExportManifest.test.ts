import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  EMPTY_MANIFEST,
  type ExportedUi,
  exportPaths,
  manifestText,
  readManifest,
  toolNameOfFile,
  withExportedUi
} from "../../../src/domain/export/ExportManifest.ts"

const ui = (tool: string, version: number): ExportedUi => ({
  tool,
  uri: `ui://${tool}`,
  version,
  level: 0,
  uiType: "rich",
  provider: "anthropic",
  model: "m",
  promptVersion: "1",
  templateVersion: "2",
  key: "k",
  refinements: ["bigger"],
  createdAt: "2026-01-02T03:04:05.000Z",
  tokens: null,
  shows: "calls",
  files: [{ path: `${tool}.html`, sha256: "00" }]
})

it("a manifest has one UI a tool, by name, and is read as it was written", () => {
  const manifest = [ui("b", 1), ui("a", 1), ui("b", 2)].reduce(withExportedUi, EMPTY_MANIFEST)
  assert.deepStrictEqual(
    manifest.uis.map(({ tool, version }) => [tool, version]),
    [
      ["a", 1],
      ["b", 2]
    ]
  )
  assert.deepStrictEqual(readManifest(manifestText(manifest)), manifest)
})

it("another JSON file is no manifest", () => {
  for (const text of ["", "{}", '{"name":"app","manifest_version":3}', '{"mcp-gen-ui":2,"uis":[]}']) {
    assert.isUndefined(readManifest(text))
  }
})

it("every name of a tool has files in the folder, and comes back from them", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
      const { page, source } = exportPaths(name)
      assert.match(page, /^[^./\\][^/\\]*\.html$/)
      assert.strictEqual(source, `sources/${page}`)
      assert.strictEqual(toolNameOfFile(page), name)
    })
  )
  assert.isUndefined(toolNameOfFile("README.md"))
  assert.isUndefined(toolNameOfFile("100%.html"))
  assert.isUndefined(toolNameOfFile(".html"))
})
