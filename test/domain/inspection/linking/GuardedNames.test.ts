import { assert, describe, it } from "@effect/vitest"
import { guardNames } from "../../../../src/domain/inspection/linking/GuardedNames.ts"
import { parsers } from "../inspectedCode.ts"

/** Lets every name pass, and notes it. */
const guardThatNotes = (seen: Array<unknown>) => {
  let base: unknown
  return {
    of: <T>(object: T): T => {
      base = object
      return object
    },
    base: () => base,
    name: (object: unknown, key: unknown) => {
      seen.push([object, key])
      return key
    },
    own: (value: unknown) => {
      seen.push(value)
      return Symbol("nothing")
    }
  }
}

/** What code answers with by itself, and guarded; and how many names were seen. */
const both = async (
  code: string
): Promise<{ readonly plain: unknown; readonly guarded: unknown; readonly names: number }> => {
  const seen: Array<unknown> = []
  const inFunction = (body: string): Promise<unknown> => {
    const make = new Function("mcpGenUiNames", `return (async () => {\n${body}\n})()`) as (
      page: unknown
    ) => Promise<unknown>
    return make(guardThatNotes(seen))
  }
  const plain = await inFunction(code)
  // Parsed as what stands in a function.
  const lines = guardNames(parsers, `(async () => {\n${code}\n})`, "script", 0)
  const guarded = await inFunction(lines.replace("(async", "return await (async") + "()")
  return { plain, guarded, names: seen.length }
}

const CASES: ReadonlyArray<readonly [code: string, names: number]> = [
  [`const o = { a: 1 }, k = "a"; return o[k]`, 1],
  [`const s = { groups: {} }, k = "a"\ns.groups[k] ??= []\ns.groups[k].push(1)\nreturn s`, 2],
  [`const o = { a: { b: { c: 2 } } }; const [x, y, z] = ["a", "b", "c"]; return o[x][y][z]`, 3],
  [`const o = { n: 1, go(v) { return this.n + v } }, k = "go"; return o[k](2) + (o)[k](3) + o?.[k]?.(4)`, 3],
  [`const o = { in: { go() { return this === o.in } } }, k = "go"; return o.in[k]()`, 1],
  [`const o = null, k = "a"; return [o?.[k], o?.b[k], o?.b[k].c.d(1)]`, 0],
  [`const o = { b: { a: 1 } }, k = "a"; return [o?.b[k], o.c?.[k], o?.b?.[k]]`, 2],
  [
    `const o = { A: class { constructor(v) { this.v = v } } }, k = "A", p = { o }; return [new o[k](1).v, new p.o[k](2).v, new (p.o[k])(3).v]`,
    3
  ],
  [`const o = { a: 1, b: [1] }, k = "a"; o[k]++; o[k] += 2; o.b[0] = 5; delete o[k]; return o`, 3],
  [`const o = {}, k = "a"; [o[k], ...o.rest] = [1, 2]; ({ x: o["b" + k] = 4 } = {}); for (o.c of [1]); return o`, 2],
  [`const k = "a", { [k]: v = 2, ...rest } = { a: 1, b: 3 }; return [v, rest]`, 1],
  [`const f = ({ [String("a")]: v }) => v; return f({ a: 1 })`, 1],
  [
    `class A { a() { return 1 } } class B extends A { go(k) { return super[k]() + this.n[k] } n = { a: 2 } } return new B().go("a")`,
    2
  ],
  [`let n = 0; const at = () => (n++, [7, 8]); const i = 1; return [at()[i], n]`, 1],
  [`const a = { b: "c" }, d = { c: 3 }, k = "b"; return d[a[k]]`, 2],
  [`let i = 0; const l = [1, 2, 3]; return l[i++] + l[i - 1] + l[2] + l["length"]`, 0],
  [`const o = { a: 1 }; const wait = async (v) => v; return o[await wait("a")]`, 1],
  [`const o = { t: (s, v) => s[0] + v }, k = "t"; return o[k]\`x\${1}\``, 1],
  [`const o = { a: 1 }; return Reflect.get(o, "a") + Number(Reflect.set(o, "b", 2)) + o.b`, 0],
  [
    `const run = function* () { const o = { a: 1 }; const k = yield o; return o[k] }; const it = run(); it.next(); return it.next("a").value`,
    1
  ],
  [`const $0 = { a: 5 }, k = "a"; return $0[k]`, 1],
  [`const o = { a: 1 }, x = "z", k = "a"; return o[x, k]`, 1],
  [`const f = function () { return arguments[Number("1")] }; return f(1, 2)`, 1],
  [`const i = Number("1"); for (const n of[[2], [3]][i]) return[n, 4][i]`, 2],
  [`const i = Number("1"); switch ("b") { case"ab"[i]: return typeof("ab")[i] + (i in[0, [0, 1]][i]) }`, 3],
  [`const k = "F", o = { p: { F: () => class { v = 1 } } }; return new o.p[k]\`x\`().v`, 1],
  [`let v, rest; const k = "a", o = { a: 1, b: 2 }; ({ [k]: v, ...rest } = o); return [v, rest]`, 1]
]

/** Names that may lead out of the page, as they are written. */
const OUTWARD: ReadonlyArray<readonly [code: string, names: number]> = [
  [`const o = { fetch: 1, location: { href: 2 } }; return o.fetch + o.location.href + o["fetch"]`, 3],
  [
    `const o = { in: { fetch(v) { return this === o.in && v } } }; return [o.in.fetch(1), o?.in?.fetch?.(2), (o.in).fetch(3)]`,
    3
  ],
  [`const o = null; return [o?.fetch, o?.in.location.href, o?.in?.open().length]`, 0],
  [
    `const o = { Worker: class { v = 1 }, in: {} }; o.in.Worker = o.Worker; return [new o.Worker().v, new o.in.Worker().v]`,
    4
  ],
  [
    `const o = {}; o.location = "a"; o.location += "b"; o.n = delete o.location; o.open = () => 1; return [o.open(), o.n]`,
    4
  ],
  [
    `class A { fetch() { return 1 } } class B extends A { fetch() { return super.fetch() + 1 } } return new B().fetch()`,
    1
  ],
  [`const { location, open: f = 2, ...rest } = { location: 1, a: 3 }; return [location, f, rest]`, 2],
  [
    `const go = ({ fetch: a, ...rest }, [{ open }] = [{ open: 4 }]) => [a, rest, open]; return go({ fetch: 1, b: 2 })`,
    2
  ],
  [`const o = {}; ({ location: o.at, b: o.b } = { location: 1, b: 2 }); return o`, 1],
  [`for (const { location } of [{ location: 1 }]) return location`, 1],
  [`return typeof globalThis.fetch + typeof globalThis.nothing?.open()`, 0]
]

describe("names that are written", () => {
  it.each(OUTWARD)("mean what they meant: %s", async (code, names) => {
    const { plain, guarded, names: seen } = await both(code)
    assert.deepStrictEqual(guarded, plain)
    assert.strictEqual(seen, names)
  })
})

describe("guarded names", () => {
  it.each(CASES)("mean what they meant: %s", async (code, names) => {
    const { plain, guarded, names: seen } = await both(code)
    assert.deepStrictEqual(guarded, plain)
    assert.strictEqual(seen, names)
  })

  it("know what is taken apart where nothing can have come between", () => {
    const guarded = (code: string): string => guardNames(parsers, code, "module", 0).replace(/^.*?;.*?;/u, "")
    assert.strictEqual(guarded("const { [k]: v } = o"), "const { [$0.name($0.base(),(k))]: v } =  $0.of(o)")
    assert.strictEqual(guarded("const { w = (o = 1), [k]: v } = o"), "const { w = (o = 1), [$0.name($0,(k))]: v } = o")
    assert.strictEqual(guarded("go(({ [k]: v }) => v)"), "go(({ [$0.name($0,(k))]: v }) => v)")
  })

  it("are checked by nothing that a script declares", () => {
    assert.match(guardNames(parsers, "a[k]", "module", 0), /^;const \$0=mcpGenUiNames;/u)
    assert.match(guardNames(parsers, "function mcpGenUiNames() {} a[k]", "module", 0), /^;const \$0=null;/u)
  })

  it.each([
    ["while (a) { b() }", "while (a) {$0.round(); b() }"],
    ["while (a) b()", "while ($0.round(),a) b()"],
    ["do b(); while (a)", "do b(); while ($0.round(),a)"],
    ["for (;;) b()", "for (;;$0.round()) b()"],
    ["for (let i = 0;; i++) b()", "for (let i = 0;; $0.round(),i++) b()"],
    ["for (let i = 0; i < n; i++) b[i] = 1", "for (let i = 0; $0.round(),i < n; i++) b[$0.name(b,(i))] = 1"],
    ["for (const x of list) { b(x) }", "for (const x of list) {$0.round(); b(x) }"],
    ["for (const x of list) b(x)", "for (const x of list) b(x)"],
    ["for (const x in list) { b(x) }", "for (const x in list) { b(x) }"]
  ])("count the rounds of a loop: %s", (code, guarded) => {
    assert.strictEqual(guardNames(parsers, code, "module", 0).replace(/^;const \$0=mcpGenUiNames;/u, ""), guarded)
  })

  it("stand behind directives, and nowhere if no name is computed", () => {
    assert.match(
      guardNames(parsers, `"use strict"\nthis[k] = 1`, "script", 3),
      /^"use strict";const \$3=[^]*\$3\.name\(this,\(k\)\)\] = 1$/u
    )
    const plain = `const list = [1]; list[0] += list["length"]`
    assert.strictEqual(guardNames(parsers, plain, "module", 0), plain)
  })

  it("take another name than any that the script has, however it is written", () => {
    assert.match(guardNames(parsers, String.raw`var \u00240 = 1; a[b]`, "script", 0), /const \$0\$=/u)
  })
})
