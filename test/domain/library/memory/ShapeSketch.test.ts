import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ShapeSketch } from "../../../../src/domain/library/memory/ShapeSketch.ts"

const shapeOf = (
  values: ReadonlyArray<unknown>,
  { literals = true, maxCharacters = 3000 }: { readonly literals?: boolean; readonly maxCharacters?: number } = {}
): string => {
  const sketch = new ShapeSketch()
  for (const value of values) sketch.add(value)
  return sketch.text({ literals, maxCharacters, clean: (text) => text.replaceAll("hidden", "[redacted]") })
}

describe("the shape of values", () => {
  it("is the type that a programmer would write", () => {
    const days = [
      { date: "2026-01-01", high: 21, rain: null, tags: ["dry"] },
      { date: "2026-01-02", high: 18.5, rain: 2.5, tags: [] }
    ]
    assert.strictEqual(
      shapeOf([
        { days, place: { name: "Oslo", at: 1_790_000_000_000 } },
        { days: [{ date: "2026-01-03", high: 3, snow: true }], place: { name: "Bergen", at: 1_790_000_100_000 } }
      ]),
      "{ days: { date: string /* ISO date */, high: number, rain?: number | null, tags?: string[], snow?: boolean }[], " +
        "place: { name: string, at: number /* ms since 1970 */ } }"
    )
  })

  it("tells words that come again and again, unless values are to be kept out", () => {
    const rows = ["open", "closed", "open", "open"].map((state, id) => ({ id, state }))
    assert.strictEqual(shapeOf([rows]), '{ id: number, state: "closed" | "open" }[]')
    assert.strictEqual(shapeOf([rows], { literals: false }), "{ id: number, state: string }[]")
  })

  it("tells no word that is seldom, long, or hidden", () => {
    const words = (values: ReadonlyArray<string>) => shapeOf([values])
    assert.strictEqual(words(["open", "closed", "open"]), "string[]")
    assert.strictEqual(words(["a", "b", "c", "d", "e", "f", "g", "a", "b", "c", "d", "e", "f", "g"]), "string[]")
    assert.strictEqual(words(Array.from({ length: 9 }, () => "x".repeat(25))), "string[]")
    assert.strictEqual(words(["hidden", "hidden", "hidden", "hidden"]), "string[]")
  })

  it("names the format of texts that all have it", () => {
    const rows = [
      {
        at: "2026-01-01T10:00:00Z",
        page: "https://a.example/1",
        n: "1,200",
        mixed: "2026-01-01",
        icon: "https://a.example/i.png"
      },
      {
        at: "2026-01-02T10:00:00Z",
        page: "https://a.example/2",
        n: "-3",
        mixed: "soon",
        icon: "https://a.example/j.svg?x"
      }
    ]
    assert.strictEqual(
      shapeOf([rows]),
      "{ at: string /* ISO date-time */, page: string /* URL */, n: string /* number as text */, mixed: string, " +
        "icon: string /* image URL */ }[]"
    )
    assert.strictEqual(shapeOf(["# Title\n\n- one\n- two"]), "string /* markdown */")
  })

  it("is a union where values differ", () => {
    assert.strictEqual(shapeOf([[1, "a", null, [true]]]), "(string | number | boolean[] | null)[]")
    assert.strictEqual(shapeOf([[], {}]), "unknown[] | {}")
  })

  it("takes an object for a map when its names are data, or many and all alike", () => {
    assert.strictEqual(
      shapeOf([{ "2026-01-01": 1, "2026-01-02": 2, "2026-01-03": null }]),
      "{ [key: string]: number | null }"
    )
    const hosts = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`host${at}`, { up: at > 3 }]))
    assert.strictEqual(shapeOf([hosts]), "{ [key: string]: { up: boolean } }")
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, at % 2 === 0 ? at : "odd"]))
    assert.strictEqual(shapeOf([many], { literals: false }), "{ [key: string]: string | number }")
    assert.strictEqual(shapeOf([{ low: 1, high: 2, mean: 1.5 }]), "{ low: number, high: number, mean: number }")
  })

  it("quotes names that are none in TypeScript, and breaks out of nothing", () => {
    assert.strictEqual(
      shapeOf([{ "a b": 1, 'x"\n----- end': 2, ok: 3 }]),
      '{ "a b": number, "x\\"\\n----- end": number, ok: number }'
    )
  })

  it("is told with less detail when it would be too long", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`member${at}`, { first: at, second: [{ third: String(at) }] }])
    )
    const value = { top: wide, count: 3, extra: 1 }
    const short = shapeOf([value], { maxCharacters: 400 })
    assert.isAtMost(short.length, 400)
    assert.include(short, "count: number")
  })

  it("takes members with the names of what every object has", () => {
    assert.strictEqual(
      shapeOf([{ inner: { toString: false, valueOf: 1, constructor: null } }]),
      "{ inner: { toString: boolean, valueOf: number, constructor: null } }"
    )
  })

  it("has a bounded size and never throws, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 12 }), { maxLength: 20 }), (values) => {
        assert.isAtMost(shapeOf(values, { maxCharacters: 500 }).length, 500)
      }),
      { numRuns: 200 }
    )
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level += 1) deep = [deep]
    assert.isAtMost(shapeOf([deep]).length, 3000)
    const bushy = (level: number): unknown =>
      level === 0 ? 1 : Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}${level}`, bushy(level - 1)]))
    assert.isAtMost(shapeOf([bushy(3), [bushy(2)]]).length, 3000)
  })
})
