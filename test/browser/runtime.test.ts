import { assert, describe, it } from "@effect/vitest"
import { App as RealApp } from "@modelcontextprotocol/ext-apps"
import { afterAll } from "vitest"
import { closeChromium, openView, readableRuntimeScript, runtimeScript, viewDocument } from "./harness/index.ts"
import type { OpenViewOptions, View } from "./harness/index.ts"

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
    html: await viewDocument({ module: classic(module), markup: "<main><h1>Page</h1><p>Ready</p></main>" }),
    ...options
  })

const seen = (view: View): Promise<ReadonlyArray<readonly [string, unknown]>> => view.frame.evaluate("globalThis.seen")

const until = (view: View, condition: string): Promise<void> => view.until(condition)

const clean = (view: View): void => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
}

afterAll(closeChromium)

describe("the runtime's script", () => {
  it("can stand inside an HTML script and leaves room for the rest of the document", async () => {
    for (const script of [await runtimeScript(), await readableRuntimeScript()]) {
      assert.notMatch(script, /<\/script|<!--/i)
      assert.notMatch(script, /\bnew Function\b|\beval\(/)
    }
  })

  it("has every public member of the App of ext-apps", async () => {
    const view = await open(`new App({ name: "page", version: "1" }).connect()`)
    const own = await view.frame.evaluate<ReadonlyArray<string>>(
      `(() => { const app = new mcpGenUi.extApps.App({}); const names = []; for (const name of ${JSON.stringify(publicMembers())}) if (!(name in app)) names.push(name); return names })()`
    )
    assert.deepStrictEqual(own, [])
    await view.close()
  })
})

/** Members that only an implementation on the SDK's `Protocol` needs, or that a page never calls. */
const INTERNAL =
  /^(_|constructor$|assert|build|eventSchemas|ensure|register(App)?Capabilities|replaceRequestHandler|warnIf|setEventHandler|getEventHandler)/

const publicMembers = (): ReadonlyArray<string> =>
  Object.getOwnPropertyNames(RealApp.prototype).filter((name) => !INTERNAL.test(name))

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
    await until(view, "seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["connected", ["test-host", "en-GB", true]],
      ["input", { arguments: { city: "Paris" } }],
      ["result", text("Sunny")]
    ])
    assert.deepStrictEqual(await view.host("appVersion"), { name: "my-page", version: "3" })
    assert.isAbove((await view.sizes()).at(-1)?.height ?? 0, 20)
    clean(view)
    await view.close()
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
    await view.frame.evaluate("new Promise((done) => setTimeout(done, 50)).then(listen)")
    await until(view, "seen.length === 2")
    await view.send("sendToolResult", text("third"))
    await until(view, "seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["input", { arguments: { city: "Paris" } }],
      ["result", text("second")],
      ["result", text("third")]
    ])
    clean(view)
    await view.close()
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
    await until(view, "seen.length === 1")
    await view.send("sendToolResult", text("b"))
    await until(view, "seen.length === 2")
    assert.deepStrictEqual(await seen(view), [
      ["first", text("a")],
      ["second", text("b")]
    ])
    await view.close()
  })

  it("works from a result that comes before the handshake, without input", async () => {
    const html = await viewDocument({
      module: classic(`await new Promise((done) => setTimeout(done, 300))
        const app = new App({ name: "slow", version: "1" })
        app.ontoolresult = note("result")
        await app.connect()`),
      markup: "<p>Ready</p>"
    })
    const view = await openView({ html, eager: true })
    await until(view, "globalThis.seen !== undefined")
    await view.post({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: text("early") })
    await until(view, "seen.length === 1")
    assert.deepStrictEqual(await seen(view), [["result", text("early")]])
    await view.close()
  })

  it("connects an App whose page forgot to, and takes no messages from elsewhere", async () => {
    const view = await open(
      `const app = new App({ name: "forgetful", version: "1" })
       app.ontoolresult = note("result")
       window.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: ["forged"] } }, "*")`,
      { toolResult: text("real") }
    )
    await until(view, "seen.length === 1")
    assert.deepStrictEqual(await seen(view), [["result", text("real")]])
    await view.close()
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
    await until(view, "seen.length === 3")
    const events = await seen(view)
    const expected = { ...text("get_weather"), extra: [1] }
    assert.deepStrictEqual(
      events.filter(([event]) => event === "event"),
      [["event", expected]]
    )
    assert.deepStrictEqual(events.find(([event]) => event === "own")?.[1], expected)
    assert.deepStrictEqual(view.calls[0]?.arguments, { days: 3, exact: true })
    clean(view)
    await view.close()
  })

  it("ends a chain of calls that a result handler starts again and again", async () => {
    const view = await open(
      `const app = new App({})
       app.ontoolresult = () => { note("result")(); app.callServerTool({ name: "get_weather", arguments: {} }) }
       app.connect()`,
      { toolResult: text("go"), onCall: () => text("again") }
    )
    await until(view, "seen.length === 3")
    await view.frame.evaluate("new Promise((done) => setTimeout(done, 500))")
    assert.strictEqual((await seen(view)).length, 3)
    assert.strictEqual(view.calls.length, 3)
    await view.close()
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
    await until(view, "seen.length === 2")
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
    await view.close()
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
    await until(view, "seen.length === 3")
    assert.deepStrictEqual(await seen(view), [
      ["refused", [-32601, true]],
      ["aborted", "AbortError"],
      ["late", -32001]
    ])
    await view.close()
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
    await view.close()
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
    await view.close()
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
    await until(view, "document.documentElement.dataset.theme === 'dark'")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.style.colorScheme, root.style.getPropertyValue("--color-text-primary"), root.style.paddingTop]`
      ),
      ["dark", "rgb(1, 2, 3)", "7px"]
    )
    assert.strictEqual(await view.frame.evaluate("document.getElementById('__mcp-host-fonts').textContent"), "b{}")
    await view.changeContext({ theme: "light", styles: { variables: { "--font-sans": "monospace" } } })
    await until(view, "seen.length === 1")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.dataset.theme, root.style.getPropertyValue("--color-text-primary"), root.style.getPropertyValue("--font-sans")]`
      ),
      ["light", "", "monospace"]
    )
    assert.strictEqual(await view.frame.evaluate("app.getHostContext().safeAreaInsets.top"), 7)
    clean(view)
    await view.close()
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
    await until(view, "document.documentElement.style.getPropertyValue('--font-sans') === 'serif'")
    assert.deepStrictEqual(
      await rootStyle(
        view,
        `[root.dataset.theme, root.style.getPropertyValue("--color-text-primary"), root.style.getPropertyValue("--color-text-info")]`
      ),
      ["dark", "", "light-dark(blue, cyan)"]
    )
    await view.close()
  })
})

describe("error boundary", () => {
  const rows = { content: [], structuredContent: { rows: [{ city: "Paris", high: 21 }] } }

  const failing = async (module: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> =>
    open(module, { toolInput: { city: "Paris" }, toolResult: rows, ...options })

  const box = (view: View) => view.frame.locator("[data-boundary]")

  it("shows an error of the code with the raw result, and can be dismissed", async () => {
    const view = await failing(`const app = new App({})
      app.ontoolresult = () => { throw new Error("no such <b>column</b>") }
      app.connect()`)
    await box(view).waitFor()
    assert.include(await box(view).innerText(), "no such <b>column</b>")
    await box(view).getByText("Details").click()
    await box(view).getByText('"city": "Paris"').waitFor()
    assert.deepStrictEqual(await view.axe(), [])
    await box(view).getByRole("button", { name: "Dismiss" }).click()
    assert.strictEqual(await box(view).count(), 0)
    assert.strictEqual(await view.frame.getByRole("heading", { name: "Page" }).count(), 1)
    await view.close()
  })

  for (const [name, module] of [
    ["throws at once", `throw new Error("broken start")`],
    ["rejects", `new App({}).connect().then(() => { throw new Error("broken later") })`],
    ["does not parse", `const const`]
  ] as const) {
    it(`switches a page that ${name} to the basic view, with its input and result`, async () => {
      const view = await failing(module)
      await box(view).getByRole("button", { name: "Switch to basic view" }).click()
      await view.frame.getByRole("cell", { name: "Paris" }).waitFor()
      assert.include(await view.frame.locator(".mf-summary").innerText(), "Paris")
      assert.strictEqual(await view.frame.getByRole("heading", { name: "Page" }).count(), 0)
      await view.frame.getByRole("button", { name: "Run again" }).click()
      await waitForCalls(view, 1)
      assert.deepStrictEqual(view.calls[0], { name: "get_weather", arguments: { city: "Paris" } })
      await view.close()
    })
  }

  it("says so when the code never asks for data, and when it draws nothing", async () => {
    const silent = await open(`seen.push("ran")`)
    await box(silent).getByText("This view did not start").waitFor()
    await silent.close()

    const html = await viewDocument({
      module: classic(`const app = new App({}); app.ontoolresult = () => {}; app.connect()`)
    })
    const empty = await openView({ html, toolResult: rows })
    await box(empty).getByText("This view is empty").waitFor()
    await empty.close()
  })

  it("stops the handlers, the errors and the styles of the page it replaced", async () => {
    const html = await viewDocument({
      module: classic(`const app = new App({})
        app.ontoolresult = note("result")
        await app.connect()
        document.body.className = "mine"
        setTimeout(() => { throw new Error("first") }, 50)
        globalThis.failAgain = () => setTimeout(() => { throw new Error("second") })`),
      style: "h1 { color: rgb(9, 9, 9) } body { display: grid }",
      markup: "<h1>Page</h1>"
    })
    const view = await openView({ html, toolInput: { city: "Paris" }, toolResult: rows })
    await box(view).getByRole("button", { name: "Switch to basic view" }).click()
    await view.send("sendToolResult", text("after"))
    await view.frame.getByText("after").waitFor()
    await view.frame.evaluate("failAgain()")
    await view.frame.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert.strictEqual(await box(view).count(), 0)
    assert.strictEqual((await seen(view)).length, 1)
    assert.deepStrictEqual(
      await view.frame.evaluate(
        `[getComputedStyle(document.querySelector("h1")).color === "rgb(9, 9, 9)", getComputedStyle(document.body).display, document.body.className]`
      ),
      [false, "block", ""]
    )
    assert.deepStrictEqual(await view.axe(), [])
    await view.close()
  })

  it("tells the host's log what the policy refused", async () => {
    const view = await open(
      `const app = new App({}); await app.connect()
       const image = new Image(); image.alt = ""; image.src = "https://example.com/a.png"; document.body.append(image)`
    )
    await view.page.waitForFunction("testHost.logs.length === 1")
    assert.include(JSON.stringify(await view.logs()), "img-src")
    assert.strictEqual(view.violations.length, 1)
    await view.close()
  })
})

const waitForCalls = async (view: View, count: number): Promise<void> => {
  for (let turn = 0; turn < 200 && view.calls.length < count; turn++) {
    await view.frame.evaluate("new Promise((done) => setTimeout(done, 20))")
  }
  assert.isAtLeast(view.calls.length, count)
}
