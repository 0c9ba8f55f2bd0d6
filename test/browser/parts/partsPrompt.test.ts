import { assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { pagePartsIn } from "../../../src/domain/documents/pageParts.ts"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { openView, viewDocument } from "../harness/index.ts"
import { openParts } from "./partsPage.ts"

const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const page = readFileSync(pathOf("prompts/partials/parts.md"), "utf8")
const docs = readFileSync(pathOf("docs/parts.md"), "utf8")

/** Parts that the page has no room for; types/parts.d.ts has them. */
const leftOut = [
  "avatar",
  "cards",
  "cells",
  "compare",
  "days",
  "empty",
  "errorBox",
  "files",
  "frame",
  "header",
  "hero",
  "hits",
  "installStyles",
  "json",
  "list",
  "page",
  "pager",
  "people",
  "rating",
  "request",
  "row",
  "scale",
  "schedule",
  "stack",
  "stat",
  "status",
  "steps",
  "swatches",
  "text",
  "timeline",
  "toolbar",
  "wizard"
]

const examplesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/```html\n([^]*?)```/g)].map(([, example]) => example ?? "")

const scriptOf = (example: string): string => {
  const code = /<script type="module">([^]*?)<\/script>/.exec(example)?.[1] ?? ""
  parse(code, { ecmaVersion: "latest", sourceType: "module" })
  return code
}

/** Links an example as the product does, by its one import from the parts. */
const linked = (example: string): string =>
  pagePartsIn(example)
    .map((part) => readFileSync(pathOf(`dist/${part}.js`), "utf8"))
    .join("") +
  scriptOf(example).replace(/import \{([^}]*)\} from "mcp-gen-ui\/parts"/, "const {$1} = globalThis.mcpGenUi.parts")

const execute = promisify(execFile)

/** What the TypeScript compiler says of some files that import from the parts; empty when all is well. */
const complaints = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "parts-types-"))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const compilerOptions = {
      target: "es2022",
      lib: ["es2024", "dom", "dom.iterable"],
      types: [],
      module: "esnext",
      moduleResolution: "bundler",
      strict: true,
      checkJs: true,
      noImplicitAny: false,
      noEmit: true,
      // The declarations themselves are checked, too.
      skipLibCheck: false,
      paths: { "mcp-gen-ui/parts": [pathOf("types/parts.d.ts")] }
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }))
    await execute(process.execPath, [pathOf("node_modules/typescript/bin/tsc"), "-p", folder])
    return ""
  } catch (error) {
    return typeof error === "object" && error !== null && "stdout" in error ? String(error.stdout) : String(error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The pieces of a text between commas that stand in no bracket. */
const pieces = (text: string): ReadonlyArray<string> => {
  const found = [""]
  let depth = 0
  for (const character of text) {
    if ("([{".includes(character)) depth++
    if (")]}".includes(character)) depth--
    if (character === "," && depth === 0) found.push("")
    else found[found.length - 1] += character
  }
  return found.map((piece) => piece.trim()).filter((piece) => piece !== "" && piece !== "…")
}

/** `page, pages | hasMore, onPage(page), sort: "-key"` as members that the compiler holds against the declared ones. */
const members = (text: string): string =>
  pieces(text)
    .flatMap((piece) => (/^\w+( \| \w+)+$/.test(piece) ? piece.split(" | ") : [/^\w+/.exec(piece)?.[0] ?? piece]))
    .map((name) => `${name}: x`)
    .join(", ")

const argument = (piece: string): string => {
  const [, open = "", inside = ""] = /^(\[?)\{([^]*)\}\]?$/.exec(piece) ?? []
  if (!/^\[?\{/.test(piece)) return "x"
  return open === "" ? `{ ${members(inside)} }` : `[{ ${members(inside)} }]`
}

/** A line that begins with `fmt.number(…)` goes on with `.date(…)`. */
const spelledOut = page.replace(/^`fmt\..*$/m, (line) => line.replaceAll("`.", "`fmt."))

/** The calls that the page writes down, such as `table(rows, {columns})` or `chart.line|bar(rows, {x, y})`. */
const signatures = [...spelledOut.matchAll(/`([a-zA-Z]+)(?:\.([a-zA-Z|]+))?\(([^`]*)\)`/g)]
  .filter(([, root]) => root !== "var")
  .flatMap(([, root = "", names, inside = ""]) =>
    (names ?? "").split("|").map((name) => ({
      root,
      call: `${name === "" ? root : `${root}.${name}`}(${pieces(inside).map(argument).join(", ")})`
    }))
  )

const parts = [...new Set(signatures.map(({ root }) => root))].filter((root) => root !== "ctx")

const listAfter = (pattern: RegExp): ReadonlyArray<string> =>
  (pattern.exec(page)?.[1] ?? assert.fail(`the page has no ${pattern}`)).replaceAll(/ \([^)]*\)/g, "").split(/, | and /)

describe("the page about parts", () => {
  it("names every part but a few, and no part that does not exist", async () => {
    const opened = await openParts()
    const known = await opened.page.evaluate<ReadonlyArray<string>>("Object.keys(parts)")
    assert.isAbove(signatures.length, 40)
    assert.deepEqual(
      parts.filter((name) => !known.includes(name)),
      []
    )
    assert.deepEqual(known.filter((name) => !parts.includes(name)).toSorted(), leftOut)
  })

  it("writes down calls, options, types, tones and members of the context that the types have", async () => {
    const types = listAfter(/Types are guessed: (.*?)\. Tones/)
    const tones = listAfter(/Tones: (.*?);/)
    const context = [...page.matchAll(/`(?:await )?ctx\.(\w+)/g)].map(([, name]) => name ?? "")
    assert.isAbove(new Set(context).size, 8)
    const said = await complaints({
      "page.ts": `
        import * as Parts from "mcp-gen-ui/parts"
        declare const x: any
        const { ${parts.join(", ")} } = Parts
        declare const ctx: Parts.Context
        ${signatures.map(({ call }) => call).join("\n")}
        export const types: Array<Parts.FieldType> = ${JSON.stringify(types)}
        export const tones: Array<Parts.Tone> = ${JSON.stringify(tones)}
        export const members: Array<keyof Parts.Context> = ${JSON.stringify(context)}`
    })
    assert.strictEqual(said, "")
  })

  it("names variables that the stylesheet defines", async () => {
    const opened = await openParts()
    const sheet = await opened.run<string>("document.querySelector('style').textContent")
    const named = new Set(docs.match(/--mg-[a-z0-9-]*[a-z0-9]/g))
    assert.isAbove(named.size, 20)
    for (const name of named) assert.include(sheet, `${name}:`)
  })
})

const parsers = await loadSourceParsers()

describe("the examples", () => {
  it("are what the types allow", async () => {
    const examples = [...examplesOf(page), ...examplesOf(docs)]
    assert.isAbove(examples.length, 3)
    const files = Object.fromEntries(examples.map((example, index) => [`example${index}.js`, scriptOf(example)]))
    assert.strictEqual(await complaints(files), "")
  })

  it.each(examplesOf(page))("of the page pass the inspection: %#", async (example) => {
    const opened = await openParts()
    const partNames = new Set(await opened.page.evaluate<ReadonlyArray<string>>("Object.keys(parts)"))
    const limits = { toolNames: ["a_tool"], inputNames: [], maxHtmlBytes: 60_000, inputRequired: true }
    const inspection = inspectAnswer(parsers, example, { ...limits, partNames, appNames: new Set() })
    assert.strictEqual(inspection._tag, "Accepted", JSON.stringify(inspection))
  })

  it("would be refused with a part or an option that does not exist", async () => {
    const bad = `import { show, table } from "mcp-gen-ui/parts"\nimport { grid } from "mcp-gen-ui/parts"\nshow((data) => [table(data, { colums: ["a"] }), grid(data)])`
    const said = await complaints({ "bad.js": bad })
    assert.include(said, "'grid'")
    assert.include(said, "'colums'")
  })

  const data: ReadonlyArray<{
    readonly args?: Record<string, unknown>
    readonly content: Record<string, unknown>
    readonly seen: ReadonlyArray<string>
  }> = [
    {
      args: { page: 2, status: "open" },
      content: {
        total: 45,
        orders: [
          { number: "A-1", customer: "Ada", status: "shipped", total: 12.5 },
          { number: "A-2", customer: "Alan", status: "open", total: 3 }
        ]
      },
      seen: ["Orders", "45 in all", "A-1", "Alan", "Page 2 of 3"]
    },
    {
      content: {
        name: "edge-1",
        status: "healthy",
        requests: 1200,
        change: 30,
        history: [1, 2, 3],
        error_rate: 0.002,
        latency_ms: 350,
        traffic: [
          { time: "2025-11-22T10:00:00Z", in: 2000, out: 3000 },
          { time: "2025-11-22T11:00:00Z", in: 2500, out: 1000 }
        ],
        disks: [{ name: "sda", used: 40, size: 80 }],
        alerts: [{ text: "Disk slow", tone: "warning" }]
      },
      seen: ["edge-1", "healthy", "1,200", "0.2%", "350\u00A0ms", "Traffic", "Disk slow", "50%"]
    },
    {
      content: { id: 3, title: "Crash", labels: ["bug"], body: "It **fails**", author: "ada", locked: true },
      seen: ["Crash", "bug", "It fails", "Author", "This issue is locked.", "Delete"]
    }
  ]

  const odd: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["data of another shape", { structuredContent: { unexpected: [1, null, "x"] } }],
    ["a text", { content: [{ type: "text", text: "Nothing found." }] }],
    [
      "members of other types",
      {
        structuredContent: Object.fromEntries(
          "current days issues orders total name status history traffic disks alerts labels body title"
            .split(" ")
            .map((name, index): [string, unknown] => [name, [7, "text", null, { a: 1 }, [[]], true][index % 6]])
        )
      }
    ]
  ]

  for (const [index, { args, content, seen }] of data.entries()) {
    const cases: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
      ["its data", { content: [], structuredContent: content }],
      ...odd
    ]
    for (const [kind, result] of cases) {
      it(`draw ${kind}, example ${index + 1}`, async () => {
        const example = examplesOf(docs)[index]
        if (example === undefined) throw new Error(`there is no example ${index + 1}`)
        const view = await openView({
          html: await viewDocument({ module: linked(example) }),
          toolInput: args ?? {},
          toolResult: { content: [], ...result }
        })
        await view.frame.waitForSelector(".mg-app .mg-header")
        const text = (await view.frame.textContent(".mg-app")) ?? ""
        assert.notInclude(text, "could not show")
        if (kind === "its data") for (const piece of seen) assert.include(text, piece)
        assert.deepEqual(view.violations, [])
        assert.deepEqual(view.consoleErrors, [])
        assert.deepEqual(await view.axe(), [])
      })
    }
  }

  const anyData = [
    ["its own kind of data", { structuredContent: { value: 3, result: 4, to: "m", guests: [{ name: "Ada" }] } }],
    ...odd
  ] as const
  for (const [index, example] of examplesOf(page).entries()) {
    it.each(anyData)(`of the page draw %s, example ${index + 1}`, async (_, result) => {
      const view = await openView({
        html: await viewDocument({ module: linked(example) }),
        toolInput: {},
        toolResult: { content: [], ...result }
      })
      await view.frame.waitForSelector(".mg-content > :not(.mg-skeleton)")
      assert.notInclude((await view.frame.textContent(".mg-app")) ?? "", "could not show")
      assert.deepEqual(view.violations, [])
      assert.deepEqual(view.consoleErrors, [])
      assert.deepEqual(await view.axe(), [])
    })
  }
})
