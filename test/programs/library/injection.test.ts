import { assert, describe, it } from "@effect/vitest"
import { Parser } from "htmlparser2"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { type Json, KEY, startWithModel } from "../../fixtures/wrapperWithModel.ts"

const SURROUNDINGS = "value-of-the-surroundings"
/** What stands in the results of the server and is not for a model. */
const IN_RESULTS = [
  "hostile-key-1",
  "hostile-bearer-2",
  "hostile-password-3",
  "sk-hostile-0123456789",
  "ghp_hostile0123456789abcdef",
  "mallory@evil.example",
  "\\u001b[31m"
]

const good = `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("Notes"), table(data.rows)])
</script>
`
const obeying = `<!-- rich -->
<script src="https://evil.example/x.js"></script>
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show(() => [header("Notes")])
</script>
`

const TOOL = "get_notes"

const start = (answer: string, generation: Json = {}) =>
  startWithModel({
    answer,
    server: [process.execPath, fixtureServer("hostile.mjs")],
    config: { generation },
    env: { SERVICE_PASSWORD: SURROUNDINGS }
  })

/** What a browser makes of a document: its elements, and the data that it brings for the page. */
const parse = (html: string) => {
  const elements: Array<{ readonly name: string; readonly attributes: Readonly<Record<string, string>> }> = []
  let data = ""
  let isData = false
  const parser = new Parser({
    onopentag: (name, attributes) => {
      elements.push({ name, attributes: { ...attributes } })
      isData = attributes.type === "application/json"
    },
    ontext: (text) => {
      if (isData) data += text
    },
    onclosetag: () => {
      isData = false
    }
  })
  parser.end(html)
  return { elements, data: JSON.parse(data) as { readonly tool: Json } }
}

const loadsNothing = (html: string): void => {
  const { elements } = parse(html)
  for (const { attributes, name } of elements) {
    assert.notInclude(["link", "iframe", "object", "embed", "base", "img"], name)
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.isFalse(attribute.startsWith("on"), attribute)
      assert.notInclude(value, "evil.example")
    }
    assert.notProperty(attributes, "src")
  }
}

describe("a hostile server", () => {
  it("changes nothing but its own text, and teaches the model no secrets", async () => {
    const { call, client, inspect, model, read } = await start(good)
    const notes = await call("get_notes", { token: "hostile-argument-4" })
    for (const secret of ["hostile-key-1", SURROUNDINGS]) assert.include(JSON.stringify(notes), secret)
    const html = await read(TOOL)
    assert.deepInclude(await inspect(TOOL), {
      status: "generated",
      level: 0,
      examples: 1,
      examplesShown: 1
    })

    loadsNothing(html)
    const { description, title } = parse(html).data.tool
    assert.match(
      String(description),
      /^Ignore all instructions.*<\/script><script src="https:\/\/evil.example\/x.js">/s
    )
    assert.match(String(title), /^<img src=/)

    const [request, ...others] = model.requests
    assert.lengthOf(others, 0)
    const asked = JSON.stringify(request?.body)
    assert.include(asked, "The word is [redacted]")
    for (const secret of [KEY, SURROUNDINGS, "hostile-argument-4", ...IN_RESULTS]) {
      assert.notInclude(asked, secret)
      assert.notInclude(html, secret)
      assert.notInclude(client.log(), secret)
    }
    const { calls } = (await client.request("hostile/calls")).message.result as { calls: number }
    assert.strictEqual(calls, 1)
  })

  for (const [mode, examples] of [
    ["results", 1],
    ["shapes", 0],
    ["off", 0]
  ] as const) {
    it(`teaches the model no more than toolMemory: ${mode} allows`, async () => {
      const { call, inspect, model, read } = await start(good, { toolMemory: mode })
      await call("get_notes")
      await read(TOOL)
      assert.deepInclude(await inspect(TOOL), { examples, examplesShown: examples })
      const asked = JSON.stringify(model.requests[0]?.body)
      assert.strictEqual(asked.includes("The word is"), mode === "results")
      assert.strictEqual(asked.includes("mallory"), false)
    })
  }

  it("whose orders the model obeys gets the built-in UI, with the reason", async () => {
    const { client, inspect, model, read } = await start(obeying)
    const html = await read(TOOL)
    const details = await inspect(TOOL)
    assert.deepInclude(details, { status: "built-in", level: 2 })
    assert.deepInclude(details.fallbackReason as Json, { code: "REJECTED", transient: false })
    loadsNothing(html)
    assert.isAtLeast(model.requests.length, 2)
    assert.notInclude(JSON.stringify(model.requests.map(({ body }) => body)) + html + client.log(), KEY)
  })

  it("may give a tool markup for a name", async () => {
    const { list, read } = await start(good)
    const uri = String((await list("resources")).find(({ name }) => String(name).startsWith("<img"))?.uri)
    assert.match(uri, /^ui:\/\/%3Cimg%20src%3Dx/)
    const html = await read(uri)
    loadsNothing(html)
    assert.strictEqual(parse(html).data.tool.name, '<img src=x onerror="alert(1)">')
  })

  it("is not called to learn from it: not by listing, reading, inspecting, changing", async () => {
    const { call, client, inspect, model, read } = await start(good)
    await client.request("tools/list")
    await read(TOOL)
    await inspect(TOOL)
    await call("_ui_list")
    await call("_ui_refine", { toolName: "get_notes", feedback: "Show the notes themselves." })
    await call("_ui_regenerate", { toolName: "get_notes", clearRefinements: true })
    await call("_ui_refresh_tools")
    assert.lengthOf(model.requests, 3)
    assert.deepStrictEqual((await client.request("hostile/calls")).message.result, { calls: 0 })
  })
})
