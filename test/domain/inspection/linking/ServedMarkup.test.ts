import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parse } from "parse5"
import type { DefaultTreeAdapterTypes } from "parse5"
import { linkSource } from "../../../../src/domain/inspection/linking/LinkedSource.ts"
import { inspectAnswer } from "../../../../src/domain/inspection/AnswerInspection.ts"
import { AnswerStream } from "../../../../src/domain/inspection/AnswerStream.ts"
import { parseMarkup } from "../../../../src/domain/inspection/html/HtmlMarkup.ts"
import type { AnswerContext } from "../../../../src/domain/inspection/scripts/ScriptInspection.ts"
import { checkServedMarkup } from "../../../../src/domain/inspection/linking/ServedMarkup.ts"
import { loadSourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"

const parsers = await loadSourceParsers()
const context: AnswerContext = {
  toolNames: [],
  maxHtmlBytes: 512_000,
  partNames: new Set(["show", "code", "text"]),
  appNames: new Set(["App"])
}

const SHOW = `<script type="module">import { show } from "mcp-gen-ui/parts"; show((data) => data)</script>`
const REFRESH = `meta http-equiv=refresh content="0;url=https://x.test/">`

const inspect = (answer: string) => inspectAnswer(parsers, answer, context)
const problemsOf = (answer: string): ReadonlyArray<string> => {
  const inspection = inspect(answer)
  return inspection._tag === "Rejected" ? inspection.problems.map(({ rule, message }) => `${rule}: ${message}`) : []
}
const documentOf = (source: string): string => {
  const { htmlAttributes, head, bodyAttributes, body } = linkSource(parsers, source)
  return `<!doctype html><html${htmlAttributes}><head>${head}</head><body${bodyAttributes}>${body}</body></html>`
}
const served = (answer: string): string => {
  const inspection = inspect(answer)
  if (inspection._tag === "Rejected") return assert.fail(JSON.stringify(inspection.problems))
  return documentOf(inspection.source ?? "")
}

const FRAME = new Set(["html", "head", "body"])

/** What a browser finds: elements with their attributes, scripts and styles with their text, and all other text. */
const treeOf = (html: string) => {
  const elements: Array<string> = []
  const harmful: Array<string> = []
  let text = ""
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("value" in node) text += node.value
    if ("tagName" in node) {
      const found = node.attrs.find(
        ({ name }) => name === "onerror" || (name === "http-equiv" && node.tagName === "meta")
      )
      if (found !== undefined) harmful.push(`${node.tagName} ${found.name}`)
    }
    if ("tagName" in node && node.tagName === "script") {
      elements.push("script")
      return
    }
    if ("tagName" in node && !FRAME.has(node.tagName)) {
      elements.push([node.tagName, ...node.attrs.map(({ name, value }) => `${name}=${value}`)].join(" "))
    }
    if ("content" in node) node.content.childNodes.forEach(visit)
    if ("childNodes" in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return { elements, harmful, text: text.replaceAll(/\s+/gu, "") }
}

describe("markup that a browser reads in another way than it was written", () => {
  it.each([
    ["a form that would close an svg", `<form><svg></form><style><${REFRESH}</style>`],
    ["a control character that a parser takes for another one", `<style>\x1C/style><p title="</style><${REFRESH}">`],
    ["an end tag with attributes", `<p>a</p x="><script type="application/json"><${REFRESH}</script>-->`],
    ["an end tag with attributes that closes nothing", `</p x="><style>" y="><${REFRESH}</style>`],
    ["svg that is dropped inside of select", `<form><select></form><svg><desc></desc></svg></select>`],
    ["a NUL", `<p>\0</p>`],
    ["depth", "<b>".repeat(501)]
  ])("%s is refused", (_what, markup) => {
    const [problem] = problemsOf(`<main>${markup}</main>${SHOW}`)
    assert.match(problem ?? "accepted", /^ambiguous-markup: /u)
  })

  it("says where, if that is known", () => {
    assert.include(problemsOf(`<p>a</p x=1>${SHOW}`)[0], "line 1, column 5: </p x=1>: write well-formed markup")
    assert.include(problemsOf(`<p>\x1B</p>${SHOW}`)[0], "line 1, column 4: the control character U+001B")
    assert.include(
      problemsOf(`<form><svg></form><style><${REFRESH}</style>${SHOW}`)[0],
      'find <meta http-equiv="refresh"> in it'
    )
  })

  it.each([
    ["a tag of the frame", "<body>"],
    ["a doctype", "<!doctype html>"],
    ["a verdict", "<!--rich-->"],
    ["two verdicts", "<!--rich--><!--rich-->"],
    ["a link", "<link rel=icon href=x>"],
    ["a script of the package", `<script src="https://unpkg.com/@modelcontextprotocol/ext-apps"></script>`]
  ])("%s that is taken out leaves no tag behind", (_what, removed) => {
    for (const rest of [`img src=x onerror=alert(1)>`, `${REFRESH}`, "/main>", "!--"]) {
      const html = served(`<main id=a><i></i>a <${removed}${rest} b</main>${SHOW}`)
      assert.deepStrictEqual(treeOf(html).elements, ["main id=a", "i", "script"])
      assert.include(treeOf(html).text, rest.replaceAll(" ", ""))
    }
  })

  it.each([
    ["a comment", `show((d) =&gt; [&#39;x&#39;]);\n//&lt;/script&gt;&lt;meta http-equiv="refresh"&gt;\n`],
    ["a text", `show((d) =&gt; [code(&#39;&lt;b&gt;&lt;/script&gt;&lt;!--&#39;)]);`]
  ])("an end tag in %s of a script that was written with entities stays in the script", (_what, code) => {
    const html = served(
      `<p>x</p><script type="module">import { show, code } from "mcp-gen-ui/parts"; ${code}</script><i></i>`
    )
    assert.deepStrictEqual(treeOf(html).elements, ["p", "script", "i"])
    assert.notMatch(html, /&(?:lt|gt|#39);/u)
  })

  it.each([
    [
      "tags that are left out",
      "<table><tr><td>a</table><ul><li>a<li>b</ul><p>b<b>c<p>d</b><select><option>1<option>2</select>"
    ],
    ["end tags of nothing", "</p></br><div></span></div></p\n></i/>"],
    [
      "svg with a title and a style",
      "<svg viewBox='0 0 1 1'><title>a &amp; b</title><style>a { fill: red }</style><path/></svg>"
    ],
    ["html in svg", "<svg><foreignObject><p>a</p><textarea>b</textarea></foreignObject></svg>"],
    [
      "a template with a shadow root",
      "<div><template shadowrootmode=open><style>a {}</style><slot></slot></template></div>"
    ],
    [
      "texts that look like tags",
      `<p title="</p x='>">a &lt;/p x> </ p> < b</p><!-- </p x=1> --><textarea></p x=1></textarea>`
    ],
    ["other ends of lines", "<p>a</p>\r\n<style>a {\r\n}</style>\r\n<script>var a = 1\r\nvar b = `\r\n`</script>"]
  ])("%s are accepted", (_what, markup) => {
    assert.deepStrictEqual(problemsOf(`<main>${markup}</main>${SHOW}`), [])
  })
})

describe("a tag of the frame in a template", () => {
  it("stays, because it decides how the rest of the template is read", () => {
    const answer = `<main><template><head><tr></template></main>${SHOW}`
    assert.deepStrictEqual(treeOf(served(answer)), treeOf(answer))
  })
})

describe("checkServedMarkup", () => {
  const check = (source: string): string | null => checkServedMarkup(parsers, linkSource(parsers, source))

  it.each([
    ["<template><img src=//x.test></template>", 'src="//x.test" of <img>'],
    ["<div><template shadowrootmode=open><p onclick=a()></p></template></div>", 'onclick="a()" of <p>'],
    ["<style>a { background: url(//x.test) }</style>", "of <style>"],
    ["<svg><style>a { background: url(//x.test) }</style></svg>", "of <style>"],
    ["<svg><a xlink:href='javascript:a()'></a></svg>", "of <a>"],
    ["<svg><set attributeName=href to=x /></svg>", "of <set>"],
    ["<svg><script>a()</script></svg>", "<script>"],
    ["<math><mi>a</mi></math>", "<math>"],
    ["<html onclick=a()><p>a</p></html>", 'onclick="a()" of <html>'],
    ["<body onload=a()><p>a</p></body>", 'onload="a()" of <body>'],
    ["<p>a</p><iframe></iframe>", "<iframe>"],
    ["<script src=//x.test></script>", "<script src"]
  ])("finds what is wrong with %s", (source, found) => {
    assert.include(check(source), found)
  })

  it("finds a script that the linker did not see, or that has another text", () => {
    const page = linkSource(parsers, "<p>a</p><script>1</script>")
    assert.isNull(checkServedMarkup(parsers, page))
    assert.isNotNull(checkServedMarkup(parsers, { ...page, body: `${page.body}<script>2</script>` }))
    assert.isNotNull(checkServedMarkup(parsers, { ...page, body: page.body.replace(">1<", ">2<") }))
    assert.isNotNull(checkServedMarkup(parsers, { ...page, body: page.body.replace("<script", "<script type=module") }))
    assert.isNotNull(checkServedMarkup(parsers, { ...page, body: "<p>a</p>" }))
  })

  it("gives up where a browser would make many elements of few", () => {
    const open = Array.from({ length: 400 }, (_, at) => `<b id=a${at}>`).join("")
    assert.include(check(`<p>${open}</p>${"<p>x</p>".repeat(20_000)}`), "repeated too often")
  })
})

describe("depth", () => {
  it.each([
    ["elements", "<b>".repeat(40_000)],
    ["fields", "<div><input>".repeat(20_000)],
    ["svg", `<svg>${"<g>".repeat(40_000)}`]
  ])("of %s is refused at once, whole and while it streams", (_what, markup) => {
    assert.match(problemsOf(`<main>${markup}</main>${SHOW}`)[0] ?? "", /^ambiguous-markup: .*more than 500 deep/u)
    assert.strictEqual(new AnswerStream(parsers, context).look(`<!-- rich -->\n${markup}`)?.rule, "ambiguous-markup")
  })

  it("is refused in a text of a script, too", () => {
    const text = `${"<b>".repeat(600)}<iframe>`
    const answer = SHOW.replace("show((", `document.body.innerHTML = "${text}"; show((`)
    assert.strictEqual(inspect(answer)._tag, "Rejected")
  })

  it("tells what is around an element", () => {
    const html =
      "<label><select><option></select></label><svg><g><foreignObject><p></p><svg><a></a></svg></foreignObject></g></svg>"
    const around = parseMarkup(parsers, html).elements.map(
      ({ name, inside }) =>
        `${name}: ${Object.entries(inside)
          .flatMap(([key, value]) => (value ? [key] : []))
          .join(" ")}`
    )
    assert.deepStrictEqual(around, [
      "label: ",
      "select: label",
      "option: select label",
      "svg: ",
      "g: svg foreign",
      "foreignObject: svg foreign",
      "p: svg",
      "svg: svg",
      "a: svg foreign"
    ])
  })
})

const HARM = fc.constantFrom("<img src=x onerror=alert(1)>", `<${REFRESH}`, REFRESH, "img src=x onerror=alert(1)>")
const DATA_SCRIPT = `<script type="application/json">`
const COMMENTED_SCRIPT = "<!--<script>"
const PIECE = fc.constantFrom(
  ..."<p> </p> <div> </div> <b> </b> <a> </a> <svg> </svg> <style> </style> <title> </title> <textarea> </textarea>".split(
    " "
  ),
  ..."<select> </select> <option> <table> </table> <tr> <td> </td> <form> </form> <button> </button> <template>".split(
    " "
  ),
  ..."</template> <foreignObject> </foreignObject> <desc> </desc> <g> </g> <path/> <!-- --> --!> <!--> <! <?x ?> </ <".split(
    " "
  ),
  ...`/> > = " ' &lt; <h1> </h1> <ul> <li> </ul> <nobr> </nobr> <ruby> <rt> <br> </br> </script> <STYLE> </style/`.split(
    " "
  ),
  ..."<caption> <col> <head> </head> <body> </body> <html> <label> <details> <video> <p/x <!doctype\u00A0html> <!--rich-->".split(
    " "
  ),
  " ",
  "\n",
  "\x1C",
  `<p title="`,
  `">`,
  "<p title='",
  "'>",
  `</p x="`,
  `<input value="`,
  DATA_SCRIPT,
  COMMENTED_SCRIPT,
  "<link rel=icon href=x>",
  "<!doctype html>"
)

describe("any markup", () => {
  it("that is accepted is the same for a browser before and after linking, and holds nothing that is forbidden", () => {
    let accepted = 0
    const before = fc.array(PIECE, { maxLength: 8 })
    fc.assert(
      fc.property(before, HARM, fc.array(PIECE, { maxLength: 3 }), (pieces, harm, more) => {
        const answer = `<main>${pieces.join("")}${harm}${more.join("")}</main>${SHOW}`
        const inspection = inspect(answer)
        if (inspection._tag === "Rejected" || inspection.source === null) return
        accepted += 1
        const tree = treeOf(documentOf(inspection.source))
        assert.deepStrictEqual(tree.harmful, [], answer)
        // Linked, a script of data ends where it is written to end: a browser would go on after a comment and a script in it.
        if (answer.includes(DATA_SCRIPT) && answer.includes(COMMENTED_SCRIPT)) return
        // In quirks mode a table does not end a paragraph.
        assert.deepStrictEqual(tree, treeOf(`<!doctype html>${inspection.source}`), answer)
      }),
      { numRuns: 4000 }
    )
    assert.isAbove(accepted, 100)
  })
})
