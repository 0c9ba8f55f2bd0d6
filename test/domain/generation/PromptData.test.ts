import { assert, describe, it } from "@effect/vitest"
import { toolTexts } from "../../../src/domain/generation/PromptData.ts"
import { PROMPT_ROOMS } from "../../../src/domain/tools/PromptLimits.ts"
import type { LearnedResults } from "../../../src/domain/tools/LearnedResults.ts"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import type { Tool } from "../../../src/domain/tools/Tool.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"

const [room] = PROMPT_ROOMS

const toolOf = (definition: object): Tool => {
  const tool = toolFromDefinition(definition)
  if (tool === undefined) throw new Error("the definition has no name")
  return tool
}

const textsOf = (tool: Tool, examples: ReadonlyArray<unknown> = [], learned: LearnedResults = NOTHING_LEARNED) =>
  toolTexts(tool, examples, learned, 5, room)

describe("toolTexts", () => {
  it("cuts what a tool says about itself to its limits", () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`p${index}`, { type: "string" }]))
    const texts = textsOf({
      ...toolOf({
        name: "n".repeat(300),
        title: "t".repeat(300),
        description: "d".repeat(30_000),
        inputSchema: { properties: many },
        annotations: many
      }),
      related: Array.from({ length: 50 }, (_, index) => `other_${index}()`)
    })
    assert.strictEqual(texts.name.length, 100)
    assert.strictEqual(texts.title?.length, 100)
    assert.strictEqual(texts.description?.length, 2000)
    assert.isAtMost(texts.inputSchema.length, 5000)
    assert.isAtMost(texts.annotations?.length ?? Infinity, 400)
    assert.strictEqual(texts.outputSchema, null)
    assert.strictEqual(texts.related.length, 8)
  })

  it("shows the arguments of an example that has them", () => {
    const { examples } = textsOf(toolOf({ name: "a" }), [
      { input: { city: "Oslo" }, output: { sun: 3 } },
      { input: 1, output: 2, other: 3 }
    ])
    assert.deepStrictEqual(examples, [
      { args: '{"city":"Oslo"}', data: '{"sun":3}', media: null, pieces: null },
      { args: null, data: '{"input":1,"output":2,"other":3}', media: null, pieces: null }
    ])
  })

  it.each([
    [
      "a listing",
      "[FILE] a.txt\n[DIR] b",
      'ctx.files: [{"path":"a.txt","type":"file"},{"path":"b","type":"directory"}]'
    ],
    ["a text in an envelope", { content: "Name: Ada\nAge: 36" }, 'ctx.pairs: {"Name":"Ada","Age":"36"}'],
    [
      "CSV that was cut",
      "a,b\n1,2\n3,4\n5 … (600 characters in all)",
      'ctx.tables: [[{"a":"1","b":"2"},{"a":"3","b":"4"}]]'
    ],
    ["headings", "# One\nx\n# Two\ny", 'ctx.sections: [{"title":"One","text":"…"},{"title":"Two","text":"…"}]'],
    ["a sentence", "All is well.", null],
    ["data", { name: "Ada", note: "Age: 36" }, null]
  ])("says what a page finds in %s", (_, data, pieces) => {
    const learned = { shape: null, results: [{ args: {}, data }] }
    assert.strictEqual(textsOf(toolOf({ name: "a" }), [], learned).examples[0]?.pieces, pieces)
  })

  it("shows the examples of the configuration first, then what was seen, at most three", () => {
    const learned = {
      shape: "{n: number}",
      results: [
        { args: { at: 1 }, data: { n: 1 }, media: "[image/png, 2 kB]" },
        { args: {}, data: 2 }
      ]
    }
    const texts = textsOf(toolOf({ name: "a" }), [{ n: 7 }, "text"], learned)
    assert.deepStrictEqual(texts.examples, [
      { args: null, data: '{"n":7}', media: null, pieces: null },
      { args: null, data: '"text"', media: null, pieces: null },
      { args: '{"at":1}', data: '{"n":1}', media: "[image/png, 2 kB]", pieces: null }
    ])
    assert.strictEqual(texts.shape, "{n: number}")
    assert.strictEqual(textsOf(toolOf({ name: "a" }), [1, 2, 3, 4], learned).examples.length, 3)
  })

  it("shows the beginning of long lists, and counts what was left out before with what it leaves out itself", () => {
    const dataOf = (data: unknown) => textsOf(toolOf({ name: "a" }), [data]).examples[0]?.data
    const numbers = Array.from({ length: 11 }, (_, at) => at)
    assert.strictEqual(dataOf([...numbers, "… 30 more"]), JSON.stringify([...numbers, "… 30 more"]))
    const long = numbers.map((at) => `${at} ${"x".repeat(380)}`)
    assert.match(dataOf([...long, "… 30 more"]) ?? "", /^\["0 x+","1 x+","2 x+","… 38 more"\]$/)
  })

  it("hides nothing in what it returns, and keeps the lines of a description", () => {
    const sly = "a\u202Eb\u200Bc\u{E0041}"
    const texts = textsOf(
      { ...toolOf({ name: sly, title: sly, description: `${sly}\nd`, inputSchema: { [sly]: sly } }), related: [sly] },
      [{ [sly]: sly }],
      { shape: sly, results: [{ args: sly, data: sly }] }
    )
    assert.notMatch(JSON.stringify(texts), /[\u202E\u200B\u{E0041}]/u)
    assert.strictEqual(texts.description, "abc\nd")
  })
})
