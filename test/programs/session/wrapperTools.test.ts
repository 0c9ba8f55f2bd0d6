import { afterEach, assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { type Answer, type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import {
  appsCapability,
  fixtureServer,
  initialize,
  type RawClient,
  root,
  startWrapper
} from "../../fixtures/RawClient.ts"
import { tokenOf } from "../../fixtures/wrapperWithModel.ts"

type Json = Readonly<Record<string, unknown>>
type Scripted = (index: number, prompt: string) => Answer | Promise<Answer>

const page = (title: string): string => `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show(() => [header("${title}")])
</script>
`
const minimal: Answer = { text: "<!-- minimal -->" }
const limited: Answer = {
  error: { status: 429, type: "rate_limit_error", message: "later", headers: { "retry-after": "60" } }
}
const refused: Answer = { error: { status: 401, type: "authentication_error", message: "no" } }

const weather = [process.execPath, `${root}examples/weather-server.mjs`]
const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const start = async (
  answer: Scripted,
  server: ReadonlyArray<string> = weather
): Promise<{ readonly client: RawClient; readonly model: ModelStandIn }> => {
  const model = await startModelStandIn({ answer: ({ prompt }, index) => answer(index, prompt) })
  running.push(model.close)
  const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: model.url }
  const client = startWrapper(server, { env })
  running.push(client.close)
  await initialize(client)
  return { client, model }
}

const call = async (client: RawClient, name: string, args: Json = {}): Promise<Json> =>
  (await client.request("tools/call", { name, arguments: args })).message.result as Json

const textOf = (result: Json): string => String((result.content as ReadonlyArray<Json>)[0]?.text)

const structured = async (client: RawClient, name: string, args: Json = {}): Promise<Json> => {
  const result = await call(client, name, args)
  assert.isUndefined(result.isError, textOf(result))
  return result.structuredContent as Json
}

const inspect = (client: RawClient, toolName = "get_forecast"): Promise<Json> =>
  structured(client, "_ui_inspect", { toolName })

const statusOf = async (client: RawClient, toolName: string): Promise<unknown> => {
  const { tools } = (await structured(client, "_ui_list")) as { tools: ReadonlyArray<Json> }
  return tools.find(({ name }) => name === toolName)?.status
}

const read = async (client: RawClient, tool = "get_forecast"): Promise<string> => {
  const { message } = await client.request("resources/read", { uri: `ui://${tool}` })
  return String((message.result as { contents: ReadonlyArray<Json> }).contents[0]?.text)
}

/** Holds a validator for the output of each of the wrapper's tools, which takes no member that the schema does not name. */
const outputs = async (client: RawClient) => {
  const { tools } = (await client.request("tools/list")).message.result as { tools: ReadonlyArray<Json> }
  const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }))
  return (name: string, content: Json): void => {
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? {}
    const validate = ajv.compile({ ...(outputSchema as Json), additionalProperties: false })
    assert.isTrue(validate(content), `${name}: ${ajv.errorsText(validate.errors)}`)
  }
}

describe("the wrapper's tools", () => {
  it("answer as their output schemas say, in every state of a UI", async () => {
    const { client } = await start((index) => (index === 2 ? refused : { text: page(`Page ${index}`) }))
    const fits = await outputs(client)
    const look = async () => {
      fits("_ui_list", await structured(client, "_ui_list"))
      fits("_ui_inspect", await inspect(client))
    }
    await look()
    await call(client, "get_forecast", { location: "Oslo", days: 2 })
    await read(client)
    await look()
    fits("_ui_refine", await structured(client, "_ui_refine", { toolName: "get_forecast", feedback: "larger" }))
    assert.isTrue((await call(client, "_ui_refine", { toolName: "get_forecast", feedback: "smaller" })).isError)
    await look()
    fits("_ui_regenerate", await structured(client, "_ui_regenerate", { toolName: "get_forecast", uiType: "minimal" }))
    await look()
    const toolName = "get_forecast"
    const token = tokenOf(await read(client))
    fits("_ui_history", await structured(client, "_ui_history", { toolName }))
    fits("_ui_history", await structured(client, "_ui_history", { toolName, version: 1 }))
    fits("_ui_current", await structured(client, "_ui_current", { toolName, token, version: "an older one" }))
    fits("_ui_revert", await structured(client, "_ui_revert", { toolName, version: 1 }))
    await look()
    const changed = await structured(client, "_ui_current", { toolName, token, version: "an older one" })
    assert.strictEqual(changed.state, "changed")
    fits("_ui_current", changed)
    const told = { toolName, token, version: changed.version, failed: changed.version }
    fits("_ui_current", await structured(client, "_ui_current", told))
    fits("_ui_history", await structured(client, "_ui_history", { toolName }))
    assert.lengthOf((await inspect(client)).failed as ReadonlyArray<unknown>, 1)
    await look()
    fits("_ui_history", await structured(client, "_ui_history", { toolName: "set_units" }))
    fits(
      "_ui_current",
      await structured(client, "_ui_current", {
        toolName: "set_units",
        token: tokenOf(await read(client, "set_units")),
        version: ""
      })
    )
    fits("_ui_refresh_tools", await structured(client, "_ui_refresh_tools"))
    fits("_ui_select", await structured(client, "_ui_select", { toolName: "get_forecast", token, items: [1] }))
    fits("_ui_selection", await structured(client, "_ui_selection"))
  })

  it("tell how a UI came about", async () => {
    const usage = { inputTokens: 1200, outputTokens: 340 }
    const { client } = await start(() => ({ text: page("Days"), usage }))
    assert.deepInclude(await inspect(client), { status: "not-generated", createdAt: null, examples: 0 })
    await call(client, "get_forecast", { location: "Oslo", days: 2 })
    await read(client)
    await call(client, "get_forecast", { location: "Nairobi", days: 3 })
    const details = await inspect(client)
    assert.deepInclude(details, {
      status: "generated",
      uiType: "rich",
      level: 0,
      repairs: [],
      fallbackReason: null,
      lastError: null,
      provider: "anthropic",
      history: [],
      examples: 2,
      examplesShown: 1
    })
    assert.deepInclude(details.tokens, usage)
    for (const name of ["promptVersion", "templateVersion", "cacheKey"])
      assert.match(String(details[name]), /^[\da-f]{8,}$/)
    assert.isAtMost(Math.abs(Date.parse(String(details.createdAt)) - Date.now()), 60_000)
    assert.containsAllKeys(details.inputSchema, ["properties"])
    assert.containsAllKeys(details.outputSchema, ["properties"])
    assert.notInclude(JSON.stringify(details), "Nairobi")
  })

  it("show that a UI is being generated", async () => {
    const release: Array<() => void> = []
    const { client, model } = await start(async () => {
      await new Promise<void>((resolve) => release.push(resolve))
      return { text: page("Days") }
    })
    const reading = read(client)
    while (model.requests.length === 0) await client.request("tools/list")
    assert.strictEqual(await statusOf(client, "get_forecast"), "generating")
    assert.strictEqual(await statusOf(client, "set_units"), "not-generated")
    release[0]?.()
    await reading
    assert.strictEqual(await statusOf(client, "get_forecast"), "generated")
  })

  it("refine: say what happened, and keep UI and refinement when it fails for now", async () => {
    const { client, model } = await start((index) => (index === 1 ? limited : { text: page(`Page ${index}`) }))
    await read(client)
    const failed = await call(client, "_ui_refine", { toolName: "get_forecast", feedback: "  make it larger \n" })
    assert.isTrue(failed.isError)
    assert.match(
      textOf(failed),
      /^The UI of "get_forecast" was not changed: .*\. The previous UI stays\. The refinement is kept and will be tried with the next change\.$/
    )
    assert.include(await read(client), "Page 0")
    const after = await inspect(client)
    assert.deepInclude(after, { status: "generated", history: ["make it larger"] })
    assert.deepInclude(after.lastError as Json, { code: "RATE_LIMIT" })

    const refined = await call(client, "_ui_refine", { toolName: "get_forecast", feedback: "in blue" })
    assert.match(textOf(refined), /^Refined the UI of "get_forecast" in \d+\.\d s \(rich, level 0\)\.$/)
    assert.deepInclude(refined.structuredContent as Json, { refinements: ["make it larger", "in blue"], level: 0 })
    assert.include(model.requests[2]?.prompt, "make it larger")
    assert.include(await read(client), "Page 2")
    assert.isNull((await inspect(client)).lastError)
  })

  it("refine: reject what fails for good, say what to do, and go on without it", async () => {
    const { client, model } = await start((index) => (index === 1 ? refused : { text: page(`Page ${index}`) }))
    const toolName = "get_forecast"
    await read(client)
    const failed = await call(client, "_ui_refine", { toolName, feedback: "in\n4D" })
    assert.isTrue(failed.isError)
    assert.match(
      textOf(failed),
      /The previous UI stays\. The refinement is rejected, and later ones are made without it: say it differently, or in the same words to have it tried again\.$/
    )
    const document = await read(client)
    assert.include(document, "Page 0")
    assert.include(document, '"fallback":null')
    const isRejected = ({ rejected }: Json) =>
      assert.deepStrictEqual(
        (rejected as ReadonlyArray<Json>).map(({ code, text }) => ({ text, code })),
        [{ text: "in\n4D", code: "AUTH" }]
      )
    const details = await inspect(client)
    isRejected(details)
    assert.deepInclude(details, { history: [], refinements: 0, fallbackReason: null })
    const list = await call(client, "_ui_list")
    assert.include(textOf(list), "get_forecast: generated, refinements rejected: 1")
    const { tools } = list.structuredContent as { tools: ReadonlyArray<Json> }
    isRejected(tools.find(({ name }) => name === toolName) ?? {})
    const history = await call(client, "_ui_history", { toolName })
    assert.match(textOf(history), /^1 generated at .* \(served\)\nrejected at \S+: in 4D \(.+\)$/)
    isRejected(history.structuredContent as Json)

    const other = await structured(client, "_ui_refine", { toolName, feedback: "in blue" })
    assert.deepInclude(other, { refinements: ["in blue"] })
    assert.notInclude(model.requests[2]?.prompt, "4D")
    const again = await structured(client, "_ui_refine", { toolName, feedback: "in\n4D" })
    assert.deepInclude(again, { refinements: ["in blue", "in\n4D"] })
    assert.deepStrictEqual((await inspect(client)).rejected, [])
  })

  it("refine: forget what is cancelled", async () => {
    const { client, model } = await start((_index, prompt) =>
      prompt.includes("slow") ? { fault: "hang-before-headers" } : { text: page("Quick") }
    )
    const toolName = "get_forecast"
    await read(client)
    const params = { name: "_ui_refine", arguments: { toolName, feedback: "slow" } }
    client.send(JSON.stringify({ jsonrpc: "2.0", id: "slow", method: "tools/call", params }))
    while (model.requests.length < 2) await client.request("tools/list")
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}')
    const refined = await structured(client, "_ui_refine", { toolName, feedback: "larger" })
    assert.deepInclude(refined, { refinements: ["larger"] })
    assert.deepInclude(await inspect(client), { history: ["larger"], rejected: [], fallbackReason: null })
    assert.notInclude(model.requests[2]?.prompt, "slow")
  })

  it("regenerate: force a type for the session, and leave it to the model again", async () => {
    const { client, model } = await start((_index, prompt) => (/rich/i.test(prompt) ? { text: page("Rich") } : minimal))
    await read(client)
    const regenerate = (more: Json) => structured(client, "_ui_regenerate", { toolName: "get_forecast", ...more })
    assert.deepInclude(await inspect(client), { uiType: "minimal", level: 0, fallbackReason: null })
    assert.deepInclude(await regenerate({ uiType: "rich" }), { uiType: "rich" })
    assert.deepInclude(await regenerate({}), { uiType: "rich" })
    assert.deepInclude(await regenerate({ uiType: "auto" }), { uiType: "minimal" })
    const requests = model.requests.length
    assert.deepInclude(await regenerate({ uiType: "minimal" }), { uiType: "minimal" })
    assert.strictEqual(model.requests.length, requests)
    const refused = await call(client, "_ui_refine", { toolName: "get_forecast", feedback: "larger" })
    assert.match(textOf(refused), /regenerate it as rich first\. The previous UI stays\.$/)
    assert.deepInclude(await inspect(client), { history: [] })
  })

  it("regenerate: forget the refinements, if asked to", async () => {
    const { client } = await start((index) => ({ text: page(`Page ${index}`) }))
    const toolName = "get_forecast"
    await structured(client, "_ui_refine", { toolName, feedback: "larger" })
    assert.deepInclude(await structured(client, "_ui_regenerate", { toolName }), { refinements: ["larger"] })
    assert.deepInclude(await structured(client, "_ui_regenerate", { toolName, clearRefinements: true }), {
      refinements: []
    })
    assert.deepInclude(await inspect(client), { history: [], refinements: 0 })
  })

  it("refuse bad arguments, and name them", async () => {
    const { client, model } = await start(() => minimal)
    const refusals: ReadonlyArray<readonly [string, Json, RegExp]> = [
      ["_ui_refine", { toolName: "get_forecast", feedback: " \n\t" }, /feedback/],
      ["_ui_refine", { toolName: "get_forecast", feedback: "x".repeat(4001) }, /feedback/],
      ["_ui_refine", { toolName: "get_forecast" }, /feedback/],
      ["_ui_refine", { toolName: "get_forcast", feedback: "larger" }, /Did you mean "get_forecast"/],
      ["_ui_regenerate", { toolName: "get_forecast", uiType: "poor" }, /uiType/],
      ["_ui_regenerate", { toolName: "get_forecast", clearRefinements: "yes" }, /clearRefinements/],
      ["_ui_inspect", { toolName: 7 }, /toolName/],
      ["_ui_history", { toolName: "get_forecast", version: 0 }, /version/],
      ["_ui_history", { toolName: "get_forecast", version: 1 }, /has no version 1; it has none yet\.$/],
      ["_ui_revert", { toolName: "get_forecast" }, /version/],
      ["_ui_revert", { toolName: "get_forecast", version: "1" }, /version/],
      ["_ui_revert", { toolName: "get_forcast", version: 1 }, /Did you mean "get_forecast"/],
      ["_ui_revert", { toolName: "get_forecast", version: 1 }, /has no version 1; it has none yet\.$/],
      ["_ui_current", { toolName: "get_forecast", token: "x" }, /version/],
      ["_ui_current", { toolName: "get_forecast", version: "" }, /token/],
      ["_ui_current", { toolName: "get_forecast", token: "x", version: "" }, /Only the UI of "get_forecast"/],
      ["_ui_current", { toolName: "get_forecast", token: "x", version: "1", failed: true }, /failed/],
      ["_ui_current", { toolName: "get_forecast", token: "x", version: "1", failed: "" }, /failed/],
      ["_ui_current", { toolName: "get_forecast", token: "x", failed: "1" }, /version/],
      ["_ui_list", { everything: true }, /everything/],
      ["_ui_refresh_tools", { everything: true }, /everything/]
    ]
    for (const [name, args, reason] of refusals) {
      const result = await call(client, name, args)
      assert.isTrue(result.isError)
      assert.match(textOf(result), reason)
      assert.notProperty(result, "structuredContent")
    }
    assert.lengthOf(model.requests, 0)
    const longest = await structured(client, "_ui_refine", {
      toolName: "get_forecast",
      feedback: ` ${"x".repeat(4000)} `
    })
    assert.deepStrictEqual(longest.refinements, ["x".repeat(4000)])
  })

  it("refresh: report what was added, removed, changed and left, and forget what is gone", async () => {
    const { client } = await start(() => ({ text: page("Any") }), [process.execPath, fixtureServer("changing.mjs")])
    await call(client, "gone", {})
    assert.deepInclude(await inspect(client, "gone"), { examples: 1 })
    client.send('{"jsonrpc":"2.0","method":"changing/next"}')
    assert.deepStrictEqual(await structured(client, "_ui_refresh_tools"), {
      added: ["new"],
      removed: ["gone"],
      changed: ["altered"],
      unchanged: ["same"]
    })
    assert.match(textOf(await call(client, "_ui_inspect", { toolName: "gone" })), /There is no tool "gone"/)
    client.send('{"jsonrpc":"2.0","method":"changing/next"}')
    assert.deepInclude(await structured(client, "_ui_refresh_tools"), { added: ["gone"], removed: ["new"] })
    assert.deepInclude(await inspect(client, "gone"), { examples: 0 })
  })
})

describe("a changed UI", () => {
  const UPDATED = "notifications/resources/updated"
  const LISTED = "notifications/resources/list_changed"

  const told = (client: RawClient, method: string): ReadonlyArray<Json> =>
    client.received.flatMap(({ message }) => (message.method === method ? [(message.params ?? {}) as Json] : []))

  it("is told to every host of the legacy era", async () => {
    const { client } = await start((index) => (index === 1 ? refused : { text: page("Days") }))
    await structured(client, "_ui_refine", { toolName: "get_forecast", feedback: "larger" })
    assert.deepStrictEqual(told(client, UPDATED), [{ uri: "ui://get_forecast" }])
    assert.lengthOf(told(client, LISTED), 1)
    assert.isTrue((await call(client, "_ui_refine", { toolName: "get_forecast", feedback: "smaller" })).isError)
    assert.lengthOf(told(client, UPDATED), 1)
    await structured(client, "_ui_regenerate", { toolName: "get_forecast" })
    assert.lengthOf(told(client, UPDATED), 2)
    assert.lengthOf(told(client, LISTED), 2)
  })

  it("is told to hosts of the modern era that listen for it, on their subscription", async () => {
    const model = await startModelStandIn({ answer: page("Days") })
    running.push(model.close)
    const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: model.url }
    const client = startWrapper(weather, { env })
    running.push(client.close)
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": appsCapability
    }
    await client.request("tools/list", { _meta })
    const listen = async (id: string, notifications: Json): Promise<void> => {
      client.send(
        JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications, _meta } })
      )
      await client.receive(
        ({ method, params }) =>
          method === "notifications/subscriptions/acknowledged" && JSON.stringify(params).includes(`"${id}"`)
      )
    }
    await listen("uri", { resourceSubscriptions: ["ui://get_forecast"] })
    await listen("list", { resourcesListChanged: true })
    await listen("other", { resourceSubscriptions: ["ui://set_units"] })
    const args = { toolName: "get_forecast", feedback: "larger" }
    await client.request("tools/call", { name: "_ui_refine", arguments: args, _meta })
    const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
    assert.deepStrictEqual(told(client, UPDATED), [{ uri: "ui://get_forecast", _meta: { [SUBSCRIPTION]: "uri" } }])
    assert.deepStrictEqual(told(client, LISTED), [{ _meta: { [SUBSCRIPTION]: "list" } }])
  })
})
