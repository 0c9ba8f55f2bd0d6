import { assert, describe, it } from "@effect/vitest"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import type { Json } from "../../fixtures/wrapperWithModel.ts"
import { openView } from "../harness/index.ts"

const toolName = "get_forecast"
const args = { location: "Oslo", days: 3 }

const page = (title: string, code = ""): string => `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
${code}
show((data) => [header("${title}"), table(data.days)])
</script>`

/** A host without any key: the wrapper behind an SDK client, a page of it in an AppBridge. Notifications do not reach pages. */
const open = async () => {
  const client = await overStdio("legacy")
  await client.listTools()
  const { ask, call, read } = sdkHost(client)
  const view = await openView({
    html: await read(toolName),
    toolInput: args,
    toolResult: await call(toolName, args),
    onCall: (params, method) => (method === "tools/call" ? call(String(params.name), params.arguments as Json) : {})
  })
  await view.frame.getByRole("tab", { name: "Table" }).waitFor()
  await view.frame.evaluate("void (globalThis.mark = 1)")
  const heading = (name: string) => view.frame.getByRole("heading", { name })
  return { ask, call, view, heading }
}

describe("a page on screen, and the host's model that writes it", () => {
  it("changes in place after each write, and back", async () => {
    const { ask, call, heading, view } = await open()
    await call("_ui_refine", { toolName, feedback: "nicer" })
    await ask("_ui_write", { toolName, source: page("Nicer") })
    await heading("Nicer").waitFor()
    await call("_ui_refine", { toolName, feedback: "another title" })
    const edit = '<<<<<<< SEARCH\nheader("Nicer")\n=======\nheader("Nicest")\n>>>>>>> REPLACE'
    await ask("_ui_write", { toolName, source: edit })
    await heading("Nicest").waitFor()
    assert.strictEqual(await view.frame.getByRole("row").count(), 4)
    await ask("_ui_refine", { toolName, version: 1 })
    await heading("Nicer").waitFor()
    await ask("_ui_refine", { toolName, version: 0 })
    await view.frame.getByRole("tab", { name: "Table" }).waitFor()
    assert.strictEqual(await view.frame.evaluate("globalThis.mark"), 1)
    assert.deepStrictEqual([view.violations, view.consoleErrors], [[], []])
  })

  it("gives way when the version that was written throws, and says so", async () => {
    const { ask, call, heading, view } = await open()
    await ask("_ui_write", { toolName, source: page("Good") })
    await heading("Good").waitFor()
    await call("_ui_refine", { toolName, feedback: "break it" })
    await ask("_ui_write", { toolName, source: page("Broken", `document.getElementById("gone").focus()`) })
    await view.frame.getByText("A new version of this view failed; this is the one before.").first().waitFor()
    while (((await ask("_ui_inspect", { toolName })).failed as ReadonlyArray<unknown>).length === 0);
    assert.deepInclude(await ask("_ui_inspect", { toolName }), { version: 1, history: [] })
  })
})
