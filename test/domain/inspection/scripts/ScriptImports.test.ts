import { assert, beforeAll, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { canonicalSpecifier, linkImports } from "../../../../src/domain/inspection/scripts/ScriptImports.ts"
import { loadSourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"
import type { SourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"

const CASES: Readonly<Record<string, string>> = {
  named: `import { show, table } from "mcp-gen-ui/parts"\nout(show(1), table)`,
  renamed: `import { show as s, table as t } from 'mcp-gen-ui/parts'; out(s(2), t)`,
  defaultAsNamed: `import { default as p } from "mcp-gen-ui/parts"; out(p)`,
  default: `import App from "@modelcontextprotocol/ext-apps"; out(new App().name)`,
  defaultAndNamed: `import p, { table } from "mcp-gen-ui/parts"; out(p, table)`,
  defaultAndNamespace: `import p, * as all from "mcp-gen-ui/parts"; out(p, Object.keys(all).sort())`,
  namespace: `import * as parts from "mcp-gen-ui/parts"\nout(parts.show(3), parts["table"])`,
  stringNames: `import { "show" as s, "odd name" as odd } from "mcp-gen-ui/parts"; out(s(4), odd)`,
  sideEffect: `import "mcp-gen-ui/parts"; out("ok")`,
  empty: `import {} from "mcp-gen-ui/parts"; out("ok")`,
  trailingComma: `import { show, } from "mcp-gen-ui/parts"; out(show(5))`,
  multiLine: `import {\n  show, // the first\n  /* the second */ table\n} from\n  "mcp-gen-ui/parts"\n\nout(show(6), table)`,
  several: `import { show } from "mcp-gen-ui/parts"; import { App } from "@modelcontextprotocol/ext-apps"; import { table } from "mcp-gen-ui/parts"; out(show(7), table, new App().name)`,
  hoisted: `out(show(8)); import { show } from "mcp-gen-ui/parts"`,
  hoistedIntoFunction: `out(early()); function early() { return table } import { table } from "mcp-gen-ui/parts"`,
  noSemicolons: `const a = 1\nimport { table } from "mcp-gen-ui/parts"\n(() => out(a, table))()`,
  reexport: `export { show } from "mcp-gen-ui/parts"; export * from "mcp-gen-ui/parts"; export const x = 1; out(x)`,
  dynamic: `const { show, default: d } = await import("mcp-gen-ui/parts"); out(show(9), d)`,
  dynamicThen: "import(`@modelcontextprotocol/ext-apps`).then((m) => out(new m.App().name))",
  shadowed: `import { show } from "mcp-gen-ui/parts"; const f = (show) => show + 1; out(f(1), show(10))`,
  looksLikeImport: `import { show } from "mcp-gen-ui/parts"; out('import { x } from "mcp-gen-ui/parts"', \`import("mcp-gen-ui/parts") \${show(11)}\`, /import("x")/.source)`,
  missingName: `import { show, nothing } from "mcp-gen-ui/parts"; out(show)`,
  constant: `import { show } from "mcp-gen-ui/parts"; try { eval("show = 1") } catch (error) { out(error.name) }`,
  attributes: `import { table } from "mcp-gen-ui/parts" with {}; out(table)`,
  comments: `/* before */ import { table } from "mcp-gen-ui/parts" /* after */; // end\nout(table)`
}

const PARTS = `export const show = (n) => "shown " + n; export const table = "a table"; const odd = 7; export { odd as "odd name" }; export default "the parts"`
const APPS = `export class App { name = "app" }; export default App`

const RUNNER = `
import * as parts from "mcp-gen-ui/parts"
import * as extApps from "@modelcontextprotocol/ext-apps"
globalThis.mcpGenUi = { parts, extApps }
const results = {}
for (const name of ${JSON.stringify(Object.keys(CASES))}) {
  for (const kind of ["plain", "linked"]) {
    const said = []
    globalThis.out = (...values) => said.push(values)
    try { await import("./" + kind + "/" + name + ".mjs"); await new Promise((done) => setImmediate(done)) }
    catch (error) { said.push(error.name) }
    ;(results[name] ??= {})[kind] = said
  }
}
console.log(JSON.stringify(results))
`

let parsers: SourceParsers
let results: Record<string, { plain: unknown; linked: unknown }>

beforeAll(async () => {
  parsers = await loadSourceParsers()
  const folder = await mkdtemp(join(tmpdir(), "mcp-gen-ui-imports-"))
  const files: Record<string, string> = {
    "main.mjs": RUNNER,
    "node_modules/mcp-gen-ui/package.json": `{"type":"module","exports":{"./parts":"./parts.js"}}`,
    "node_modules/mcp-gen-ui/parts.js": PARTS,
    "node_modules/@modelcontextprotocol/ext-apps/package.json": `{"type":"module","exports":"./index.js"}`,
    "node_modules/@modelcontextprotocol/ext-apps/index.js": APPS
  }
  for (const [name, code] of Object.entries(CASES)) {
    files[`plain/${name}.mjs`] = code
    files[`linked/${name}.mjs`] = linkImports(parsers, code, "module")
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")])
  results = JSON.parse(stdout)
  await rm(folder, { recursive: true })
})

describe("linkImports", () => {
  it.each(Object.keys(CASES))("does what the real modules do: %s", (name) => {
    assert.isNotEmpty(results[name]?.plain)
    assert.deepStrictEqual(results[name]?.linked, results[name]?.plain)
  })

  it("leaves no import of the two specifiers", () => {
    for (const code of Object.values(CASES)) {
      const linked = linkImports(parsers, code, "module")
      const again = linkImports(parsers, linked, "module")
      assert.strictEqual(again, linked)
    }
  })

  it("keeps every other byte and every line", () => {
    const code = `import { show } from "mcp-gen-ui/parts"\n\n  show( a=>[ a ] )// é\u00a0\n`
    const linked = linkImports(parsers, code, "module")
    assert.isTrue(linked.endsWith(`;\n\n  show( a=>[ a ] )// é\u00a0\n`))
    assert.strictEqual(linked.split("\n").length, code.split("\n").length)
  })

  it("takes App for the default of ext-apps, which has none, and all parts for theirs", () => {
    const code = linkImports(
      parsers,
      `import A from "@modelcontextprotocol/ext-apps"; import P from "mcp-gen-ui/parts"; A(P)`,
      "module"
    )
    const said: Array<unknown> = []
    const parts = { show: 1 }
    new Function("globalThis", code)({ mcpGenUi: { parts, extApps: { App: (value: unknown) => said.push(value) } } })
    assert.deepStrictEqual(said, [parts])
  })

  it("does not touch other modules", () => {
    const code = `import x from "https://x.test/x.js"`
    assert.strictEqual(linkImports(parsers, code, "module"), code)
  })
})

describe("canonicalSpecifier", () => {
  const app = "@modelcontextprotocol/ext-apps"
  it.each([
    [app, app],
    [`https://esm.sh/${app}`, app],
    [`https://esm.sh/${app}@1.7.5`, app],
    [`https://cdn.jsdelivr.net/npm/${app}@1/+esm`, app],
    [`https://unpkg.com/${app}@2.0.4/dist/src/app-with-deps.js`, app],
    [`npm:${app}@1`, app],
    [`${app}/app`, app],
    [`${app}/app-bridge`, null],
    [`${app}/react`, null],
    [`https://evil.test/${app}-fake`, null],
    ["mcp-gen-ui/parts", "mcp-gen-ui/parts"],
    ["mcp-gen-ui", "mcp-gen-ui/parts"],
    ["https://esm.sh/mcp-gen-ui@1/parts", "mcp-gen-ui/parts"],
    ["mcp-gen-ui/other", null],
    ["react", null],
    ["./parts.js", null]
  ])("reads %s as %s", (specifier, expected) => {
    assert.strictEqual(canonicalSpecifier(specifier), expected)
  })
})
