import { afterEach, assert, describe, it } from "@effect/vitest"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { entryText, readEntryText } from "../../../src/adapters/cache/uiEntryText.ts"
import { openView } from "../../browser/harness/index.ts"
import { type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { initialize, type RawClient, root, startWrapper } from "../../fixtures/RawClient.ts"

type Json = Readonly<Record<string, unknown>>

const KEY = "sk-ant-secret-0123456789abcdef"

const forecastPage = `<!-- rich -->
<script type="module">
import { show, header, table, chart } from "mcp-gen-ui/parts"
show((data, ctx) => [
  header(\`Forecast for \${ctx.args.location}\`),
  chart.line(data.days, { x: "date", y: ["high", "low"] }),
  table(data.days)
])
</script>
`

const appPage = `<!-- rich -->
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Days</title></head>
<body>
  <main><h1>Days</h1><output aria-live="polite"></output><button type="button">Tokyo</button></main>
  <script type="module">
    import { App } from "@modelcontextprotocol/ext-apps"
    const app = new App({ name: "days", version: "1.0.0" })
    const output = document.querySelector("output")
    const show = (result) => { output.textContent = result.content[0].text }
    app.ontoolresult = show
    document.querySelector("button").addEventListener("click", async () => {
      show(await app.callServerTool({ name: "get_forecast", arguments: { location: "Tokyo", days: 1 } }))
    })
    await app.connect()
  </script>
</body>
</html>
`

const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0)) await stop()
})

const standIn = async (options: Parameters<typeof startModelStandIn>[0]): Promise<ModelStandIn> => {
  const model = await startModelStandIn(options)
  running.push(model.close)
  return model
}

const weather = async (env: Record<string, string>, flags: ReadonlyArray<string> = []): Promise<RawClient> => {
  const client = startWrapper([process.execPath, `${root}examples/weather-server.mjs`], { env, flags })
  running.push(client.close)
  await initialize(client)
  return client
}

const read = async (client: RawClient, tool: string): Promise<string> => {
  const { message } = await client.request("resources/read", { uri: `ui://${tool}` })
  return String((message.result as { contents: ReadonlyArray<Json> }).contents[0]?.text)
}

const inspect = async (client: RawClient, toolName: string): Promise<Json> => {
  const { message } = await client.request("tools/call", { name: "_ui_inspect", arguments: { toolName } })
  return (message.result as { structuredContent: Json }).structuredContent
}

/** Opens a document with the wrapper behind it: calls of the page are calls of the real server. */
const open = async (client: RawClient, html: string, args: Json) => {
  const callTool = async (params: Json): Promise<Json> =>
    (await client.request("tools/call", params)).message.result as Json
  const view = await openView({
    html,
    toolInput: args,
    toolResult: await callTool({ name: "get_forecast", arguments: args }),
    onCall: (params) => callTool(params)
  })
  return view
}

const environments = {
  Anthropic: (url: string) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  OpenAI: (url: string) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  Ollama: (url: string) => ({ OLLAMA_HOST: url })
}

describe("a generated UI", () => {
  for (const [provider, environment] of Object.entries(environments)) {
    it(`is written by ${provider}, shown under the default policy, and used`, async () => {
      const model = await standIn({ answer: forecastPage })
      const client = await weather(environment(model.url))
      const html = await read(client, "get_forecast")
      assert.strictEqual(await read(client, "get_forecast"), html)
      assert.strictEqual(model.requests.length, 1)
      assert.deepInclude(await inspect(client, "get_forecast"), { level: 0, uiType: "rich", status: "generated" })

      const view = await open(client, html, { location: "Oslo", days: 3 })
      await view.frame.getByText("Forecast for Oslo").waitFor()
      assert.strictEqual(await view.frame.getByRole("row").count(), 4)

      await view.frame
        .getByRole("button", { name: /edit|input/i })
        .first()
        .click()
      await view.frame.getByLabel("City").fill("Tokyo")
      await view.frame.getByLabel("Days").fill("2")
      await view.frame.getByRole("button", { name: "Forecast", exact: true }).click()
      await view.frame.getByText("Forecast for Tokyo").waitFor()
      assert.strictEqual(await view.frame.getByRole("row").count(), 3)
      const made = view.calls.filter(({ name }) => name !== "_ui_current")
      assert.deepStrictEqual(made.at(-1), { name: "get_forecast", arguments: { location: "Tokyo", days: 2 } })
      assert.deepStrictEqual(view.violations, [])
      assert.deepStrictEqual(view.consoleErrors, [])

      assert.notInclude(client.log() + html + JSON.stringify(model.requests.map(({ body }) => body)), KEY)
    })
  }

  it("may be a whole document written against App", async () => {
    const model = await standIn({ answer: appPage })
    const client = await weather(environments.Anthropic(model.url))
    const view = await open(client, await read(client, "get_forecast"), { location: "Oslo", days: 3 })
    await view.frame.getByText(/Oslo/).first().waitFor()
    await view.frame.getByRole("button", { name: "Tokyo" }).click()
    await view.frame
      .getByText(/Forecast for Tokyo/)
      .first()
      .waitFor()
    assert.deepStrictEqual(view.violations, [])
    assert.deepStrictEqual(view.consoleErrors, [])
    assert.deepInclude(await inspect(client, "get_forecast"), { status: "generated", level: 0 })
  })

  it("is replaced by the built-in UI, with the reason, when the provider refuses", async () => {
    const model = await standIn({ answer: () => ({ error: { status: 401, message: `bad key ${KEY}` } }) })
    const client = await weather(environments.Anthropic(model.url))
    const html = await read(client, "get_forecast")
    const details = await inspect(client, "get_forecast")
    assert.deepInclude(details, { level: 2, status: "built-in" })
    assert.deepInclude(details.fallbackReason as Json, { code: "AUTH", transient: false })
    assert.match(client.log(), /built-in UI instead of a generated one.*AUTH/)
    assert.notInclude(client.log() + html, KEY)

    const view = await open(client, html, { location: "Oslo", days: 3 })
    await view.frame.getByRole("table").first().waitFor()
    assert.deepStrictEqual(view.violations, [])
  })

  it("is asked for again after a restart where the provider had refused, whatever the cache directory keeps", async () => {
    const directory = await mkdtemp(join(tmpdir(), "mcp-gen-ui-"))
    running.push(() => rm(directory, { recursive: true }))
    const flags = ["--cache-dir", join(directory, "cache")]
    const model = await standIn({
      answer: (_, index) => (index === 0 ? { error: { status: 401, message: "bad key" } } : { text: forecastPage })
    })
    const first = await weather(environments.Anthropic(model.url), flags)
    await read(first, "get_forecast")
    await read(first, "get_forecast")
    assert.lengthOf(model.requests, 1)
    await first.close()
    const second = await weather(environments.Anthropic(model.url), flags)
    await read(second, "get_forecast")
    assert.deepInclude(await inspect(second, "get_forecast"), { level: 0, status: "generated" })
    await second.close()
    const third = await weather(environments.Anthropic(model.url), flags)
    await read(third, "get_forecast")
    assert.lengthOf(model.requests, 2)
  })

  it("is written anew where somebody has changed what the cache directory keeps", async () => {
    const directory = await mkdtemp(join(tmpdir(), "mcp-gen-ui-"))
    running.push(() => rm(directory, { recursive: true }))
    const model = await standIn({ answer: forecastPage })
    const once = async () => {
      const client = await weather(environments.Anthropic(model.url), ["--cache-dir", directory])
      const html = await read(client, "get_forecast")
      assert.strictEqual(await client.close(), 0)
      return html
    }
    await once()
    const [name = ""] = await readdir(directory)
    const path = join(directory, name)
    const key = name.replace(".ui.json", "")
    const stored = readEntryText(await readFile(path, "utf8"), key)
    if (stored._tag !== "Entry") return assert.fail(stored._tag)
    const beacon = '<img src="https://evil.example/beacon.png" alt="">'
    for (const provider of ["anthropic", "hand", "file"]) {
      const source = `${stored.entry.source}${beacon}`
      await writeFile(path, entryText({ ...stored.entry, source, provider }))
      const asked = model.requests.length
      assert.notInclude(await once(), "evil.example", provider)
      assert.lengthOf(model.requests, asked + 1, provider)
    }
    const asked = model.requests.length
    await once()
    assert.lengthOf(model.requests, asked)
  })

  it("is not waited for once the host cancels: the model's socket closes", async () => {
    const model = await standIn({ answer: () => ({ text: forecastPage, fault: "hang" }) })
    const client = await weather(environments.Anthropic(model.url))
    client.send('{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"ui://get_forecast"}}')
    while (model.requests.length === 0) await client.request("tools/list")
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}')
    assert.strictEqual(await model.requests[0]?.over, "closed")
    assert.isFalse(client.received.some(({ message }) => message.id === "r"))
  })

  it("is not waited for either if the host asked before it listed the tools, and cancels: so do hosts at connect", async () => {
    const model = await standIn({ answer: () => ({ text: "<!-- rich -->\n<main>", fault: "hang" }) })
    const client = await weather(environments.Anthropic(model.url))
    const ids = ["get_forecast", "get_current_weather"]
    for (const id of ids) {
      client.send(JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params: { uri: `ui://${id}` } }))
    }
    while (model.requests.length < 2) await new Promise((resolve) => setImmediate(resolve))
    for (const requestId of ids) {
      client.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }))
    }
    assert.deepStrictEqual(await Promise.all(model.requests.map(({ over }) => over)), ["closed", "closed"])
    assert.isFalse(client.received.some(({ message }) => ids.includes(String(message.id))))
  })
})
