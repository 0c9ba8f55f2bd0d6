import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { appsCapability, fixtureServer } from "../../fixtures/RawClient.ts"
import { isNow } from "../../fixtures/time.ts"
import {
  type FrameHost,
  type Json,
  pageTitled as page,
  startWithModel,
  textOf,
  tokenOf,
  type WrapperWithModelOptions
} from "../../fixtures/wrapperWithModel.ts"

const minimal: Answer = { text: "<!-- minimal -->" }
const limited: Answer = {
  error: { status: 429, type: "rate_limit_error", message: "later", headers: { "retry-after": "60" } }
}
const refused: Answer = { error: { status: 401, type: "authentication_error", message: "no" } }

const toolName = "get_forecast"

/** All tools are listed, with the schemas of what they answer. */
const start = (answer: WrapperWithModelOptions["answer"]) =>
  startWithModel({ answer, flags: ["--wrapper-tools", "all"] })

const statusOf = async (ask: FrameHost["ask"], tool: string): Promise<unknown> =>
  ((await ask("_ui_list")).tools as ReadonlyArray<Json>).find(({ name }) => name === tool)?.status

/** Holds a validator for the output of each of the wrapper's tools, which takes no member that the schema does not name. */
const outputs = async (list: FrameHost["list"]) => {
  const tools = await list("tools")
  const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }))
  return (name: string, content: Json): void => {
    const { outputSchema } = tools.find((tool) => tool.name === name) ?? {}
    const validate = ajv.compile({ ...(outputSchema as Json), additionalProperties: false })
    assert.isTrue(validate(content), `${name}: ${ajv.errorsText(validate.errors)}`)
  }
}

describe("the wrapper's tools", () => {
  it("serve a view that the caller declares, without a model, and say what is wrong with one", async () => {
    const { ask, call, list, model } = await start(() => ({ text: page("Written") }))
    const fits = await outputs(list)
    const refine = (view: Json) => ({ toolName, feedback: "the highs only", view })
    const wrong = await call("_ui_refine", refine({ kind: "tabel", colums: [] }))
    assert.isTrue(wrong.isError)
    assert.include(textOf(wrong), "The view does not fit: kind: ")
    const made = await ask("_ui_refine", refine({ kind: "table", from: "days", columns: ["date", "high"] }))
    fits("_ui_refine", made)
    assert.deepInclude(made, { uiType: "rich" })
    assert.lengthOf(model.requests, 0)
  })

  it("answer as their output schemas say, in every state of a UI", async () => {
    const { ask, call, inspect, list, read } = await start((index) =>
      index === 2 ? refused : { text: page(`Page ${index}`) }
    )
    const fits = await outputs(list)
    const look = async () => {
      fits("_ui_list", await ask("_ui_list"))
      fits("_ui_inspect", await inspect(toolName))
    }
    await look()
    await call("get_forecast", { location: "Oslo", days: 2 })
    await read(toolName)
    await look()
    fits("_ui_refine", await ask("_ui_refine", { toolName, feedback: "larger" }))
    assert.isTrue((await call("_ui_refine", { toolName, feedback: "smaller" })).isError)
    await look()
    fits("_ui_regenerate", await ask("_ui_regenerate", { toolName, uiType: "minimal" }))
    await look()
    const token = tokenOf(await read(toolName))
    fits("_ui_history", await ask("_ui_history", { toolName }))
    fits("_ui_history", await ask("_ui_history", { toolName, version: 1 }))
    fits("_ui_current", await ask("_ui_current", { toolName, token, version: "an older one" }))
    fits("_ui_revert", await ask("_ui_revert", { toolName, version: 1 }))
    await look()
    const changed = await ask("_ui_current", { toolName, token, version: "an older one" })
    assert.strictEqual(changed.state, "changed")
    fits("_ui_current", changed)
    const told = { toolName, token, version: changed.version, failed: changed.version }
    fits("_ui_current", await ask("_ui_current", told))
    fits("_ui_history", await ask("_ui_history", { toolName }))
    assert.lengthOf((await inspect(toolName)).failed as ReadonlyArray<unknown>, 1)
    await look()
    fits("_ui_history", await ask("_ui_history", { toolName: "set_units" }))
    fits(
      "_ui_current",
      await ask("_ui_current", {
        toolName: "set_units",
        token: tokenOf(await read("set_units")),
        version: ""
      })
    )
    fits("_ui_refresh_tools", await ask("_ui_refresh_tools"))
    fits("_ui_select", await ask("_ui_select", { toolName, token, items: [1] }))
    fits("_ui_selection", await ask("_ui_selection"))
  })

  it("tell how a UI came about", async () => {
    const usage = { inputTokens: 1200, outputTokens: 340 }
    const { call, inspect, read } = await start(() => ({ text: page("Days"), usage }))
    assert.deepInclude(await inspect(toolName), { status: "not-generated", createdAt: null, examples: 0 })
    await call("get_forecast", { location: "Oslo", days: 2 })
    await read(toolName)
    await call("get_forecast", { location: "Nairobi", days: 3 })
    const details = await inspect(toolName)
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
    isNow(details.createdAt)
    assert.containsAllKeys(details.inputSchema, ["properties"])
    assert.containsAllKeys(details.outputSchema, ["properties"])
    assert.notInclude(JSON.stringify(details), "Nairobi")
  })

  it("show that a UI is being generated", async () => {
    const release: Array<() => void> = []
    const { ask, client, model, read } = await start(async () => {
      await new Promise<void>((resolve) => release.push(resolve))
      return { text: page("Days") }
    })
    const reading = read(toolName)
    while (model.requests.length === 0) await client.request("tools/list")
    assert.strictEqual(await statusOf(ask, "get_forecast"), "generating")
    assert.strictEqual(await statusOf(ask, "set_units"), "not-generated")
    release[0]?.()
    await reading
    assert.strictEqual(await statusOf(ask, "get_forecast"), "generated")
  })

  it("refine: say what happened, and keep UI and refinement when it fails for now", async () => {
    const { call, inspect, model, read } = await start((index) =>
      index === 1 ? limited : { text: page(`Page ${index}`) }
    )
    await read(toolName)
    const failed = await call("_ui_refine", { toolName, feedback: "  make it larger \n" })
    assert.isTrue(failed.isError)
    assert.match(
      textOf(failed),
      /^The UI of "get_forecast" was not changed: .*\. The previous UI stays\. The refinement is kept and will be tried with the next change\.$/
    )
    assert.include(await read(toolName), "Page 0")
    const after = await inspect(toolName)
    assert.deepInclude(after, { status: "generated", history: ["make it larger"] })
    assert.deepInclude(after.lastError as Json, { code: "RATE_LIMIT" })

    const refined = await call("_ui_refine", { toolName, feedback: "in blue" })
    assert.match(
      textOf(refined),
      /^Refined the UI of "get_forecast" in \d+\.\d s\. A page that is open shows it by itself/
    )
    assert.deepInclude(refined.structuredContent as Json, { refinements: ["make it larger", "in blue"], level: 0 })
    assert.include(model.requests[2]?.prompt, "make it larger")
    assert.include(await read(toolName), "Page 2")
    assert.isNull((await inspect(toolName)).lastError)
  })

  it("refine: reject what fails for good, say what to do, and go on without it", async () => {
    const { ask, call, inspect, model, read } = await start((index) =>
      index === 1 ? refused : { text: page(`Page ${index}`) }
    )
    await read(toolName)
    const failed = await call("_ui_refine", { toolName, feedback: "in\n4D" })
    assert.isTrue(failed.isError)
    assert.match(
      textOf(failed),
      /The previous UI stays\. The refinement is rejected, and later ones are made without it: say it differently, or in the same words to have it tried again\.$/
    )
    const document = await read(toolName)
    assert.include(document, "Page 0")
    assert.include(document, '"fallback":null')
    const isRejected = ({ rejected }: Json) =>
      assert.deepStrictEqual(
        (rejected as ReadonlyArray<Json>).map(({ code, text }) => ({ text, code })),
        [{ text: "in\n4D", code: "AUTH" }]
      )
    const details = await inspect(toolName)
    isRejected(details)
    assert.deepInclude(details, { history: [], refinements: 0, fallbackReason: null })
    const list = await call("_ui_list")
    assert.include(textOf(list), "get_forecast: has a page that a model wrote, changes that failed: 1")
    const { tools } = list.structuredContent as { tools: ReadonlyArray<Json> }
    isRejected(tools.find(({ name }) => name === toolName) ?? {})
    const history = await call("_ui_history", { toolName })
    assert.match(textOf(history), /^version 1, generated at .* \(shown now\)\nrejected at \S+: in 4D \(.+\)$/)
    isRejected(history.structuredContent as Json)

    const other = await ask("_ui_refine", { toolName, feedback: "in blue" })
    assert.deepInclude(other, { refinements: ["in blue"] })
    assert.notInclude(model.requests[2]?.prompt, "4D")
    const again = await ask("_ui_refine", { toolName, feedback: "in\n4D" })
    assert.deepInclude(again, { refinements: ["in blue", "in\n4D"] })
    assert.deepStrictEqual((await inspect(toolName)).rejected, [])
  })

  it("refine: forget what is cancelled", async () => {
    const { ask, client, inspect, model, read } = await start((_index, prompt) =>
      prompt.includes("slow") ? { fault: "hang-before-headers" } : { text: page("Quick") }
    )
    await read(toolName)
    const params = { name: "_ui_refine", arguments: { toolName, feedback: "slow" } }
    client.send(JSON.stringify({ jsonrpc: "2.0", id: "slow", method: "tools/call", params }))
    while (model.requests.length < 2) await client.request("tools/list")
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}')
    const refined = await ask("_ui_refine", { toolName, feedback: "larger" })
    assert.deepInclude(refined, { refinements: ["larger"] })
    assert.deepInclude(await inspect(toolName), { history: ["larger"], rejected: [], fallbackReason: null })
    assert.notInclude(model.requests[2]?.prompt, "slow")
  })

  it("regenerate: variants, which the page offers, and one of which it picks", async () => {
    const { ask, call, list, read } = await start((index) => ({ text: page(`Page ${index}`) }))
    const fits = await outputs(list)
    const token = tokenOf(await read(toolName))
    for (const variants of [1, 5, 2.5, "two"]) {
      const refusal = await call("_ui_regenerate", { toolName, variants })
      assert.isTrue(refusal.isError)
      assert.match(textOf(refusal), /variants/)
    }
    const made = await call("_ui_regenerate", { toolName, variants: 3 })
    assert.match(textOf(made), /The user chooses in the page among versions 2 \(shown now\), 3, 4;/)
    fits("_ui_regenerate", made.structuredContent as Json)
    const current = (more: Json) => ask("_ui_current", { toolName, token, version: "", ...more })
    const choices = [2, 3, 4].map((value, index) => ({ value, label: `Variant ${index + 1}` }))
    assert.deepInclude(await current({}), { variants: { choices, current: 2 } })
    const picked = await current({ pick: 3 })
    fits("_ui_current", picked)
    assert.deepInclude(picked, { state: "changed", variants: { choices, current: 3 } })
    const history = await ask("_ui_history", { toolName })
    fits("_ui_history", history)
    assert.deepInclude(history, { current: 3, variants: [2, 3, 4] })
    assert.notProperty(await current({ chosen: true }), "variants")
    assert.notProperty(await ask("_ui_history", { toolName }), "variants")
  })

  it("regenerate: force a type for the session, and leave it to the model again", async () => {
    const { ask, call, inspect, model, read } = await start((_index, prompt) =>
      /rich/i.test(prompt) ? { text: page("Rich") } : minimal
    )
    await read(toolName)
    const regenerate = (more: Json) => ask("_ui_regenerate", { toolName, ...more })
    assert.deepInclude(await inspect(toolName), { uiType: "minimal", level: 0, fallbackReason: null })
    assert.deepInclude(await regenerate({ uiType: "rich" }), { uiType: "rich" })
    assert.deepInclude(await regenerate({}), { uiType: "rich" })
    assert.deepInclude(await regenerate({ uiType: "auto" }), { uiType: "minimal" })
    const requests = model.requests.length
    assert.deepInclude(await regenerate({ uiType: "minimal" }), { uiType: "minimal" })
    assert.strictEqual(model.requests.length, requests)
    const refused = await call("_ui_refine", { toolName, feedback: "larger" })
    assert.match(textOf(refused), /regenerate it as rich first\. The previous UI stays\.$/)
    assert.deepInclude(await inspect(toolName), { history: [] })
  })

  it("regenerate: forget the refinements, if asked to", async () => {
    const { ask, inspect } = await start((index) => ({ text: page(`Page ${index}`) }))
    await ask("_ui_refine", { toolName, feedback: "larger" })
    assert.deepInclude(await ask("_ui_regenerate", { toolName }), { refinements: ["larger"] })
    assert.deepInclude(await ask("_ui_regenerate", { toolName, clearRefinements: true }), {
      refinements: []
    })
    assert.deepInclude(await inspect(toolName), { history: [], refinements: 0 })
  })

  it("refuse bad arguments, and name them", async () => {
    const { ask, call, model } = await start(() => minimal)
    const refusals: ReadonlyArray<readonly [string, Json, RegExp]> = [
      ["_ui_refine", { toolName, feedback: " \n\t" }, /feedback/],
      ["_ui_refine", { toolName, feedback: "x".repeat(4001) }, /feedback/],
      ["_ui_refine", { toolName }, /feedback/],
      ["_ui_refine", { toolName: "get_forcast", feedback: "larger" }, /Did you mean "get_forecast"/],
      ["_ui_regenerate", { toolName, uiType: "poor" }, /uiType/],
      ["_ui_regenerate", { toolName, clearRefinements: "yes" }, /clearRefinements/],
      ["_ui_inspect", { toolName: 7 }, /toolName/],
      ["_ui_history", { toolName, version: 0 }, /version/],
      ["_ui_history", { toolName, version: 1 }, /has no version 1; it has none yet\.$/],
      ["_ui_revert", { toolName }, /version/],
      ["_ui_revert", { toolName, version: "1" }, /version/],
      ["_ui_revert", { toolName: "get_forcast", version: 1 }, /Did you mean "get_forecast"/],
      ["_ui_revert", { toolName, version: 1 }, /has no version 1; it has none yet\.$/],
      ["_ui_current", { toolName, token: "x" }, /version/],
      ["_ui_current", { toolName, version: "" }, /token/],
      ["_ui_current", { toolName, token: "x", version: "" }, /Only the UI of "get_forecast"/],
      ["_ui_current", { toolName, token: "x", version: "1", failed: true }, /failed/],
      ["_ui_current", { toolName, token: "x", version: "1", failed: "" }, /failed/],
      ["_ui_current", { toolName, token: "x", failed: "1" }, /version/],
      ["_ui_list", { everything: true }, /everything/],
      ["_ui_refresh_tools", { everything: true }, /everything/]
    ]
    for (const [name, args, reason] of refusals) {
      const result = await call(name, args)
      assert.isTrue(result.isError)
      assert.match(textOf(result), reason)
      assert.notProperty(result, "structuredContent")
    }
    assert.lengthOf(model.requests, 0)
    const longest = await ask("_ui_refine", {
      toolName,
      feedback: ` ${"x".repeat(4000)} `
    })
    assert.deepStrictEqual(longest.refinements, ["x".repeat(4000)])
  })

  it("refresh: report what was added, removed, changed and left, and forget what is gone", async () => {
    const { ask, call, client, inspect } = await startWithModel({
      answer: page("Any"),
      server: [process.execPath, fixtureServer("changing.mjs")]
    })
    await call("gone", {})
    assert.deepInclude(await inspect("gone"), { examples: 1 })
    client.notify("changing/next")
    assert.deepStrictEqual(await ask("_ui_refresh_tools"), {
      added: ["new"],
      removed: ["gone"],
      changed: ["altered"],
      unchanged: ["same"]
    })
    assert.match(textOf(await call("_ui_inspect", { toolName: "gone" })), /There is no tool "gone"/)
    client.notify("changing/next")
    assert.deepInclude(await ask("_ui_refresh_tools"), { added: ["gone"], removed: ["new"] })
    assert.deepInclude(await inspect("gone"), { examples: 0 })
  })
})

describe("a changed UI", () => {
  const UPDATED = "notifications/resources/updated"
  const LISTED = "notifications/resources/list_changed"

  it("is told to every host of the legacy era", async () => {
    const { ask, call, client } = await start((index) => (index === 1 ? refused : { text: page("Days") }))
    await ask("_ui_refine", { toolName, feedback: "larger" })
    assert.deepStrictEqual(client.told(UPDATED), [{ uri: "ui://get_forecast" }])
    assert.lengthOf(client.told(LISTED), 1)
    assert.isTrue((await call("_ui_refine", { toolName, feedback: "smaller" })).isError)
    assert.lengthOf(client.told(UPDATED), 1)
    await ask("_ui_regenerate", { toolName })
    assert.lengthOf(client.told(UPDATED), 2)
    assert.lengthOf(client.told(LISTED), 2)
  })

  it("is told to hosts of the modern era that listen for it, on their subscription", async () => {
    const { client } = await startWithModel({ answer: page("Days"), isSilent: true })
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
    await client.call("_ui_refine", { toolName, feedback: "larger" }, _meta)
    const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
    assert.deepStrictEqual(client.told(UPDATED), [{ uri: "ui://get_forecast", _meta: { [SUBSCRIPTION]: "uri" } }])
    assert.deepStrictEqual(client.told(LISTED), [{ _meta: { [SUBSCRIPTION]: "list" } }])
  })
})
