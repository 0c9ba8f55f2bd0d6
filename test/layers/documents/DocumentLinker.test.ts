import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { parseMarkup } from "../../../src/domain/inspection/html/HtmlMarkup.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import { makeToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import type { PageTools } from "../../../src/domain/tools/PageTools.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { PackageFileMissing, PackageFiles } from "../../../src/services/documents/PackageFiles.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const RUNTIME = `globalThis.mcpGenUi={parts:{},extApps:{},version:"</script><!--"};`

const link = (tool: Tool, entry: UiEntry, runtime: string | null = RUNTIME, pageTools?: PageTools) =>
  Effect.flatMap(DocumentLinker, (linker) => linker.link(tool, entry, pageTools)).pipe(
    Effect.provide(linkerWith(runtime))
  )

const linkerWith = (runtime: string | null) =>
  DocumentLinkerLayer.layer({ theme: "dark", maxOutputDisplayBytes: 1000 }).pipe(
    Layer.provide(
      Layer.succeed(
        PackageFiles,
        PackageFiles.of({
          root: "",
          text: (path) =>
            runtime === null
              ? Effect.fail(new PackageFileMissing({ path, cause: "not in this test" }))
              : Effect.succeed(path.endsWith(".css") ? "" : path.endsWith(".json") ? "{}" : runtime)
        })
      )
    )
  )

const toolOf = (definition: object = {}): Tool => {
  const tool = toolFromDefinition({ name: "get_weather", inputSchema: { type: "object" }, ...definition })
  if (tool === undefined) throw new Error("the definition has no name")
  return tool
}

const entryOf = (source: string | null, more: Partial<UiEntry> = {}): UiEntry => {
  const isBuiltIn = source === null
  const kind = { uiType: isBuiltIn ? "minimal" : "rich", level: isBuiltIn ? 2 : 0 } as const
  return uiEntry("key", { toolName: "get_weather", source, ...kind, ...more })
}

const PROOF = { token: "t", proof: "p" }
const SELECT: PageTools = { ...PROOF, select: "_ui2_select" }
const current = (name: string): PageTools => ({ ...PROOF, current: name })

const parsers = await loadSourceParsers()

/** What a browser would find in a document: its scripts and its data. */
const read = (html: string) => {
  const markup = parseMarkup(parsers, html)
  const content = (name: string) =>
    markup.elements
      .filter((element) => element.name === name)
      .map(({ openEnd, contentEnd }) => html.slice(openEnd, contentEnd))
  const [data, runtime, ...scripts] = content("script")
  const place = (name: string) => markup.elements.find((element) => element.name === name)?.start ?? -1
  return {
    markup,
    data: JSON.parse(data ?? ""),
    runtime: runtime ?? "",
    scripts,
    titles: content("title"),
    bodies: content("body"),
    head: content("head")[0] ?? "",
    body: content("body")[0] ?? "",
    place
  }
}

const answer = (name: string): string =>
  readFileSync(new URL(`../../fixtures/answers/${name}`, import.meta.url), "utf8")

describe("DocumentLinker", () => {
  itEffect("names the wrapper's tools that a page may call, and changes nothing else for them", function* () {
    const plain = read(yield* link(toolOf(), entryOf(null)))
    const named = read(yield* link(toolOf(), entryOf(null), RUNTIME, SELECT))
    assert.notProperty(plain.data, "wrapperTools")
    assert.deepStrictEqual(named.data, { ...plain.data, wrapperTools: SELECT })
    assert.strictEqual(named.runtime, plain.runtime)
  })

  itEffect("gives all tools of a server the same family", function* () {
    const { tools } = makeToolCatalog([{ name: "list_issues" }, { name: "get_issue" }], () => true)
    for (const tool of tools) assert.strictEqual(read(yield* link(tool, entryOf(null))).data.tool.family, "list_issues")
  })

  itEffect("gives the runtime its data before it runs, for the built-in UI", function* () {
    const fallback = { code: "TIMEOUT", message: "It took too long.", transient: true } as const
    const tool = toolOf({
      title: "Weather",
      description: "Gets it.",
      outputSchema: true,
      annotations: { readOnlyHint: true },
      secret: 1
    })
    const html = yield* link(tool, entryOf(null, { fallback }))
    assert.isTrue(html.startsWith('<!doctype html><html lang="en"><head><meta charset="utf-8">'))
    const page = read(html)
    assert.deepStrictEqual(page.data, {
      tool: {
        name: "get_weather",
        title: "Weather",
        description: "Gets it.",
        inputSchema: { type: "object" },
        outputSchema: true,
        annotations: { readOnlyHint: true },
        family: "get_weather"
      },
      view: "builtin",
      uiType: "minimal",
      fallback,
      level: 2,
      version: page.data.version,
      theme: "dark",
      limits: { maxOutputDisplayBytes: 1000 }
    })
    assert.match(page.data.version, /^[0-9a-f]{16}$/u)
    assert.deepStrictEqual(page.titles, ["Weather"])
    assert.strictEqual(page.body, "")
    const world: { mcpGenUi?: unknown } = {}
    runInNewContext(`globalThis = world; ${page.runtime.replaceAll("globalThis", "world")}`, { world })
    assert.deepStrictEqual(JSON.parse(JSON.stringify(world.mcpGenUi)), {
      parts: {},
      extApps: {},
      version: "</script><!--"
    })
  })

  itEffect(
    "links a fragment: leading styles into the head, the rest into the body, imports from the runtime",
    function* () {
      const source = answer("good-style-and-markup.html").replace("<!-- rich -->\n", "")
      const { head, body, scripts, data } = read(yield* link(toolOf(), entryOf(source)))
      assert.strictEqual(data.view, "generated")
      const style = source.slice(0, source.indexOf("<section"))
      assert.isTrue(head.endsWith(style))
      assert.isTrue(body.startsWith(source.slice(source.indexOf("<section"), source.indexOf("<script"))))
      assert.notMatch(scripts[0] ?? "", /^\s*import\b/mu)
      assert.include(scripts[0], "=globalThis.mcpGenUi.parts;")
      assert.isTrue(scripts[0]?.endsWith(source.slice(source.indexOf("\nconst board"), source.indexOf("</script>"))))
    }
  )

  itEffect("takes a whole document apart and keeps its attributes, title and order", function* () {
    const html = yield* link(toolOf({ title: "Other" }), entryOf(answer("good-app-document.html")))
    const { markup, head, body, titles, scripts, bodies } = read(html)
    assert.isTrue(html.startsWith('<!doctype html><html lang="en" class="page"><head>'))
    for (const name of ["html", "head", "body"]) {
      assert.lengthOf(
        markup.elements.filter((element) => element.name === name),
        1
      )
    }
    assert.lengthOf(markup.doctypes, 1)
    for (const tag of ["</head>", "</body>", "</html>"]) assert.lengthOf(html.split(tag), 2)
    assert.deepStrictEqual(titles, ["Counter"])
    assert.include(head, "<style>main { padding: 8px }</style>")
    assert.include(html, '<body class="calm">')
    assert.include(body, "<h1>Counter</h1>")
    assert.lengthOf(bodies, 1)
    assert.include(scripts[0], "const{App}=globalThis.mcpGenUi.extApps;")
  })

  itEffect("links documents that leave out tags of the frame", function* () {
    for (const source of [
      "<head><style>a{}</style><div id=a></div><script type=module>1</script>",
      "<html><style>a{}</style><body id=b><div id=a></div><script type=module>1</script></html>",
      "<!doctype html><style>a{}</style>\n<div id=a></div><script type=module>1</script></body>",
      "<style>a{}</style>text<div id=a></div><script type=module>1"
    ]) {
      const { head, body, markup } = read(yield* link(toolOf(), entryOf(source)))
      assert.include(head, "<style>a{}</style>")
      assert.match(body, /<div id=a><\/div><script type=module>1<\/script>/u)
      for (const name of ["html", "head", "body"]) {
        assert.lengthOf(
          markup.elements.filter((element) => element.name === name),
          1
        )
      }
    }
  })

  itEffect("keeps head scripts of a document before its body, in order", function* () {
    const source =
      "<html><head><script>var first = 1</script><style></style></head><body><script type=module>2</script></body></html>"
    const { head, scripts } = read(yield* link(toolOf(), entryOf(source)))
    assert.include(head, "<script>var first = 1</script><style></style>")
    assert.deepStrictEqual(scripts, ["var first = 1", "2"])
  })

  itEffect("makes sequences in scripts harmless and keeps what they say", function* () {
    const source = `<script>var said = "<!-- <script>" + 'x'</script><script type="application/json">{"a":"<!-- <script>"}</script><p id="after"></p>`
    const html = yield* link(toolOf(), entryOf(source))
    const { scripts, data } = read(html)
    assert.strictEqual(data.view, "generated")
    assert.notInclude(html.slice(html.indexOf("<body")), "<!--")
    const world = runInNewContext(`${scripts[0]}; said`)
    assert.strictEqual(world, "<!-- <script>x")
    assert.deepStrictEqual(JSON.parse(scripts[1] ?? ""), { a: "<!-- <script>" })
    assert.include(html, '<p id="after"></p>')
  })

  itEffect("lets no text of a tool become markup", function* () {
    const probe = `"'></title></script></style><!--<script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u2028`
    const tool = toolOf({ name: probe, title: probe, description: probe, inputSchema: { [probe]: probe } })
    for (const [entry, runtime] of [
      [entryOf(null), RUNTIME],
      [entryOf("<script type=module>1</script>"), RUNTIME],
      [entryOf(null), null]
    ] as const) {
      const html = yield* link(tool, entry, runtime)
      const { markup } = { markup: parseMarkup(parsers, html) }
      assert.notInclude(
        markup.elements.map(({ name }) => name),
        "img"
      )
      const scripts = markup.elements.filter(({ name }) => name === "script").length
      assert.strictEqual(scripts, runtime === null ? 0 : entry.source === null ? 2 : 3)
      if (runtime !== null) assert.strictEqual(read(html).data.tool.name, probe)
    }
  })

  itEffect("answers with plain HTML when the runtime is missing", function* () {
    const html = yield* link(toolOf({ description: "Gets it." }), entryOf(null), null)
    assert.include(html, "dist/runtime.packed.js is missing from the installed package")
    for (const text of ["get_weather", "Gets it.", "&quot;type&quot;: &quot;object&quot;"]) assert.include(html, text)
    assert.notInclude(html, "<script")
  })

  itEffect("answers with plain HTML when a source cannot be linked", function* () {
    const html = yield* link(toolOf(), entryOf("<script type=module>import {</script>"))
    assert.include(html, "The interactive view cannot be shown: Unexpected token")
    assert.notInclude(html, "<script")
  })

  const HIDDEN_META = "<form><svg></form><style><meta http-equiv=refresh content=0></style><script>1</script>"

  itEffect("answers with plain HTML when a browser would make other markup of a source", function* () {
    const entry = entryOf(HIDDEN_META, { provider: "openai" })
    const html = yield* link(toolOf(), entry)
    assert.include(html, "its markup is refused: browsers find &lt;meta http-equiv=&quot;refresh&quot;&gt; in it")
    assert.notInclude(html, "<script")
    assert.notInclude(html, "<style><meta")
    const part = yield* Effect.flip(
      Effect.flatMap(DocumentLinker, (linker) => linker.part(toolOf(), entry)).pipe(Effect.provide(linkerWith(RUNTIME)))
    )
    assert.include(String(part.cause), "its markup is refused")
  })

  itEffect("lets a person's own file do so, and says it once in the log", function* () {
    const messages: Array<string> = []
    const log = Logger.make<unknown, void>(({ message }) => void messages.push(String(message)))
    const file = (source: string) => entryOf(source, { provider: "file" })
    const html = yield* Effect.gen(function* () {
      const linker = yield* DocumentLinker
      yield* linker.link(toolOf(), file("<p>a</p>"))
      yield* linker.link(toolOf(), file(HIDDEN_META))
      return yield* linker.link(toolOf(), file(HIDDEN_META))
    }).pipe(Effect.provide([linkerWith(RUNTIME), Logger.layer([log])]))
    assert.include(html, "<form><svg></form><style><meta")
    assert.lengthOf(messages, 1)
    assert.include(messages[0], "made by hand")
  })

  itEffect("shows a schema that JSON has no text for", function* () {
    const cycle: Record<string, unknown> = {}
    cycle["self"] = cycle
    const html = yield* link(toolOf({ inputSchema: cycle }), entryOf(null))
    assert.include(html, "The schema cannot be shown.")
  })

  itEffect("changes the version of a document with what it shows, and its own with the runtime", function* () {
    const versionOf = (entry: UiEntry) => Effect.map(link(toolOf(), entry), (html) => read(html).data.version)
    const fallback = { code: "TIMEOUT", message: "It took too long.", transient: true } as const
    const versions = yield* Effect.forEach(
      [
        entryOf(null),
        entryOf(null, { fallback }),
        entryOf("<p>a"),
        entryOf("<p>b"),
        entryOf("<p>b", { templateVersion: "2" })
      ],
      versionOf
    )
    assert.lengthOf(new Set(versions), 5)
    const [same] = yield* Effect.forEach([entryOf("<p>a", { key: "other", createdAt: 5 })], versionOf)
    assert.strictEqual(same, versions[2])
    const linkerVersion = (runtime: string | null) =>
      Effect.flatMap(DocumentLinker, ({ version }) => version).pipe(Effect.provide(linkerWith(runtime)))
    const own = yield* Effect.forEach(["a", "b", "a", null], linkerVersion)
    assert.strictEqual(own[0], own[2])
    assert.lengthOf(new Set(own), 3)
  })

  it.effect("prints the document as a JSON string, once for all who read it", () =>
    Effect.gen(function* () {
      const linker = yield* DocumentLinker
      const written = entryOf("<p>a")
      const first = yield* linker.print(toolOf(), written, current("_ui_current"))
      assert.strictEqual(
        JSON.stringify(first),
        JSON.stringify(yield* linker.link(toolOf(), written, current("_ui_current")))
      )
      assert.strictEqual(yield* linker.print(toolOf(), entryOf("<p>a"), current("_ui_current")), first)
      const others = yield* Effect.all([
        linker.print(toolOf(), written),
        linker.print(toolOf(), written, current("_ui2_current")),
        linker.print(toolOf({ title: "Weather" }), written),
        linker.print(toolOf(), entryOf("<p>b"))
      ])
      assert.lengthOf(new Set([first, ...others].map((printed) => JSON.stringify(printed))), 5)
    }).pipe(Effect.provide(linkerWith(RUNTIME)))
  )

  it.effect("prints plain HTML for what is refused, also when a person's file of the same text was printed", () =>
    Effect.gen(function* () {
      const linker = yield* DocumentLinker
      const byHand = yield* linker.print(toolOf(), entryOf(HIDDEN_META, { provider: "file" }))
      assert.notInclude(JSON.stringify(byHand), "its markup is refused")
      const byModel = yield* linker.print(toolOf(), entryOf(HIDDEN_META, { provider: "openai" }))
      assert.include(JSON.stringify(byModel), "its markup is refused")
    }).pipe(Effect.provide([linkerWith(RUNTIME), Logger.layer([])]))
  )

  it.effect("makes a document of any source", () =>
    Effect.gen(function* () {
      const linker = yield* DocumentLinker
      const unit = fc.constantFrom(
        "<html>",
        "<head>",
        "</head>",
        "<body a=1>",
        "</body>",
        "</html>",
        "<p>",
        "</p >",
        "<script>",
        "<script type=module>",
        "</script>",
        "<style>",
        "</style>",
        "<title>",
        "</title>",
        "<!--",
        "-->",
        "<!doctype html>",
        "a",
        " ",
        "import 'mcp-gen-ui/parts'\n",
        "<svg>",
        "</svg>",
        "<meta>",
        "`",
        "<"
      )
      for (const source of fc.sample(fc.string({ unit, maxLength: 25 }), 400)) {
        const html = yield* linker.link(toolOf(), entryOf(source))
        assert.isTrue(html.startsWith("<!doctype html><html"), source)
        assert.isTrue(html.endsWith("</html>"), source)
      }
    }).pipe(Effect.provide(linkerWith(RUNTIME)))
  )
})

describe("the wide runtime", () => {
  const files = Layer.succeed(
    PackageFiles,
    PackageFiles.of({ root: "", text: (path) => Effect.succeed(`"${path} is linked"`) })
  )
  const linker = DocumentLinkerLayer.layer({ theme: "dark", maxOutputDisplayBytes: 1000 }).pipe(Layer.provide(files))

  it.effect("is linked for tools that their neighbours or the configuration add something to, and only for them", () =>
    Effect.gen(function* () {
      const { link: linked } = yield* DocumentLinker
      const plain = yield* linked(toolOf(), entryOf(null))
      const wide = yield* linked({ ...toolOf(), extras: { mcpUi: true } }, entryOf(null))
      assert.include(plain, "runtime.packed.js is linked")
      assert.include(wide, "runtimeWide.packed.js is linked")
      assert.include(wide, '"extras":{"mcpUi":true}')
    }).pipe(Effect.provide(linker))
  )
})
