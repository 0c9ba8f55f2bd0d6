import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { decisionsOf } from "../../../src/browser/loader/packedDigits.ts"
import { unlzma } from "../../../src/browser/loader/unlzma.ts"
import { wordsBack } from "../../../src/browser/loader/wordsBack.ts"
import { packText } from "../../../scripts/lzma.ts"
import { shortWords } from "../../../scripts/shortWords.ts"

const WORDS =
  "const readonly undefined => ( ) { } [ ] === \n return if else value length map 0 1 2 31 à 界 mg-stack".split(" ")

/** Words, noise, and runs of one byte. */
const source = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 800, size: "max" }).map((words) => Buffer.from(words.join(" "))),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 700 })), { maxLength: 6 })
    .map((runs) => Buffer.concat(runs.map(([byte, length]) => Buffer.alloc(length, byte))))
)

const isKept = (bytes: Uint8Array): boolean =>
  Buffer.from(unlzma(bytes.length, decisionsOf(packText(bytes)))).equals(bytes)

/** Bytes that nothing can foretell, the same in every run. */
const noise = (length: number): Uint8Array => {
  let state = 1
  return Uint8Array.from({ length }, () => (state = Math.imul(state, 1_664_525) + 1_013_904_223) >>> 24)
}

describe("a packed text", () => {
  it("gives back what was packed", () => {
    fc.assert(
      fc.property(source, (bytes) => assert.isTrue(isKept(bytes))),
      { numRuns: 60 }
    )
  })

  it.each([0, 1, 2, 65_535, 65_536, 70_001])("gives back %i bytes of noise, of one byte, of text", (length) => {
    const text = readFileSync(new URL("../../../src/browser/runtime/Bridge.ts", import.meta.url))
    assert.isTrue(isKept(noise(length)))
    assert.isTrue(isKept(new Uint8Array(length).fill(255)))
    assert.isTrue(isKept(Buffer.alloc(length, text)))
  })

  it("gives back what repeats itself over long distances", () => {
    const text = readFileSync(new URL("../../../src/browser/runtime/Bridge.ts", import.meta.url))
    const between = Buffer.from(noise(40_000))
    assert.isTrue(isKept(Buffer.concat([text, between, text, between.toReversed(), text])))
  })

  it("has nothing that a script or JSON must escape, and 6.7 bits or more in a byte", () => {
    const bytes = noise(65_536)
    const text = packText(bytes)
    assert.match(text, /^[ !#-[\]-~\u00a0-\ud7ff]+$/)
    assert.strictEqual(JSON.stringify(text).length, text.length + 2)
    assert.isAbove((bytes.length * 8) / Buffer.byteLength(text), 6.7)
  })

  it("comes to an end when it was changed on its way", () => {
    fc.assert(
      fc.property(source, fc.string(), fc.nat(), (bytes, other, at) => {
        const text = packText(bytes)
        const changed = text.slice(0, at % text.length) + other
        assert.lengthOf(unlzma(bytes.length, decisionsOf(changed)), bytes.length)
      }),
      { numRuns: 60 }
    )
  })
})

describe("words of one byte", () => {
  it.each([
    ["no words", ""],
    ["one", "return"],
    ["lines and signs", "const $a = 1\n\nreturn `$&${$a}`\0"],
    ["words in words", "map maps mapped remap map map"],
    ["more than there are bytes", Array.from({ length: 300 }, (_, at) => `word${at} `.repeat(1 + (at % 7))).join("")]
  ])("come back: %s", (_title, code) => {
    assert.strictEqual(wordsBack(shortWords(code)), code)
  })

  it("are not looked for in what is no ASCII", () => {
    assert.throws(() => shortWords("“"), "not written in ASCII")
  })
})
