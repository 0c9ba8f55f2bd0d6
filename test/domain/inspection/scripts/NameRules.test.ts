import { assert, describe, it } from "@effect/vitest"
import { inspectAnswer } from "../../../../src/domain/inspection/AnswerInspection.ts"
import { inspected, parsers, PARTS } from "../inspectedCode.ts"

/** What no reader of the code knows: data of the tool, a name and an address in it. */
const UNKNOWN = "const data = JSON.parse(text(1)), k = data.k, u = data.u;"

const refusals = (code: string, type?: string): ReadonlyArray<string> => inspected(`${UNKNOWN}\n${code}`, type).refused

describe("a way out of the page", () => {
  it.each([
    `[window.location] = ["x"]`,
    `[location.href] = ["x"]`,
    `[, ...location.href] = ["x"]`,
    `({ a: location.href } = { a: "x" })`,
    `({ a: location.href = 1 } = {})`,
    `[location] = ["x"]`,
    `for (location.href of ["x"]);`,
    `const box = {}; ({ location: box.at } = window)`,
    `Object.assign(window, { location: "x" })`,
    `Object.assign(location, { href: "x" })`,
    `Object.assign(document, { location: "x" })`,
    `document.body.getRootNode().location.href = "x"`,
    `addEventListener("click", (e) => { e.view.location = "x" })`,
    `addEventListener("click", ({ view }) => { view.location.href = "x" })`,
    `addEventListener("click", (e) => { const { view: v } = e; v.location.assign("x") })`,
    `addEventListener("click", (e) => e.view.open("x", "_self"))`,
    `addEventListener("load", (e) => { e.currentTarget.location = "x" })`,
    `addEventListener("load", function () { this.location = "x" })`,
    `addEventListener("load", (e) => { e.target.location = u })`,
    `document.addEventListener("click", (e) => { e.target.open(u) })`,
    `function g() { return location }`,
    `class A { l = location }`,
    `[location].forEach((l) => { l.href = "https://a.test/" })`,
    `async function go() { (await window).location = "x" }`,
    `data.call(null, document.location)`,
    `document.open("https://a.test", "_self", "")`,
    `const a = document.createElement("a"); a.href = u; a.click()`,
    `const a = document.createElementNS("http://www.w3.org/2000/svg", "a"); a.dispatchEvent(new MouseEvent("click"))`,
    `h("a", { href: u }).click()`,
    `Object.assign(document.createElement("a"), { href: u }).click()`,
    `const a = document.body.appendChild(document.createElement("area")); a.click()`,
    `const f = document.createElement("form"); f.submit()`,
    `const w = window; w.open(u)`,
    `const f = window.open; f(u)`,
    `let l; l = location; l.hash = "x"`
  ])("%s is refused", (code) => {
    assert.deepStrictEqual(refusals(code), ["navigation"])
  })

  it.each([
    [`const f = window.fetch; f(u)`, "network-access"],
    [`const { navigator: { sendBeacon } } = self; sendBeacon(u)`, "network-access"],
    [`const keep = (w) => w.WebSocket; keep(self)`, "network-access"],
    [`document.body.ownerDocument.defaultView.name`, "hidden-window"],
    [`addEventListener("message", (e) => e.source.postMessage(u, "*"))`, "host-message"],
    [`new BroadcastChannel("x").postMessage(u)`, "host-message"],
    [`new MessageChannel().port1.postMessage(u)`, "host-message"],
    [`data.port2.postMessage(u)`, "host-message"],
    [`document.scripts[0].getAttribute("nonce")`, "page-secret"],
    [`document.getElementById("mcp-gen-ui-data").textContent`, "page-secret"],
    [`document.execCommand("insertHTML", false, u)`, "hidden-name"],
    [`"".constructor.constructor(u)()`, "hidden-name"],
    [`data.__proto__.x = 1`, "hidden-name"],
    [`__lookupSetter__(k)(u)`, "hidden-name"],
    [`document.body.attributes.setNamedItem(data)`, "hidden-name"],
    [`setInterval(\`go()\`, 1)`, "dynamic-code"],
    [`window.setTimeout("go()")`, "dynamic-code"]
  ])("%s is refused by %s", (code, rule) => {
    assert.deepStrictEqual(refusals(code), [rule])
  })

  it.each([
    `data.m.setAttribute("http-equiv", "refresh")`,
    `data.m.httpEquiv = "refresh"`,
    `Object.assign(document.body, { httpEquiv: "refresh" })`,
    `document.createAttribute("HTTP-Equiv")`,
    `document.body.innerHTML = '<meta http-equiv="refresh" content="0">'`
  ])("%s is refused as a refresh", (code) => {
    assert.deepStrictEqual(refusals(code), ["meta-http-equiv"])
  })

  it("is no function of a classic script with its own this", () => {
    assert.deepStrictEqual(refusals(`function go() { this.location = "x" } go()`, "classic"), ["navigation"])
    for (const code of [`function go() { this[k] = u } go()`, `(function () { this[k] = u })()`, `this[k] = u`]) {
      assert.deepStrictEqual(refusals(code, "classic"), ["hidden-name"], code)
    }
  })

  it("is no frame by h, imported or forgotten", () => {
    assert.deepStrictEqual(refusals(`h("iframe")`), ["forbidden-element"])
    const forgotten = `<!-- rich -->\n<script type="module">import { show } from "mcp-gen-ui/parts"; show((d) => h("iframe"))</script>`
    const context = { toolNames: [], maxHtmlBytes: 1e5, inputRequired: false, partNames: PARTS, appNames: new Set("") }
    assert.strictEqual(inspectAnswer(parsers, forgotten, context)._tag, "Rejected")
  })
})

describe("a name that means something else", () => {
  it.each([
    `const row = {}; row.location = "Oslo"; row.location.city = "a"; data.filter(row.location)`,
    `data.map((item) => { item.location = item.view.location; return item.target })`,
    `data.map((item) => [item.location, { location: item.location }])`,
    `function at(location, window) { location.city = "x"; return [location, window] } at(1, 2)`,
    `const { location, open, parent, self, top } = data; data.concat(location, open, parent, self, [top])`,
    `if (typeof window === "undefined" || window !== self) data.push(1)`,
    `if (window && "fetch2" in window) window.addEventListener("resize", () => data.push(innerWidth))`,
    `const url = new URL("a", location), here = String(location) + \`\${location}\``,
    `const w = window, size = w.innerWidth; data.push(location.hash, size)`,
    `const { pathname, hash } = location; data.push(pathname, hash)`,
    `const style = window.getComputedStyle(data.a), query = globalThis.matchMedia("print")`,
    `const click = new MouseEvent("click", { bubbles: true, view: window }); data.dispatchEvent(click)`,
    `class Row { constructor() { this.location = "Oslo" } at() { return this.location } } data.push(new Row())`,
    `const it = { at() { this.location = "Oslo"; return this } }; it.at()`,
    `document.getElementById("go").click(); h("button", {}).click(); document.createElement("input").click()`,
    `const f = document.createElement("form"); f.onsubmit = () => false; f.requestSubmit()`,
    `const keys = {}; for (const key of data) keys[key] = data[key]`,
    `console.log(window.location)`,
    `const details = document.querySelector("details"); details.open = !details.open; if (details.open) data.push(1)`,
    `const bag = { fetch: () => 1, open: () => 2, postMessage: () => 3 }; bag.fetch(bag.open(bag.postMessage()))`,
    `const error = new Error(k); data.push(error.constructor.name, data.constructor === Object)`,
    `data.hidden = data.nonce; data.push({ nonce: 1 })`
  ])("%s is accepted", (code) => {
    assert.deepStrictEqual(inspected(`${UNKNOWN}\n${code}`), { refused: [], warned: [] })
  })

  it("lets the transport of ext-apps have its windows", () => {
    const { refused, warned } = inspected(
      `import { PostMessageTransport as T } from "@modelcontextprotocol/ext-apps"\nnew T(window.parent, window.parent)`
    )
    assert.deepStrictEqual([refused, [...new Set(warned)]], [[], ["frame-access"]])
  })
})

describe("what is told", () => {
  const messages = (code: string): ReadonlyArray<string> => {
    const page = `<!-- rich -->\n<script type="module">import { show } from "mcp-gen-ui/parts"\n${code}\nshow((data) => data)</script>`
    const context = { toolNames: [], maxHtmlBytes: 1e5, partNames: PARTS, appNames: new Set<string>() }
    const inspection = inspectAnswer(parsers, page, context)
    return inspection._tag === "Rejected" ? inspection.problems.map(({ message }) => message) : []
  }

  it.each([
    [`document.body[name]`, /write the name in the code/u],
    [`document.createElement(name)`, /name the element where it is made/u],
    [`document.body.setAttribute(name, 1)`, /name the attribute where it is set/u],
    [`Object.assign(document.body, JSON.parse(name))`, /name the members that are meant/u],
    [`const make = document.createElement.bind(document)`, /call it where it is named/u],
    [`document.body.innerHTML = \`<\${name}>\``, /write each tag with the names of its attributes in one text/u],
    [`const a = document.createElement("a"); a.click()`, /offer files with ctx\.download/u],
    [`JSON.parse = name`, /leave what the language brings as it is/u],
    [`parent.postMessage(1, "*")`, /ctx\.call, ctx\.open and ctx\.say/u]
  ])("%s says what to write instead", (code, advice) => {
    assert.match(messages(code).join("\n"), advice)
  })
})

describe("a text", () => {
  const shown: ReadonlyArray<string> = [
    "code('@import \"tailwindcss\"; a { background: url(https://a.test/a.png) }')",
    'code(`<iframe src="${data.url}" width="640"></iframe>`)',
    `code('<script src="' + data.url + '"><\\/script>')`,
    `code('<b onclick="go()">')`,
    `section("JavaScript: " + data.share + " %", text("javascript: never"))`,
    `data.push({ label: "Docs", src: "https://docs.example.com/x" })`,
    `text("a <b or c"); text("if (a <b) {"); text("<" + k + ">")`
  ]
  it.each(shown)("%s is only shown", (code) => {
    assert.deepStrictEqual(inspected(`${UNKNOWN}\n${code}`), { refused: [], warned: [] })
  })

  it.each(shown.slice(0, 4))("%s may be markup where any text is", (code) => {
    for (const sink of [
      "document.body.innerHTML = data.b",
      "document.body.insertAdjacentHTML('beforeend', data.b)",
      "new DOMParser().parseFromString(data.b, 'text/html')",
      "Object.assign(document.body, { innerHTML: data.b })",
      ";[document.body.innerHTML] = data.b"
    ]) {
      assert.isNotEmpty(refusals(`${code}\n${sink}`), sink)
    }
  })

  it("tells a label from a script, also where texts may be markup", () => {
    const sink = "document.body.innerHTML = data;"
    assert.deepStrictEqual(refusals(`${sink} text("JavaScript: " + data.share + " %")`), [])
    for (const script of ["javascript:go", "javascript: go()", "java\\nscript:\\tgo()"]) {
      assert.deepStrictEqual(refusals(`${sink} text("${script}")`), ["script-url"], script)
    }
  })

  it.each([
    [`data.a.innerHTML = "<iframe></iframe>"`, "forbidden-element"],
    [`const page = "<b onclick=go()>"; data.a.outerHTML = page`, "inline-event-handler"],
    [`document.body.setHTMLUnsafe('<img src="//a.test/a.png">')`, "external-resource"],
    [`document.write("<form action=https://a.test></form>")`, "form-action"],
    [`document.createRange().createContextualFragment("<base href=a>")`, "forbidden-element"],
    [`document.body.style.borderImage = "url(//a.test/a.png)"`, "css-url"],
    [`document.body.style.background = "url(//a.test/a.png)"`, "css-url"],
    [`document.body.style.setProperty("background", "url(//a.test/a.png)")`, "css-url"],
    [`document.body.style.cssText = "@import 'a.css'"`, "css-import"],
    [`document.createElement("style").textContent = "@import 'a.css'"`, "css-import"],
    [`const attributes = { style: "background: url(//a.test)" }; h("p", attributes)`, "css-url"],
    [`h("a", { href: "javascript:go()" })`, "script-url"],
    [`data.a.href = "javascript: go()"`, "script-url"],
    [`document.images[0].setAttribute("src", "//a.test/a.png")`, "external-resource"]
  ])("%s is refused", (code, rule) => {
    assert.deepStrictEqual(refusals(code), [rule])
  })

  it.each([`text("<meta http-equiv=refresh>")`, `text("<base href=a>")`, `text("<form action=https://a.test>")`])(
    "%s is warned of",
    (code) => {
      const { refused, warned } = inspected(code)
      assert.deepStrictEqual([refused, warned[0]], [[], "risky-text"])
    }
  )
})
