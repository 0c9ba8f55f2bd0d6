import { assert, describe, it } from "@effect/vitest"
import {
  codeOfStatus,
  providerFailure,
  redactKeys,
  retryAfterMs
} from "../../../src/domain/generation/ProviderErrors.ts"

const NOW = Date.parse("2026-11-20T10:00:00Z")

const headers = (entries: Record<string, string>) => new Headers(entries)

const failureOf = (error: unknown, stage: "opening" | "reading" = "opening") =>
  providerFailure(error, { stage, secrets: ["the-configured-key"], nowMs: NOW })

describe("retryAfterMs", () => {
  const cases: ReadonlyArray<readonly [Record<string, string>, number | null]> = [
    [{}, null],
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": " 0 " }, 0],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "Fri, 20 Nov 2026 10:00:42 GMT" }, 42_000],
    [{ "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "" }, null],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
    [{ "retry-after-ms": "junk", "retry-after": "1" }, 1000]
  ]
  it.each(cases)("reads %j as %s", (given, expected) => {
    assert.strictEqual(retryAfterMs(headers(given), NOW), expected)
  })
})

describe("redactKeys", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["key the-configured-key is wrong", "key [redacted] is wrong"],
    ["Authorization: Bearer abc.def-123, please", "Authorization: Bearer [redacted], please"],
    ["x-api-key: abcdefgh", "x-api-key: [redacted]"],
    ['{"api_key":"abcdefgh","model":"m"}', '{"api_key":"[redacted]","model":"m"}'],
    ["GET https://host/v1?api_key=abcdefgh&x=1", "GET https://host/v1?api_key=[redacted]&x=1"],
    ["http://user:pass-word@host:11434/v1", "http://[redacted]@host:11434/v1"],
    ["Incorrect API key provided: sk-proj-Ab12**********9xYz.", "Incorrect API key provided: [redacted]"],
    ["sk-ant-api03-AAAA_bbbb-CC", "[redacted]"],
    ["gsk_1234567890", "[redacted]"],
    ["AIzaSyA-1234567890", "[redacted]"],
    ["token eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl", "token [redacted]"],
    ["nothing secret: model gpt-6-luna, task-list, 429", "nothing secret: model gpt-6-luna, task-list, 429"]
  ]
  it.each(cases)("turns %j into %j", (text, expected) => {
    assert.strictEqual(redactKeys(text, ["the-configured-key"]), expected)
  })

  it("takes out a percent-encoded key", () => {
    assert.strictEqual(redactKeys("/?k=a%2Fb%2Bc%3Dlong", ["a/b+c=long"]), "/?k=[redacted]")
  })

  it("leaves words alone that are also placeholders for a key", () => {
    assert.strictEqual(redactKeys("ollama says none", ["ollama", "none", ""]), "ollama says none")
  })
})

describe("codeOfStatus", () => {
  const cases = [
    [400, "INVALID_REQUEST"],
    [401, "AUTH"],
    [402, "AUTH"],
    [403, "AUTH"],
    [404, "INVALID_REQUEST"],
    [408, "TIMEOUT"],
    [409, "SERVER_ERROR"],
    [413, "INVALID_REQUEST"],
    [422, "INVALID_REQUEST"],
    [429, "RATE_LIMIT"],
    [500, "SERVER_ERROR"],
    [504, "SERVER_ERROR"],
    [529, "SERVER_ERROR"]
  ] as const
  it.each(cases)("%i is %s", (status, code) => {
    assert.strictEqual(codeOfStatus(status), code)
  })
})

describe("providerFailure", () => {
  it("does not call an exhausted quota a rate limit", () => {
    const error = { status: 429, headers: headers({}), error: { code: "insufficient_quota", message: "pay" } }
    assert.strictEqual(failureOf(error).code, "AUTH")
  })

  it("calls a request that a content filter refused CONTENT_FILTERED", () => {
    const error = { status: 400, headers: headers({}), error: { code: "content_filter" }, message: "400 filtered" }
    assert.strictEqual(failureOf(error).code, "CONTENT_FILTERED")
  })

  it("reads the type of an error event that has no status", () => {
    const event = { error: { type: "error", error: { type: "rate_limit_error", message: "slow down" } } }
    const failure = failureOf(event, "reading")
    assert.strictEqual(failure.code, "RATE_LIMIT")
    assert.strictEqual(failure.status, null)
  })

  it("reads a date in Retry-After against the given time", () => {
    const error = { status: 503, headers: headers({ "retry-after": "Fri, 20 Nov 2026 10:00:05 GMT" }), message: "503" }
    assert.strictEqual(failureOf(error).retryAfterMs, 5000)
  })

  it("tells the whole story of a failed connection once", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" })
    const fetchFailed = new TypeError("fetch failed", { cause: refused })
    const error = new Error("Connection error.", { cause: fetchFailed })
    const failure = failureOf(error)
    assert.strictEqual(failure.code, "NETWORK_ERROR")
    assert.strictEqual(failure.detail, "Connection error: fetch failed: connect ECONNREFUSED 127.0.0.1:9")
  })

  it("uses the code of a cause without words, as Node's happy eyeballs throw it", () => {
    const both = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })
    const failure = failureOf(new TypeError("fetch failed", { cause: both }))
    assert.strictEqual(failure.code, "NETWORK_ERROR")
    assert.include(failure.detail, "ECONNREFUSED")
  })

  const timeouts = [
    new Error("Request timed out."),
    new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "UND_ERR_HEADERS_TIMEOUT" }) }),
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("connect ETIMEDOUT 1.2.3.4:443"), { code: "ETIMEDOUT" })
    })
  ]
  it.each(timeouts)("calls $message a TIMEOUT", (error) => {
    assert.strictEqual(failureOf(error).code, "TIMEOUT")
  })

  it("calls a request that could not even be made INVALID_REQUEST, and an unknown break while reading NETWORK_ERROR", () => {
    const error = new TypeError('Headers.append: "the-configured-key\n" is an invalid header value')
    assert.strictEqual(failureOf(error).code, "INVALID_REQUEST")
    assert.notInclude(failureOf(error).detail, "the-configured-key")
    assert.strictEqual(failureOf(new TypeError("terminated"), "reading").code, "NETWORK_ERROR")
  })

  it("calls an aborted request ABORTED", () => {
    assert.strictEqual(failureOf(new DOMException("This operation was aborted", "AbortError")).code, "ABORTED")
  })

  it.each([undefined, null, "a string", 7, {}])("makes something of a thrown %j", (thrown) => {
    const failure = failureOf(thrown, "reading")
    assert.strictEqual(failure.code, "NETWORK_ERROR")
    assert.isNotEmpty(failure.detail)
  })

  it("survives causes that go round in a circle", () => {
    const error: Error & { cause?: unknown } = new Error("round")
    error.cause = error
    assert.strictEqual(failureOf(error).detail, "round")
  })

  it("redacts before it cuts, so that no part of a key is left at the end", () => {
    const error = new Error(`${"x".repeat(390)} the-configured-key`)
    assert.notInclude(failureOf(error).detail, "the-conf")
  })
})
