import { assert, describe, it } from "@effect/vitest"
import { recordedPage } from "../../../../src/domain/documents/export/RecordedPage.ts"
import { isLinkedDocument, standaloneHtml } from "../../../../src/domain/documents/export/standaloneHtml.ts"
import { NOTHING_LEARNED } from "../../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../../src/domain/tools/Tool.ts"

const toolWith = (more: object) => {
  const tool = toolFromDefinition({ name: "list", inputSchema: {}, ...more })
  return tool ?? assert.fail("no tool")
}
const tool = toolWith({})

describe("recordedPage", () => {
  it("has the calls that were seen, as results that can be read either way", () => {
    const results = [
      { args: { page: 2 }, data: { rows: [{ a: 1 }] } },
      { args: { page: 1 }, data: "plain" },
      { args: null, data: [1, 2] }
    ]
    assert.deepStrictEqual(recordedPage(tool, { shape: null, results }, ["not used"]), {
      toolName: "list",
      origin: "calls",
      calls: [
        {
          args: { page: 2 },
          result: {
            content: [{ type: "text", text: '{"rows":[{"a":1}]}' }],
            structuredContent: { rows: [{ a: 1 }] }
          }
        },
        { args: { page: 1 }, result: { content: [{ type: "text", text: "plain" }] } },
        { args: {}, result: { content: [{ type: "text", text: "[1,2]" }] } }
      ]
    })
  })

  it("leaves the notes of samples out: they are no rows", () => {
    const data = { rows: [{ a: 1 }, "… 48 more"], words: ["… 3 more"], "…": "2 more" }
    const noted = { ...data, "…": "… 2 more" }
    const { calls } = recordedPage(tool, { shape: null, results: [{ args: { "…": "… 1 more" }, data: noted }] }, [])
    assert.deepStrictEqual(calls[0]?.result.structuredContent, { rows: [{ a: 1 }], words: ["… 3 more"] })
    assert.deepStrictEqual(calls[0]?.args, {})
  })

  it("takes an example of the configuration, else one of the schema, else none", () => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } } }
    const described = toolWith({ outputSchema })
    const dataOf = (page: ReturnType<typeof recordedPage>) => page.calls.map(({ result }) => result.structuredContent)
    assert.deepStrictEqual(dataOf(recordedPage(described, NOTHING_LEARNED, [{ total: 9 }, {}])), [{ total: 9 }])
    assert.deepStrictEqual(dataOf(recordedPage(described, NOTHING_LEARNED, [])), [{ total: 1 }])
    const { calls } = recordedPage(described, NOTHING_LEARNED, [{ input: { of: "x" }, output: { total: 7 } }])
    assert.deepStrictEqual(calls[0]?.args, { of: "x" })
    assert.deepStrictEqual(calls[0]?.result.structuredContent, { total: 7 })
    assert.deepStrictEqual(recordedPage(tool, NOTHING_LEARNED, []), { toolName: "list", origin: "example", calls: [] })
  })
})

describe("standaloneHtml", () => {
  const html = `<!doctype html><html><head><meta charset="utf-8"><script type="application/json" id="mcp-gen-ui-data">{}</script></head></html>`

  it("puts the policy, the calls and the stand-in before everything that runs", () => {
    const results = [{ args: {}, data: "</script><!-- <script>" }]
    const page = standaloneHtml("List", html, recordedPage(tool, { shape: null, results }, []), "stand()")
    const order = ["charset", "Content-Security-Policy", "mcp-gen-ui-recorded", "stand()", "<iframe"]
    const places = order.map((text) => page.indexOf(text))
    assert.deepStrictEqual(
      places,
      places.toSorted((a, b) => a - b)
    )
    assert.isAbove(places[0] ?? -1, 0)
    assert.strictEqual(page.split("</script>").length - 1, 2)
    assert.include(page, 'sandbox="allow-scripts"')
    assert.include(page, "&lt;script type=&quot;application/json&quot; id=&quot;mcp-gen-ui-data&quot;&gt;")
    assert.notInclude(page, "<!-- <script>")
    assert.isTrue(isLinkedDocument(page) && isLinkedDocument(html))
    assert.isFalse(isLinkedDocument(`<!-- rich --><script type="module">// mcp-gen-ui-data</script>`))
  })
})
