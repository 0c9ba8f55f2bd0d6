import { afterEach, assert, describe, it } from "@effect/vitest"
import { Parser } from "htmlparser2"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { fixtureServer, initialize, type RawClient, startWrapper } from "../../fixtures/RawClient.ts"

type Json = Readonly<Record<string, unknown>>

const KEY = "sk-ant-secret-0123456789abcdef"
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

const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const start = async (
  answer: string,
  generation: Json = {}
): Promise<{ readonly client: RawClient; readonly model: ModelStandIn }> => {
  const folder = await mkdtemp(join(tmpdir(), "hostile-"))
  running.push(() => rm(folder, { recursive: true }))
  const config = join(folder, "config.json")
  await writeFile(config, JSON.stringify({ generation }))
  const model = await startModelStandIn({ answer })
  running.push(model.close)
  const env = {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: model.url,
    SERVICE_PASSWORD: SURROUNDINGS
  }
  const client = startWrapper([process.execPath, fixtureServer("hostile.mjs")], {
    env,
    flags: ["--config", config]
  })
  running.push(client.close)
  await initialize(client)
  return { client, model }
}

const call = async (client: RawClient, name: string, args: Json = {}): Promise<Json> =>
  (await client.request("tools/call", { name, arguments: args })).message.result as Json

const inspect = async (client: RawClient, toolName: string): Promise<Json> =>
  (await call(client, "_ui_inspect", { toolName })).structuredContent as Json

const read = async (client: RawClient, uri = "ui://get_notes"): Promise<string> => {
  const { message } = await client.request("resources/read", { uri })
  return String((message.result as { contents: ReadonlyArray<Json> }).contents[0]?.text)
}

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
    const { client, model } = await start(good)
    const notes = await call(client, "get_notes", { token: "hostile-argument-4" })
    for (const secret of ["hostile-key-1", SURROUNDINGS]) assert.include(JSON.stringify(notes), secret)
    const html = await read(client)
    assert.deepInclude(await inspect(client, "get_notes"), {
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
      const { client, model } = await start(good, { toolMemory: mode })
      await call(client, "get_notes")
      await read(client)
      assert.deepInclude(await inspect(client, "get_notes"), { examples, examplesShown: examples })
      const asked = JSON.stringify(model.requests[0]?.body)
      assert.strictEqual(asked.includes("The word is"), mode === "results")
      assert.strictEqual(asked.includes("mallory"), false)
    })
  }

  it("whose orders the model obeys gets the built-in UI, with the reason", async () => {
    const { client, model } = await start(obeying)
    const html = await read(client)
    const details = await inspect(client, "get_notes")
    assert.deepInclude(details, { status: "built-in", level: 2 })
    assert.deepInclude(details.fallbackReason as Json, { code: "REJECTED", transient: false })
    loadsNothing(html)
    assert.isAtLeast(model.requests.length, 2)
    assert.notInclude(JSON.stringify(model.requests.map(({ body }) => body)) + html + client.log(), KEY)
  })

  it("may give a tool markup for a name", async () => {
    const { client } = await start(good)
    const { resources } = (await client.request("resources/list")).message.result as { resources: ReadonlyArray<Json> }
    const uri = String(resources.find(({ name }) => String(name).startsWith("<img"))?.uri)
    assert.match(uri, /^ui:\/\/%3Cimg%20src%3Dx/)
    const html = await read(client, uri)
    loadsNothing(html)
    assert.strictEqual(parse(html).data.tool.name, '<img src=x onerror="alert(1)">')
  })

  it("is not called to learn from it: not by listing, reading, inspecting, changing", async () => {
    const { client, model } = await start(good)
    await client.request("tools/list")
    await read(client)
    await inspect(client, "get_notes")
    await call(client, "_ui_list")
    await call(client, "_ui_refine", { toolName: "get_notes", feedback: "Show the notes themselves." })
    await call(client, "_ui_regenerate", { toolName: "get_notes", clearRefinements: true })
    await call(client, "_ui_refresh_tools")
    assert.lengthOf(model.requests, 3)
    assert.deepStrictEqual((await client.request("hostile/calls")).message.result, { calls: 0 })
  })
})
