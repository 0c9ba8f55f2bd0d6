import { assert, describe, it } from "@effect/vitest"
import { guardNames } from "../../../src/domain/inspection/linking/GuardedNames.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { pieces } from "../../domain/inspection/scriptFixtures.ts"
import { openView, viewDocument } from "../harness/index.ts"

const parsers = await loadSourceParsers()

const LURES = {
  u: "https://evil.test/",
  html: "<iframe src=https://evil.test/></iframe>",
  attrs: { onclick: "fetch('https://evil.test/')" },
  props: { innerHTML: "<iframe src=https://evil.test/></iframe>", location: "https://evil.test/" },
  code: "fetch('https://evil.test/')",
  path: ["constructor", "constructor"],
  secret: "secret",
  list: [],
  obj: {},
  value: [],
  rows: []
}
/** What a hostile server might answer with, to lead a page somewhere. */
const DATA = [
  { ...LURES, k: "ownerDocument", l: "defaultView", m: "fetch", a: "ownerDocument", b: "defaultView", c: "fetch" },
  { ...LURES, k: "constructor", l: "constructor", m: "constructor", a: "constructor", b: "constructor" },
  { ...LURES, k: "fetch", l: "open", m: "eval", a: "__proto__", b: "constructor", c: "constructor" }
]

/** Runs code in a page with the runtime, its computed names guarded; answers with what it threw or returned. */
const run = async (
  code: string,
  sandbox = "allow-scripts"
): Promise<{ readonly noted: ReadonlyArray<unknown>; readonly hits: ReadonlyArray<string> }> => {
  const html = await viewDocument({
    markup: "<main><h1>Page</h1><button>Press</button><form><input name=value></form></main>",
    module: guardNames(
      parsers,
      `const noted = globalThis.noted = [], hits = globalThis.hits = []
       globalThis.mcpGenUi.parts.show(() => "", { form: "none" })
       for (const name of ["fetch", "open", "postMessage"]) Object.defineProperty(window, name, { value: () => { hits.push(name) } })
       ${code}
       document.querySelector("button")?.click()
       // What a payload began, by promises and timers of its own, is over after these. A payload that throws later makes
       // the page give way, which ends its timers.
       for (let turn = 0; turn < 10; turn += 1)
         await new Promise((done) => Object.assign(new Image(), { onerror: done, src: "data:," }))
       if (document.querySelector("iframe, frame, object, embed, script[src], link") !== null) hits.push("element")
       globalThis.isDone = true`,
      "module",
      0
    )
  })
  const view = await openView({ html, sandbox })
  await view.until("globalThis.isDone")
  const noted: ReadonlyArray<unknown> = await view.frame.evaluate("noted")
  const hits: ReadonlyArray<string> = await view.frame.evaluate("hits")
  return { noted, hits }
}

const OUT_OF_REACH = /out of reach of this page/u

describe("names that inspection cannot know to lead out of the page", () => {
  const payloads = pieces("guarded.txt")
  const size = 10
  const groups = Array.from({ length: Math.ceil(payloads.length / size) }, (_, at) =>
    payloads.slice(at * size, at * size + size)
  )

  it.each(groups.map((group, at) => [at * size, group] as const))("lead nowhere (from %i)", async (_from, group) => {
    const code = group.flatMap(([, payload]) =>
      DATA.map(
        (data) =>
          `try { await Promise.race([(async (data) => { ${payload}\n })(${JSON.stringify(data)}), new Promise((done) => setTimeout(done))]) } catch (error) { noted.push(String(error)) }`
      )
    )
    const { hits } = await run(code.join("\n"))
    assert.deepStrictEqual(hits, [])
  })
})

it("what leads out of the page is in no copy, and what checks names cannot be replaced", async () => {
  const { noted } = await run(
    `const copy = {}
     try { Object.assign(copy, window) } catch {}
     noted.push(Object.keys(copy).filter((name) => ["fetch", "open", "postMessage", "eval", "mcpGenUi", "setTimeout"].includes(name)))
     const names = globalThis.mcpGenUiNames
     try { globalThis.mcpGenUiNames = {} } catch {}
     noted.push(Reflect.deleteProperty(window, "mcpGenUiNames"), globalThis.mcpGenUiNames === names, Object.isFrozen(names))`,
    "allow-scripts allow-same-origin"
  )
  assert.deepStrictEqual(noted, [[], false, true, true])
})

describe("a name that a page computes", () => {
  const attempt = (code: string): string => `try { noted.push(${code}) } catch (error) { noted.push(String(error)) }`

  it("reaches all data, whatever its members are called", async () => {
    const { noted } = await run(
      [
        `const pick = (o, k) => o[k], put = (o, k, v) => { o[k] = v; return o[k] }`,
        ...[
          `pick({ constructor: "Ferrari" }, "constructor")`,
          `pick({ fetch: 1, open: 2 }, "fetch")`,
          `pick(JSON.parse('{ "__proto__": 3 }'), "__proto__")`,
          `put({}, "postMessage", 4)`,
          `put([], "location", 5)`,
          `put(Object.create(null), "constructor", 6)`,
          `pick(new (class { parent = 7 })(), "parent")`,
          `pick(document.body.getBoundingClientRect(), "top") >= 0`,
          `pick(document.querySelector("input"), "name")`,
          `pick([8], 0) + pick("9", 0)`,
          `[...pick([10], Symbol.iterator).call([10])][0]`,
          `pick(new Proxy({ a: 11 }, { get: (o, k) => Reflect.get(o, k) }), "a")`,
          `((o, k) => { const { [k]: found } = o; return found })({ a: 12 }, "a")`,
          `((o, k) => { const { [k]: found } = o; return found })({ location: 13 }, "location")`,
          `pick(class { static fetch = 14 }, "fetch")`,
          `pick(new Proxy({ open: 15 }, {}), "open")`,
          `new Proxy([15], { get: (o, k) => o[k] }).map((n) => n + 1)[0]`,
          `put({}, "constructor", 17)`
        ].map(attempt)
      ].join("\n")
    )
    assert.deepStrictEqual(noted, ["Ferrari", 1, 3, 4, 5, 6, 7, true, "value", "89", 10, 11, 12, 13, 14, 15, 16, 17])
  })

  it("does not reach what leads out of the page", async () => {
    const { hits, noted } = await run(
      [
        `const pick = (o, k) => o[k]`,
        ...[
          `pick(window, "fetch")("https://evil.test")`,
          `pick(document, "location")`,
          `pick(document, "defaultView")`,
          `pick(pick({}, "constructor"), "constructor")`,
          `pick(pick("", "constructor"), "constructor")`,
          `pick(pick((function* () {})(), "constructor"), "constructor")`,
          `pick(() => 1, "constructor")`,
          `pick([], "__proto__")`,
          `pick(navigator, "sendBeacon")`,
          `pick({ a: 1 }, { toString: () => "__proto__" })`,
          `pick(document.createElement("a"), "nonce")`,
          `Reflect.get(window, "fetch")`,
          `Reflect.set(document, "location", "https://evil.test")`,
          `((o, k) => { const { [k]: found } = o; return found })(window, "fetch")`,
          `new (class extends Array { go(k) { return super[k] } })().go("constructor")`,
          `((e, k) => e?.target[k])({ target: window }, "parent")`,
          `(() => { const k = ["const", "ructor"].join(""); class A extends Date {} return new A()[k][k] })()`,
          `pick(new Proxy(window, { has: () => false }), "fetch")("https://evil.test")`,
          `pick(new Proxy(Object.create(() => 1), { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }) }), "constructor")`,
          `pick(Object.create(new Proxy(Object.create(() => 1), { has: () => false })), "constructor")`,
          `pick(Object.create(window), "open")("https://evil.test")`,
          `pick(top, "postMessage")({}, "*")`,
          `pick(top, "location")`,
          `pick(Reflect, "getOwnPropertyDescriptor")(window, "fetch").value("https://evil.test")`,
          `pick(Navigator.prototype, "sendBeacon")`,
          `pick(MessagePort.prototype, "postMessage")`,
          `new MessageChannel().port1.postMessage(1)`,
          `({ port1: top }).port1.postMessage({}, "*")`,
          `(Reflect).get(window, "fetch")("https://evil.test")`,
          `globalThis.Reflect["get"](() => 1, "constructor")`,
          `((R) => R.deleteProperty(window, "mcpGenUi"))(Reflect)`,
          `((o, k) => { const { [k]: found } = o; return found })(window, "open")("https://evil.test")`,
          `(({ [["op", "en"].join("")]: found }) => found)(window)("https://evil.test")`,
          `(() => { function F() {} F.prototype = window; class A extends F { go(k) { return super[k] } } return new A().go("open") })()("https://evil.test")`
        ].map(attempt)
      ].join("\n")
    )
    assert.deepStrictEqual(hits, [])
    for (const said of noted) assert.match(String(said), OUT_OF_REACH)
    assert.lengthOf(noted, 34)
  })
})
