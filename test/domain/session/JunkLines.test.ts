import { assert, describe, it } from "@effect/vitest"
import { JunkLines } from "../../../src/domain/session/JunkLines.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const texts = (lines: ReadonlyArray<Uint8Array>) => lines.map((line) => new TextDecoder().decode(line))

describe("JunkLines", () => {
  it("keeps lines until it shows which kind the host is, in order, and copies them", () => {
    const junk = new JunkLines()
    const line = bytes("one")
    assert.deepStrictEqual(junk.onLine(line), { passed: [] })
    line.fill(0x2e)
    assert.deepStrictEqual(junk.onLine(bytes("two")), { passed: [] })
    assert.deepStrictEqual(texts(junk.onHost(false)), ["one", "two"])
  })

  it("lets everything pass to a host without UIs, and leaves out what a host with UIs cannot read", () => {
    const plain = new JunkLines()
    plain.onHost(false)
    assert.deepStrictEqual(texts(plain.onLine(bytes("Server starting")).passed), ["Server starting"])
    const apps = new JunkLines()
    apps.onHost(true)
    for (const line of ["Server starting", "{ not json }", '{"id":1}', "[1,2]"]) {
      assert.deepStrictEqual(apps.onLine(bytes(line)).passed, [])
    }
  })

  it("notes twenty lines and says that no more will be", () => {
    const junk = new JunkLines()
    junk.onHost(true)
    const notes = Array.from({ length: 25 }, (_, index) => junk.onLine(bytes(`line ${index} ${"x".repeat(1000)}`)).note)
    assert.match(notes[0] ?? "", /is left out: "line 0 x{193}"$/)
    assert.match(notes[19] ?? "", /further ones are not logged/)
    assert.isUndefined(notes[20])
  })

  it("keeps twenty at most, and hands all on, in order, when more come before it shows which kind the host is", () => {
    const junk = new JunkLines()
    const printed = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    const passed = printed.map((line) => texts(junk.onLine(bytes(line)).passed))
    assert.deepStrictEqual(
      passed.map((lines) => lines.length),
      printed.map((_, index) => (index < 20 ? 0 : index === 20 ? 21 : 1))
    )
    assert.deepStrictEqual(passed.flat(), printed)
    assert.deepStrictEqual(junk.onHost(true), [])
    assert.deepStrictEqual(junk.onLine(bytes("later")).passed, [])
  })
})
