import { assert, describe, it } from "@effect/vitest"
import { inspected } from "./inspectedCode.ts"

/** A name, a text and a list that no reader of the code knows. */
const UNKNOWN = "const list = [], k = list.k, u = list.u;"

const refusals = (code: string, type?: string): ReadonlyArray<string> => inspected(`${UNKNOWN}\n${code}`, type).refused

describe("a location under a name that only running code knows", () => {
  it.each([
    `window[k] = u`,
    `const n = ["loc", "ation"].join(""); globalThis[n] = u`,
    `document.documentElement.parentNode[k] = u`,
    `document.body.parentNode.parentNode[k] = u`,
    `addEventListener("click", (e) => { e.view[k] = u })`,
    `document.body.addEventListener("click", (e) => { e.view[k].href = u })`,
    `document.body.addEventListener("keydown", ({ view }) => { view[k] = u })`,
    `document.body.onclick = (e) => { const w = e.view; w[k] = u }`,
    `onresize = (e) => { e.currentTarget[k] = u }`,
    `window.onload = go; function go(e) { e.target[k] = u }`,
    `h("p", { onclick: (e) => { e.view[k] = u } })`,
    `addEventListener("load", (e) => { e.currentTarget[k] = u })`,
    `addEventListener("load", (e) => { e.target[k] ??= u })`,
    `addEventListener("load", (e) => { [e.target[k]] = [u] })`,
    `addEventListener("load", function () { this[k] = u })`,
    `document.addEventListener("click", (e) => { e.currentTarget[k] = u })`,
    `document.addEventListener("selectionchange", (e) => { e.srcElement[k] = u })`,
    `event.target[k] = u`
  ])("%s is refused", (code) => {
    assert.deepStrictEqual(refusals(code), ["computed-global"])
  })

  it.each([
    `Reflect.set(globalThis, k, u)`,
    `Object.assign(window, { [k]: u })`,
    `Object.defineProperty(self, k, { value: u })`,
    `const R = Reflect; R.set(document, k, u)`,
    `const { set } = Reflect; set(document, k, u)`,
    `const put = Object.assign; put(document, { [k]: u })`,
    `globalThis.Object.assign(document, { [k]: u })`,
    `Reflect.get(document, k).href = u`,
    `const all = { ...document }; all[k].href = u`,
    `Object.assign({}, document)[k].href = u`,
    `Object.values(document).forEach((value) => { value.href = u })`,
    `Object.create(document)[k] = u`,
    `new Proxy(document, {})[k] = u`,
    `Object.getOwnPropertyDescriptor(document, k).set.call(document, u)`,
    `__lookupSetter__(k)(u)`,
    `list.item.__lookupSetter__(k).call(document, u)`,
    `document.__lookupGetter__(k)().href = u`,
    `document.body.onclick = (e) => { list.f(e.view) }`,
    `addEventListener("load", (e) => { Reflect.set(e.currentTarget, k, u) })`,
    `addEventListener("load", (e) => { Reflect.set(e.target, k, u) })`,
    `addEventListener("load", (e) => { Object.defineProperty(e.target, "location", { value: u }) })`,
    `addEventListener("load", (e) => { Object.assign(e.target, { [k]: u }) })`,
    `addEventListener("load", (e) => { Object.assign(e.target, list.item) })`,
    `addEventListener("load", (e) => { e.target.location = u })`,
    `addEventListener("load", function () { Object.assign(this, { [k]: u }) })`,
    `document.addEventListener("click", (e) => { e.target.open(u) })`
  ])("%s is refused as a way out", (code) => {
    assert.deepStrictEqual(refusals(code), ["navigation"])
  })

  it.each([`function go() { this[k] = u } go()`, `(function () { this[k] = u })()`, `this[k] = u`])(
    "%s is refused in a classic script",
    (code) => {
      assert.deepStrictEqual(refusals(code, "classic"), ["computed-global"])
      assert.deepStrictEqual(refusals(code), [])
    }
  )
})

describe("names that only running code knows", () => {
  it.each([
    `const state = {}; addEventListener("input", (e) => { state[e.target.name] = e.target.value })`,
    `list.forEach((row) => { for (const key of Object.keys(row)) row[key] = String(row[key]) })`,
    `const edge = list.e; edge.target[k] += 1; edge.view[k] = edge.target[k]`,
    `const { target, view } = list; target[k] = 3; Object.assign(target, list); Object.assign(view, { [k]: u })`,
    `const state = { view: {}, target: {} }; state.view[k] = 1; Object.assign(state.view, list); Object.assign(state, { view: list })`,
    `document.addEventListener("click", (e) => { const row = e.target.closest("tr"); row.dataset[k] = u; row.style[k] = u; list.push(e.target[k]) })`,
    `document.body.addEventListener("change", (e) => { e.target[e.target.type === "checkbox" ? "checked" : "value"] = u })`,
    `window.addEventListener("click", (e) => { Object.assign(e.target.style, list.style); Object.assign(e.target, { value: "", disabled: true }) })`,
    `window.addEventListener("resize", (e) => { list.push(e.target.innerWidth, e.view?.innerWidth); Reflect.set(e.target, "name", u) })`,
    `addEventListener("message", ({ data, origin, source, target, currentTarget }) => { list.push(data, origin) })`,
    `document.body.onclick = (e) => { const { target, currentTarget, view } = e; list.draw(target, currentTarget) }`,
    `document.body.onclick = (e) => { list.item.dispatchEvent(new MouseEvent("click", { bubbles: true, view: e.view })) }`,
    `document.addEventListener("click", (e) => { if (!e.composedPath().includes(list.menu)) list.menu.hidden = true })`,
    `const bus = list.bus; bus.addEventListener("row", (row) => { list.draw(row.view); row.view[k] = u; row.target[k] = u })`,
    `const box = Object.assign(document.createElement("div"), list.props); for (const [name, value] of Object.entries(list)) box[name] = value`,
    `const on = (root, type, listener) => root.addEventListener(type, listener); on(document, "click", () => {}); const roots = [document, list.root]; text(roots)`,
    `const all = (selector, root = document) => [...root.querySelectorAll(selector)]; all("p", document); const first = document.querySelector.bind(document); first("p")`,
    `if (Reflect.has(document, "startViewTransition") || Object.hasOwn(document, "x")) list.push(Reflect.get(document, "title"))`,
    `const row = list.item.parentNode; row[k] = u; row.open = true; row.parentNode.style[k] = u; row.parentNode.removeChild(row)`,
    `class Store { set(key, value) { this[key] = value } } const plain = { set(key, value) { this[key] = value } }; plain.set("a", new Store())`,
    `const { documentElement: root } = document; root.style[k] = u; root[k] = u; document.body[k] = u`,
    `document.forms[k]?.reset(); document.styleSheets[k]; const options = { ...list, document: "x" }; Object.assign(options, list.document)`,
    `const handlers = { Enter: () => 1 }; addEventListener("keydown", (e) => { handlers[e.key]?.(e) })`
  ])("%s is accepted", (code) => {
    assert.deepStrictEqual(refusals(code), [])
  })

  it("may be written to what a constructor of a classic script makes", () => {
    const code = `function Row(o) { for (const name in o) this[name] = o[name] } Row.prototype.set = function (name, value) { this[name] = value }`
    assert.deepStrictEqual(refusals(code, "classic"), [])
  })
})
