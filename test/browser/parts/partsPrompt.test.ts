import { assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { estimateTokens } from "../../../src/domain/generation/PromptTokens.ts"
import { openView, viewDocument } from "../harness/index.ts"
import { openParts } from "./partsPage.ts"

const pathOf = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const page = (): Promise<string> => readFile(pathOf("prompts/partials/parts.md"), "utf8")
const docs = (): Promise<string> => readFile(pathOf("docs/parts.md"), "utf8")

/** What the runtime uses and a view has no need of. */
const unmentioned = new Set(["installStyles"])

const globals = new Set(["var"])

const MAX_TOKENS = 1_600

const exportsOfParts = async (): Promise<{
  readonly parts: ReadonlyArray<string>
  readonly chart: ReadonlyArray<string>
  readonly fmt: ReadonlyArray<string>
}> => {
  const opened = await openParts()
  return await opened.page.evaluate(
    "({ parts: Object.keys(parts), chart: Object.keys(parts.chart), fmt: Object.keys(parts.fmt) })"
  )
}

const signatures = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z|]+)?)\(/g)].map(([, name]) => name ?? "")

const examplesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/```html\n([^]*?)```/g)].map(([, example]) => example ?? "")

const scriptOf = (example: string): string => {
  const code = /<script type="module">([^]*?)<\/script>/.exec(example)?.[1] ?? ""
  parse(code, { ecmaVersion: "latest", sourceType: "module" })
  return code
}

/** Links an example as the product does, by its one import from the parts. */
const linked = (example: string): string =>
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

/** The parts of the page that take options, with the name of these in the types. Charts share theirs. */
const optionTypes: Readonly<Record<string, string>> = {
  show: "ShowOptions",
  table: "TableOptions",
  "chart.line|bar|area|scatter": "ChartOptions",
  stats: "StatItem",
  cards: "CardsOptions",
  list: "ListOptions",
  detail: "DetailOptions",
  timeline: "TimelineOptions",
  tree: "TreeOptions",
  meter: "MeterOptions",
  code: "CodeOptions",
  image: "ImageOptions",
  header: "HeaderOptions",
  section: "SectionOptions",
  row: "BoxOptions",
  text: "TextOptions",
  errorBox: "ErrorBoxOptions",
  button: "ButtonOptions",
  chips: "ChipsOptions",
  pager: "PagerOptions",
  input: "InputOptions",
  form: "FormOptions",
  "fmt.number": "NumberOptions",
  "fmt.percent": "PercentOptions",
  "fmt.date": "DateOptions"
}

/** Options that the page has no room for; types/parts.d.ts and docs/parts.md name them. */
const leftOut: Readonly<Record<string, ReadonlyArray<string>>> = {
  ShowOptions: ["into"],
  TableOptions: ["choose", "labels", "download", "noun"],
  ChartOptions: ["empty"],
  StatItem: ["digits", "currency", "of"],
  CardsOptions: ["empty"],
  ListOptions: ["empty"],
  TimelineOptions: ["empty"],
  TreeOptions: ["label"],
  MeterOptions: ["min"],
  CodeOptions: ["title", "maxBytes"],
  ImageOptions: ["width", "height"],
  ErrorBoxOptions: ["sent"],
  ButtonOptions: ["title", "icon"],
  ChipsOptions: ["label"],
  PagerOptions: ["total", "pageSize"],
  InputOptions: ["min", "max", "step", "disabled"],
  PercentOptions: ["digits", "sign"]
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
  return found.map((piece) => piece.trim())
}

/** The names in the options of each signature on the page: `{page, pages or hasMore, onPage(page)}` has four. */
const namedOptions = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const named = new Map<string, ReadonlyArray<string>>()
  for (const [, name = "", inside = ""] of text.matchAll(/`([a-zA-Z.|]+)\(([^`]*)\)`/g)) {
    const last = pieces(inside).at(-1) ?? ""
    const options = /^\[?\{(.*)\}\]?$/.exec(last)?.[1]
    if (options === undefined || named.has(name)) continue
    named.set(
      name,
      pieces(options).flatMap((piece) =>
        piece.split(" or ").flatMap((option) => /^[a-zA-Z]+/.exec(option.trim())?.[0] ?? [])
      )
    )
  }
  return named
}

const union = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ")

describe("the page about parts", () => {
  it("fits into its share of the prompt", async () => {
    const text = await page()
    assert.isAtMost(estimateTokens(text), MAX_TOKENS)
    assert.notMatch(text, /\{\{|\{%/)
  })

  it("names every part, and no part that does not exist", async () => {
    const text = await page()
    const known = await exportsOfParts()
    for (const name of known.parts) {
      if (!unmentioned.has(name)) assert.match(text, new RegExp(`\\b${name}\\b[.(]`), `the page does not name ${name}`)
    }
    for (const name of known.fmt) assert.include(text, `fmt.${name}(`)
    for (const name of known.chart) assert.match(text, new RegExp(`chart\\.([a-z]+\\|)*${name}\\b`))
    const named = signatures(text)
    assert.isAbove(named.length, 30)
    for (const name of named) {
      const [root = "", members = ""] = name.split(".")
      if (root === "ctx") continue
      assert.isTrue(known.parts.includes(root) || globals.has(root), `the page names ${root}, which is not a part`)
      for (const member of members === "" ? [] : members.split("|")) {
        assert.include([...known.chart, ...known.fmt], member)
      }
    }
    for (const [, imported = ""] of text.matchAll(/import \{([^}]*)\} from/g)) {
      for (const name of imported.split(",")) assert.include(known.parts, name.trim())
    }
  })

  it("names every option that the types have, but for those listed here, and no other", async () => {
    const named = namedOptions(await page())
    assert.deepEqual(
      Object.keys(optionTypes).filter((name) => !named.has(name)),
      []
    )
    const lines = [...named]
      .filter(([name]) => name !== "chart.pie" && name !== "tabs")
      .map(([name, options]) => {
        const type = optionTypes[name] ?? assert.fail(`no type is known for the options of ${name}`)
        return `export const ${name.replaceAll(/\W/g, "_")}: Drift<keyof Parts.${type}, ${union(options)}, ${union(leftOut[type] ?? [])}> = {}`
      })
    const said = await complaints({
      "options.ts": `
        import type * as Parts from "mcp-gen-ui/parts"
        type Drift<Known, Named, LeftOut> = { [K in (Exclude<Named | LeftOut, Known> | Exclude<Known, Named | LeftOut> | (Named & LeftOut)) & string]: never }
        ${lines.join("\n")}`
    })
    assert.strictEqual(said, "")
  })

  it("names the members of a field, the types of values, and the tones", async () => {
    const text = await page()
    const field = /\{(key, label, type, render[^}]*)\}/.exec(text)?.[1] ?? ""
    const types = (/tell what differs: (.*?)\. Percent/.exec(text)?.[1] ?? "").replaceAll(/ \([^)]*\)/g, "").split(", ")
    const tones = (/Tones: (.*)\./.exec(text)?.[1] ?? "").split(", ")
    const said = await complaints({
      "fields.ts": `
        import type { Field, FieldType, Tone } from "mcp-gen-ui/parts"
        type Same<A, B> = { [K in (Exclude<A, B> | Exclude<B, A>) & string]: never }
        export const field: Same<keyof Field, ${union(pieces(field).map((piece) => piece.replace(/\(.*/, "")))}> = {}
        export const types: Same<Exclude<FieldType, "coordinate">, ${union(types)}> = {}
        export const tones: Same<Tone, ${union(tones)}> = {}`
    })
    assert.strictEqual(said, "")
  })

  it("names variables that the stylesheet defines", async () => {
    const opened = await openParts()
    const sheet = await opened.run<string>("document.querySelector('style').textContent")
    const listed = /`var\(--mg-NAME\)` with ([a-z0-9, ]+)\./.exec(await page())?.[1]?.split(", ") ?? []
    assert.isAbove(listed.length, 5)
    const named = new Set((await docs()).match(/--mg-[a-z0-9-]*[a-z0-9]/g))
    for (const name of listed) named.add(`--mg-${name}`)
    assert.isAbove(named.size, 20)
    for (const name of named) assert.include(sheet, `${name}:`)
  })

  it("names every member of the context, and no other", async () => {
    const text = await page()
    const view = await openView({
      html: await viewDocument({
        module: `globalThis.mcpGenUi.parts.show((data, ctx) => { document.body.dataset.members = Object.keys(ctx).join(); return "drawn" })`
      }),
      toolInput: {},
      toolResult: { content: [{ type: "text", text: "x" }] }
    })
    await view.frame.waitForSelector("body[data-members]")
    const members = await view.frame.evaluate<string>("document.body.dataset.members")
    const named = new Set([...text.matchAll(/`(?:await )?ctx\.([a-zA-Z]+)/g)].map(([, name]) => name ?? ""))
    assert.deepEqual([...named].sort(), members.split(",").sort())
  })

  it("stands in the documentation as it is", async () => {
    const bare = (text: string): string => text.replaceAll(/\s+/g, "")
    const inDocs = /<!-- prompts\/partials\/parts\.md -->([^]*)<!-- end of prompts\/partials\/parts\.md -->/.exec(
      await docs()
    )
    assert.strictEqual(bare(inDocs?.[1] ?? ""), bare(await page()))
  })
})

describe("the examples", () => {
  it("are what the types allow", async () => {
    const examples = [...examplesOf(await page()), ...examplesOf(await docs())]
    assert.strictEqual(examples.length, 7)
    const files = Object.fromEntries(examples.map((example, index) => [`example${index}.js`, scriptOf(example)]))
    assert.strictEqual(await complaints(files), "")
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
      args: { location: "Oslo" },
      content: {
        current: { temperature: 4.5, humidity: 0.7 },
        days: [
          { date: "2025-11-21", high: 6, low: 1, condition: "Rain" },
          { date: "2025-11-22", high: 4, low: -2, condition: "Snow" }
        ]
      },
      seen: ["Forecast for Oslo", "4.5°C", "22 Nov 2025", "Snow"]
    },
    {
      content: {
        issues: [
          {
            id: 7,
            title: "Crash at start",
            state: "open",
            url: "https://example.org/7",
            author: "ada",
            updated_at: "2020-01-01T00:00:00Z"
          }
        ]
      },
      seen: ["Issues", "Crash at start", "open", "ada", "years ago", "Close"]
    },
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
        const example = examplesOf(await docs())[index]
        if (example === undefined) throw new Error(`there is no example ${index + 1}`)
        const view = await openView({
          html: await viewDocument({ module: linked(example) }),
          toolInput: args ?? {},
          toolResult: { content: [], ...result }
        })
        await view.frame.waitForSelector(".mg-content .mg-header")
        const text = (await view.frame.textContent(".mg-content")) ?? ""
        assert.notInclude(text, "could not show")
        if (kind === "its data") for (const piece of seen) assert.include(text, piece)
        assert.deepEqual(view.violations, [])
        assert.deepEqual(view.consoleErrors, [])
        assert.deepEqual(await view.axe(), [])
      })
    }
  }
})
