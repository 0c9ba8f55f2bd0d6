import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { caseClashes, makeUiUris } from "../../../src/domain/tools/UiUri.ts"

describe("makeUiUris", () => {
  it("percent-encodes names", () => {
    const uris = makeUiUris(["get_weather", "a/b c", "météo", "\uD800"])
    assert.strictEqual(uris.uriOf("get_weather"), "ui://get_weather")
    assert.strictEqual(uris.uriOf("a/b c"), "ui://a%2Fb%20c")
    assert.strictEqual(uris.uriOf("météo"), "ui://m%C3%A9t%C3%A9o")
    assert.strictEqual(uris.toolAt("ui://%EF%BF%BD"), "\uD800")
  })

  it("finds the tool of a URI whose case a host changed", () => {
    assert.strictEqual(makeUiUris(["Get_Weather"]).toolAt("ui://get_weather"), "Get_Weather")
  })

  it("keeps names apart that differ only in case", () => {
    const uris = makeUiUris(["read", "Read", "READ"])
    const all = ["read", "Read", "READ"].map((name) => uris.uriOf(name) ?? "")
    assert.strictEqual(all[0], "ui://read")
    assert.strictEqual(new Set(all.map((uri) => uri.toLowerCase())).size, 3)
    assert.deepStrictEqual(caseClashes(["read", "x", "Read", "READ"]), [["read", "Read", "READ"]])
  })

  it("leads back from every URI to its tool", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "binary", minLength: 1 })), (names) => {
        const uris = makeUiUris(names)
        const back = names.map((name) => uris.toolAt(uris.uriOf(name) ?? ""))
        assert.deepStrictEqual(back, names)
      })
    )
  })
})
