import { assert, describe, it } from "@effect/vitest"
import { hiddenSegments, nameOfUrl, readHttpAddress } from "../../../src/domain/wire/HttpAddress.ts"
import { asOneLine } from "../../../src/domain/wire/OneLine.ts"

describe("HttpAddress", () => {
  it("shows neither credentials nor query", () => {
    const address = readHttpAddress("https://me%3A:p%C3%A4ss@example.com:8443/mcp?key=1#top")
    assert.strictEqual(address?.name, "https://example.com:8443/mcp")
    assert.strictEqual(address?.url.href, "https://example.com:8443/mcp?key=1")
    assert.strictEqual(address?.basic, `Basic ${Buffer.from("me::päss").toString("base64")}`)
    assert.isUndefined(readHttpAddress("http://example.com")?.basic)
  })

  it("shows no more of a path than its last part, and that only if it is short and the path too", () => {
    for (const [path, name, hidden] of [
      ["", "", []],
      ["/", "", []],
      ["/mcp", "/mcp", []],
      ["/mcp/", "/mcp", []],
      ["/v1/mcp", "/…/mcp", ["v1"]],
      ["/s/key/mcp", "", ["s", "key", "mcp"]],
      ["/mcp/0a1b2c3d4e5f60718293a4b5c6", "", ["mcp", "0a1b2c3d4e5f60718293a4b5c6"]],
      ["/p@ss/mcp?k=1#h", "/…/mcp", ["p@ss"]]
    ] as const) {
      const url = new URL(`https://me:pass@example.com:8443${path}`)
      assert.strictEqual(nameOfUrl(url), `https://example.com:8443${name}`)
      assert.deepStrictEqual(hiddenSegments(url), hidden)
    }
  })

  it("knows this machine", () => {
    const isLoopback = (host: string) => readHttpAddress(`http://${host}/`)?.isLoopback
    assert.deepStrictEqual(
      ["localhost", "127.0.0.1", "127.1", "[::1]", "app.localhost"].map(isLoopback),
      Array(5).fill(true)
    )
    assert.deepStrictEqual(["example.com", "localhost.example.com", "10.0.0.1"].map(isLoopback), Array(3).fill(false))
  })

  it("takes http and https only", () => {
    for (const text of ["", "example.com", "file:///etc/passwd", "ws://example.com"])
      assert.isUndefined(readHttpAddress(text))
  })
})

describe("asOneLine", () => {
  const line = (text: string): string =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(asOneLine(new TextEncoder().encode(text)))

  it("turns line ends into spaces and drops a byte order mark", () => {
    assert.strictEqual(line('\u{feff}{\r\n  "a": "\\n"\n}\r'), '{    "a": "\\n" } ')
  })

  it("does not copy what is one line", () => {
    const bytes = new TextEncoder().encode("{}")
    assert.strictEqual(asOneLine(bytes), bytes)
  })
})
