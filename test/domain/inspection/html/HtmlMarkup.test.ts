import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseMarkup } from "../../../../src/domain/inspection/html/HtmlMarkup.ts"
import type { Markup } from "../../../../src/domain/inspection/html/HtmlMarkup.ts"
import { loadSourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"

let parse: (html: string) => Markup
beforeAll(async () => {
  const parsers = await loadSourceParsers()
  parse = (html) => parseMarkup(parsers, html)
})

describe("parseMarkup", () => {
  it("gives the places of tags, content and attributes", () => {
    const html = `x<p id=a CLASS='b c'>hi</p  ><script type=module>1 < 2</script>`
    const [p, script] = parse(html).elements
    assert.strictEqual(html.slice(p?.start, p?.end), "<p id=a CLASS='b c'>hi</p  >")
    assert.strictEqual(html.slice(p?.openEnd, p?.contentEnd), "hi")
    assert.deepStrictEqual(
      p?.attributes.map(({ name, value, start, end }) => [name, value, html.slice(start, end)]),
      [
        ["id", "a", "id=a"],
        ["class", "b c", "CLASS='b c'"]
      ]
    )
    assert.strictEqual(html.slice(script?.openEnd, script?.contentEnd), "1 < 2")
  })

  it("tells how elements end", () => {
    const closings = (html: string) => parse(html).elements.map(({ name, closing }) => `${name}:${closing}`)
    assert.deepStrictEqual(closings("<ul><li>a<li>b</ul><br><div>"), [
      "ul:tag",
      "li:implied",
      "li:implied",
      "br:void",
      "div:never"
    ])
    assert.deepStrictEqual(closings("<script>a"), ["script:never"])
  })

  it("sees the attributes of a form in a form", () => {
    const names = parse("<form><form action=//x.test></form>").elements.flatMap(({ attributes }) =>
      attributes.map(({ value }) => value)
    )
    assert.deepStrictEqual(names, ["//x.test"])
  })

  it.each([
    ["<p>done</p>", null],
    ["<p>done</p></div>", null],
    ["<p>a</p><img src='x", 8],
    ["a</p", 1]
  ])("finds the unfinished tag of %s", (html, at) => {
    assert.strictEqual(parse(html).unfinished, at)
  })

  it("begins elements, comments and doctypes at their bracket, also after an end tag with a slash or attributes", () => {
    for (const end of ["</i/>", "</i//>", "</i x/>", "</i x=1>"]) {
      const html = `<p>${end}<b>a</b>${end}<!--c-->${end}<!doctype html>`
      const { comments, doctypes, elements } = parse(html)
      assert.deepStrictEqual(
        elements.map(({ start, openEnd }) => html.slice(start, openEnd)),
        ["<p>", "<b>"]
      )
      assert.deepStrictEqual(
        [...comments, ...doctypes].map((span) => html.slice(span.start, span.end)),
        ["<!--c-->", "<!doctype html>"]
      )
    }
  })

  it("keeps every place inside the text and in order", () => {
    const unit = fc.constantFrom(
      "<p>",
      "</p >",
      "<script>",
      "</script>",
      "<!--",
      "-->",
      "<svg>",
      "</svg>",
      "<br/>",
      " a='",
      '"',
      "x",
      "&amp;",
      "<",
      ">",
      "<!doctype html>",
      "<form action=x>",
      "<![CDATA["
    )
    fc.assert(
      fc.property(fc.string({ unit }), (html) => {
        for (const { start, openEnd, contentEnd, end } of parse(html).elements) {
          assert.isTrue(
            0 <= start && start <= openEnd && openEnd <= contentEnd && contentEnd <= end && end <= html.length,
            html
          )
        }
      })
    )
  })
})
