import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { buildSync } from "esbuild"
import * as fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { runtimeExports } from "../../../scripts/runtimeExports.ts"
import { PAGE_PARTS } from "../../../src/domain/documents/pageParts.ts"
import * as HtmlInspectorLayer from "../../../src/layers/inspection/HtmlInspector.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"
import type { Inspection } from "../../../src/services/inspection/HtmlInspector.ts"
import { PackageFileMissing, PackageFiles } from "../../../src/services/documents/PackageFiles.ts"

/** What has to become of a recorded answer: shown as it is (0), shown repaired (1), refused for the built-in UI (2). */
interface Expected {
  readonly level: 0 | 1 | 2
  readonly verdict?: "rich" | "minimal"
  /** How each repair begins, in order. */
  readonly repairs?: ReadonlyArray<string>
  readonly warnings?: ReadonlyArray<string>
  readonly problems?: ReadonlyArray<string>
  readonly injection?: boolean
}

type Cases = Array<[code: string, rule: string]>

const answerText = (name: string): string =>
  readFileSync(new URL(`../../fixtures/answers/${name}`, import.meta.url), "utf8")
const index: Readonly<Record<string, Expected>> = JSON.parse(answerText("index.json"))

const runtime = buildSync({
  entryPoints: ["src/browser/runtime/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  platform: "browser",
  write: false
}).outputFiles[0]!.text

const { appNames, partNames } = runtimeExports(runtime)
const names = JSON.stringify({ appNames: [...appNames], partNames: [...partNames, ...PAGE_PARTS] })

const filesWith = (files: Readonly<Record<string, string>>): Layer.Layer<PackageFiles> =>
  Layer.succeed(
    PackageFiles,
    PackageFiles.of({
      root: "",
      text: (path) =>
        files[path] === undefined
          ? Effect.fail(new PackageFileMissing({ path, cause: "not in this test" }))
          : Effect.succeed(files[path])
    })
  )

const context = { toolNames: ["count", "close_issue"], inputNames: [], maxHtmlBytes: 50_000 }

const inspect = (answer: string, maxHtmlBytes = context.maxHtmlBytes) =>
  Effect.flatMap(HtmlInspector, (inspector) => inspector.inspect(answer, { ...context, maxHtmlBytes }))

const page = (code: string, before = ""): string =>
  `<!-- rich -->\n${before}<script type="module">\nimport { show } from "mcp-gen-ui/parts"\n${code}\nshow((data) => data)\n</script>`

const rules = (inspection: Inspection): ReadonlyArray<string> =>
  inspection._tag === "Rejected" ? [...new Set(inspection.problems.map(({ rule }) => rule))] : []
const warningsOf = (inspection: Inspection): ReadonlyArray<string> =>
  inspection._tag === "Accepted"
    ? [...new Set(inspection.warnings.map((warning) => warning.split(":")[0] ?? ""))]
    : [`rejected: ${rules(inspection).join()}`]

const accepted = (inspection: Inspection) => {
  if (inspection._tag !== "Accepted") return assert.fail(JSON.stringify(inspection.problems))
  return inspection
}

layer(HtmlInspectorLayer.layer.pipe(Layer.provide(filesWith({ "dist/runtime.names.json": names }))))(
  "HtmlInspector",
  (it) => {
    describe("recorded answers", () => {
      it.effect.each(Object.entries(index))("%s", ([name, expected]) =>
        Effect.gen(function* () {
          const inspection = yield* inspect(answerText(name))
          if (expected.level === 2) {
            assert.sameMembers([...rules(inspection)], [...(expected.problems ?? [])])
            assert.strictEqual(
              inspection._tag === "Rejected" && inspection.suspectedInjection,
              expected.injection ?? false
            )
            return
          }
          const { uiType, source, repairs } = accepted(inspection)
          assert.strictEqual(uiType, expected.verdict)
          assert.strictEqual(source === null, expected.verdict === "minimal")
          assert.strictEqual(repairs.length > 0, expected.level === 1)
          const wanted = expected.repairs ?? []
          assert.deepStrictEqual(
            repairs.map((repair, at) => repair.slice(0, wanted[at]?.length)),
            wanted
          )
          assert.sameMembers([...warningsOf(inspection)], [...(expected.warnings ?? [])])
        })
      )

      it.effect("are at least forty, of every level", () =>
        Effect.sync(() => {
          assert.isAtLeast(Object.keys(index).length, 40)
          for (const level of [0, 1, 2]) {
            assert.isAtLeast(Object.values(index).filter((expected) => expected.level === level).length, 12)
          }
          const files = readdirSync(new URL("../../fixtures/answers/", import.meta.url)).filter(
            (name) => name !== "index.json"
          )
          assert.sameMembers(files, Object.keys(index))
        })
      )

      it.effect.each(Object.entries(index))("%s: what was repaired needs no second repair", ([name]) =>
        Effect.gen(function* () {
          const first = yield* inspect(answerText(name))
          if (first._tag === "Rejected" || first.source === null) return
          const second = accepted(yield* inspect(`<!-- rich -->\n${first.source}`))
          assert.deepStrictEqual(second.repairs, [])
          assert.strictEqual(second.source, first.source)
        })
      )
    })

    describe("scripts", () => {
      it.effect.each([
        ["(0, fetch)('/x')", "network-access"],
        ["window?.['fet' + `ch`]('/x')", "network-access"],
        ["const key = 'fetch'; window[key]()", "network-access"],
        ["const { self: { fetch: f } } = globalThis", "network-access"],
        ["let w; w = window; w.XMLHttpRequest", "network-access"],
        ["const { ...all } = window; all.go()", "hidden-name"],
        ["const f = (w = window) => w.fetch()", "network-access"],
        ["(data.none || window).fetch()", "network-access"],
        ["window.valueOf().fetch()", "network-access"],
        ["const w = a ? window : self; w.WebSocket", "network-access"],
        ["frame.contentWindow.name", "hidden-window"],
        ["const send = navigator.sendBeacon.bind(navigator)", "network-access"],
        ["let f; ({ fetch: f } = window)", "network-access"],
        ["location = 'x'", "navigation"],
        ["window.location.search = 'x'", "navigation"],
        ["top['location'].href = 'x'", "navigation"],
        ["[1].forEach(open)", "navigation"],
        ["const { assign } = location", "navigation"],
        ["navigation.navigate('x')", "navigation"],
        ["await import(data.url)", "foreign-import"],
        ["export * from './x.js'", "foreign-import"],
        ["import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'", "foreign-import"],
        ["document.images[0].src = `//x.test/${id}`", "external-resource"],
        ["document.forms[0].action = 'https://x.test'", "form-action"],
        ["h('img', { src: 'https://x.test/a.png' })", "external-resource"],
        ["el.insertAdjacentHTML('beforeend', '<a href=\"javascript:x\">' + a + '</a>')", "script-url"],
        ["el.setAttribute('src', 'https://x.test/')", "external-resource"],
        ["el.setAttribute('ONCLICK', code)", "inline-event-handler"],
        ["document.createElement('SCRIPT')", "forbidden-element"],
        ["h('iframe size-8')", "forbidden-element"],
        ["h(`iframe ${data.size}`)", "forbidden-element"],
        ["h(`${data.tag} flex`)", "hidden-name"],
        ["h('img size-8', { src: 'https://x.test/a.png' })", "external-resource"],
        ["document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe')", "forbidden-element"],
        ["document.createElementNS(data.ns, 'b')", "hidden-name"],
        ["sheet.replaceSync('@import \"x.css\"')", "css-import"],
        ["new Function('x')", "dynamic-code"],
        ["setTimeout('x()', 1)", "dynamic-code"],
        ["self.mcpGenUi", "page-secret"]
      ] satisfies Cases)("rejects %s by %s", ([code, rule]) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(rules(yield* inspect(page(code))), [rule])
        })
      )

      it.effect.each([
        "const fetch = (id) => rows.find((row) => row.id === id); fetch(1)",
        "function open(parent, top) { return parent.children.concat(top) } open([], 1)",
        "for (const location of data.locations ?? []) console.log(location.href)",
        "let location = 1; location = 2",
        "const data = {}, { location } = data; const href = location.replace('a', 'b')",
        "try { data() } catch (top) { console.log(top.message) }",
        "class Worker { fetch() { return this.fetch } } new Worker().fetch()",
        "const row = { fetch: 1, open: 2, src: '/local/path' }; row.fetch + row.open",
        'const text = `<b>${data.name}</b> <img src="${data.image}"> a < b`',
        "details.open = true; dialog.open; history.state; location.hash = 'a'",
        "const size = window.innerWidth > 600, route = location.pathname",
        "const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')",
        "const note = 'call fetch() or window.open() in javascript: never'",
        "let button; const view = (data, ctx) => { button.onclick = () => ctx.open('https://example.test') }; show(view)"
      ])("accepts %s", (code) =>
        Effect.gen(function* () {
          const inspection = yield* inspect(page(code))
          assert.deepStrictEqual(warningsOf(inspection), [])
          assert.deepStrictEqual(accepted(inspection).repairs, [])
        })
      )

      it.effect.each([
        ["document.write('x')", "document-write"],
        ["window.parent.frames.length", "frame-access"],
        ["top.length", "frame-access"],
        ["sessionStorage.a = 1", "storage"],
        ["indexedDB.open('x')", "storage"],
        ["box.innerHTML = '<input name=a>'", "unlabelled-input"]
      ] satisfies Cases)("warns of %s by %s", ([code, rule]) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(warningsOf(yield* inspect(page(code))), [rule])
        })
      )
    })

    describe("markup", () => {
      it.effect.each([
        ["<link rel=stylesheet href=data:text/css,>", "external-style"],
        ["<video poster=//x.test/a.png></video>", "external-resource"],
        ["<img srcset='data:, 1x, https://x.test/a.png 2x'>", "external-resource"],
        ["<input type=image src=x.png title=a>", "external-resource"],
        ["<a href=tel:112>x</a>", "link-scheme"],
        ["<a href=/docs>x</a>", "link-scheme"],
        ["<a href='data:text/html,x'>x</a>", "link-scheme"],
        ["<a href='#a' ping=https://x.test>x</a>", "forbidden-attribute"],
        ["<form><form action=https://x.test></form></form>", "form-action"],
        ["<script type=importmap>{}</script>", "script-type"],
        ["<script type=speculationrules>{}</script>", "script-type"],
        ["<svg><rect fill='url(//x.test#a)'/></svg>", "css-url"],
        ["<svg><p>x</p></svg>", "ambiguous-markup"],
        ["<select aria-label=a><style>a{}</style></select>", "ambiguous-markup"],
        ["<svg><script>1</script></svg>", "ambiguous-markup"],
        ["<svg><desc><div></svg></div></desc>", "ambiguous-markup"],
        ["<svg><![CDATA[x]]></svg>", "ambiguous-markup"],
        ["<![CDATA[><img src=data:, onerror=x>]]>", "ambiguous-markup"],
        ["<p/onclick=1>x</p>", "inline-event-handler"],
        ["<embed src=x>", "forbidden-element"],
        ["<script>var a = </script>", "script-syntax"]
      ] satisfies Cases)("rejects %s by %s", ([markup, rule]) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(rules(yield* inspect(page("", markup))), [rule])
        })
      )

      it.effect.each([
        "<a href='mailto:a@x.test'>x</a><a href=#b>y</a>",
        "<form action><button formmethod=dialog>x</button></form>",
        "<svg><title>a</title><desc>b</desc><use href=#c /><foreignObject><p>x</p></foreignObject></svg>",
        "<svg><style>path { fill: red }</style></svg>",
        "<img src=data:, alt='' srcset='data:,a 1x, data:,b 2x'>",
        '<script type="application/json" id="d">{"a":"<!-- b"}</script>',
        "<script>var classic = document.title</script>",
        "<label for=a>A</label><input id=a><label>B <select></select></label><input type=hidden><textarea aria-label=c></textarea>",
        "<template><p>x</p></template><dialog>y</dialog><my-element></my-element>"
      ])("accepts %s", (markup) =>
        Effect.gen(function* () {
          const inspection = yield* inspect(page("", markup))
          assert.deepStrictEqual(warningsOf(inspection), [])
          assert.include(accepted(inspection).source, markup)
        })
      )

      it.effect("says line and column of the answer, fence and prose included", () =>
        Effect.gen(function* () {
          const inspection = yield* inspect("Sure.\n```html\n" + page("  fetch('x')") + "\n```")
          const message = inspection._tag === "Rejected" ? inspection.problems[0]?.message : ""
          assert.match(message ?? "", /^line 6, column 3: fetch: there is no network/u)
        })
      )
    })

    describe("while it streams", () => {
      const partial = (answer: string) =>
        Effect.flatMap(HtmlInspector, (inspector) => inspector.inspectPartial(answer, context))

      it.effect.each(Object.entries(index).filter(([, { level }]) => level !== 2))("%s is never stopped", ([name]) =>
        Effect.gen(function* () {
          const answer = answerText(name)
          for (let length = 0; length <= answer.length; length += 1) {
            const problem = yield* partial(answer.slice(0, length))
            if (problem !== null) assert.fail(`${answer.slice(0, length)}: ${problem.message}`)
          }
        })
      )

      it.effect("stops at the first thing that cannot become valid", () =>
        Effect.gen(function* () {
          const answer = answerText("hostile-markup.html")
          const stoppedAt = answer.indexOf(">", answer.indexOf("<base")) + 1
          assert.isNull(yield* partial(answer.slice(0, stoppedAt - 1)))
          assert.strictEqual((yield* partial(answer.slice(0, stoppedAt)))?.rule, "forbidden-element")
        })
      )
    })

    it.effect("decides about any text, and never fails", () =>
      Effect.gen(function* () {
        const inspector = yield* HtmlInspector
        const context = yield* Effect.context<never>()
        const piece = fc.constantFrom(
          "<!-- rich -->",
          "<script type=module>",
          "</script>",
          "<style>",
          "</style>",
          "<svg>",
          "</svg>",
          "<title/>",
          "```",
          "\n",
          "import { show } from 'mcp-gen-ui/parts'\n",
          "show()",
          "window",
          "[",
          "]",
          "{",
          "}",
          "(",
          ")",
          "=>",
          "`",
          "${",
          "'",
          '"',
          "<p",
          ">",
          "=",
          "<!--",
          "-->",
          "class A {",
          "async ",
          "await ",
          "\\",
          "/",
          "const a = ",
          "\uD800"
        )
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.string({ unit: fc.oneof(piece, fc.string({ maxLength: 4 })), maxLength: 40 }),
              async (answer) => {
                const settings = { toolNames: [], maxHtmlBytes: 10_000 }
                const inspection = await Effect.runPromiseWith(context)(inspector.inspect(answer, settings))
                assert.oneOf(inspection._tag, ["Accepted", "Rejected"])
                if (inspection._tag === "Rejected") assert.isNotEmpty(inspection.problems)
                await Effect.runPromiseWith(context)(inspector.inspectPartial(answer, settings))
              }
            ),
            { numRuns: 300 }
          )
        )
      })
    )

    it.effect("rejects what overflows a parser or a walker instead of dying", () =>
      Effect.gen(function* () {
        const long = yield* inspect(page(`x = ${"a+".repeat(4000)}a`))
        assert.match(long._tag === "Rejected" ? (long.problems[0]?.message ?? "") : "", /cannot be read/u)
        const deep = page(`x = ${"[".repeat(12_000)}${"]".repeat(12_000)}`)
        assert.deepStrictEqual(rules(yield* inspect(deep)), ["script-syntax"])
      })
    )
  }
)

layer(HtmlInspectorLayer.layer.pipe(Layer.provide(filesWith({}))))("HtmlInspector without a runtime", (it) => {
  it.effect("does not judge the names of parts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(rules(yield* inspect(page("import { anything } from 'mcp-gen-ui/parts'"))), [])
    })
  )
})
