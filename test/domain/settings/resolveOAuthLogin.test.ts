import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import type { LoginFlags, OAuthLogin } from "../../../src/domain/settings/resolveOAuthLogin.ts"
import { withLoginFlags } from "../../../src/domain/settings/resolveOAuthLogin.ts"

const settled: OAuthLogin = {
  clientId: "of-the-file",
  clientSecret: Redacted.make("secret-of-the-file"),
  clientMetadataUrl: undefined,
  scope: "file",
  callbackPort: 1,
  callbackHost: "localhost",
  loginTimeoutMs: 5000
}

/** The command line's parser gives every flag, and `undefined` for one that was not there. */
const flags = (given: Partial<LoginFlags>): LoginFlags => ({
  clientId: undefined,
  clientMetadataUrl: undefined,
  scope: undefined,
  callbackPort: undefined,
  callbackHost: undefined,
  ...given
})

const revealed = ({ clientSecret, ...login }: OAuthLogin) => ({
  ...login,
  clientSecret: clientSecret === undefined ? undefined : Redacted.value(clientSecret)
})

const asSettled = revealed(settled)

describe("withLoginFlags", () => {
  it("leaves what no flag says", () => {
    assert.deepStrictEqual(revealed(withLoginFlags(settled, flags({}), {})), asSettled)
  })

  it("puts flags first, also those that are falsy", () => {
    const given = { scope: "flag", callbackPort: 0, callbackHost: "127.0.0.1" } as const
    assert.deepStrictEqual(revealed(withLoginFlags(settled, flags(given), {})), { ...asSettled, ...given })
  })

  it("keeps the file's secret for the file's client only", () => {
    const same = withLoginFlags(settled, flags({ clientId: "of-the-file" }), {})
    assert.strictEqual(revealed(same).clientSecret, "secret-of-the-file")
    const other = withLoginFlags(settled, flags({ clientId: "other" }), {})
    assert.deepStrictEqual(revealed(other), { ...asSettled, clientId: "other", clientSecret: undefined })
    const environment = { MCP_GEN_UI_OAUTH_CLIENT_SECRET: "of-the-environment\n" }
    const told = withLoginFlags(settled, flags({ clientId: "other" }), environment)
    assert.strictEqual(revealed(told).clientSecret, "of-the-environment")
  })

  it("takes a client by its document instead of the file's, and the other way round", () => {
    const clientMetadataUrl = "https://example.com/client.json"
    assert.deepStrictEqual(revealed(withLoginFlags(settled, flags({ clientMetadataUrl }), {})), {
      ...asSettled,
      clientId: undefined,
      clientSecret: undefined,
      clientMetadataUrl
    })
    const byDocument = { ...settled, clientId: undefined, clientSecret: undefined, clientMetadataUrl }
    const byHand = withLoginFlags(byDocument, flags({ clientId: "other" }), {})
    assert.deepInclude(revealed(byHand), { clientId: "other", clientMetadataUrl: undefined })
  })

  it("is complete without anything settled", () => {
    const environment = { MCP_GEN_UI_OAUTH_CLIENT_SECRET: "of-the-environment" }
    assert.deepStrictEqual(revealed(withLoginFlags(undefined, flags({ clientId: "c" }), environment)), {
      ...flags({ clientId: "c" }),
      clientSecret: "of-the-environment",
      loginTimeoutMs: 300_000
    })
  })
})
