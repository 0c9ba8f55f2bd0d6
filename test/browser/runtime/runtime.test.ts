import { assert, describe, it } from "@effect/vitest"
import * as extApps from "@modelcontextprotocol/ext-apps"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { openView, readableRuntimeScript, runtimeScript, viewDocument } from "../harness/index.ts"
import type { OpenViewOptions, View } from "../harness/index.ts"

const text = (value: string): Record<string, unknown> => ({ content: [{ type: "text", text: value }] })

/** A classic page that writes down what happens in `globalThis.seen`. */
const classic = (code: string): string =>
  `const { App, PostMessageTransport } = globalThis.mcpGenUi.extApps
   const seen = (globalThis.seen = [])
   const note = (event) => (params) => seen.push([event, params])
   const say = (words) => { document.querySelector("p").textContent = words }
   ${code}`

const open = async (module: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> =>
  openView({
    html: await viewDocument({
      data: { byHand: true },
      module: classic(module),
      markup: "<main><h1>Page</h1><p>Ready</p></main>"
    }),
    ...options
  })

const seen = (view: View): Promise<ReadonlyArray<readonly [string, unknown]>> => view.frame.evaluate("globalThis.seen")

const clean = (view: View): void => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
}

describe("the runtime's script", () => {
  it("can stand inside an HTML script and leaves room for the rest of the document", async () => {
    for (const script of [await runtimeScript(), await readableRuntimeScript()]) {
      assert.notMatch(script, /<\/script|<!--/i)
      assert.notMatch(script, /\bnew Function\b|\beval\(/)
    }
  })

  it("has every public member of the App of ext-apps and every event, and says so when one is missing", async () => {
    const view = await open(`new App({ name: "page", version: "1" }).connect()`)
    const missing = (names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
      view.frame.evaluate(
        `(() => { const app = new mcpGenUi.extApps.App({}); return ${JSON.stringify(names)}.filter((name) => !(name in app)) })()`
      )
    const members = await publicMembers()
    assert.isAbove(members.length, 35)
    for (const name of ["ontoolresult", "callServerTool", "removeRequestHandler", "sendOpenLink", "onclose"])
      assert.include(members, name)
    assert.deepStrictEqual(await missing(members), [])
    assert.deepStrictEqual(await missing(["not a member"]), ["not a member"])
    await view.frame.evaluate(`{
      const app = new mcpGenUi.extApps.App({})
      for (const event of ${JSON.stringify(await eventNames())}) app.addEventListener(event, () => {})
    }`)
  })

  it("exports what ext-apps exports, with the same values, but for its schemas and inner classes", async () => {
    const view = await open(`new App({}).connect()`)
    const kinds = await view.frame.evaluate<Readonly<Record<string, string>>>(
      `Object.fromEntries(Object.entries(mcpGenUi.extApps).map(([name, value]) => [name, typeof value === "string" ? value : typeof value]))`
    )
    const expected = Object.entries(extApps)
      .filter(([name]) => !/Schema$|^EventDispatcher$/.test(name))
      .map(([name, value]) => [name, typeof value === "string" ? value : typeof value])
    assert.deepStrictEqual(kinds, Object.fromEntries(expected))
  })
})

/** The declared classes of the package: what a page may call is what is neither private nor protected. */
const declarations = async (): Promise<ReadonlyArray<string>> => {
  const require = createRequire(import.meta.url)
  const app = await readFile(require.resolve("@modelcontextprotocol/ext-apps").replace(/\.js$/, ".d.ts"), "utf8")
  return app.split("\n")
}

/** Names of the SDK's own upkeep, which it declares as public but which are of no use to a page. */
const UPKEEP = /^(assertCanSetRequestHandler|constructor)$/

const publicMembers = async (): Promise<ReadonlyArray<string>> => {
  const lines = await declarations()
  const start = lines.findIndex((line) => line.startsWith("export declare class App "))
  const end = lines.findIndex((line, at) => at > start && line.startsWith("}"))
  const hidden = new Set<string>()
  const declared = new Set<string>()
  for (const line of lines.slice(start + 1, end)) {
    const found = /^ {4}(private |protected |static |readonly |get |set )*(\w+)[?<(:;]/.exec(line)
    if (found?.[2] === undefined) continue
    const isHidden = /^ {4}(private|protected)/.test(line) || found[2].startsWith("_")
    ;(isHidden ? hidden : declared).add(found[2])
  }
  const app = new extApps.App({ name: "page", version: "1" }, {}, { autoResize: false })
  const inherited = [Reflect.getPrototypeOf(extApps.App.prototype) ?? {}, app].flatMap((owner) =>
    Object.getOwnPropertyNames(owner)
  )
  // What `App` adds beside its declaration, and private members of `Protocol`, are told by their names only.
  const own = inherited.filter((name) => !/^_|^options$|^eventSchemas$/.test(name))
  return [...new Set([...declared, ...own])].filter((name) => !hidden.has(name) && !UPKEEP.test(name))
}

const eventNames = async (): Promise<ReadonlyArray<string>> => {
  const lines = await declarations()
  const start = lines.findIndex((line) => line.startsWith("export type AppEventMap"))
  const names = lines.slice(start + 1, start + 12).flatMap((line) => /^ {4}(\w+):/.exec(line)?.[1] ?? [])
  assert.include(names, "toolresult")
  return names
}

describe("App", () => {
  it("shakes hands under the page's own name and gets input and result", async () => {
    const view = await open(
      `const app = new App({ name: "my-page", version: "3" })
       app.ontoolinput = note("input")
       app.ontoolresult = note("result")
       await app.connect(new PostMessageTransport(window.parent, window.parent))
       note("connected")([app.getHostVersion().name, app.getHostContext().locale, "serverTools" in app.getHostCapabilities()])`,
      { toolInput: { city: "Paris" }, toolResult: text("Sunny") }
    )
    await view.until("seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["connected", ["test-host", "en-GB", true]],
      ["input", { arguments: { city: "Paris" } }],
      ["result", text("Sunny")]
    ])
    assert.deepStrictEqual(await view.host("appVersion"), { name: "my-page", version: "3" })
    assert.isAbove((await view.sizes()).at(-1)?.height ?? 0, 20)
    clean(view)
  })

  it("replays input and result, in order, to handlers that come late", async () => {
    const view = await open(
      `const app = new App({ name: "late", version: "1" })
       await app.connect()
       globalThis.listen = () => {
         app.ontoolresult = note("result")
         app.addEventListener("toolinput", note("input"))
         app.ontoolinputpartial = note("partial")
       }`
    )
    await view.send("sendToolInputPartial", { arguments: { city: "Pa" } })
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.send("sendToolResult", text("first"))
    await view.send("sendToolResult", text("second"))
    await view.settle()
    await view.frame.evaluate("listen()")
    await view.until("seen.length === 2")
    await view.send("sendToolResult", text("third"))
    await view.until("seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["input", { arguments: { city: "Paris" } }],
      ["result", text("second")],
      ["result", text("third")]
    ])
    clean(view)
  })

  it("gives a replaced handler nothing twice, and a removed listener nothing", async () => {
    const view = await open(
      `const app = new App({})
       app.ontoolresult = (params) => { note("first")(params); app.ontoolresult = note("second") }
       const removed = note("removed")
       app.addEventListener("toolresult", removed)
       app.removeEventListener("toolresult", removed)
       app.connect()`,
      { toolResult: text("a") }
    )
    await view.until("seen.length === 1")
    await view.send("sendToolResult", text("b"))
    await view.until("seen.length === 2")
    assert.deepStrictEqual(await seen(view), [
      ["first", text("a")],
      ["second", text("b")]
    ])
  })

  it("works from a result that comes before the handshake, without input", async () => {
    const html = await viewDocument({
      module: classic(`await new Promise((done) => { globalThis.goOn = done })
        const app = new App({ name: "slow", version: "1" })
        app.ontoolresult = note("result")
        await app.connect()`),
      markup: "<p>Ready</p>"
    })
    const view = await openView({ html, eager: true })
    await view.until("globalThis.seen !== undefined")
    await view.post({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: text("early") })
    await view.settle()
    await view.frame.evaluate("goOn()")
    await view.until("seen.length === 1")
    assert.deepStrictEqual(await seen(view), [["result", text("early")]])
  })

  it("connects an App whose page forgot to, and takes no messages from elsewhere", async () => {
    const view = await open(
      `const app = new App({ name: "forgetful", version: "1" })
       app.ontoolresult = note("result")
       window.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: ["forged"] } }, "*")`,
      { toolResult: text("real") }
    )
    await view.until("seen.length === 1")
    assert.deepStrictEqual(await seen(view), [["result", text("real")]])
  })

  it("answers callServerTool and hands the result to ontoolresult, but only for its own tool", async () => {
    const view = await open(
      `const app = new App({})
       app.ontoolresult = note("event")
       await app.connect()
       note("own")(await app.callServerTool({ name: "get_weather", arguments: { days: 3, exact: true } }))
       note("other")(await app.callServerTool({ name: "other", arguments: {} }))`,
      { onCall: (params) => ({ ...text(String(params.name)), extra: [1] }) }
    )
    await view.until("seen.length === 3")
    const events = await seen(view)
    const expected = { ...text("get_weather"), extra: [1] }
    assert.deepStrictEqual(
      events.filter(([event]) => event === "event"),
      [["event", expected]]
    )
    assert.deepStrictEqual(events.find(([event]) => event === "own")?.[1], expected)
    assert.deepStrictEqual(view.calls[0]?.arguments, { days: 3, exact: true })
    clean(view)
  })

  it("gives a page one result where the host also sends one for the page's own call, whichever comes first", async () => {
    for (const isFirst of [true, false]) {
      const holder: { view?: View } = {}
      const view = await open(
        `const app = new App({})
         app.ontoolresult = note("event")
         await app.connect()
         globalThis.call = async () => note("own")(await app.callServerTool({ name: "get_weather", arguments: {} }))`,
        {
          toolResult: text("first"),
          onCall: async () => {
            if (isFirst) await holder.view?.send("sendToolResult", text("second"))
            return text("second")
          }
        }
      )
      holder.view = view
      await view.until("seen.length === 1")
      await view.frame.evaluate("call()")
      if (!isFirst) await view.send("sendToolResult", text("second"))
      await view.settle()
      const events = (await seen(view)).filter(([event]) => event === "event").map(([, result]) => result)
      assert.deepStrictEqual(events, [text("first"), text("second")])
      await view.send("sendToolResult", text("third"))
      await view.until("seen.length === 4")
    }
  })

  it("gives every result of the page's own calls, also the same again, also soon after the host's", async () => {
    const view = await open(
      `const app = new App({})
       app.ontoolresult = note("event")
       await app.connect()
       globalThis.call = () => app.callServerTool({ name: "get_weather", arguments: {} })`,
      { toolResult: text("same"), onCall: () => text("same") }
    )
    await view.until("seen.length === 1")
    await view.frame.evaluate("call()")
    await view.until("seen.length === 2")
    await view.frame.evaluate("call()")
    await view.until("seen.length === 3")
  })

  it("hands on what nobody handles, and forgets removed handlers", async () => {
    const view = await open(
      `const app = new App({})
       app.fallbackRequestHandler = async ({ method, params }) => ({ method, n: params.n })
       app.fallbackNotificationHandler = ({ method }) => note("notified")(method)
       app.setRequestHandler("x/known", () => ({ known: true }))
       app.setNotificationHandler("notifications/known", () => note("known")(1))
       globalThis.app = app
       await app.connect()`
    )
    assert.deepStrictEqual(await view.host("rawRequest", "x/known", {}), { result: { known: true } })
    assert.deepStrictEqual(await view.host("rawRequest", "x/other", { n: 2 }), { result: { method: "x/other", n: 2 } })
    await view.frame.evaluate(
      `app.removeRequestHandler("x/known"); app.removeNotificationHandler("notifications/known")`
    )
    assert.deepStrictEqual(await view.host("rawRequest", "x/known", {}), {
      result: { method: "x/known", n: undefined }
    })
    await view.post({ jsonrpc: "2.0", method: "notifications/known" })
    await view.send("sendToolResult", text("a"))
    await view.until("seen.length === 1")
    assert.deepStrictEqual(await seen(view), [["notified", "notifications/known"]])
  })

  it("ends a chain of calls that a result handler starts again and again", async () => {
    const view = await open(
      `const app = new App({})
       app.ontoolresult = () => { note("result")(); app.callServerTool({ name: "get_weather", arguments: {} }) }
       app.connect()`,
      { toolResult: text("go"), onCall: () => text("again") }
    )
    await view.until("seen.length === 3")
    await view.settle()
    assert.strictEqual((await seen(view)).length, 3)
    assert.strictEqual(view.calls.length, 3)
  })

  it("speaks the other requests and notifications of the protocol", async () => {
    const view = await open(
      `const app = new App({})
       await app.connect()
       await app.openLink({ url: "https://example.com/" })
       await app.sendMessage({ role: "user", content: [{ type: "text", text: "hi" }] })
       await app.updateModelContext({ structuredContent: { a: 1 } })
       await app.downloadFile({ contents: [{ type: "resource_link", uri: "file:///a", name: "a" }] })
       note("mode")(await app.requestDisplayMode({ mode: "fullscreen" }))
       note("resource")(await app.readServerResource({ uri: "ui://a" }))
       await app.sendLog({ level: "info", data: "logged" })`,
      {
        onCall: (_params, method) =>
          method === "ui/request-display-mode"
            ? { mode: "inline" }
            : method === "resources/read"
              ? { contents: [] }
              : {}
      }
    )
    await view.until("seen.length === 2")
    assert.deepStrictEqual(
      view.requests.map(({ method }) => method),
      [
        "ui/open-link",
        "ui/message",
        "ui/update-model-context",
        "ui/download-file",
        "ui/request-display-mode",
        "resources/read"
      ]
    )
    assert.deepStrictEqual(await seen(view), [
      ["mode", { mode: "inline" }],
      ["resource", { contents: [] }]
    ])
    await view.page.waitForFunction("testHost.logs.length === 1")
    clean(view)
  })

  it("rejects a request that the host refuses, with its code", async () => {
    const view = await open(
      `const app = new App({})
       await app.connect()
       await app.createSamplingMessage({ messages: [], maxTokens: 1 }).catch((error) => note("refused")([error.code, error instanceof Error]))
       const controller = new AbortController()
       const call = app.callServerTool({ name: "get_weather", arguments: {} }, { signal: controller.signal })
       controller.abort()
       await call.catch((error) => note("aborted")(error.name))
       await app.callServerTool({ name: "get_weather", arguments: {} }, { timeout: 30 }).catch((error) => note("late")(error.code))`,
      { onCall: () => new Promise(() => undefined) }
    )
    await view.until("seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["refused", [-32601, true]],
      ["aborted", "AbortError"],
      ["late", -32001]
    ])
  })

  it("answers the host: teardown, ping, its own tools, and -32601 for the rest", async () => {
    const view = await open(
      `const app = new App({ name: "tools", version: "1" })
       app.onteardown = async () => { note("teardown")("asked"); return {} }
       app.registerTool("pick", { description: "Picks", inputSchema: { type: "object", properties: { row: { type: "integer" } } } },
         (args) => ({ content: [{ type: "text", text: "row " + args.row }] }))
       await app.connect()`
    )
    assert.deepStrictEqual(await view.host("listTools"), {
      tools: [
        {
          name: "pick",
          description: "Picks",
          inputSchema: { type: "object", properties: { row: { type: "integer" } } }
        }
      ]
    })
    assert.deepStrictEqual(await view.host("callTool", "pick", { row: 2 }), text("row 2"))
    assert.deepStrictEqual(await view.host("rawRequest", "ping", {}), { result: {} })
    assert.deepStrictEqual(await view.host("rawRequest", "nothing/like-this", {}), {
      error: { code: -32601, message: "Method not found: nothing/like-this" }
    })
    await view.host("teardown")
    assert.deepStrictEqual(await seen(view), [["teardown", "asked"]])
    clean(view)
  })
})

describe("forms", () => {
  it("fire submit in a sandbox that has no allow-forms, by button, by Enter and by code", async () => {
    const view = await openView({
      html: await viewDocument({
        module: classic(`const app = new App({}); app.connect()
          for (const form of document.forms) form.addEventListener("submit", (event) => {
            event.preventDefault()
            note(form.id)([event.submitter?.textContent ?? null, new FormData(form).get("city")])
          })`),
        markup: `<form id="one"><label>City <input name="city" required></label><button>Go</button></form>
          <form id="two"><label>Town <input name="city" value="Ulm"></label></form>`
      })
    })
    await view.frame.getByRole("button", { name: "Go" }).click()
    await view.frame.getByLabel("City").fill("Paris")
    await view.frame.getByRole("button", { name: "Go" }).click()
    await view.frame.getByLabel("City").press("Enter")
    await view.frame.getByLabel("Town").press("Enter")
    await view.frame.evaluate("document.forms.two.requestSubmit()")
    assert.deepStrictEqual(await seen(view), [
      ["one", ["Go", "Paris"]],
      ["one", ["Go", "Paris"]],
      ["two", [null, "Ulm"]],
      ["two", [null, "Ulm"]]
    ])
    clean(view)
  })
})

describe("host context", () => {
  const rootStyle = (view: View, expression: string): Promise<unknown> =>
    view.frame.evaluate(`((root) => ${expression})(document.documentElement)`)

  it("sets theme, variables, fonts and safe area, and follows changes that name only what changed", async () => {
    const view = await open(
      `const app = new App({}); app.onhostcontextchanged = note("changed"); await app.connect(); globalThis.app = app`,
      {
        hostContext: {
          theme: "dark",
          styles: {
            variables: { "--color-text-primary": "rgb(1, 2, 3)", "--font-sans": "serif" },
            css: { fonts: "b{}" }
          },
          safeAreaInsets: { top: 7, right: 0, bottom: 0, left: 0 }
        }
      }
    )
    await view.until("document.documentElement.dataset.theme === 'dark'")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.style.colorScheme, root.style.getPropertyValue("--color-text-primary"), root.style.paddingTop]`
      ),
      ["dark", "rgb(1, 2, 3)", "7px"]
    )
    assert.strictEqual(await view.frame.evaluate("document.getElementById('__mcp-host-fonts').textContent"), "b{}")
    await view.changeContext({ theme: "light", styles: { variables: { "--font-sans": "monospace" } } })
    await view.until("seen.length === 1")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.dataset.theme, root.style.getPropertyValue("--color-text-primary"), root.style.getPropertyValue("--font-sans")]`
      ),
      ["light", "", "monospace"]
    )
    assert.strictEqual(await view.frame.evaluate("app.getHostContext().safeAreaInsets.top"), 7)
    clean(view)
  })

  it("lets the tool's own theme stand above the host's, without the host's colours", async () => {
    const html = await viewDocument({ data: { theme: "dark" } })
    const view = await openView({
      html,
      hostContext: {
        theme: "light",
        styles: {
          variables: {
            "--color-text-primary": "black",
            "--color-text-info": "light-dark(blue, cyan)",
            "--font-sans": "serif"
          }
        }
      }
    })
    await view.until("document.documentElement.style.getPropertyValue('--font-sans') === 'serif'")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.dataset.theme, root.style.getPropertyValue("--color-text-primary"), root.style.getPropertyValue("--color-text-info")]`
      ),
      ["dark", "", "light-dark(blue, cyan)"]
    )
  })

  it("is as light or dark as the host's background where the host sends no theme", async () => {
    const themes: Array<unknown> = []
    for (const background of ["#fdfdfb", "oklch(0.2 0.02 250)"]) {
      const view = await open("await new App({}).connect()", {
        hostContext: { theme: "none", styles: { variables: { "--color-background-primary": background } } }
      })
      await view.until("document.documentElement.style.getPropertyValue('--color-background-primary') !== ''")
      themes.push(await rootStyle(view, "[root.dataset.theme, root.style.colorScheme]"))
    }
    assert.deepStrictEqual(themes, [
      ["light", "light"],
      ["dark", "dark"]
    ])
  })
})

describe("error boundary", () => {
  const rows = { content: [], structuredContent: { rows: [{ city: "Paris", high: 21 }] } }

  const failing = async (module: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> =>
    open(module, { toolInput: { city: "Paris" }, toolResult: rows, ...options })

  const failedLine = (view: View) => view.frame.getByText("The view made for this failed; this is the standard view.")

  for (const [name, module, message] of [
    ["throws at once", `throw new Error("broken start")`, "broken start"],
    [
      "throws when the result comes",
      `const app = new App({}); app.ontoolresult = () => { throw new Error("no such <b>column</b>") }; app.connect()`,
      "no such <b>column</b>"
    ],
    ["rejects", `new App({}).connect().then(() => { throw new Error("broken later") })`, "broken later"],
    ["does not parse", `const const`, "Unexpected token"]
  ] as const) {
    it(`gives the place of a page that ${name} to the built-in view, with its input and result`, async () => {
      const view = await failing(module)
      await failedLine(view).waitFor()
      await view.frame.getByRole("cell", { name: "Paris", exact: true }).waitFor()
      await view.frame.getByText("Details").click()
      await view.frame.getByText(message).waitFor()
      assert.include(await view.frame.locator(".mf-summary").innerText(), "Paris")
      assert.strictEqual(await view.frame.getByRole("heading", { name: "Page" }).count(), 0)
      await view.frame.getByRole("button", { name: "Run again" }).click()
      await view.requested("tools/call")
      assert.deepStrictEqual(view.calls[0], { name: "get_weather", arguments: { city: "Paris" } })
      assert.deepStrictEqual(await view.axe(), [])
    })
  }

  it("gives way to the basic view where the host never answers, and the code fails as it loads", async () => {
    const html = await viewDocument({ module: `throw new Error("broken start")`, markup: "<h1>Page</h1>" })
    const view = await openView({ html, silent: true, eager: true })
    await failedLine(view).waitFor()
    await view.frame.getByRole("button", { name: "Get weather" }).waitFor()
    assert.deepStrictEqual(view.violations, [])
  })

  it("leaves a page alone that waits for a call, or of which a person wrote what it shows", async () => {
    const waiting = await failing(`new App({}).callServerTool({ name: "other", arguments: {} }); new App({}).connect()`)
    await waiting.settle()
    assert.strictEqual(await failedLine(waiting).count(), 0)
    const own = { data: { byHand: true }, markup: "<h1>Mine</h1>", module: "globalThis.ran = true" }
    const mine = await openView({ html: await viewDocument(own), toolResult: rows, eager: true, hasClock: true })
    await mine.page.clock.runFor(3_000)
    await mine.frame.getByRole("heading", { name: "Mine" }).waitFor()
  })

  it("takes the place of a page that draws nothing, or nothing of the result", async () => {
    for (const draw of ["", `document.body.append("All is well.")`]) {
      const html = await viewDocument({
        module: classic(`const app = new App({}); app.ontoolresult = () => { ${draw} }; app.connect()`)
      })
      const cities = {
        content: [],
        structuredContent: { rows: [{ city: "Paris" }, { city: "Lyon" }, { city: "Nantes" }] }
      }
      const empty = await openView({ html, toolResult: cities, hasClock: true })
      await empty.page.clock.runFor(1_500)
      await failedLine(empty).waitFor()
      await empty.frame.getByRole("cell", { name: "Lyon", exact: true }).waitFor()
    }
  })

  it("stops the handlers, the errors and the styles of the page it replaced", async () => {
    const html = await viewDocument({
      module: classic(`const app = new App({})
        app.ontoolresult = (params) => {
          note("result")(params)
          setTimeout(() => { throw new Error("first") })
        }
        document.body.className = "mine"
        app.connect()
        globalThis.failAgain = () => setTimeout(() => { throw new Error("second") })`),
      style: "h1 { color: rgb(9, 9, 9) } body { display: grid }",
      markup: "<h1>Page</h1>"
    })
    const view = await openView({ html, toolInput: { city: "Paris" }, toolResult: rows })
    await failedLine(view).waitFor()
    await view.send("sendToolResult", text("after"))
    await view.frame.getByText("after").waitFor()
    await view.frame.evaluate("failAgain()")
    await view.settle()
    assert.strictEqual((await seen(view)).length, 1)
    assert.deepStrictEqual(
      await view.frame.evaluate(
        `[getComputedStyle(document.querySelector("h1")).color === "rgb(9, 9, 9)", getComputedStyle(document.body).display, document.body.className]`
      ),
      [false, "block", ""]
    )
    assert.deepStrictEqual(await view.axe(), [])
  })

  it("tells the host's log what the policy refused", async () => {
    const view = await open(
      `const app = new App({}); await app.connect()
       const image = new Image(); image.alt = ""; image.src = "https://example.com/a.png"; document.body.append(image)`
    )
    await view.page.waitForFunction("testHost.logs.length === 1")
    assert.include(JSON.stringify(await view.logs()), "img-src")
    assert.strictEqual(view.violations.length, 1)
  })
})
