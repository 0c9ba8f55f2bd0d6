import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { openView, type View } from "../../browser/harness/index.ts"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { type Json, startModel, withConfig } from "../../fixtures/wrapperWithModel.ts"

const TOOL = "get_forecast"
const args = { location: "Oslo", days: 3 }

/** A page as a model writes it, with code before and after what it shows. */
const page = (title: string, before = "", draw = `[header("${title}"), table(data.days)]`): string => `<!-- rich -->
<script type="module">
import { show, header, table, button, text } from "mcp-gen-ui/parts"
${before}
show((data, ctx) => ${draw})
</script>
`

const MENDED = page("Mended")

/** Each passes every check of a source, and fails as it runs: the source, what the model is told, and what a person presses. */
const FAULTS: ReadonlyArray<readonly [name: string, source: string, told: RegExp, press?: string | undefined]> = [
  ["throws at once", page("Bad", "document.getElementById('none').focus()"), /threw as it began.*\n.*'none'/],
  ["throws when the result comes", page("Bad", "", "[table(data.rows.length)]"), /\(reading 'length'\)/],
  ["throws later, by a timer", page("Bad", "setTimeout(() => null.later, 1500)"), /threw later: .*'later'/],
  [
    "throws when something is pressed",
    page(
      "Bad",
      `const go = document.createElement("button"); go.textContent = "Go"; go.onclick = () => null.pressed; document.body.append(go)`
    ),
    /'pressed'/,
    "Go"
  ],
  ["rejects a promise", page("Bad", "Promise.reject(new TypeError('no promise'))"), /threw as it began: no promise/],
  [
    "never asks for data",
    `<!-- rich -->\n<h1>Bad</h1>\n<script type="module">import { show } from "mcp-gen-ui/parts"
if (document.title === "never") show((data) => data.days)</script>\n`,
    /never asked for/
  ],
  ["shows nothing", page("Bad", "", `[(document.body.style.display = "none", table(data.days))]`), /it showed nothing/],
  [
    "loses the data",
    `<!-- rich -->\n<h1>Bad</h1>\n<script type="module">import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "a", version: "1" })
app.ontoolresult = () => {}
app.connect()</script>\n`,
    /nothing of the result could be read/
  ],
  ["replaces JSON.stringify", page("Bad", "const [json] = [JSON]; json.stringify = () => '{}'"), /Cannot assign/],
  ["replaces what promises do", page("Bad", "const [p] = [Promise]; p.prototype.then = () => 1"), /Cannot assign/],
  ["replaces a method of Array", page("Bad", "const [of] = [Array]; of.prototype.map = () => []"), /Cannot assign/],
  [
    "empties the page later",
    page("Bad", "setTimeout(() => document.body.replaceChildren(), 1500)"),
    /it showed nothing/
  ],
  ["never ends a loop", page("Bad", "let n = 0; while (n >= 0) n = 1"), /loop of this view does not end/],
  ["never ends a loop that awaits", page("Bad", "for (;;) { await null }"), /loop of this view does not end/],
  ["calls itself for ever", page("Bad", "const again = () => again() + 1; again()"), /Maximum call stack/]
]

/** As it draws, for longer than anybody waits, and in no loop, of which the rounds would be counted. */
const HANGS = page(
  "Bad",
  "const slow = (n) => (n < 2 ? n : slow(n - 1) + slow(n - 2))",
  "[table(data.days), text(String(slow(90)))]"
)

interface Opened {
  readonly view: View
  /** Opens the page as it is served now. */
  readonly show: () => Promise<View>
  readonly prompts: ReadonlyArray<string>
  readonly ask: (name: string, more?: Json) => Promise<Json>
  readonly letCome: () => void
}

/** A host and a page over the wrapper. The second answer of the model waits until it is let come. */
const open = async (answers: ReadonlyArray<string>): Promise<Opened> => {
  const { promise, resolve: letCome } = Promise.withResolvers<void>()
  const prompts: Array<string> = []
  const { env } = await startModel((index, prompt) => {
    prompts.push(prompt)
    return { text: answers[index] ?? MENDED, ...(index === 0 ? {} : { pace: () => promise }) }
  })
  const client = await overStdio("legacy", weather, { env, flags: withConfig({}) })
  await client.listTools()
  const { ask, call, read } = sdkHost(client)
  const show = async () =>
    openView({
      html: await read(TOOL),
      toolInput: args,
      toolResult: await call(TOOL, args),
      eager: true,
      onCall: (params, method) => (method === "tools/call" ? call(String(params.name), params.arguments as Json) : {})
    })
  return { view: await show(), show, prompts, letCome, ask: (name, more) => ask(name, { toolName: TOOL, ...more }) }
}

const heading = (view: View, text: string) => view.frame.getByRole("heading", { name: text, exact: true })
const failedLine = (view: View) => view.frame.getByText("The view made for this failed; this is the standard view.")

describe("a page that fails in front of a person", () => {
  const faults = FAULTS.map(([name, source, told, press]) => ({ name, source, told, press }))
  it.each(faults)("and $name: the data is there, then a mended page", async ({ press, source, told }) => {
    const { ask, letCome, prompts, view } = await open([source])
    if (press !== undefined) await view.press(view.frame.getByRole("button", { name: press }))
    await failedLine(view).waitFor()
    await view.frame.getByRole("tab", { name: "Table" }).waitFor()
    await view.frame.getByText("Details").first().waitFor()
    await expect.poll(() => prompts.length).toBe(2)
    assert.match(prompts[1] ?? "", told)
    letCome()
    await heading(view, "Mended").waitFor()
    assert.strictEqual(await failedLine(view).count(), 0)
    const { versions } = await ask("_ui_history")
    assert.deepInclude((versions as ReadonlyArray<Json>)[1], {
      number: 2,
      origin: "repaired",
      parent: 1,
      current: true
    })
  })

  it("and hangs as it draws, twice: at the third opening the data is there, then a mended page", async () => {
    const { ask, letCome, prompts, show, view } = await open([HANGS])
    await view.requested("tools/call")
    await view.page.close()
    // The wrapper has heard that the page was opened, and waits so long for its next question: ten seconds, on a busy machine too.
    await ask("_ui_history")
    await setTimeout(12_000)
    const second = await show()
    await second.requested("tools/call")
    await second.page.close()
    await expect.poll(() => prompts.length).toBe(2)
    assert.match(prompts[1] ?? "", /it stopped answering as it began to draw/)
    const third = await show()
    await third.frame.getByRole("tab", { name: "Table" }).waitFor()
    letCome()
    await heading(third, "Mended").waitFor()
    const { versions } = await ask("_ui_history")
    assert.deepInclude((versions as ReadonlyArray<Json>)[1], { origin: "repaired", parent: 1, current: true })
  }, 120_000)
})
