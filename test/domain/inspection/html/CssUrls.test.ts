import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findCssUrls } from "../../../../src/domain/inspection/html/CssUrls.ts"

const rules = (css: string): ReadonlyArray<string> => findCssUrls(css, 0).map(({ rule }) => rule)

describe("findCssUrls", () => {
  it.each([
    "a { background: url(https://x.test/a.png) }",
    "a { background: url( 'https://x.test/a.png' ) }",
    'a { background: url("//x.test/a.png") }',
    "a { background: URL(/a.png) }",
    "a { background: u\\72l(https://x.test) }",
    "a { background: \\000075rl(https://x.test) }",
    "a { background: url(h\\74tps://x.test) }",
    "@font-face { src: local(x), url(font.woff2) }",
    'a { background: image-set("a.png" 1x) }',
    "a { background: -webkit-image-set(url(a.png) 1x) }",
    "a { content: 'x' ; background: url(a.png) }"
  ])("finds what %s loads", (css) => {
    assert.deepStrictEqual(rules(css), ["css-url"])
  })

  it.each(['@import "x.css";', "@\\69mport url(data:,)", "@IMPORT 'x'"])("finds the import of %s", (css) => {
    assert.include(rules(css), "css-import")
  })

  it.each([
    "a { background: url(data:image/png;base64,AAAA) }",
    "a { fill: url(#gradient) }",
    "a { background: url('data:image/svg+xml,<svg/>') }",
    "/* url(https://x.test) @import */ a { color: red }",
    'a::before { content: "url(https://x.test)" }',
    "a { width: calc((1px + 2px) * 2); color: var(--color-text-primary, #000) }",
    "@media (min-width: 300px) { a { color: red } }"
  ])("accepts %s", (css) => {
    assert.deepStrictEqual(rules(css), [])
  })

  it("says where", () => {
    assert.deepStrictEqual(findCssUrls("a{b:url(x)}", 10), [{ rule: "css-url", offset: 14, found: "url(x)" }])
  })

  it("ends on any text", () => {
    const piece = fc.constantFrom("url(", ")", "'", '"', "\\", "/*", "*/", "@import", "{", "}", "\n", "é", "😀", "\\zz")
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(piece, fc.string()) }), (css) => Array.isArray(findCssUrls(css, 0)))
    )
  })
})
