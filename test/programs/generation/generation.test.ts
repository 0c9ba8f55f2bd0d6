import { assert, describe, it } from "@effect/vitest"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { entryText, readEntryText } from "../../../src/adapters/cache/uiEntryText.ts"
import { openView } from "../../browser/harness/index.ts"
import { testFolder } from "../../fixtures/folders.ts"
import { initialize, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import {
  hostOn,
  type Json,
  KEY,
  startModel,
  startWithModel,
  type WrapperWithModel
} from "../../fixtures/wrapperWithModel.ts"

const TOOL = "get_forecast"

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

/** Opens a document with the wrapper behind it: calls of the page are calls of the real server. */
const open = async ({ call }: WrapperWithModel, html: string) => {
  const args = { location: "Oslo", days: 3 }
  const view = await openView({
    html,
    toolInput: args,
    toolResult: await call(TOOL, args),
    onCall: (params) => call(String(params.name), params.arguments as Json)
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
      const wrapper = await startWithModel({ answer: forecastPage, env: environment })
      const { client, inspect, model, read } = wrapper
      const html = await read(TOOL)
      assert.strictEqual(await read(TOOL), html)
      assert.strictEqual(model.requests.length, 1)
      assert.deepInclude(await inspect(TOOL), { level: 0, uiType: "rich", status: "generated" })

      const view = await open(wrapper, html)
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
    const wrapper = await startWithModel({ answer: appPage })
    const { inspect, read } = wrapper
    const view = await open(wrapper, await read(TOOL))
    await view.frame.getByText(/Oslo/).first().waitFor()
    await view.frame.getByRole("button", { name: "Tokyo" }).click()
    await view.frame
      .getByText(/Forecast for Tokyo/)
      .first()
      .waitFor()
    assert.deepStrictEqual(view.violations, [])
    assert.deepStrictEqual(view.consoleErrors, [])
    assert.deepInclude(await inspect(TOOL), { status: "generated", level: 0 })
  })

  it("is replaced by the built-in UI, with the reason, when the provider refuses", async () => {
    const wrapper = await startWithModel({ answer: () => ({ error: { status: 401, message: `bad key ${KEY}` } }) })
    const { client, inspect, read } = wrapper
    const html = await read(TOOL)
    const details = await inspect(TOOL)
    assert.deepInclude(details, { level: 2, status: "built-in" })
    assert.deepInclude(details.fallbackReason as Json, { code: "AUTH", transient: false })
    assert.match(client.log(), /built-in UI instead of a generated one.*AUTH/)
    const [advice, ...again] = client
      .log()
      .matchAll(/^.*ANTHROPIC_API_KEY does not hold a key that anthropic accepts.*$/gm)
    assert.isEmpty(again, "it is said once")
    assert.match(advice?.[0] ?? "", /\(HTTP 401\); put a right one there, or choose --llm none for built-in UIs/)
    assert.match(String((details.fallbackReason as Json).message), /bad key.*; mend ANTHROPIC_API_KEY$/)
    assert.notInclude(client.log() + html, KEY)

    const view = await open(wrapper, html)
    await view.frame.getByRole("tab", { name: "Table" }).waitFor()
    assert.deepStrictEqual(view.violations, [])
  })

  it("is asked for again after a restart where the provider had refused, whatever the cache directory keeps", async () => {
    const flags = ["--cache-dir", join(testFolder(), "cache")]
    const { env, model } = await startModel((index) =>
      index === 0 ? { error: { status: 401, message: "bad key" } } : { text: forecastPage }
    )
    const start = async () => {
      const client = startSession(weather, { env, flags })
      await initialize(client)
      return hostOn(client)
    }
    const first = await start()
    await first.read(TOOL)
    await first.read(TOOL)
    assert.lengthOf(model.requests, 1)
    await first.client.close()
    const second = await start()
    await second.read(TOOL)
    assert.deepInclude(await second.inspect(TOOL), { level: 0, status: "generated" })
    await second.client.close()
    await (await start()).read(TOOL)
    assert.lengthOf(model.requests, 2)
  })

  it("is written anew where somebody has changed what the cache directory keeps", async () => {
    const directory = testFolder()
    const { env, model } = await startModel(forecastPage)
    const once = async () => {
      const client = startSession(weather, { env, flags: ["--cache-dir", directory] })
      await initialize(client)
      const html = await hostOn(client).read(TOOL)
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
    const { client, model } = await startWithModel({ answer: () => ({ text: forecastPage, fault: "hang" }) })
    client.send('{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"ui://get_forecast"}}')
    while (model.requests.length === 0) await client.request("tools/list")
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}')
    assert.strictEqual(await model.requests[0]?.over, "closed")
    assert.isFalse(client.received.some(({ message }) => message.id === "r"))
  })

  it("is not waited for either if the host asked before it listed the tools, and cancels: so do hosts at connect", async () => {
    const { client, model } = await startWithModel({ answer: () => ({ text: "<!-- rich -->\n<main>", fault: "hang" }) })
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
