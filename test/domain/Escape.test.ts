import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Parser } from "htmlparser2"
import { escapeHtml, escapeJson } from "../../src/domain/Escape.ts"

const nasty = fc.string({
  unit: fc.constantFrom("<", ">", "&", '"', "'", "/", "!", "-", "script", "a", "\u2028", "\\", "\n", "&lt;")
})

const parsed = (html: string): { text: string; attribute: string; elements: number } => {
  const seen = { text: "", attribute: "", elements: 0 }
  const parser = new Parser({
    onopentag(_name, attributes) {
      seen.elements++
      seen.attribute = attributes["title"] ?? ""
    },
    ontext: (text) => void (seen.text += text)
  })
  parser.end(html)
  return seen
}

describe("Escape", () => {
  it("gives back the same text and attribute after parsing, and no element more", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const seen = parsed(`<p title="${escapeHtml(text)}">${escapeHtml(text)}</p>`)
        assert.deepStrictEqual(seen, { text, attribute: text, elements: 1 })
      })
    )
  })

  it("gives back the same JSON value, and nothing that an HTML parser reacts to", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nasty, fc.dictionary(nasty, nasty)), (value) => {
        const text = escapeJson(value)
        assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
        assert.notMatch(text, /[<>&\u2028\u2029]/u)
      })
    )
  })

  it("writes null for what JSON has no text for", () => {
    assert.strictEqual(escapeJson(undefined), "null")
  })
})
