import { assert, describe, it } from "@effect/vitest"
import { patternsIn } from "../../scripts/patterns/patternsIn.ts"
import { slowText } from "../../scripts/patterns/slowText.ts"

describe("slowText", () => {
  const slow: ReadonlyArray<readonly [string, RegExp]> = [
    ["exponential by adjacent comments", /^(\s|<\?[^>]*>|<!-{2}[^]*?-->)*<svg[\s>]/i],
    ["a repetition in a repetition", /^(\w+\s?)*$/],
    ["alternatives that overlap", /^(?:a|ab|b)*c/],
    ["two repetitions of the same side by side", /^\s*[$€]?\s*\d/],
    ["the same with something else between", /^[^/]*\/?[^#]*!/],
    ["looked for at each place", /\s+$/],
    ["looked for at each place, and what follows is missing", /eyJ[\w-]{6,}\./],
    ["bounds with a large product", /\bcurl\b[^\n|]{0,300}?\s-u[^\s:]{1,64}:/],
    ["a back reference", /(`+)([^`]|[^`][^]*?[^`])\1(?!`)/],
    ["a look ahead that reads on", /x(?=[^]*y)/],
    ["what a global search tries again and again", /\[(?:\\.|[^\]\\])*\]|./g],
    ["line ends that are rare", /^\|?[^\n|]+\|/m]
  ]
  for (const [what, pattern] of slow) {
    it(`finds what is slow: ${what}`, () => assert.isDefined(slowText(pattern.source, pattern.flags)))
  }

  it("finds nothing where the time is in proportion", () => {
    for (const pattern of [
      /^(?:\s|<!-{2}(?:(?!-->)[^])*-->)*<svg/,
      /^(?:\w+\s)*$/,
      /(?<!\s)\s+$/,
      /\{\d{1,20}\}/,
      /(?<![\w.+-])[\w.+-]+@(?=[\w-]{1,63}\.[a-z])/i,
      /"(?:[^"\\]|\\[^]?)*"?/g,
      /[a-z]+:/y,
      /none/
    ])
      assert.isUndefined(slowText(pattern.source, pattern.flags), String(pattern))
  })
})

describe("patternsIn", () => {
  const found = (code: string): ReadonlyArray<readonly [string | undefined, string]> =>
    patternsIn(code).map(({ flags, source }) => [source, flags] as const)

  it("finds literals and calls of RegExp, with the texts that are known", () => {
    assert.deepStrictEqual(found('const a: RegExp = /a+/gi\nnew RegExp("b*"); RegExp("c", "m")'), [
      ["a+", "gi"],
      ["b*", ""],
      ["c", "m"]
    ])
    const code = `
      const word = String.raw\`\\w+\`
      const list: ReadonlyArray<string> = [word, "x"]
      const both = /[ab]/
      export const made = [new RegExp(\`^\${word}$\`, "u"), new RegExp(list.join("|")), new RegExp(\`(?!y)\${both.source}\`)]`
    assert.deepStrictEqual(found(code), [
      ["[ab]", ""],
      ["^\\w+$", "u"],
      ["\\w+|x", ""],
      ["(?!y)[ab]", ""]
    ])
  })

  it("says where it cannot tell the text", () => {
    const [pattern] = patternsIn("const make = (text: string) =>\n  new RegExp(`^${text}`)")
    assert.deepStrictEqual(pattern, { line: 2, source: undefined, flags: "", code: "new RegExp(`^${text}`)" })
  })
})
