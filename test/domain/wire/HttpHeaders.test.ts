import { assert, describe, it } from "@effect/vitest"
import {
  acceptsAll,
  decodeHeaderValue,
  isHostAllowed,
  isModernVersion,
  isOriginAllowed,
  mediaTypeOf,
  namesType
} from "../../../src/domain/wire/HttpHeaders.ts"
import { encodeHeaderValue } from "../../../src/domain/wire/ParamHeaders.ts"

describe("HttpHeaders", () => {
  it("finds the media type, not something like it in a parameter", () => {
    assert.strictEqual(mediaTypeOf("Application/JSON ; charset=utf-8"), "application/json")
    assert.strictEqual(mediaTypeOf("text/plain; a=application/json"), "text/plain")
    assert.isUndefined(mediaTypeOf("text/plain, application/json"))
    assert.isUndefined(mediaTypeOf(undefined))
  })

  it("knows what a host accepts", () => {
    const types = ["application/json", "text/event-stream"]
    assert.isTrue(acceptsAll("text/event-stream;q=0.9, application/json", types))
    assert.isTrue(acceptsAll("*/*", types))
    assert.isTrue(acceptsAll("application/*, text/*", types))
    assert.isFalse(acceptsAll("application/json", types))
    assert.isFalse(acceptsAll("application/jsonp, text/event-stream", types))
    assert.isFalse(acceptsAll(undefined, types))
  })

  it("takes a wildcard for no name", () => {
    assert.isTrue(namesType("application/json, Text/Event-Stream;q=0.5", "text/event-stream"))
    for (const header of ["*/*", "text/*", "image/avif,image/webp,*/*;q=0.8", "text/event-streams", "", undefined]) {
      assert.isFalse(namesType(header, "text/event-stream"), header)
    }
  })

  it("decodes what hosts encode", () => {
    for (const value of ["plain", "Hello, 世界", " padded ", "a\nb", "=?base64?literal?=", "", "\uFEFFx"]) {
      assert.strictEqual(decodeHeaderValue(encodeHeaderValue(value)), value)
    }
    assert.strictEqual(decodeHeaderValue("\t plain "), "plain")
    for (const value of ["=?base64?a?=", "=?base64?ab=c?=", "=?base64?/w==?="])
      assert.isUndefined(decodeHeaderValue(value))
  })

  it("knows the eras", () => {
    assert.isTrue(isModernVersion("2026-07-28"))
    assert.isTrue(isModernVersion("2030-01-01"))
    for (const version of ["2025-11-25", "DRAFT-2026", "9999", ""]) assert.isFalse(isModernVersion(version), version)
  })

  it("answers to the address a connection came to, in all its spellings", () => {
    const to = (localAddress: string, header: string, listening = "0.0.0.0") =>
      isHostAllowed(header, { listening, localAddress, allowed: [] })
    assert.isTrue(to("192.168.1.7", "192.168.1.7:80"))
    assert.isTrue(to("::ffff:192.168.1.7", "192.168.1.7"))
    assert.isTrue(to("fe80::1%eth0", "[FE80::1]:8080"))
    assert.isTrue(to("10.0.0.1", "my.host:1", "My.Host"))
    assert.isFalse(to("192.168.1.7", "192.168.1.8"))
    assert.isFalse(to("192.168.1.7", "rebound.example"))
    assert.isFalse(isHostAllowed(undefined, { listening: "127.0.0.1", localAddress: "127.0.0.1", allowed: [] }))
  })

  it("compares origins whole", () => {
    const allowed = ["https://app.example:443", "moz-extension://abc"]
    for (const hasToken of [true, false]) {
      assert.isTrue(isOriginAllowed("https://app.example", { host: "localhost:8080", allowed, hasToken }))
      assert.isTrue(isOriginAllowed("moz-extension://abc", { host: "localhost:8080", allowed, hasToken }))
      for (const origin of ["https://app.example.evil", "http://app.example", "moz-extension://abcd", "localhost"]) {
        assert.isFalse(isOriginAllowed(origin, { host: "localhost:8080", allowed, hasToken }), origin)
      }
      assert.isTrue(isOriginAllowed("http://localhost:8080", { host: "LOCALHOST:8080", allowed, hasToken }))
      assert.isTrue(isOriginAllowed("https://own.example", { host: "own.example:443", allowed, hasToken }))
      assert.isFalse(isOriginAllowed("http://own.example", { host: "own.example:443", allowed, hasToken }))
      assert.strictEqual(
        isOriginAllowed("http://localhost:5173", { host: "localhost:8080", allowed, hasToken }),
        hasToken
      )
    }
  })
})
