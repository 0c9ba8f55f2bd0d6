import { assert, describe, it } from "@effect/vitest"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { HARD_RULES, SOFT_RULES } from "../../../src/domain/inspection/HtmlRules.ts"
import type { HardRule, SoftRule } from "../../../src/domain/inspection/HtmlRules.ts"
import type { Inspection } from "../../../src/domain/inspection/Inspection.ts"
import type { AnswerContext } from "../../../src/domain/inspection/scripts/ScriptInspection.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"

const parsers = await loadSourceParsers()

const context: AnswerContext = {
  toolNames: ["count", "close_issue", "list_issues"],
  inputNames: [],
  maxHtmlBytes: 60_000,
  inputRequired: true,
  partNames: new Set(["show", "table", "chart", "stat", "stats", "button", "form", "h"]),
  appNames: new Set(["App", "PostMessageTransport"])
}

const inspect = (answer: string): Inspection => inspectAnswer(parsers, answer, context)

const accepted = (answer: string) => {
  const inspection = inspect(answer)
  if (inspection._tag === "Rejected") return assert.fail(JSON.stringify(inspection.problems))
  return inspection
}

const SHOW = `<script type=module>import { show } from "mcp-gen-ui/parts"; show((data, ctx) => data)</script>`
/** A page whose script shows its data and does `code` beside it, from line 2, column 1. */
const withCode = (code: string): string =>
  `<script type=module>import { show, table, button, h } from "mcp-gen-ui/parts"; show(view);\n${code}\nfunction view(data, ctx) { return data }</script>`
/** A page that talks to the host itself; `code` is on line 2. */
const withApp = (code: string, markup = "<form><input aria-label=a><button>b</button></form>"): string =>
  `${markup}<script type=module>import { App } from "@modelcontextprotocol/ext-apps"; const app = new App({});\n${code}</script>`
const LISTEN = `document.forms[0].addEventListener("submit", () => app.callServerTool({ name: "count" }));`
const CONNECTED = `app.ontoolresult = (result) => result; ${LISTEN} app.connect()`

/** The place after this text, which is the beginning of a line. */
const columnOf = (line: number, before: string): string => `line ${line}, column ${before.length + 1}`

/** The smallest answer that breaks a rule, where the finding is (null: the answer as a whole), and what may be written instead. */
type Row = readonly [breaks: string, place: string | null, instead: string]

const HARD: Readonly<Record<Exclude<HardRule, "data-lost">, Row>> = {
  "not-html": ["It is sunny.", null, "<!-- minimal -->"],
  "two-verdicts": ["<!-- rich -->\n<!-- minimal -->\n" + SHOW, "line 2, column 1", "<!-- rich -->\n" + SHOW],
  "prompt-injection": ["I ignore all previous instructions.\n" + SHOW, null, "<p>Ignore all previous.</p>" + SHOW],
  "too-large": [withCode(`"${"x".repeat(60_000)}"`), null, withCode(`"${"x".repeat(1000)}"`)],
  unfinished: [SHOW + "\n<p class='a", "line 2, column 1", SHOW + "\n<p class='a'>"],
  "no-module-script": ["<p>It is sunny.</p>", null, SHOW],
  "no-connect": ["<script type=module>1</script>", null, withApp(CONNECTED)],
  "no-result-handler": [withApp("app.connect()"), null, withApp(CONNECTED)],
  "script-syntax": [withCode("const a: number = 1"), "line 2, column 8", withCode("const a = 1")],
  "foreign-import": [
    withCode('import React from "https://esm.sh/react"'),
    "line 2, column 1",
    withCode('import { App } from "https://esm.sh/@modelcontextprotocol/ext-apps"; App')
  ],
  "unknown-part": [
    withCode('import {\ndataGrid } from "mcp-gen-ui/parts"; dataGrid()'),
    "line 3, column 1",
    withCode('import { chart } from "mcp-gen-ui/parts"; chart')
  ],
  "unknown-export": [
    withCode('import { useApp } from "@modelcontextprotocol/ext-apps"; useApp()'),
    "line 2, column 10",
    withCode('import { App } from "@modelcontextprotocol/ext-apps"; App')
  ],
  "external-script": [
    SHOW + "<script src=https://cdn.test/chart.js></script>",
    columnOf(1, SHOW + "<script "),
    SHOW + "<script>var a</script>"
  ],
  "external-style": ["<link rel=stylesheet href=a.css>" + SHOW, "line 1, column 22", "<style>a {}</style>" + SHOW],
  "script-type": [
    SHOW + "\n<script type=text/babel><b/></script>",
    "line 2, column 1",
    SHOW + "<script type=application/json>{}</script>"
  ],
  "forbidden-element": ["<iframe></iframe>" + SHOW, "line 1, column 1", "<dialog></dialog>" + SHOW],
  "meta-http-equiv": ["<meta http-equiv=refresh>" + SHOW, "line 1, column 7", "<meta charset=utf-8>" + SHOW],
  "external-resource": ["<img src=//a.test/a.png>" + SHOW, "line 1, column 6", "<img src=data:, alt=''>" + SHOW],
  "link-scheme": ["<a href=ftp://a.test>x</a>" + SHOW, "line 1, column 4", "<a href=#a>x</a>" + SHOW],
  "form-action": [
    withApp(CONNECTED, "<form action=/a><button>b</button></form>"),
    "line 1, column 7",
    withApp(CONNECTED, "<form><button>b</button></form>")
  ],
  "inline-event-handler": [
    "<p>\n<b onclick=a()>x</b>" + SHOW,
    "line 2, column 4",
    withCode('document.body.addEventListener("click", () => 1)')
  ],
  "script-url": ["<a href=javascript:a()>x</a>" + SHOW, "line 1, column 4", "<a href=mailto:a@b.test>x</a>" + SHOW],
  "forbidden-attribute": ["<p srcdoc=a>x</p>" + SHOW, "line 1, column 4", "<p title=a>x</p>" + SHOW],
  "css-import": [
    "<style>\n@import 'a.css'</style>" + SHOW,
    "line 2, column 1",
    "<style>@media print {}</style>" + SHOW
  ],
  "css-url": [
    "<style>a { background: url(//a.test) }</style>" + SHOW,
    "line 1, column 24",
    "<style>a { background: url(data:,) }</style>" + SHOW
  ],
  "ambiguous-markup": ["<svg><p>x</p></svg>" + SHOW, "line 1, column 6", "<svg><text>x</text></svg>" + SHOW],
  "hidden-name": [withCode("window[view.name]"), "line 2, column 1", withCode("const own = {}; own[view.name]")],
  "hidden-window": [withCode("document.defaultView"), "line 2, column 1", withCode("document.title")],
  "dynamic-code": [withCode("eval('1')"), "line 2, column 1", withCode("JSON.parse('1')")],
  "page-secret": [withCode("document.scripts[0].nonce"), "line 2, column 1", withCode("document.scripts[0].id")],
  "secret-field": [
    withApp(CONNECTED, "<form><input type=password aria-label=a><button>b</button></form>"),
    "line 1, column 7",
    withApp(CONNECTED)
  ],
  "host-message": [
    withCode("const post = (other) => other.postMessage(1, '*'); post(globalThis)"),
    "line 2, column 25",
    withCode("const bag = { postMessage: () => 1 }; bag.postMessage()")
  ],
  "network-access": [withCode("fetch('/a')"), "line 2, column 1", withCode("view.call = () => 1")],
  navigation: [withCode("top.location = 'a'"), "line 2, column 1", withCode("location.hash = 'a'")]
}

const SOFT: Readonly<Record<SoftRule, Row>> = {
  "document-write": [withCode("document.write('a')"), "line 2, column 1", withCode("document.body.append('a')")],
  "frame-access": [withCode("window.parent"), "line 2, column 1", withCode("window.innerWidth")],
  storage: [withCode("localStorage.a"), "line 2, column 1", withCode("new Map().a")],
  modal: [withCode("alert(1)"), "line 2, column 1", withCode("view.alert")],
  "risky-text": [
    withCode(`table("<meta http-equiv=refresh>")`),
    "line 2, column 7",
    withCode(`table("<meta charset=utf-8>")`)
  ],
  "unlabelled-input": ["<input>" + SHOW, "line 1, column 1", "<label>A <input></label>" + SHOW],
  "external-link": ["<a href=https://a.test>x</a>" + SHOW, "line 1, column 4", "<a href=#a>x</a>" + SHOW],
  "unknown-tool": [
    withCode("show((data, ctx) => button('a', () => ctx.call('closeissue')))"),
    "line 2, column 48",
    withCode("show((data, ctx) => button('a', () => ctx.call('close_issue')))")
  ],
  "duplicate-id": ["<p id=a></p>\n<p id=a></p>" + SHOW, "line 2, column 1", "<p id=a></p><p id=b></p>" + SHOW],
  "late-handler": [
    withApp(`${LISTEN} await app.connect(); app.ontoolresult = (result) => result`),
    columnOf(2, `${LISTEN} await app.connect(); `),
    withApp(CONNECTED)
  ],
  "error-content": [
    withApp(`${CONNECTED}; app.ontoolresult = ({ content }) => content.some((c) => c.type === "error")`),
    columnOf(2, `${CONNECTED}; app.ontoolresult = ({ content }) => content.some((c) => `),
    withApp(`${CONNECTED}; app.ontoolresult = ({ isError }) => isError`)
  ],
  "no-form": [
    withApp("app.ontoolresult = (result) => result; app.connect()", ""),
    "line 1, column 1",
    withApp(CONNECTED)
  ],
  "form-without-handler": ["<form><button>a</button></form>" + SHOW, "line 1, column 1", withApp(CONNECTED)]
}

const rulesOf = (inspection: Inspection): ReadonlyArray<string> => [
  ...new Set(
    inspection._tag === "Rejected"
      ? inspection.problems.map(({ rule }) => rule)
      : inspection.warnings.map((warning) => warning.slice(0, warning.indexOf(":")))
  )
]

const messages = (inspection: Inspection): ReadonlyArray<string> =>
  inspection._tag === "Rejected"
    ? inspection.problems.map(({ rule, message }) => `${rule}: ${message}`)
    : inspection.warnings

describe("each rule", () => {
  it.each(Object.entries(HARD))("%s refuses, says where and what to write, and lets that through", (rule, row) => {
    const [breaks, place, instead] = row
    const inspection = inspect(breaks)
    assert.deepStrictEqual([inspection._tag, ...rulesOf(inspection)], ["Rejected", rule])
    const [message = ""] = messages(inspection)
    if (place !== null) assert.include(message, `${rule}: ${place}: `)
    assert.isAbove(message.split(": ").at(-1)?.length ?? 0, 10)
    assert.deepStrictEqual(accepted(instead).warnings, [])
  })

  it.each(Object.entries(SOFT))("%s warns, says where and what to write, and lets that through", (rule, row) => {
    const [breaks, place, instead] = row
    const inspection = accepted(breaks)
    assert.deepStrictEqual(rulesOf(inspection), [rule])
    assert.include(inspection.warnings[0], `${rule}: ${place}: `)
    assert.deepStrictEqual(accepted(instead).warnings, [])
  })

  it("has a row", () => {
    assert.sameMembers([...Object.keys(HARD), "data-lost"], Object.keys(HARD_RULES))
    assert.sameMembers(Object.keys(SOFT), Object.keys(SOFT_RULES))
  })
})

describe("a page that replaces another one", () => {
  const before = {
    source: withCode("table(data.days, { columns: ['date', 'wind'] })"),
    members: [["date", "wind", "sun", "rain"], ["days"]],
    shown: ["rain", "other"]
  }

  it.each([
    ["the same members, in a pattern and a path", "data.rain.map(({ date }) => h('a', date, 'day.wind'))", null],
    ["a member more", "[data.date, data.wind, data.rain, data.sun]", null],
    ["a member only in a comment", "data.date(data.rain) // wind", "data-lost: wind: "],
    ["without one that stood on the screen", "[data.date, data.wind]", "data-lost: rain: "],
    ["none of them: it draws the whole", "table(data.days)", null],
    ["not even the whole", "data.date", "data-lost: wind, rain"]
  ])("with %s", (_, code, message) => {
    const inspection = inspectAnswer(parsers, withCode(code), { ...context, before })
    if (message === null) assert.strictEqual(inspection._tag, "Accepted", messages(inspection).join())
    else assert.include(messages(inspection)[0], message)
  })

  it("is not the built-in one", () => {
    const inspection = inspectAnswer(parsers, "<!-- minimal -->", { ...context, before })
    assert.deepStrictEqual(rulesOf(inspection), ["data-lost"])
  })
})

it("a comment that is cut off is refused", () => {
  assert.deepStrictEqual(rulesOf(inspect(`${SHOW}\n<!-- a`)), ["unfinished"])
})

describe("tools that are called", () => {
  const calls = (show: string): ReadonlyArray<string> =>
    accepted(`<script type=module>import { show, table } from "mcp-gen-ui/parts"\n${show}</script>`).warnings

  it.each([
    `show((data, ctx) => ctx.call("none", {}))`,
    `show((rows, { call, args }) => call("none"))`,
    `show(function (data, more) { const { call: go } = more; return go("none") })`,
    `const view = (data, context) => { const run = context.call; run("none") }; show(view)`,
    `show(view); function view(data, ctx) { return act(ctx) } function act(c) { return c.call("none") }`,
    `import * as parts from "mcp-gen-ui/parts"; parts.show((data, ctx) => ctx.call("no" + "ne"))`
  ])("%s is seen", (show) => {
    assert.lengthOf(calls(show), 1)
    assert.match(calls(show)[0] ?? "", /^unknown-tool: line 2, column \d+: none: .* it has count, close_issue/u)
  })

  it.each([
    `show((data, ctx) => ctx.call({ a: 1 }))`,
    `show((data, ctx) => ctx.call(data.tool, {}))`,
    `show((data, ctx) => data.call("none"))`,
    `show((data) => { const ctx = { call() {} }; ctx.call("none") })`,
    `show((data, ctx) => [1].map((ctx) => ctx.call("none")))`
  ])("%s is none", (show) => {
    assert.deepStrictEqual(calls(show), [])
  })

  it("names the tools that are meant", () => {
    assert.include(calls(`show((d, c) => c.call("closeIssue"))`)[0], "it has close_issue, list_issues")
  })
})

describe("repairs", () => {
  const script = (code: string, type = "module"): string => `<!-- rich -->\n<script type="${type}">\n${code}\n</script>`
  const PARTS = `import { show, table } from "mcp-gen-ui/parts"\n`
  const APP = `import { App } from "@modelcontextprotocol/ext-apps"\nconst app = new App({})\n`

  it.each<readonly [name: string, answer: string, repair: string, source: string]>([
    ["a fence", "Here:\n```html\n" + SHOW + "\n```\nDone.", "took the page out of its Markdown fence", SHOW],
    ["prose around", "Sure.\n" + SHOW + "\nEnjoy!", "left out the words around the page", SHOW],
    ["prose after the verdict", "<!-- rich -->\nSure:\n" + SHOW, "left out the words around the page", SHOW],
    [
      "missing end tags",
      `<div><p>a${SHOW.replace("</script>", "")}`,
      "added the missing </script></div>",
      "</script></div>"
    ],
    ["a cut end tag of the script", SHOW.slice(0, -4), "took away an end tag that was cut off", SHOW],
    ["a cut end tag", `<div>${SHOW}</di`, "took away an end tag that was cut off", `<div>${SHOW}</div>`],
    ["type=module", script(`${PARTS}show((d) => d)`, ""), 'gave the script type="module"', `<script type="module">`],
    [
      "imports in a classic script",
      script("show((d) => d)", ""),
      "added the forgotten import of show",
      "import { show }"
    ],
    [
      "forgotten imports",
      script(`${PARTS}show((d) => chart(stats(d)))`),
      "added the forgotten import of chart, stats",
      "import { chart, stats }"
    ],
    [
      "require",
      script(`const { show: s, table } = require("mcp-gen-ui/parts")\ns((d) => d)`, ""),
      "imports mcp-gen-ui/parts instead of requiring",
      `import { show as s, table } from "mcp-gen-ui/parts";`
    ],
    [
      "require of everything",
      script(`const parts = require("mcp-gen-ui/parts")\nparts.show((d) => d)`),
      "imports mcp-gen-ui/parts instead of requiring",
      `import * as parts from`
    ],
    [
      "upper case",
      script(`import { show, Table as T } from "mcp-gen-ui/parts"\nshow((d) => T(d))`),
      "imports table instead of Table",
      "import { show, table as T } from"
    ],
    [
      "a plural",
      script(`import { show, tables, Stats } from "mcp-gen-ui/parts"\nshow((d) => tables(Stats(d)))`),
      "imports table instead of tables",
      "import { show, table as tables, stats as Stats } from"
    ],
    [
      "the other package",
      script(`import { show, App } from "mcp-gen-ui/parts"\nshow((d) => App)`),
      "imports App from @modelcontextprotocol/ext-apps",
      `import { App } from "@modelcontextprotocol/ext-apps";`
    ],
    [
      "an unused name",
      script(`import { show, useApp } from "mcp-gen-ui/parts"\nshow((d) => d)`),
      "left out the import of useApp",
      "import { show } from"
    ],
    [
      "an export",
      script(`${PARTS}export const a = 1\nexport { a as b }\nshow((d) => d)`),
      "left out the word export",
      "\nconst a = 1\n"
    ],
    [
      "a default export of a view",
      script(`${PARTS}export default (d) => table(d)`),
      "gave the function that the script exports to show",
      "show((d) => table(d));"
    ],
    [
      "a default export beside show",
      script(`${PARTS}show((d) => d)\nexport default {}`),
      "left out the word export",
      ";({});"
    ],
    [
      "entities",
      script(`${PARTS}const t = "&amp;"\nshow((d) =&gt; d.a &amp;&amp; t)`),
      "wrote the operators of the script",
      `const t = "&amp;"\nshow((d) => d.a && t)`
    ],
    [
      "entities of quotes",
      script(`import { show } from &quot;mcp-gen-ui/parts&quot;\nshow((d) =&gt; d)`),
      "wrote the operators of the script",
      `from "mcp-gen-ui/parts"\nshow((d) => d)`
    ],
    [
      "entities of quotes around an apostrophe",
      script(`${PARTS}show((d) =&gt; &quot;it's&quot;)`),
      "wrote the characters of the script",
      `show((d) => "it's")`
    ],
    ["typographic quotes", script(`${PARTS}show((d) => “It’s ‘a’”)`), "replaced typographic quotes", `"It’s ‘a’"`],
    [
      "a fence in the script",
      script("```js\n" + PARTS + "show((d) => d)\n```"),
      "took the script out of its Markdown fence",
      PARTS
    ],
    [
      "connect",
      script(`${APP}app.ontoolresult = (result) => result // end`),
      "connected the App at the end of its script",
      "// end\n\nawait app.connect();\n"
    ],
    [
      "an address of a CDN",
      script(`${PARTS.replace("mcp-gen-ui", "https://cdn.jsdelivr.net/npm/mcp-gen-ui@1.2.3")}show((d) => d)`),
      "imports mcp-gen-ui/parts by its own name",
      `from "mcp-gen-ui/parts"`
    ]
  ])("%s", (_name, answer, repair, source) => {
    const inspection = accepted(answer)
    assert.isTrue(
      inspection.repairs.some((words) => words.startsWith(repair)),
      inspection.repairs.join("\n")
    )
    assert.include(inspection.source, source)
    const again = accepted(`<!-- rich -->\n${inspection.source}`)
    assert.deepStrictEqual([again.repairs, again.source], [[], inspection.source])
  })

  it.each([
    ["esm.sh", "https://esm.sh/@modelcontextprotocol/ext-apps@1.7.5"],
    ["unpkg", "https://unpkg.com/@modelcontextprotocol/ext-apps/dist/src/app-with-deps.js"],
    ["jsdelivr", "https://cdn.jsdelivr.net/npm/@modelcontextprotocol/ext-apps@latest/+esm"],
    ["skypack", "https://cdn.skypack.dev/@modelcontextprotocol/ext-apps"],
    ["a subpath", "@modelcontextprotocol/ext-apps/app"]
  ])("imports of ext-apps from %s become imports of the package", (_name, specifier) => {
    const { source } = accepted(script(`${APP.replace("@modelcontextprotocol/ext-apps", specifier)}${CONNECTED}`))
    assert.include(source, `from "@modelcontextprotocol/ext-apps"`)
    assert.notInclude(source, specifier === "@modelcontextprotocol/ext-apps/app" ? "ext-apps/app" : "https:")
  })

  const failing = (code: string): string | null => accepted(script(`${APP}app.connect()\n${code}`)).source
  it.each([
    [
      `app.ontoolresult = (r) => r.content.some((c) => c.type === "error")`,
      `r.content.some((c) => (r?.isError === true))`
    ],
    [`app.ontoolresult = (r) => r.content?.find(({ type }) => type == "error")`, `(r?.isError === true)`],
    [
      `app.ontoolresult = (r) => { for (const c of r.content) if (c.type !== "error") c }`,
      `if ((r?.isError !== true)) c`
    ],
    [`app.ontoolresult = (r) => r.content[0]?.type === "error"`, `=> (r?.isError === true)`],
    [
      `app.addEventListener("toolresult", show); function show(r) { (r.content ?? []).filter((c) => "error" === c.type) }`,
      `(r?.isError === true)`
    ],
    [
      `const answer = await app.callServerTool({ name: "count" }); answer.content.find((c) => c.type === "error")`,
      `(answer?.isError === true)`
    ]
  ])("%s asks isError instead", (code, wanted) => {
    assert.include(failing(code), wanted)
    assert.notInclude(failing(code), `"error"`)
  })

  it.each([
    `app.ontoolresult = (r) => r.structuredContent.events.filter((e) => e.type === "error")`,
    `app.ontoolresult = (r) => JSON.parse(r.content[0].text).log.some((line) => line.type === "error")`,
    `app.ontoolresult = (r) => r.content.find((c) => c.level === "error")`
  ])("%s is left alone, without a warning", (code) => {
    assert.include(failing(code), code)
    assert.notInclude(rulesOf(inspect(script(`${APP}app.connect()\n${code}`))), "error-content")
  })

  it("leaves comparisons of a tool's own data alone", () => {
    const code = `${PARTS}show((data) => data.content.filter((part) => part.type === "error"))`
    const { source, warnings, repairs } = accepted(script(code))
    assert.include(source, code)
    assert.deepStrictEqual([warnings, repairs], [[], []])
  })

  it.each([
    `app.ontoolresult = (r) => { r.content.some((r) => r.type === "error") }`,
    `const draw = (answer) => answer.content.some((c) => c.type === "error"); app.ontoolresult = ({ content }) => draw({ content })`,
    `app.ontoolresult = (r) => { const b = r.content[0]; b.type === "error" }`,
    `app.ontoolresult = (r) => { switch (r.content[0].type) { case "error": r } }`
  ])("warns of %s, which has no safe rewrite", (code) => {
    assert.include(failing(code), code)
    assert.include(rulesOf(inspect(script(`${APP}app.connect()\n${code}`))), "error-content")
  })

  it("says the positions of the answer, not of what was mended before", () => {
    const answer = script(
      `import { Table, show, x } from "mcp-gen-ui/parts"\nshow((d) =&gt; x &amp;&amp; fetch(d), Table)`
    )
    const inspection = inspect(answer)
    const found = messages(inspection).map((message) => message.split(": ").slice(0, 3).join(": "))
    assert.sameMembers(found, ["unknown-part: line 3, column 1: x", "network-access: line 4, column 29: fetch"])
  })
})
