import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as UpstreamAuthorizationToken from "../../../src/layers/upstream/UpstreamAuthorizationToken.ts"
import { UpstreamAuthorization } from "../../../src/services/upstream/UpstreamAuthorization.ts"

const url = "https://mcp.example.com/path-secret/mcp?key=query-secret"
const TOKEN = "token-secret"

describe("UpstreamAuthorizationToken", () => {
  for (const status of [401, 403]) {
    it.effect(`sends the token, and takes ${status} for an answer`, () =>
      Effect.gen(function* () {
        const { header, renew } = yield* UpstreamAuthorization
        const used = yield* header
        assert.strictEqual(used === undefined ? undefined : Redacted.value(used), `Bearer ${TOKEN}`)
        const error = yield* Effect.flip(renew({ status, wwwAuthenticate: null }, used))
        assert.strictEqual(error.reason, "Unauthorized")
        assert.include(error.message, `HTTP ${status}`)
        assert.notMatch(JSON.stringify(error) + error.message, /secret/)
      }).pipe(Effect.provide(UpstreamAuthorizationToken.layer({ url, token: Redacted.make(TOKEN) })))
    )
  }

  it.effect("sends nothing without one, and points at the headers", () =>
    Effect.gen(function* () {
      const { header, renew } = yield* UpstreamAuthorization
      assert.isUndefined(yield* header)
      const error = yield* Effect.flip(renew({ status: 401, wwwAuthenticate: null }, undefined))
      assert.include(error.message, "Check the headers")
      assert.notMatch(JSON.stringify(error) + error.message, /secret/)
    }).pipe(Effect.provide(UpstreamAuthorizationToken.layerNone({ url })))
  )
})
