import { assert, describe, it } from "@effect/vitest"
import { openView, type OpenViewOptions, type View } from "../../browser/harness/index.ts"
import { partial } from "../../fixtures/RawClient.ts"
import { type Era, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { type Json, withConfig } from "../../fixtures/wrapperWithModel.ts"

type Blocks = ReadonlyArray<Json>

interface Shown {
  readonly tool: string
  readonly args?: Json | undefined
  /** What the host makes of a result before the view gets it; `undefined`: the view gets none. */
  readonly host: (result: Json) => Json | undefined
  /** Whether results of calls of the page go the same way. */
  readonly isThorough?: boolean
  readonly options?: Partial<OpenViewOptions>
}

/** A host as they are: what the model's call brought is shown in a view, after the host has handled it. */
const session = async (era: Era = "legacy", config: Json = {}) => {
  const client = await overStdio(era, partial, { flags: withConfig(config) })
  await client.listTools()
  const { call, read } = sdkHost(client)
  return {
    call,
    show: async ({ args = { country: "FR" }, host, isThorough = false, options, tool }: Shown): Promise<View> => {
      const result = host(await call(tool, args))
      return openView({
        html: await read(tool),
        toolInput: args,
        ...(result === undefined ? {} : { toolResult: result }),
        onCall: async (params, method) => {
          if (method !== "tools/call") return {}
          const answer = await call(String(params.name), params.arguments as Json)
          return isThorough ? host(answer) : answer
        },
        ...options
      })
    },
    open: async (tool: string, options: Partial<OpenViewOptions>): Promise<View> =>
      openView({
        html: await read(tool),
        onCall: (params, method) =>
          method === "tools/call" ? call(String(params.name), params.arguments as Json) : {},
        ...options
      })
  }
}

const stripped = ({ content }: Json): Json => ({ content })
const reshaped = ({ content }: Json): Json => ({
  content: (content as Blocks).map(({ data, mimeType, type }) => ({
    type,
    source: { type: "base64", media_type: mimeType, data }
  }))
})
const cut = ({ content }: Json): Json => ({
  content: (content as Blocks).map(({ text, type }) => ({ type, text: `${String(text).slice(0, 300)}… [cut]` }))
})
const emptied = (): Json => ({ content: [] })

const questions = (view: View): ReadonlyArray<Json> =>
  view.calls.filter(({ name }) => name === "_ui_current").map((call) => call.arguments as Json)

const CASES = [
  { host: "strips structuredContent", tool: "list_cities", made: stripped, sees: "Nice 1" },
  { host: "cuts texts", tool: "describe_cities", made: cut, sees: "FR 1: the end" },
  { host: "empties results", tool: "list_cities", made: emptied, sees: "Nice 1" },
  { host: "gives no result", tool: "list_cities", made: () => undefined, sees: "Nice 1" }
] as const

describe("a page whose host has lost something of the result", () => {
  describe.each(["legacy", "modern"] as const)("in the %s era", (era) => {
    it.each(CASES)("shows all of it where the host $host", async ({ made, sees, tool }) => {
      const { show } = await session(era)
      const view = await show({ tool, host: made })
      await view.frame.getByText(sees).first().waitFor()
      await view.settle()
      // It asked once or twice, and not again: the UI itself cannot change here.
      assert.isAtMost(questions(view).length, 2)
      assert.deepStrictEqual(view.consoleErrors, [])
    })
  })

  it("shows it where the host strips the answers to the page too", async () => {
    const { show } = await session()
    const view = await show({ tool: "list_cities", host: stripped, isThorough: true })
    await view.frame.getByText("Nice 1").waitFor()
  })

  it("draws a picture in another shape, and asks nothing where views have no tools", async () => {
    const { show } = await session()
    const options = { hostCapabilities: {} }
    const view = await show({ tool: "photograph", args: {}, host: reshaped, options })
    await view.until(`document.querySelector("img")?.naturalWidth === 1`)
    await view.settle()
    assert.isEmpty(view.calls)
  })

  it("gets the result of its own call, and each of two frames its own", async () => {
    const { show } = await session()
    const france = await show({ tool: "list_cities", host: stripped })
    await france.frame.getByText("Nice 1").waitFor()
    const italy = await show({ tool: "list_cities", args: { country: "IT" }, host: stripped, isThorough: true })
    await italy.frame.getByText("Nice 1").waitFor()
    await italy.frame.getByRole("button", { name: "Run again" }).click()
    await italy.frame.getByText("Nice 2").waitFor()
    assert.strictEqual(await italy.frame.getByText("Cities of FR").count(), 0)
  })

  it("knows a result by its text alone where the host tells no arguments, and never takes the last one for it", async () => {
    const { call, open } = await session()
    const france = await call("list_cities", { country: "FR" })
    await call("list_cities", { country: "IT" })
    const known = await open("list_cities", { toolResult: stripped(france) })
    await known.frame.getByText("Nice 1").waitFor()
    const none = await open("list_cities", { toolResult: emptied() })
    await none.requested("tools/call")
    await none.settle()
    assert.strictEqual(await none.frame.getByText("Nice 1").count(), 0)
  })

  it("gives nothing for other arguments, another tool, or a call that failed since", async () => {
    const { call, open } = await session()
    await call("list_cities", { country: "FR" })
    for (const [tool, toolInput] of [
      ["list_cities", { country: "IT" }],
      ["describe_cities", { country: "FR" }]
    ] as const) {
      const view = await open(tool, { toolInput })
      await view.requested("tools/call")
      await view.settle()
      assert.strictEqual(await view.frame.getByText("Nice 1").count(), 0)
    }
  })

  it.each([{ recall: "off" }, { generation: { toolMemory: "off" } }])("asks nothing with %j", async (config) => {
    const { show } = await session("legacy", config)
    const view = await show({ tool: "list_cities", host: stripped })
    await view.frame.getByText("Cities of FR").first().waitFor()
    await view.settle()
    assert.isEmpty(view.calls)
    assert.strictEqual(await view.frame.getByText("Nice 1").count(), 0)
  })
})

const cities = (view: View): Promise<ReadonlyArray<string>> =>
  view.frame.evaluate(`[...document.querySelectorAll("tbody td.mg-key")].map((cell) => cell.innerText.trim())`)

const HIGHEST_BY_THE_SEA = ["Brest 1", "Tours 1", "Nice 1", "Nantes 1", "Paris 1"]

describe("a view that is opened again, in a frame that has no storage", () => {
  it("is as the person left it: order, filter and draft, for the same arguments only", async () => {
    const { open, show } = await session()
    const first = await show({ tool: "list_cities", host: (result) => result })
    await first.frame.getByRole("button", { name: "High" }).click()
    await first.frame.getByLabel("Filter").fill("sea")
    await first.frame.getByRole("button", { name: "Edit" }).click()
    await first.frame.getByLabel("Country").fill("Portugal")
    await first.teardown()
    assert.deepStrictEqual(await cities(first), HIGHEST_BY_THE_SEA)

    // A chat that is opened again: no result, in a frame of another origin.
    const again = await open("list_cities", { toolInput: { country: "FR" } })
    await again.frame.getByText("Nantes 1").waitFor()
    await again.until(`document.querySelector("[type=search]").value === "sea"`)
    await again.until(`document.querySelectorAll("tbody tr:not([hidden])").length === 5`)
    assert.deepStrictEqual(await cities(again), HIGHEST_BY_THE_SEA)
    assert.strictEqual(await again.frame.getByLabel("Country").inputValue(), "Portugal")

    const other = await show({ tool: "list_cities", args: { country: "IT" }, host: (result) => result })
    await other.requested("tools/call")
    await other.settle()
    assert.strictEqual((await cities(other))[0], "Paris 1")
    assert.strictEqual(await other.frame.getByLabel("Filter").inputValue(), "")
  })

  it("has its tab and what was unfolded again, also where the host gives the result at once", async () => {
    const { open, show } = await session()
    const whole = { toolInput: { country: "FR" } }
    const first = await show({ tool: "list_cities", host: (result) => result })
    // What was kept is there, so that what the person does next is kept too.
    await first.requested("tools/call")
    await first.settle()
    await first.frame.getByRole("tab", { name: "Chart" }).click()
    await first.teardown()
    const again = await open("list_cities", whole)
    await again.frame.getByRole("tab", { name: "Chart", selected: true }).waitFor()
  })

  it("stays as the person has it, who was quicker than the answer", async () => {
    const { call, open, show } = await session()
    const first = await show({ tool: "list_cities", host: (result) => result })
    await first.frame.getByLabel("Filter").fill("hills")
    await first.teardown()
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    const again = await open("list_cities", {
      toolInput: { country: "FR" },
      toolResult: await call("list_cities", { country: "FR" }),
      onCall: async ({ name, arguments: args }) => {
        await held
        return call(String(name), args as Json)
      }
    })
    await again.requested("tools/call")
    await again.frame.getByLabel("Filter").fill("sea")
    answer()
    await again.requested("tools/call", 2)
    assert.strictEqual(await again.frame.getByLabel("Filter").inputValue(), "sea")
  })
})
