import { assert, describe, it } from "@effect/vitest"
import { openView, type View } from "../../browser/harness/index.ts"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { isNow } from "../../fixtures/time.ts"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { factsOf, type Json, startModel, textOf, withConfig } from "../../fixtures/wrapperWithModel.ts"

const TOOL = "get_forecast"
const args = { location: "Oslo", days: 3 }
const LISTED = "notifications/resources/list_changed"

const page = (title: string, code = ""): string => `<!-- rich -->
<script type="module">
import { show, header, input, table } from "mcp-gen-ui/parts"
${code}
show((data, ctx) => [header("${title} in " + ctx.args.location), input("Note"), table(data.days)], { form: "open" })
</script>
`

/** Passes every check of a source, and fails as soon as it runs. */
const broken = (index: number): string =>
  page(`Broken ${index}`, `document.getElementById("of-an-earlier-version").focus()`)
const BROKEN = broken(1)

interface Opened {
  readonly view: View
  readonly html: string
  /** A call as the model's side of the host makes it. */
  readonly ask: (name: string, more?: Json) => Promise<Json>
  readonly call: (name: string, given: Json) => Promise<Json>
  /** The document that a frame opened now would get. */
  readonly read: () => Promise<string>
}

/**
 * A host as they are: a client of the SDK with the wrapper behind it, and the `AppBridge` of ext-apps with the page behind
 * it; calls of the page go to the wrapper, and notifications of the wrapper to the page.
 */
const open = async (answer: (index: number, prompt: string) => Answer, generation: Json = {}): Promise<Opened> => {
  const { env } = await startModel(answer)
  const client = await overStdio("legacy", weather, { env, flags: withConfig({ generation }) })
  await client.listTools()
  const { ask, call, ...host } = sdkHost(client)
  const read = () => host.read(TOOL)
  const html = await read()
  const view = await openView({
    html,
    toolInput: args,
    toolResult: await call(TOOL, args),
    onCall: (params, method) => (method === "tools/call" ? call(String(params.name), params.arguments as Json) : {})
  })
  client.setNotificationHandler(LISTED, () => void view.post({ jsonrpc: "2.0", method: LISTED, params: {} }))
  return {
    view,
    html,
    call,
    read,
    ask: (name, more) => ask(name, { toolName: TOOL, ...more })
  }
}

const heading = (view: View, text: string) => view.frame.getByRole("heading", { name: text })

/** A mark on the window that a reload would take away. */
const mark = (view: View): Promise<unknown> => view.frame.evaluate("void (globalThis.mark = 1)")

const wasNotReloaded = async (view: View): Promise<void> =>
  assert.strictEqual(await view.frame.evaluate("globalThis.mark"), 1)

describe("a UI on screen, with the wrapper behind it", () => {
  it("changes as the user asks, without a reload, and what was typed stays", async () => {
    const { ask, view } = await open((index) => ({ text: page(`Version ${index + 1}`) }))
    await heading(view, "Version 1 in Oslo").waitFor()
    await mark(view)
    await view.frame.getByLabel("City").fill("Nairobi")
    await view.frame.getByLabel("Days").fill("5")
    await view.frame.getByLabel("Note").fill("take an umbrella")

    await ask("_ui_refine", { feedback: "make it the second one" })
    await heading(view, "Version 2 in Oslo").waitFor()
    assert.strictEqual(await view.frame.getByLabel("City").inputValue(), "Nairobi")
    assert.strictEqual(await view.frame.getByLabel("Days").inputValue(), "5")
    assert.strictEqual(await view.frame.getByLabel("Note").inputValue(), "take an umbrella")
    assert.strictEqual(await view.frame.getByRole("row").count(), 4)
    await wasNotReloaded(view)
    const durations = await view.frame.evaluate<ReadonlyArray<number>>(
      `new Promise((done) => new PerformanceObserver((list) => done(list.getEntriesByName("mcp-gen-ui takeover")
        .map(({ duration }) => duration))).observe({ type: "measure", buffered: true }))`
    )
    assert.lengthOf(durations, 1)
    assert.isBelow(durations[0] ?? Infinity, 1000)

    await view.frame.getByRole("button", { name: "Forecast", exact: true }).click()
    await heading(view, "Version 2 in Nairobi").waitFor()
    assert.strictEqual(await view.frame.getByRole("row").count(), 6)

    await ask("_ui_revert", { version: 1 })
    await heading(view, "Version 1 in Nairobi").waitFor()
    await wasNotReloaded(view)
    assert.deepStrictEqual(view.violations, [])
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("stays as it was when the new version throws at once, says so, and takes over the next one", async () => {
    const { ask, read, view } = await open((index) => ({ text: index === 1 ? BROKEN : page(`Version ${index + 1}`) }))
    await heading(view, "Version 1 in Oslo").waitFor()
    await mark(view)
    await view.frame.getByLabel("City").fill("Nairobi")
    assert.deepInclude(await ask("_ui_refine", { feedback: "break it" }), { level: 0, uiType: "rich" })
    await view.frame.getByText("A new version of this view failed; this is the one before.").first().waitFor()
    await heading(view, "Version 1 in Oslo").waitFor()
    assert.strictEqual(await heading(view, "Broken 1 in Oslo").count(), 0)
    assert.strictEqual(await view.frame.getByLabel("City").inputValue(), "Nairobi")

    // For everyone: the page has told of it, and the model has mended what was asked for.
    await heading(view, "Version 3 in Oslo").waitFor()
    const history = await ask("_ui_history")
    assert.strictEqual(history.current, 3)
    const [first, second, third] = history.versions as ReadonlyArray<Json>
    assert.deepInclude(first, { number: 1, failedAt: null })
    assert.deepInclude(second, { number: 2, current: false, feedback: "break it" })
    isNow(second?.failedAt)
    assert.deepInclude(third, { number: 3, current: true, origin: "repaired", parent: 2, failedAt: null })
    assert.deepInclude(await ask("_ui_inspect"), { version: 3, history: ["break it"], refinements: 1, rejected: [] })
    assert.include(await read(), "Version 3")
    assert.strictEqual(await view.frame.getByLabel("City").inputValue(), "Nairobi")
    await wasNotReloaded(view)
  })

  it("gives way to the built-in view where its repair fails too; that is served until somebody asks", async () => {
    const { ask, call, read, view } = await open((index) => ({
      text: index < 2 ? broken(index) : page(`Version ${index + 1}`)
    }))
    await view.frame.getByText("The view made for this failed").waitFor()
    await view.frame.getByRole("tab", { name: "Table" }).waitFor()
    while (((await ask("_ui_inspect")).failed as ReadonlyArray<unknown>).length < 2);
    const [told] = (await ask("_ui_inspect")).faults as ReadonlyArray<Json>
    assert.deepInclude(told, {
      version: 1,
      kind: "threw",
      message: "Cannot read properties of null (reading 'focus')",
      line: `document.getElementById("of-an-earlier-version").focus()`
    })
    assert.include(textOf(await call("_ui_list", {})), "version 1 failed on screen")
    while (factsOf(await read()).fallback?.code !== "FAILED_ON_SCREEN");

    await ask("_ui_refine", { feedback: "mend it" })
    await heading(view, "Version 3 in Oslo").waitFor()
    assert.strictEqual(await view.frame.getByText("The view made for this failed").count(), 0)
  })

  it("is the built-in one until the model, slow at first, is done", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { html, view } = await open(() => ({ text: page("Written"), pace: () => promise }), { delivery: "live" })
    assert.strictEqual(factsOf(html).fallback?.code, "PENDING")
    await view.frame.getByText("A view for this tool is being written").waitFor()
    await view.frame.getByRole("tab", { name: "Table" }).waitFor()
    await mark(view)
    resolve()
    await heading(view, "Written in Oslo").waitFor()
    assert.strictEqual(await view.frame.getByRole("note").count(), 0)
    await wasNotReloaded(view)
    assert.deepStrictEqual(view.violations, [])
    assert.deepStrictEqual(view.consoleErrors, [])
  })
})

describe("a first draft on screen", () => {
  const secondDraft = "live"
  const faulty = page(
    "First",
    `const style = document.createElement("style")
     style.textContent = ".short { overflow: hidden; white-space: nowrap; width: 60px } .far { width: 3000px } .thin { width: 40px } ul { padding: 9px }"
     document.head.append(style)
     for (const [name, text] of [["short", "a text that is longer than this"], ["far", "wide"], ["none", "undefined"], ["thin", "one two three"]]) {
       const element = document.createElement("div")
       element.className = name
       element.textContent = text
       document.body.append(element)
     }
     document.body.append(document.createElement("ul"))`
  )

  /** The second draft comes when it is let. */
  const openFirst = async () => {
    const { promise, resolve: letCome } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<string>()
    const opened = await open(
      (index, prompt) => {
        if (index === 0) return { text: faulty }
        asked.resolve(prompt)
        return { text: page("Second"), pace: () => promise }
      },
      { secondDraft }
    )
    await heading(opened.view, "First in Oslo").waitFor()
    await mark(opened.view)
    return { ...opened, letCome, prompt: await asked.promise }
  }

  it("tells what is wrong with it, and gives way to its second draft where nobody has touched it", async () => {
    const { ask, letCome, prompt, view } = await openFirst()
    assert.match(prompt, /\n- text is cut off: div\.short, "a text that is longer than this"\n/)
    assert.match(prompt, /\n- wider than the frame: div\.far, "wide"\n/)
    assert.match(prompt, /\n- drawn empty: div\.none, "undefined"\n/)
    assert.match(prompt, /\n- drawn empty: ul\n/)
    assert.match(prompt, /\n- broken into very short lines: div\.thin, "one two three"\n/)
    assert.match(prompt, /\n----- members of the result that the page in use shows \w+ -----\n.*\bcondition\b/)
    letCome()
    await heading(view, "Second in Oslo").waitFor()
    await wasNotReloaded(view)
    assert.deepInclude(await ask("_ui_inspect"), { version: 2, secondDraft: "made" })
    await ask("_ui_revert", { version: 1 })
    await heading(view, "First in Oslo").waitFor()
    assert.deepStrictEqual(view.violations, [])
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("stays where somebody has touched it; the next opening shows the second draft", async () => {
    const { ask, letCome, read, view } = await openFirst()
    await view.frame.getByLabel("Note").press("a")
    letCome()
    while ((await ask("_ui_inspect")).secondDraft !== "made");
    // The page asks again, and hears that there is nothing for it.
    const before = view.calls.length
    await view.post({ jsonrpc: "2.0", method: LISTED, params: {} })
    await view.requested("tools/call", before + 2)
    assert.strictEqual(await heading(view, "First in Oslo").count(), 1)
    assert.include(await read(), "Second")
  })
})
