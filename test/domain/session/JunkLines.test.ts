import { assert, describe, it } from "@effect/vitest"
import { JunkLines } from "../../../src/domain/session/JunkLines.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const texts = (lines: ReadonlyArray<Uint8Array>) => lines.map((line) => new TextDecoder().decode(line))

describe("JunkLines", () => {
  it("keeps lines until it shows which kind the host is, in order, and copies them", () => {
    const junk = new JunkLines()
    const line = bytes("one")
    assert.strictEqual(junk.onLine(line), "keep")
    line.fill(0x2e)
    assert.strictEqual(junk.onLine(bytes("two")), "keep")
    assert.deepStrictEqual(texts(junk.onHost(false)), ["one", "two"])
  })

  it("lets everything pass to a host without UIs, and leaves out what a host with UIs can not read", () => {
    const plain = new JunkLines()
    plain.onHost(false)
    assert.strictEqual(plain.onLine(bytes("Server starting")), "pass")
    const apps = new JunkLines()
    apps.onHost(true)
    assert.strictEqual(apps.onLine(bytes("Server starting")), "leave out")
    assert.strictEqual(apps.onLine(bytes("{ not json }")), "leave out")
    assert.strictEqual(apps.onLine(bytes('{"id":1}')), "leave out")
    assert.strictEqual(apps.onLine(bytes("[1,2]")), "leave out")
  })

  it("notes twenty lines and says that no more will be", () => {
    const junk = new JunkLines()
    junk.onHost(true)
    const notes = Array.from({ length: 25 }, (_, index) => {
      const line = bytes(`line ${index} ${"x".repeat(1000)}`)
      junk.onLine(line)
      return junk.note(line)
    })
    assert.match(notes[0] ?? "", /is left out: "line 0 x{193}"$/)
    assert.match(notes[19] ?? "", /further ones are not logged/)
    assert.isUndefined(notes[20])
  })

  it("keeps a bounded number", () => {
    const junk = new JunkLines()
    const verdicts = Array.from({ length: 30 }, () => junk.onLine(bytes("x")))
    assert.strictEqual(verdicts.filter((verdict) => verdict === "keep").length, 20)
    assert.strictEqual(junk.onHost(false).length, 20)
  })
})
