import { assert, describe, it } from "@effect/vitest"
import { isLoopback, isUnspecified, readListenAddress } from "../../../src/domain/settings/ListenAddress.ts"

describe("readListenAddress", () => {
  const read: ReadonlyArray<readonly [string, string | undefined, number]> = [
    ["0", undefined, 0],
    ["3000", undefined, 3000],
    [" 65535 ", undefined, 65_535],
    ["localhost:3000", "localhost", 3000],
    ["LocalHost:1", "localhost", 1],
    ["0.0.0.0:80", "0.0.0.0", 80],
    ["127.1:80", "127.0.0.1", 80],
    ["mcp.example.com:80", "mcp.example.com", 80],
    ["[::1]:80", "::1", 80],
    ["[0:0:0:0:0:0:0:1]:80", "::1", 80],
    ["[::]:0", "::", 0]
  ]
  for (const [text, host, port] of read) {
    it(`reads ${text}`, () => assert.deepStrictEqual(readListenAddress(text), { host, port }))
  }

  for (const text of [
    "",
    "x",
    ":80",
    "-1",
    "65536",
    "080000",
    "1.5",
    "::1:80",
    "::1",
    "[::1]",
    "[::1]80",
    "[x]:80",
    "[fe80::1%eth0]:80",
    "a b:80",
    "a/b:80",
    "me@a:80",
    "localhost",
    "localhost:",
    "http://localhost:80",
    "256.0.0.1:80",
    "0x50"
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.isUndefined(readListenAddress(text)))
  }
})

describe("isLoopback", () => {
  it("knows what only this machine reaches", () => {
    const hostOf = (host: string) => readListenAddress(`${host}:1`)?.host ?? assert.fail(host)
    for (const host of ["127.0.0.1", "127.9.9.9", "localhost", "a.localhost", "[::1]", "[::ffff:127.0.0.1]"]) {
      assert.isTrue(isLoopback(hostOf(host)), host)
    }
    for (const host of [
      "0.0.0.0",
      "0",
      "[::]",
      "10.0.0.1",
      "128.0.0.1",
      "[::2]",
      "[::ffff:10.0.0.1]",
      "localhost.example",
      "127.0.0.1.example",
      "notlocalhost"
    ]) {
      assert.isFalse(isLoopback(hostOf(host)), host)
    }
    for (const host of ["0.0.0.0", "0", "[::]"]) assert.isTrue(isUnspecified(hostOf(host)), host)
    assert.isFalse(isUnspecified("127.0.0.1"))
  })
})
