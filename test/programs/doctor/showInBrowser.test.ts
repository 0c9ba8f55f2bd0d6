import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { showInBrowser } from "../../../src/programs/doctor/showInBrowser.ts"
import { chromiumPath } from "../../browser/harness/chromium.ts"
import { startBin } from "../../fixtures/commandLine.ts"
import { root } from "../../fixtures/RawClient.ts"

const said = async (body: string) =>
  Effect.runPromise(
    showInBrowser(await chromiumPath(), `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`)
  )
const START = `<script>parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize" }, "*")</script>`

describe("the document of doctor, in a browser", () => {
  it.each([
    ["a page that starts", START, ["started"]],
    ["a page that does not", "<p>quiet</p>", []],
    [
      "a page that runs code of a text",
      `${START}<script>try { eval("1") } catch {}</script>`,
      ["started", "script-src eval"]
    ],
    [
      "a script from elsewhere",
      `<script src="http://127.0.0.1:9/a.js"></script>`,
      ["script-src-elem http://127.0.0.1:9/a.js"]
    ],
    ["a picture as data", `${START}<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`, ["img-src data", "started"]]
  ])("%s", async (_name, body, expected) => {
    assert.sameMembers([...((await said(body)) ?? ["no browser"])], expected)
  })

  it("is the one that the wrapper serves", async () => {
    const words = ["doctor", "--", process.execPath, join(root, "examples/weather-server.mjs")]
    const { stdout } = await startBin(words, { env: { CHROMIUM_PATH: await chromiumPath() } }).ended
    assert.match(stdout, /^✓ document {2}a document of \d+ kB starts under the strictest policy of hosts$/m)
  })

  it("is said not to have been opened where the browser does not run", async () => {
    const words = ["doctor", "--", process.execPath, join(root, "examples/weather-server.mjs")]
    const { status, stdout } = await startBin(words, { env: { CHROMIUM_PATH: "/nowhere/chromium" } }).ended
    assert.match(
      stdout,
      /^! document {2}\/nowhere\/chromium does not run, so no document was opened\n +→ name another in CHROMIUM_PATH$/m
    )
    assert.strictEqual(status, 0)
  })
})
