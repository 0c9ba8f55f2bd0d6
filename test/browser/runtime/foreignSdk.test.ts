import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { openView, viewDocument } from "../harness/index.ts"

const require = createRequire(import.meta.url)

/** The ext-apps of a server's author, by the place of a package that brings it. */
const PLACES = {
  "2.0": import.meta.url,
  // The one that the client of mcp-ui brings.
  "1.7": require.resolve("@mcp-ui/client")
} as const

const bundled = async (place: string): Promise<string> => {
  const entry = createRequire(place).resolve("@modelcontextprotocol/ext-apps/app-with-deps")
  const { outputFiles } = await build({
    stdin: { contents: `export { App } from ${JSON.stringify(entry)}`, resolveDir: dirname(entry) },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "Foreign",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

/** Fifty calls of the page's own library, and as many of ours at the same time. */
const CALLS = `
const errors = globalThis.errors = []
const app = new Foreign.App({ name: "own", version: "1" }, {})
app.onerror = (error) => errors.push(String(error))
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)))
app.ontoolresult = ({ structuredContent }) => { document.querySelector("output").textContent = structuredContent.city }
const ours = new mcpGenUi.extApps.App({ name: "ours", version: "1" })
await Promise.all([app.connect(), ours.connect()])
const numbers = Array.from({ length: 50 }, (_, index) => index)
const ask = (by, name) => numbers.map(async (index) => (await by.callServerTool({ name, arguments: { index } })).structuredContent.said)
globalThis.said = await Promise.all([...ask(app, "theirs"), ...ask(ours, "ours")])
`

describe("a page made by hand that brings ext-apps itself", () => {
  it.each(Object.entries(PLACES))("%s gets its own answers, and none of ours", async (_version, place) => {
    const document = await viewDocument({
      data: { byHand: true, wrapperTools: { current: "_ui_current", token: "t", proof: "p" } },
      markup: "<main><h1>Mine</h1><output></output></main>",
      module: CALLS
    })
    const script = (await bundled(place)).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")
    const view = await openView({
      html: document.replace("</head>", () => `<script>${script}</script></head>`),
      toolResult: { content: [], structuredContent: { city: "Paris" } },
      onCall: ({ arguments: args, name }) =>
        name === "_ui_current"
          ? { content: [], structuredContent: { proof: "p", version: "1", state: "current" } }
          : { content: [], structuredContent: { said: `${String(name)} ${String((args as { index: number }).index)}` } }
    })
    await view.until("globalThis.said !== undefined")
    const expected = ["theirs", "ours"].flatMap((name) => Array.from({ length: 50 }, (_, index) => `${name} ${index}`))
    assert.deepStrictEqual(await view.frame.evaluate("said"), expected)
    assert.deepStrictEqual(await view.frame.evaluate("errors"), [])
    await view.frame.getByText("Paris").waitFor()
    await view.settle()
    assert.strictEqual(await view.frame.getByText("The view made for this failed").count(), 0)
  })
})
