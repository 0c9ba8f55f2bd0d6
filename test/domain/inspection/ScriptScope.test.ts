import { assert, describe, it } from "@effect/vitest"
import type { AnyNode } from "acorn"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { scopeOf } from "../../../src/domain/inspection/ScriptScope.ts"
import type { ScriptScope } from "../../../src/domain/inspection/ScriptScope.ts"
import { MAX_STEPS } from "../../../src/domain/inspection/StepBudget.ts"
import { inspected, parsers, PARTS } from "./inspectedCode.ts"

/** Asks for the paths and texts of every expression, as a checker does. */
const walked = (code: string): { readonly scope: ScriptScope; readonly last: ReadonlyArray<string> } => {
  const program = parsers.acorn.parse(code, { ecmaVersion: "latest", sourceType: "module" })
  const scope = scopeOf(parsers, program, "module")
  let last: ReadonlyArray<string> = []
  parsers.walk.fullAncestor(program, (node: AnyNode, _state, ancestors) => {
    const paths = scope.globalPaths(node, ancestors)
    if (ancestors.at(-2)?.type !== "BinaryExpression") scope.staticText(node, ancestors)
    if (node.type === "Identifier" || node.type === "MemberExpression") last = paths
  })
  return { scope, last }
}

describe("the work of a scope", () => {
  const repeated = (first: string, line: string, end: string) => (count: number) =>
    `${first}\n${`${line}\n`.repeat(count)}${end}`
  const named = (line: (index: number) => string, end: (count: number) => string) => (count: number) =>
    `${Array.from({ length: count }, (_, index) => line(index)).join("\n")}\n${end(count)}`

  it.each<readonly [name: string, code: (count: number) => string]>([
    ["a name that takes its own members", repeated("let a = data", "a = a.data ?? a; a = a.results ?? a;", "a")],
    ["a name that takes itself or another", repeated("let a = window", "a = a || b;", "a")],
    ["two names that take each other", repeated("let a = window, b", "a = b || a.x || b.y; b = a || b;", "b")],
    [
      "handlers that put what they hear into one name",
      repeated("let a = window", "a.onclick = (e) => { a = e.currentTarget ?? a };", "a")
    ],
    [
      "listeners that put what they hear into one name",
      repeated("let a = window", 'a.addEventListener("click", ({ target }) => { a = target || a });', "a")
    ],
    [
      "a chain of names",
      named(
        (index) => `const a${index} = a${index + 1} || a${index + 1}`,
        (count) => `a${count}`
      )
    ],
    [
      "a chain of texts",
      named(
        (index) => `const t${index} = \`\${t${index + 1}}\${t${index + 1}}\``,
        () => "t0"
      )
    ],
    ["a long member", (count) => `let a = window; a${".x".repeat(count)}`],
    ["a long sum", (count) => `let a = "x"; let b = ${Array.from({ length: count }, () => "a").join(" + ")}`],
    [
      "functions that call each other",
      named(
        (index) => `function f${index}(a) { f${index + 1}(a) }`,
        () => "f0(window)"
      )
    ]
  ])("%s is linear in its length", (_name, code) => {
    const [once, twice] = [100, 200].map((count) => walked(code(count)).scope.steps())
    assert.isBelow(twice ?? 0, (once ?? 0) * 2.5 + 100)
    assert.isBelow(twice ?? 0, 20_000)
  })

  it("keeps the paths that matter through all of them", () => {
    assert.sameMembers([...walked(`let a = data; ${"a = a.x ?? a;".repeat(300)} a = window; a`).last], ["#other", ""])
    assert.include(walked(`let b; ${"b = b || c;".repeat(300)} let c = b; b = window; c`).last, "")
    assert.include(walked(`let n; n = n.location; n = window; n`).last, "location")
  })

  it("answers with what a script with 300 assignments is", () => {
    const list = `let list = data0; ${"list = list.data ?? list; list = list.results ?? list;".repeat(150)}`
    assert.deepStrictEqual(inspected(`const data0 = {}; ${list}`), { refused: [], warned: [] })
    const alias = "let a = window; " + "a = a || b;".repeat(300)
    assert.deepStrictEqual(inspected(`let b; ${alias} a.location = "x"`).refused, ["navigation"])
  })

  it("refuses what takes too many steps", () => {
    const long = `const a = "${"x".repeat(90_000)}";`
    assert.isTrue(walked(long).scope.spend(MAX_STEPS / 2))
    assert.deepStrictEqual(inspected(`${long}${"`${a}`;".repeat(100)}`).refused, ["too-complicated"])
    assert.deepStrictEqual(inspected(`${long}${"`${a}`;".repeat(3)}`).refused, [])
  })
})

describe("ways out of the page", () => {
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
    `Object.defineProperty(window, "location", { value: "x" })`,
    `Reflect.set(window, "location", "x")`,
    `Reflect.set(document, "location", "x")`,
    `Object.getOwnPropertyDescriptor(location, "href").set.call(1, "x")`,
    `document.body.ownerDocument.location = "x"`,
    `document.body.getRootNode().location.href = "x"`,
    `addEventListener("click", (e) => { e.view.location = "x" })`,
    `addEventListener("click", ({ view }) => { view.location.href = "x" })`,
    `addEventListener("click", (e) => { const { view: v } = e; v.location.assign("x") })`,
    `addEventListener("click", (e) => e.view.open("x", "_self"))`,
    `addEventListener("load", (e) => { e.currentTarget.location = "x" })`,
    `addEventListener("load", function () { this.location = "x" })`,
    `list.forEach((at) => { at.location = "https://a.test/?" + list })`,
    `const o = { w: window }`,
    `const g = () => window`,
    `function g() { return location }`,
    `class A { l = location }`,
    `const o = {}; o.w = window`,
    `[location].forEach((l) => { l.href = "https://a.test/" })`,
    `Promise.resolve(window).then((w) => w)`,
    `async function go() { (await window).location = "x" }`,
    `list.call(null, document.location)`,
    `const take = (...all) => all; take(window)`,
    `const take = () => 1; take(window)`,
    "list`${location}${window}`; list.at(location)",
    `document.open("https://a.test", "_self", "")`,
    `const a = document.createElement("a"); a.href = list; a.click()`,
    `const a = document.createElementNS("http://www.w3.org/2000/svg", "a"); a.dispatchEvent(new MouseEvent("click"))`,
    `h("a", { href: list.url }).click()`,
    `Object.assign(document.createElement("a"), { href: list.url }).click()`,
    `const a = document.body.appendChild(document.createElement("area")); a.click()`,
    `const f = document.createElement("form"); f.submit()`
  ])("%s is refused", (code) => {
    assert.deepStrictEqual(inspected(code).refused, ["navigation"])
  })

  it.each([
    `window[list.name] = 1`,
    `window[["loc", "ation"].join("")] = "x"`,
    `document[list.name] = "x"`,
    `location[list.name] = "x"`,
    `const { [list.name]: a } = window`
  ])("%s is refused, because what it names is not known", (code) => {
    assert.deepStrictEqual(inspected(code).refused, ["computed-global"])
  })

  it.each([
    `const m = list.m; m.setAttribute("http-equiv", "refresh")`,
    `list.m.httpEquiv = "refresh"`,
    `Object.assign(list.m, { httpEquiv: "refresh" })`,
    `list.m.setAttributeNode(document.createAttribute("HTTP-Equiv"))`,
    `list.m.innerHTML = '<meta http-equiv="refresh" content="0">'`,
    `list.m.insertAdjacentHTML("beforeend", ['<meta http-equiv="refresh"', ' content="0">'].join(""))`
  ])("%s is refused as a refresh", (code) => {
    assert.deepStrictEqual(inspected(code).refused, ["meta-http-equiv"])
  })

  it("refuses frames by h, imported or forgotten", () => {
    assert.deepStrictEqual(inspected(`h("iframe")`).refused, ["forbidden-element"])
    const forgotten = `<!-- rich -->\n<script type="module">import { show } from "mcp-gen-ui/parts"; show((d) => h("iframe"))</script>`
    const context = { toolNames: [], maxHtmlBytes: 1e5, inputRequired: false, partNames: PARTS, appNames: new Set("") }
    assert.strictEqual(inspectAnswer(parsers, forgotten, context)._tag, "Rejected")
  })
})

describe("names that mean something else", () => {
  it.each([
    `const row = {}; row.location = "Oslo"; row.location.city = "a"; list.filter(row.location)`,
    `list.map((item) => { item.location = item.view.location; return item.target })`,
    `list.map((item) => [item.location, { location: item.location }])`,
    `function at(location, window) { location.city = "x"; return [location, window] } at(1, 2)`,
    `const { location, open, parent, self, top } = list; list.concat(location, open, parent, self, [top])`,
    `if (typeof window === "undefined" || window !== self) list.push(1)`,
    `if (window && "fetch2" in window) window.addEventListener("resize", () => list.push(innerWidth))`,
    `const url = new URL("a", location), here = String(location) + \`\${location}\``,
    `const w = window, size = w.innerWidth; let l; l = location; list.push(l.hash, size)`,
    `const style = window.getComputedStyle(list.a), query = globalThis.matchMedia("print")`,
    `const click = new MouseEvent("click", { bubbles: true, view: window }); list.dispatchEvent(click)`,
    `class Row { constructor() { this.location = "Oslo" } at() { return this.location } } list.push(new Row())`,
    `const it = { at() { this.location = "Oslo"; return this } }; it.at()`,
    `document.getElementById("go").click(); h("button", {}).click(); document.createElement("input").click()`,
    `const f = document.createElement("form"); f.onsubmit = () => false; f.requestSubmit()`,
    `const keys = {}; for (const key of list) keys[key] = list[key]`,
    `console.log(window.location)`
  ])("%s is accepted", (code) => {
    assert.deepStrictEqual(inspected(`const list = [];\n${code}`), { refused: [], warned: [] })
  })

  it("takes the functions of a classic script with their own this", () => {
    assert.deepStrictEqual(inspected(`function Row() { this.location = "Oslo" } new Row()`, "classic").refused, [])
    assert.deepStrictEqual(inspected(`function go() { this.location = "x" } go()`, "classic").refused, ["navigation"])
  })

  it("lets the transport of ext-apps have its windows", () => {
    const { refused, warned } = inspected(
      `import { PostMessageTransport as T } from "@modelcontextprotocol/ext-apps"\nnew T(window.parent, window.parent)`
    )
    assert.deepStrictEqual([refused, [...new Set(warned)]], [[], ["frame-access"]])
  })
})

describe("texts", () => {
  const shown: ReadonlyArray<string> = [
    "code('@import \"tailwindcss\"; a { background: url(https://a.test/a.png) }')",
    'code(`<iframe src="${list.url}" width="640"></iframe>`)',
    `code('<script src="' + list.url + '"><\\/script>')`,
    `code('<b onclick="go()">')`,
    `section("JavaScript: " + list.share + " %", text("javascript: never"))`,
    `list.push({ label: "Docs", src: "https://docs.example.com/x" })`
  ]
  it.each(shown)("%s is only shown", (code) => {
    assert.deepStrictEqual(inspected(`const list = [];\n${code}`), { refused: [], warned: [] })
  })

  it.each(shown.slice(0, 4))("%s may be markup where any text is", (code) => {
    for (const sink of [
      "list.a.innerHTML = list.b",
      "list.a.insertAdjacentHTML('beforeend', list.b)",
      "new DOMParser().parseFromString(list.b, 'text/html')",
      "list.a[list.key] = list.b",
      "Object.assign(list.a, { innerHTML: list.b })",
      "[list.a.innerHTML] = list.b"
    ]) {
      assert.isNotEmpty(inspected(`const list = [];\n${code}\n${sink}`).refused, sink)
    }
  })

  it("tells a label from a script, also where texts may be markup", () => {
    const sink = "document.body.innerHTML = data0;"
    assert.deepStrictEqual(inspected(`const data0 = {}; ${sink} text("JavaScript: " + data0.share + " %")`).refused, [])
    for (const script of ["javascript:go", "javascript: go()", "java\\nscript:\\tgo()"]) {
      assert.deepStrictEqual(inspected(`const data0 = {}; ${sink} text("${script}")`).refused, ["script-url"], script)
    }
  })

  it("does not take what one call gives for a constant", () => {
    const code = `const key = "width"; const read = (name) => window[name]; read(key); text(read)`
    assert.deepStrictEqual(inspected(code).refused, ["computed-global"])
  })

  it.each([
    [`list.a.innerHTML = "<iframe></iframe>"`, "forbidden-element"],
    [`const page = "<b onclick=go()>"; list.a.outerHTML = page`, "inline-event-handler"],
    [`list.a.setHTMLUnsafe('<img src="//a.test/a.png">')`, "external-resource"],
    [`document.write("<form action=https://a.test></form>")`, "form-action"],
    [`document.createRange().createContextualFragment("<base href=a>")`, "forbidden-element"],
    [`list.a.style.borderImage = "url(//a.test/a.png)"`, "css-url"],
    [`list.a.style.setProperty("background", "url(//a.test/a.png)")`, "css-url"],
    [`list.a.style.cssText = "@import 'a.css'"`, "css-import"],
    [`document.createElement("style").textContent = "@import 'a.css'"`, "css-import"],
    [`const attributes = { style: "background: url(//a.test)" }; h("p", attributes)`, "css-url"],
    [`h("a", { href: "javascript:go()" })`, "script-url"],
    [`list.a.href = "javascript: go()"`, "script-url"]
  ])("%s is refused", (code, rule) => {
    assert.deepStrictEqual(inspected(`const list = [];\n${code}`).refused, [rule])
  })

  it.each([`text("<meta http-equiv=refresh>")`, `text("<base href=a>")`, `text("<form action=https://a.test>")`])(
    "%s is warned of",
    (code) => {
      const { refused, warned } = inspected(code)
      assert.deepStrictEqual([refused, warned[0]], [[], "risky-text"])
    }
  )
})
