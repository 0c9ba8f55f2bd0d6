import { assert, describe, it } from "@effect/vitest"
import { describeOAuthFailure, loginCommand } from "../../../../src/adapters/upstream/login/describeOAuthFailure.ts"
import type { OAuthDraft } from "../../../../src/adapters/upstream/login/oauthProvider.ts"

const draft: OAuthDraft = {
  client: undefined,
  tokens: undefined,
  discovery: {
    authorizationServerUrl: "https://login.example.com",
    resourceMetadata: { resource: "https://mcp.example.com" }
  },
  verifier: "verifier-of-pkce",
  state: "state-of-login",
  address: undefined,
  posted: 400,
  isAlias: false
}
const redirectUrl = "http://127.0.0.1:3334/oauth/callback"

describe("describeOAuthFailure", () => {
  it("names the server and what the authorization server said, but no part of the path that may be a key", () => {
    const server = new URL("https://mcp.example.com/s/k3y-in-the-path/mcp?key=query-secret")
    const error = new Error("no registration for https://mcp.example.com/s/k3y-in-the-path/mcp by verifier-of-pkce")
    const { detail, reason } = describeOAuthFailure(draft, error, { server, redirectUrl })
    assert.strictEqual(reason, "Unauthorized")
    assert.include(detail, "(no registration for https://mcp.example.com/s/[redacted]/mcp by [redacted])")
    assert.include(detail, "then: mcp-gen-ui login <url> --client-id ID")
    const fetchFailed = new TypeError("fetch failed", {
      cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" })
    })
    assert.deepStrictEqual(describeOAuthFailure(draft, fetchFailed, { server, redirectUrl }), {
      reason: "Unreachable",
      detail:
        "https://login.example.com cannot be reached to log in to https://mcp.example.com (ECONNREFUSED). To try again: mcp-gen-ui login <url>"
    })
  })

  it("gives a command to copy where the whole address may be shown", () => {
    assert.strictEqual(
      loginCommand(new URL("https://mcp.example.com/mcp")),
      "mcp-gen-ui login https://mcp.example.com/mcp"
    )
    assert.strictEqual(loginCommand(new URL("https://mcp.example.com/v1/mcp")), "mcp-gen-ui login <url>")
  })
})
