import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  EMPTY_MANIFEST,
  type ExportedUi,
  type ExportManifest,
  exportPaths,
  manifestText,
  readManifest,
  toolNameOfFile,
  unmarkedFileName,
  withExportedUi
} from "../../../../src/domain/documents/export/ExportManifest.ts"

const alpha = { name: "node alpha.mjs", id: "0000000a" }
const beta = { name: "node beta.mjs", id: "0000000b" }

const ui = (tool: string, version: number, server = alpha, page = `${tool}.html`) => ({
  tool,
  server,
  uri: `ui://${tool}`,
  version,
  level: 0 as const,
  uiType: "rich" as const,
  provider: "anthropic",
  model: "m",
  promptVersion: "1",
  templateVersion: "2",
  key: "k",
  refinements: ["bigger"],
  createdAt: "2026-01-02T03:04:05.000Z",
  tokens: null,
  shows: "calls" as const,
  files: [{ path: page, sha256: "00" }]
})

const manifestOf = (uis: ReadonlyArray<ExportedUi>): ExportManifest => ({ ...EMPTY_MANIFEST, uis })

it("a manifest has one UI a tool, by name, and is read as it was written", () => {
  const manifest = [ui("b", 1), ui("a", 1), ui("b", 2)].reduce<ExportManifest>(withExportedUi, EMPTY_MANIFEST)
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

it("a manifest has one UI a tool of each server; one that says no server is taken over by the next", () => {
  const both = [ui("a", 1), ui("a", 2, beta), ui("a", 3)].reduce<ExportManifest>(withExportedUi, EMPTY_MANIFEST)
  assert.deepStrictEqual(
    both.uis.map(({ server, version }) => [server?.name, version]),
    [
      ["node alpha.mjs", 3],
      ["node beta.mjs", 2]
    ]
  )
  const { server: _, ...older } = ui("a", 1)
  const taken = withExportedUi(manifestOf([older]), ui("a", 2, beta))
  assert.deepStrictEqual(
    taken.uis.map(({ server, version }) => [server?.name, version]),
    [["node beta.mjs", 2]]
  )
})

it("a file of another server, or of a name that differs only in case, is never the same one, and stays", () => {
  const marked = (manifest: ExportManifest, tool: string, server = alpha) => exportPaths(manifest, tool, server).page
  const before = manifestOf([ui("a/b", 1, alpha, "a%2Fb.html")])
  assert.strictEqual(marked(before, "a/b"), "a%2Fb.html")
  assert.match(marked(before, "A/B"), /^A%2FB~[0-9a-f]{8}\.html$/)
  const ofBeta = marked(before, "a/b", beta)
  assert.match(ofBeta, /^a%2Fb~[0-9a-f]{8}\.html$/)
  assert.notStrictEqual(marked(before, "a/b", { name: "node beta.mjs", id: "0000000c" }), ofBeta)
  assert.strictEqual(marked(manifestOf([ui("a/b", 1, beta, ofBeta)]), "a/b", beta), ofBeta)
})

it("every name of a tool has files in the folder, and comes back from them", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 15, unit: "grapheme" }), (name) => {
      const { page, source } = exportPaths(EMPTY_MANIFEST, name, alpha)
      assert.match(page, /^[^./\\][^/\\]*\.html$/)
      assert.strictEqual(source, `sources/${page}`)
      assert.strictEqual(toolNameOfFile(page), name)
      const other = exportPaths(manifestOf([ui(name, 1, beta, page)]), name, alpha)
      assert.notStrictEqual(other.page.toLowerCase(), page.toLowerCase())
      assert.strictEqual(toolNameOfFile(other.page), name)
      assert.strictEqual(unmarkedFileName(other.page), page)
    })
  )
  for (const other of ["README.md", "100%.html", ".html"]) assert.isUndefined(toolNameOfFile(other))
  assert.isUndefined(toolNameOfFile(exportPaths(EMPTY_MANIFEST, "x".repeat(300), alpha).page))
})
