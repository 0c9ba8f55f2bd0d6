import { assert, describe, it } from "@effect/vitest"
import { button, days, forecast, text } from "../builtin/builtinPage.ts"
import { openView, viewDocument } from "../harness/index.ts"
import type { OpenViewOptions, View, ViewDocumentOptions } from "../harness/index.ts"

interface Options extends Omit<OpenViewOptions, "html"> {
  readonly page?: ViewDocumentOptions
}

const withView = async ({ page, ...options }: Options, use: (view: View) => Promise<void>): Promise<void> => {
  // The tests are the person's hand.
  const data = { byHand: true, ...page?.data }
  const html = await viewDocument({ tool: forecast, hasSession: true, ...page, data })
  const view = await openView({ html, hasClock: true, ...options })
  await use(view)
  assert.deepStrictEqual(view.violations, [])
}

const CONTEXT = "ui/update-model-context"

/** Lets the time of the page pass, and what its timers began come to an end. */
const pass = async (view: View, milliseconds: number): Promise<void> => {
  await view.page.clock.runFor(milliseconds)
  await view.settle()
}

/** What a call of the session came to: its value, or the message of its error. */
const outcome = (view: View, expression: string): Promise<unknown> =>
  view.frame.evaluate(`(${expression}).then((value) => value ?? "done", (error) => "refused: " + error.message)`)

describe("a selection", () => {
  const wrapperTools = { select: "_ui_select", token: "t", proof: "p" }

  it("is told to the host and to the wrapper, several in a row as one, and that it is empty", () =>
    withView({ page: { data: { wrapperTools } } }, async (view) => {
      await view.frame.evaluate(`for (const n of [1, 2, 3]) session.select({ items: [{ id: n }], noun: "issues" })`)
      const [context] = await view.requested(CONTEXT)
      assert.deepStrictEqual(context, {
        content: [{ type: "text", text: 'The user has selected one of the issues in "Get forecast".\n[{"id":3}]' }],
        structuredContent: { toolName: "get_forecast", noun: "issues", count: 1, items: [{ id: 3 }] }
      })
      await view.requested("tools/call")
      const selected = { toolName: "get_forecast", token: "t", items: [{ id: 3 }], noun: "issues" }
      assert.deepStrictEqual(view.calls, [{ name: "_ui_select", arguments: selected }])

      await view.frame.evaluate(`session.select({ items: [], noun: "issues" })`)
      const [, empty] = await view.requested(CONTEXT, 2)
      assert.include(JSON.stringify(empty), "Nothing is selected in")
      await view.requested("tools/call", 2)
      assert.deepStrictEqual(view.calls[1]?.arguments, {
        toolName: "get_forecast",
        token: "t",
        items: [],
        noun: "issues"
      })
    }))

  it("is taken back, once, when another result takes the place of what it was made in", () =>
    withView({}, async (view) => {
      await view.frame.evaluate(`session.select({ items: [1], noun: "days" })`)
      await view.requested(CONTEXT)
      for (const content of [[text("a")], [text("b")]]) {
        await view.send("sendToolResult", { content })
        await pass(view, 250)
      }
      const told = await view.requested(CONTEXT, 2)
      assert.lengthOf(told, 2)
      assert.include(JSON.stringify(told[1]), "Nothing is selected in")
    }))

  it("is not told when nothing was chosen before, nor to a host or a wrapper that does not take it", () =>
    withView({ hostCapabilities: { serverTools: {} } }, async (view) => {
      await view.frame.evaluate(`session.select({ items: [] })`)
      await pass(view, 250)
      await view.frame.evaluate(`session.select({ items: [1] })`)
      await pass(view, 250)
      assert.deepStrictEqual(view.requests, [])
    }))

  it("has the kinds of content that the host takes", async () => {
    const told = async (updateModelContext: Record<string, unknown>): Promise<Record<string, unknown>> => {
      let seen: Record<string, unknown> = {}
      await withView({ hostCapabilities: { updateModelContext } }, async (view) => {
        await view.frame.evaluate(`session.select({ items: ["a", "b"], noun: "names" })`)
        seen = (await view.requested(CONTEXT))[0] ?? {}
      })
      return seen
    }
    const sentence = 'The user has selected 2 names in "Get forecast".'
    assert.deepStrictEqual(await told({ text: {} }), {
      content: [{ type: "text", text: `${sentence}\n["a","b"]` }]
    })
    assert.deepStrictEqual(await told({ text: {}, structuredContent: {} }), {
      content: [{ type: "text", text: sentence }],
      structuredContent: { toolName: "get_forecast", noun: "names", count: 2, items: ["a", "b"] }
    })
  })

  it("is cut to 200 items and 60 kB, says how many there are, and leaves out what is no JSON", () =>
    withView({}, async (view) => {
      const items = async (count: number): Promise<readonly [string, number]> => {
        const params = (await view.requested(CONTEXT, count)).at(-1)
        const json = JSON.stringify(params)
        const content = params?.structuredContent as { readonly items: ReadonlyArray<unknown> }
        assert.isBelow(json.length, 150_000)
        return [json, content.items.length]
      }
      await view.frame.evaluate(`session.select({ items: Array.from({ length: 5000 }, (_, n) => n) })`)
      const [many, first] = await items(1)
      assert.include(many, "5000 items")
      assert.include(many, "here are the first 200")
      assert.strictEqual(first, 200)
      await view.frame.evaluate(`session.select({ items: Array.from({ length: 20 }, () => "é".repeat(5000)) })`)
      assert.strictEqual((await items(2))[1], 5)
      await view.frame.evaluate(
        `{ const cycle = {}; cycle.self = cycle; session.select({ items: [cycle, () => 1, { run: () => 1, a: 1 }] }) }`
      )
      assert.strictEqual((await items(3))[1], 1)
    }))

  it("that fails on the way troubles nobody, and the last one wins", () =>
    withView(
      {
        page: { data: { wrapperTools } },
        onCall: () => {
          throw new Error("no")
        }
      },
      async (view) => {
        await view.frame.evaluate(`session.select({ items: [1] })`)
        await view.requested(CONTEXT)
        await view.frame.evaluate(`session.select({ items: [2] })`)
        const [, last] = await view.requested(CONTEXT, 2)
        assert.include(JSON.stringify(last), "[2]")
        assert.strictEqual(await view.frame.getByRole("alert").count(), 0)
      }
    ))
})

describe("a download", () => {
  const file = (more: string): string => `session.download({ name: "a b.csv", mimeType: "text/csv", ${more} })`
  const noDownloads = { serverTools: {} }

  it("goes through a host that offers it, as an embedded resource", () =>
    withView({ onCall: () => ({}) }, async (view) => {
      assert.strictEqual(await outcome(view, file(`text: "a,b"`)), "done")
      assert.strictEqual(await outcome(view, file(`blob: "AAE="`)), "done")
      const uri = "file:///a%20b.csv"
      assert.deepStrictEqual(await view.requested("ui/download-file", 2), [
        { contents: [{ type: "resource", resource: { uri, mimeType: "text/csv", text: "a,b" } }] },
        { contents: [{ type: "resource", resource: { uri, mimeType: "text/csv", blob: "AAE=" } }] }
      ])
    }))

  it("says when the host did not save it", () =>
    withView({ onCall: () => ({ isError: true }) }, async (view) => {
      assert.strictEqual(await outcome(view, file(`text: "a"`)), "refused: The file was not saved.")
    }))

  it("says what to do where the sandbox lets nothing out", () =>
    withView({ hostCapabilities: noDownloads }, async (view) => {
      assert.match(String(await outcome(view, file(`text: "a"`))), /^refused: .*Copy it instead/)
      assert.deepStrictEqual(view.requests, [])
    }))

  it("is not tried by a link, as a frame cannot see whether its sandbox lets it out", () =>
    withView(
      { hostCapabilities: noDownloads, sandbox: "allow-scripts allow-same-origin allow-downloads" },
      async (view) => {
        assert.match(String(await outcome(view, file(`blob: "YSxi"`))), /^refused: .*Copy it instead/)
      }
    ))
})

describe("copying", () => {
  it("works after a press in a frame that may not use the clipboard, and keeps the focus", () =>
    withView({ hostContext: {}, toolResult: days }, async (view) => {
      await view.frame.evaluate(`{
        const copy = document.createElement("button")
        copy.textContent = "Copy all"
        copy.onclick = () => session.copy("line 1\\nline 2").then(() => copy.dataset.done = "yes")
        document.body.append(copy)
      }`)
      await button(view, "Copy all").click()
      await view.frame.locator("[data-done=yes]").waitFor()
      assert.strictEqual(await view.frame.evaluate("document.activeElement.textContent"), "Copy all")
      assert.strictEqual(await view.frame.locator("textarea").count(), 0)
      await view.page.evaluate(`document.body.append(document.createElement("textarea"))`)
      await view.page.locator("textarea").focus()
      await view.page.keyboard.press("Control+V")
      assert.strictEqual(await view.page.locator("textarea").inputValue(), "line 1\nline 2")
    }))

  it("is refused with a sentence where nothing works", () =>
    withView({}, async (view) => {
      await view.frame.evaluate("document.execCommand = () => false")
      assert.match(String(await outcome(view, `session.copy("a")`)), /^refused: This host does not let a view copy/)
    }))
})

describe("the memory", () => {
  const same = "allow-scripts allow-same-origin"
  const input = { toolInput: { city: "Paris" }, toolResult: days }

  it("is there when the host brings the same call back, and not for another call", () =>
    withView({ sandbox: same, ...input }, async (view) => {
      await view.until("session.isRunning === false")
      await view.frame.evaluate(`session.memory.set("tab", "Chart"); session.memory.set("page", { n: 2 })`)
      await view.teardown()
      await view.reopen()
      await view.until("globalThis.session !== undefined")
      assert.isUndefined(await view.frame.evaluate(`session.memory.get("tab")`))
      await view.send("sendToolInput", { arguments: { city: "Paris" } })
      await view.until(`session.memory.get("tab") === "Chart"`)
      assert.deepStrictEqual(await view.frame.evaluate(`session.memory.get("page")`), { n: 2 })

      await view.frame.evaluate(`session.memory.set("tab", undefined)`)
      await view.teardown()
      await view.reopen()
      await view.send("sendToolInput", { arguments: { city: "Rome" } })
      await view.until("session.isRunning")
      assert.isUndefined(await view.frame.evaluate(`session.memory.get("page")`))
      await view.reopen()
      await view.send("sendToolInput", { arguments: { city: "Paris" } })
      await view.until(`session.memory.get("page") !== undefined`)
      assert.isUndefined(await view.frame.evaluate(`session.memory.get("tab")`))
    }))

  it("keeps 64 kB of a page and 20 pages, the newest", () =>
    withView({ sandbox: same, ...input }, async (view) => {
      await view.until("session.isRunning === false")
      await view.frame.evaluate(`{
        for (let n = 0; n < 40; n++) localStorage.setItem("mcp-gen-ui:old:" + n, JSON.stringify({ at: n, entries: [] }))
        localStorage.setItem("theirs", "1")
        for (let n = 0; n < 10; n++) session.memory.set("big" + n, "x".repeat(9000))
      }`)
      await view.teardown()
      const kept = await view.frame.evaluate<ReadonlyArray<string>>(`Object.keys(localStorage).sort()`)
      assert.strictEqual(kept.filter((key) => key.startsWith("mcp-gen-ui:")).length, 20)
      assert.include(kept, "theirs")
      assert.include(kept, "mcp-gen-ui:old:39")
      const own = await view.frame.evaluate<string>(
        `localStorage[Object.keys(localStorage).find((key) => key.startsWith("mcp-gen-ui:get_forecast:"))]`
      )
      assert.isAtMost(own.length, 65_536)
      assert.notInclude(own, `"big0"`)
      assert.include(own, `"big9"`)
    }))

  it("lives as long as the page where the sandbox has no storage, and never throws", () =>
    withView(input, async (view) => {
      await view.until("session.isRunning === false")
      await view.frame.evaluate(`session.memory.set("tab", "Chart")`)
      await pass(view, 400)
      assert.strictEqual(await view.frame.evaluate(`session.memory.get("tab")`), "Chart")
      assert.deepStrictEqual(view.consoleErrors, [])
    }))
})

describe("progress", () => {
  const bar = (view: View) => view.frame.getByRole("progressbar", { name: "Progress" })

  it("of the host's call is shown, with a total and without", () =>
    withView({ toolInput: { city: "Paris" } }, async (view) => {
      await view.frame.getByText("Running Get forecast…").waitFor()
      assert.isNull(await bar(view).getAttribute("aria-valuenow"))
      await view.progress({ progressToken: "host-7", progress: 2, total: 8, message: "Reading stations" })
      await view.frame.getByText("Reading stations").waitFor()
      assert.strictEqual(await bar(view).getAttribute("aria-valuenow"), "25")
      await view.progress({ progressToken: "host-7", progress: 9 })
      await view.until(`document.querySelector("[role=progressbar][aria-valuenow]") === null`)
      await view.send("sendToolResult", days)
      await view.frame.getByRole("cell", { name: "7" }).waitFor()
      assert.strictEqual(await bar(view).count(), 0)
      await view.progress({ progressToken: "host-7", progress: 10, total: 10 })
      await view.settle()
      assert.strictEqual(await bar(view).count(), 0)
    }))

  it("of the page's own call comes by the token that it asked with", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<unknown>()
    await withView({ toolInput: { city: "Paris" }, toolResult: days, onCall: () => answer }, async (view) => {
      await view.until("session.isRunning === false")
      await view.frame.evaluate(`{
        globalThis.seen = []
        session.onProgress((progress) => seen.push(progress?.progress ?? null))
        void session.call({ city: "Rome" })
      }`)
      const [call] = await view.requested("tools/call")
      const meta = call?._meta
      const progressToken = typeof meta === "object" && meta !== null && "progressToken" in meta && meta.progressToken
      assert.isString(progressToken)
      await view.progress({ progressToken, progress: 1, total: 4 })
      await view.until("seen.includes(1)")
      await view.progress({ progressToken: "another", progress: 3, total: 4 })
      resolve(text("done"))
      await view.until("seen.at(-1) === null")
      assert.deepStrictEqual(await view.frame.evaluate("seen"), [1, null])
    })
  })
})

describe("the display mode", () => {
  const availableDisplayModes = ["inline", "fullscreen"]

  it("is changed by a button, and back, where the host offers it", async () => {
    let granted = "inline"
    const onCall = (params: Record<string, unknown>): unknown => {
      granted = String(params.mode)
      return { mode: granted }
    }
    await withView(
      { hostContext: { displayMode: "inline", availableDisplayModes }, toolResult: days, onCall },
      async (view) => {
        await button(view, "Full screen").click()
        await button(view, "Exit full screen").waitFor()
        assert.strictEqual(granted, "fullscreen")
        assert.strictEqual(await view.frame.evaluate("session.displayModes.current"), "fullscreen")
        assert.strictEqual(
          await view.frame.evaluate("document.activeElement.getAttribute('aria-label')"),
          "Exit full screen"
        )
        await view.changeContext({ displayMode: "inline" })
        await button(view, "Full screen").waitFor()
        assert.deepStrictEqual(await view.axe(), [])
      }
    )
  })

  it("has no button where the host says nothing, and says so when the host refuses", async () => {
    await withView({ toolResult: days }, async (view) => {
      await view.frame.getByRole("cell", { name: "7" }).waitFor()
      assert.strictEqual(await button(view, "Full screen").count(), 0)
      assert.deepStrictEqual(
        await view.frame.evaluate("[session.displayModes.current, session.displayModes.available]"),
        ["inline", []]
      )
    })
    const onCall = (): unknown => ({ mode: "inline" })
    await withView({ hostContext: { availableDisplayModes }, toolResult: days, onCall }, async (view) => {
      assert.strictEqual(await view.frame.evaluate(`session.displayModes.request("fullscreen")`), "inline")
      await button(view, "Full screen").waitFor()
    })
  })

  it("is announced in the handshake", () =>
    withView({}, async (view) => {
      assert.deepStrictEqual(await view.host("appCapabilities"), {
        availableDisplayModes: [...availableDisplayModes, "pip"]
      })
    }))
})

describe("the teardown", () => {
  it("sends the selection that waits, stops the timers, and is answered although the host hangs", () =>
    withView(
      {
        page: {
          module: `globalThis.ticks = 0
            globalThis.mcpGenUi.parts.show((data, ctx) => {
              ctx.every(1, () => { ticks++ })
              globalThis.choose = () => ctx.select([1], "days")
              return "drawn"
            })`
        },
        toolResult: days,
        onCall: () => new Promise(() => undefined)
      },
      async (view) => {
        await view.until("globalThis.choose !== undefined")
        await view.frame.evaluate("choose()")
        await view.teardown()
        assert.deepStrictEqual(
          view.requests.map(({ method }) => method),
          [CONTEXT]
        )
        const ticks = await view.frame.evaluate<number>("ticks")
        await pass(view, 1_300)
        assert.strictEqual(await view.frame.evaluate("ticks"), ticks)
      }
    ))

  it("waits for the page's own handler, but not for ever", () =>
    withView(
      {
        page: {
          module: `const app = new mcpGenUi.extApps.App({})
            globalThis.asked = 0
            app.onteardown = () => { asked++; return new Promise(() => {}) }
            app.connect(); document.body.textContent = "mine"`
        }
      },
      async (view) => {
        await view.teardown()
        assert.strictEqual(await view.frame.evaluate("asked"), 1)
      }
    ))
})
