import type { AnyNode } from "acorn"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { linkSource } from "../../../src/domain/inspection/linking/LinkedSource.ts"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { AnswerStream, MAX_PROSE } from "../../../src/domain/inspection/AnswerStream.ts"
import { parseMarkup } from "../../../src/domain/inspection/html/HtmlMarkup.ts"
import type { MarkupElement } from "../../../src/domain/inspection/html/HtmlMarkup.ts"
import type { AnswerContext } from "../../../src/domain/inspection/scripts/ScriptInspection.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"

const parsers = await loadSourceParsers()
const context: AnswerContext = {
  toolNames: [],
  maxHtmlBytes: 200_000,
  partNames: new Set(["show", "table", "text"]),
  appNames: new Set(["App"])
}
const RUNS = { numRuns: 300 }

// ---- A grammar of pages ------------------------------------------------------------------------------------------

const name = fc.constantFrom("a", "b1", "row", "$x", "fetchAll", "opened", "parentNode")

const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    name,
    fc.constantFrom(
      "1",
      "null",
      "'text'",
      '"<b>"',
      "/a<b/g",
      "`<\\/script>`",
      "'<!-- '",
      "data?.rows ?? []",
      "ctx.args"
    ),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ...(${b})]`),
    fc.tuple(name, tie("expression")).map(([key, a]) => `({ ${key}: ${a}, get open() { return ${a} } })`),
    tie("expression").map((a) => `\`x \${${a}} <i>\``),
    fc.tuple(name, tie("expression")).map(([param, a]) => `((${param}, { open = ${a} } = {}) => ${a})`),
    tie("expression").map((a) => `table(${a}, { columns: ["a"] })`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a} < ${b} ? ${a} : ${b})`),
    tie("expression").map((a) => `({ location: ${a} }).location`)
  )
})).expression

const statement: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(name, expression).map(([key, a]) => `{ const ${key} = ${a}; void ${key} }`),
  expression.map((a) => `void (${a})`),
  expression.map((a) => `if (${a}) { text(${a}) } else for (const fetch of [${a}]) fetch`),
  expression.map((a) => `try { void ${a} } catch { /* ${"</script".slice(1)} */ }`),
  expression.map((a) => `class View extends Object { #a = ${a}; static open() { return this.#b } static #b = ${a} }`),
  fc.constantFrom("// <!-- a comment", "label: for (;;) break label", "async function* go() { yield* [await 1] }")
)

const ELEMENTS = "div section p ul table b svg button template article".split(" ")
const markup: fc.Arbitrary<string> = fc.letrec<{ markup: string }>((tie) => ({
  markup: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("text &amp; more", "<br>", "<!-- a <b> -->", "<img src=data:, alt=''>", "<p class='a &lt; b'>open"),
    fc
      .tuple(fc.constantFrom("div", "section", "b", "article"), tie("markup"), tie("markup"))
      .map(([element, a, b]) => `<${element} title="x > y">${a}${b}</${element}>`),
    tie("markup").map((inner) => `<ul><li>${inner}<li>two</ul>`),
    fc.constant("<svg viewBox='0 0 1 1'><g><path d='M0 0'/><text>a</text></g></svg>")
  )
})).markup

const script = (statements: ReadonlyArray<string>): string =>
  `<script type="module">\nimport { show, table, text } from "mcp-gen-ui/parts"\nconst [a, b1, row, $x, fetchAll, opened, parentNode, data, ctx] = []\n{\n${statements.join("\n")}\n}\nshow((data, ctx) => data)\n</script>`

const page = fc
  .tuple(
    markup,
    fc.array(statement, { maxLength: 5 }).map((statements) => statements.map((line, at) => `{ ${line}\n/* ${at} */ }`)),
    markup,
    fc.boolean()
  )
  .map(([before, statements, after, isDocument]) =>
    isDocument
      ? `<!-- rich -->\n<!doctype html><html lang=en><head><title>T</title><style>a > b {}</style></head><body class=x>${before}${script(statements)}${after}</body></html>`
      : `<!-- rich -->\n<i></i>${before}${script(statements)}${after}<i></i>`
  )

/** What a script may not do, whichever way it is written; every one of them is about a name that nothing shadows. */
const forbiddenCode = fc.constantFrom(
  "fetch('/x')",
  "globalThis.fetch('/x')",
  "(0, window['fe' + 'tch'])('/x')",
  "new XMLHttpRequest()",
  "new self[`Web${'Socket'}`]('wss://x.test')",
  "Reflect.get(window, 'EventSource')",
  "((w) => w.fetch('/x'))(window)",
  "navigator.sendBeacon('/x')",
  "(({ navigator: { sendBeacon: s } }) => s('/x'))(window)",
  "new RTCPeerConnection()",
  "(location.href = 'https://x.test')",
  "(top.location = 'https://x.test')",
  "document.defaultView.open('https://x.test')",
  "document.location.replace('https://x.test')",
  "import('https://x.test/x.js')",
  "document.createElement('iframe')",
  "(document.body.innerHTML = `<img src=//x.test/${1}>`)",
  "(document.body.innerHTML = '<b ' + 'onclick=go()>')",
  "document.body.setAttribute('onclick', 'go()')",
  "(document.createElement('a').href = 'java' + 'script:go()')",
  "(document.body.style.cssText = 'background: url(//x.test)')",
  "new Worker('data:,')"
)

/** Where code can hide. */
const hidden: fc.Arbitrary<string> = fc.letrec<{ code: string }>((tie) => ({
  code: fc.oneof(
    { maxDepth: 4 },
    forbiddenCode,
    tie("code").map((code) => `(() => { return ${code} })`),
    tie("code").map((code) => `\`a \${\`b \${${code}}\`}\``),
    tie("code").map((code) => `[...[${code}]]`),
    tie("code").map((code) => `({ get [${code}]() { return 1 } })`),
    tie("code").map((code) => `(class { static { ${code} } })`),
    tie("code").map((code) => `(async function* (a = ${code}) { yield a })`),
    tie("code").map((code) => `(data && false ? 1 : ${code})`),
    tie("code").map((code) => `(data?.[${code}])`),
    tie("code").map((code) => `((tag) => tag)\`\${${code}}\``),
    tie("code").map((code) => `(() => { switch (1) { case ${code}: } })()`)
  )
})).code

const forbiddenMarkup = fc.constantFrom(
  "<iframe></iframe>",
  "<IFRAME/>",
  "<object data=x></object>",
  "<embed src=x>",
  "<base href=//x.test>",
  "<meta http-equiv=refresh content=0>",
  "<img src=//x.test/a.png>",
  "<img srcset='data:, 1x, //x.test/a 2x'>",
  "<b onclick=go()>x</b>",
  "<b\nOnClick = go()>x</b>",
  "<a href='java&#9;script&colon;go()'>x</a>",
  "<form action=https://x.test></form>",
  "<button formaction=//x.test>x</button>",
  "<p style='background:u\\72l(//x.test)'>x</p>",
  "<style>@import '//x.test'</style>",
  "<style>a{b:url(//x.test)}</style>",
  "<svg><use href='//x.test#a'/></svg>",
  "<svg><set attributeName=href to=x /></svg>",
  "<link rel=stylesheet href=//x.test>",
  "<script src=//x.test></script>",
  "<noscript><img src=x></noscript>",
  "<video poster=//x.test></video>"
)
const wrapped = fc
  .tuple(fc.array(fc.constantFrom(...ELEMENTS), { maxLength: 4 }), forbiddenMarkup, fc.boolean())
  .map(([around, inner, hasComment]) =>
    around.reduceRight(
      (text, element) => `<${element}>${text}</${element}>`,
      `${hasComment ? "<!-- <p> -->" : ""}${inner}`
    )
  )

// ---- What linking may change -------------------------------------------------------------------------------------

const shape = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(shape)
  if (typeof node === "bigint" || node instanceof RegExp) return String(node)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (["start", "end", "raw"].includes(key)) return []
      // `<` may be escaped inside of a regular expression.
      return [[key, key === "pattern" && typeof value === "string" ? value.replaceAll("\\x3c", "<") : shape(value)]]
    })
  )
}

const statementsOf = (code: string): ReadonlyArray<unknown> =>
  parsers.acorn
    .parse(code, { ecmaVersion: "latest", sourceType: "module" })
    .body.filter((node: AnyNode) => node.type !== "ImportDeclaration" && node.type !== "EmptyStatement")
    .map(shape)

/** What the document has of its own. */
const FRAME = new Set(["html", "head", "body", "meta"])
const treeOf = (html: string) => {
  const { elements, texts, comments } = parseMarkup(parsers, html)
  const pathOf = (element: MarkupElement | null): string =>
    element === null
      ? ""
      : FRAME.has(element.name)
        ? pathOf(element.parent)
        : `${pathOf(element.parent)}/${element.name}`
  return {
    elements: elements
      .filter((element) => !FRAME.has(element.name))
      .map((element) => [pathOf(element), element.attributes.map(({ name, value }) => [name, value])]),
    texts: texts
      .filter(({ parent }) => parent?.name !== "script")
      .map(({ start, end, parent }) => [pathOf(parent), html.slice(start, end).trim()]),
    comments: comments.map(({ text }) => text)
  }
}

const scriptsOf = (html: string): ReadonlyArray<string> =>
  parseMarkup(parsers, html)
    .elements.filter(({ name }) => name === "script")
    .map(({ openEnd, contentEnd }) => html.slice(openEnd, contentEnd))

const assertSame = (source: string): void => {
  const { head, body } = linkSource(parsers, source, true)
  assert.deepStrictEqual(treeOf(head + body), treeOf(source))
  const linked = scriptsOf(head + body)
  scriptsOf(source).forEach((code, at) => {
    const wanted = statementsOf(code)
    const got = statementsOf(linked[at] ?? "")
    assert.deepStrictEqual(got.slice(got.length - wanted.length), wanted)
  })
}

const answers = new URL("../../fixtures/answers/", import.meta.url)
const recorded = readdirSync(answers)
  .filter((file) => file !== "index.json")
  .map((file) => [file, readFileSync(new URL(file, answers), "utf8")] as const)

describe("any page of the grammar", () => {
  it("is accepted, and means the same after linking", () => {
    fc.assert(
      fc.property(page, (answer) => {
        const inspection = inspectAnswer(parsers, answer, context)
        if (inspection._tag === "Rejected") return assert.fail(JSON.stringify(inspection.problems))
        assert.deepStrictEqual(
          inspection.repairs.filter((repair) => !repair.startsWith("added the missing")),
          []
        )
        assertSame(inspection.source ?? "")
      }),
      RUNS
    )
  })

  it("is refused with a forbidden construct anywhere in its script", () => {
    fc.assert(
      fc.property(markup, fc.array(statement, { maxLength: 3 }), hidden, (before, statements, code) => {
        const lines = statements.map((line) => `{ ${line}\n }`)
        const answer = `<!-- rich -->\n<i></i>${before}${script([...lines, `void (${code})`])}`
        assert.strictEqual(inspectAnswer(parsers, answer, context)._tag, "Rejected")
      }),
      RUNS
    )
  })

  it("is refused with a forbidden construct anywhere in its markup, or in markup inside a text of its script", () => {
    fc.assert(
      fc.property(markup, wrapped, markup, fc.boolean(), (before, inner, after, isInScript) => {
        const answer = isInScript
          ? `<!-- rich -->\n${script([`document.body.innerHTML = ${JSON.stringify(inner)}`])}`.replaceAll(
              '</script>"',
              '<\\/script>"'
            )
          : `<!-- rich -->\n<i></i>${before}${inner}${after}${script([])}`
        assert.strictEqual(inspectAnswer(parsers, answer, context)._tag, "Rejected")
      }),
      RUNS
    )
  })
})

describe("a recorded answer", () => {
  it.each(recorded)("%s means the same after linking", (_file, answer) => {
    const inspection = inspectAnswer(parsers, answer, context)
    if (inspection._tag === "Accepted" && inspection.source !== null) assertSame(inspection.source)
  })
})

/** What a first look at the beginning of an answer finds. */
const lookAt = (answer: string) => new AnswerStream(parsers, context).look(answer)

describe("an answer that streams", () => {
  it.each(recorded)("%s is judged the same in pieces as at once", (_file, answer) => {
    for (const size of [13, 64, 2048]) {
      const stream = new AnswerStream(parsers, context)
      for (let end = size; end < answer.length + size; end += size) {
        const soFar = answer.slice(0, end)
        const problem = stream.look(soFar)
        assert.deepStrictEqual(problem, lookAt(soFar), soFar)
        if (problem !== null) break
      }
    }
  })

  it("is never stopped if it would be accepted", () => {
    fc.assert(
      fc.property(page, fc.constantFrom("", "Sure:\n```html\n", "Here it is:\n"), fc.nat(), (body, before, seed) => {
        const after = before.includes("```") ? "\n```\nThe page has no `<iframe>`; `fetch()` is not used." : "\nDone."
        const answer = `${before}${body}${after}`
        if (inspectAnswer(parsers, answer, context)._tag === "Rejected") return
        const stream = new AnswerStream(parsers, context)
        for (let end = 0; end <= answer.length; end += 1 + (seed % 40)) assert.isNull(stream.look(answer.slice(0, end)))
        assert.isNull(stream.look(answer))
      }),
      RUNS
    )
  })

  it("is stopped at a forbidden construct, not later", () => {
    fc.assert(
      fc.property(markup, wrapped, (before, inner) => {
        const start = `<!-- rich -->\n<i></i>${before}${inner}`
        assert.isNotNull(lookAt(start))
      }),
      RUNS
    )
  })

  it.each([
    [
      "an import that cannot be loaded, before the script ends",
      `<script type=module>import React from "https://esm.sh/react"\n${"// more\n".repeat(60)}`,
      "foreign-import"
    ],
    ["a script in another language", `<script type="text/babel">${"// more\n".repeat(60)}`, "script-type"],
    ["a script from elsewhere", `<script src="//x.test">${" ".repeat(500)}`, "external-script"],
    ["two verdicts", "<!-- minimal -->\n<!-- rich -->\n<p>", "two-verdicts"],
    ["talk about instructions before the page", "I ignore all previous orders.\n<p>", "prompt-injection"],
    ["prose", "word ".repeat(MAX_PROSE / 5 + 1), "not-html"],
    ["size", `<p>${"é".repeat(100_001)}`, "too-large"]
  ])("is stopped by %s", (_what, answer, rule) => {
    assert.strictEqual(lookAt(answer)?.rule, rule)
  })

  it.each([
    ["minimal, whatever follows", "<!-- minimal -->\n<iframe></iframe>"],
    ["data that looks like code", `<script type="application/json">import a from "b"${" ".repeat(500)}`],
    ["half of a tag", "<!-- rich -->\n<ifram"],
    ["words after the fence", "```html\n<p></p>\n```\nNo <iframe> here.\n"]
  ])("is not stopped by %s", (_what, answer) => {
    assert.isNull(lookAt(answer))
  })

  it("is read once: 500 kB in steps of 2 kB", () => {
    const line = `<section><h2>Title</h2><p style="color: red">text</p></section>\n`
    const scripts = `<script>for (const a of [1, 2]) { String(a + "b") }</script>\n`
    const answer = "<!-- rich -->\n" + (line.repeat(20) + scripts).repeat(380)
    assert.isAbove(answer.length, 500_000)
    let read = 0
    const counting = {
      ...parsers,
      acorn: {
        ...parsers.acorn,
        parse: (...given: Parameters<typeof parsers.acorn.parse>) => {
          read += given[0].length
          return parsers.acorn.parse(...given)
        }
      }
    }
    const stream = new AnswerStream(counting, { ...context, maxHtmlBytes: 1_000_000 })
    const start = performance.now()
    for (let end = 2048; end < answer.length; end += 2048) assert.isNull(stream.look(answer.slice(0, end)))
    assert.isBelow(performance.now() - start, 3000)
    assert.isBelow(read, 380 * scripts.length)
  })
})
