import { assert, describe } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import * as TokenStoreMemory from "../../../src/layers/upstream/TokenStoreMemory.ts"
import * as UpstreamAuthorizationOAuth from "../../../src/layers/upstream/UpstreamAuthorizationOAuth.ts"
import { type StoredAuthorization, TokenStore } from "../../../src/services/upstream/TokenStore.ts"
import { UpstreamAuthorization } from "../../../src/services/upstream/UpstreamAuthorization.ts"
import { itEffect } from "../../fixtures/itEffect.ts"
import { type OAuthServer, startOAuthServer } from "../../fixtures/oauth/OAuthServer.ts"

type Options = Partial<UpstreamAuthorizationOAuth.UpstreamAuthorizationOAuthOptions>
type Authorization = UpstreamAuthorization["Service"]

/** A browser that follows every redirect, and what it showed at last. */
const makeBrowser = () => {
  const pages: Array<Promise<string>> = []
  const addresses: Array<URL> = []
  const open = (address: URL) =>
    Effect.sync(() => {
      addresses.push(address)
      const page = fetch(address).then((response) => response.text())
      page.catch(() => undefined)
      pages.push(page)
      return true
    })
  return { pages, addresses, open }
}

const setUp = Effect.fnUntraced(function* (options: Options = {}) {
  const oauth = yield* Effect.acquireRelease(Effect.promise(startOAuthServer), ({ close }) => Effect.promise(close))
  const browser = makeBrowser()
  const stores = yield* Layer.build(TokenStoreMemory.layer)
  const start = (more: Options = {}): Effect.Effect<Authorization, never, Scope.Scope> =>
    Layer.build(
      UpstreamAuthorizationOAuth.layer({
        url: oauth.url,
        callbackPort: 0,
        openBrowser: browser.open,
        ...options,
        ...more
      })
    ).pipe(
      Effect.provide(stores),
      Effect.map((context) => Context.get(context, UpstreamAuthorization))
    )
  return { oauth, browser, store: Context.get(stores, TokenStore), start, authorization: yield* start() }
})

const told = (header: Redacted.Redacted | undefined) => (header === undefined ? undefined : Redacted.value(header))

/** A request as a transport sends it: renewed and repeated once. Answers the status. */
const request = Effect.fnUntraced(function* (oauth: OAuthServer, authorization: Authorization) {
  const header = yield* authorization.header
  const first = yield* Effect.promise(() => oauth.ask(told(header)))
  if (first.status === 200) return 200
  yield* authorization.renew(first, header)
  const renewed = told(yield* authorization.header)
  return (yield* Effect.promise(() => oauth.ask(renewed))).status
})

const tokensOf = ({ tokens }: StoredAuthorization) => (tokens === undefined ? undefined : Redacted.value(tokens))
const clientOf = ({ client }: StoredAuthorization) => (client === undefined ? undefined : Redacted.value(client))

describe("a login", () => {
  itEffect("registers, asks the person, and is good for the next request and the next run", function* () {
    const { authorization, browser, oauth, start, store } = yield* setUp()
    assert.isUndefined(yield* authorization.header)
    assert.strictEqual(yield* request(oauth, authorization), 200)

    const [address] = browser.addresses
    assert.strictEqual(address?.searchParams.get("code_challenge_method"), "S256")
    assert.match(address?.searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/)
    assert.isAtLeast(address?.searchParams.get("state")?.length ?? 0, 43)
    assert.deepStrictEqual(
      oauth.seen.logins.map(({ resource, scopes }) => ({ resource, scopes })),
      [{ resource: oauth.url, scopes: ["mcp:read"] }]
    )
    assert.include(yield* Effect.promise(async () => browser.pages[0]), "You are logged in")

    const stored = yield* store.read(oauth.url)
    assert.strictEqual(`Bearer ${tokensOf(stored)?.access_token}`, told(yield* authorization.header))
    assert.strictEqual(clientOf(stored)?.client_id, oauth.seen.registrations[0]?.client_id)
    assert.strictEqual(tokensOf(stored)?.issuer, `${oauth.origin}/`)

    const later = yield* start()
    assert.strictEqual(yield* request(oauth, later), 200)
    assert.lengthOf(browser.addresses, 1)
  })

  itEffect("is shared by requests that are refused at the same time, and by those that come late", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    const old = yield* authorization.header
    const statuses = yield* Effect.all(
      Array.from({ length: 8 }, () => request(oauth, authorization)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      statuses,
      Array.from({ length: 8 }, () => 200)
    )
    yield* authorization.renew({ status: 401, wwwAuthenticate: null }, old)
    assert.lengthOf(browser.addresses, 1)
    assert.lengthOf(oauth.seen.exchanges, 1)
  })

  itEffect("fails for all who wait when the person refuses, and is not tried again at once", function* () {
    const { authorization, browser, oauth, store } = yield* setUp()
    oauth.behaviour.deny = true
    const errors = yield* Effect.all(
      [Effect.flip(request(oauth, authorization)), Effect.flip(request(oauth, authorization))],
      { concurrency: "unbounded" }
    )
    const last = yield* Effect.flip(request(oauth, authorization))
    for (const error of [...errors, last]) {
      assert.strictEqual(error.reason, "Unauthorized")
      assert.include(error.message, "access_denied")
      assert.include(error.message, `mcp-gen-ui login ${oauth.url}`)
    }
    assert.lengthOf(browser.addresses, 1)
    const page = yield* Effect.promise(async () => browser.pages[0])
    assert.include(page, "The login did not work")
    assert.notInclude(page, "<b>")
    assert.isUndefined(tokensOf(yield* store.read(oauth.url)))

    oauth.behaviour.deny = false
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(oauth.seen.registrations, 1)
  })

  itEffect("turns an answer with another state away and goes on waiting", function* () {
    const { authorization, oauth } = yield* setUp()
    oauth.behaviour.wrongState = "forged"
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(oauth.seen.exchanges, 1)
    assert.notInclude(oauth.seen.exchanges, "forged")
  })

  itEffect("ends after five minutes, and its port is closed", function* () {
    const opened = yield* Deferred.make<URL>()
    const { authorization, oauth } = yield* setUp({
      openBrowser: (address) => Effect.as(Deferred.succeed(opened, address), false)
    })
    const waiting = yield* Effect.forkChild(Effect.flip(request(oauth, authorization)))
    const back = (yield* Deferred.await(opened)).searchParams.get("redirect_uri") ?? ""
    assert.strictEqual((yield* Effect.promise(() => fetch(back))).status, 400)
    yield* TestClock.adjust("299 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 second")
    const error = yield* Fiber.join(waiting)
    assert.include(error.message, "nobody logged in")
    assert.include(error.message, "300 seconds")
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => fetch(back)))))
  })

  itEffect("goes on when the request that needed it is cancelled", function* () {
    const opened = yield* Deferred.make<URL>()
    const { authorization, browser, oauth } = yield* setUp({
      openBrowser: (address) => Effect.as(Deferred.succeed(opened, address), true)
    })
    const waiting = yield* Effect.forkChild(request(oauth, authorization))
    const address = yield* Deferred.await(opened)
    yield* Fiber.interrupt(waiting)
    const next = yield* Effect.forkChild(request(oauth, authorization))
    yield* browser.open(address)
    assert.include(yield* Effect.promise(async () => browser.pages[0]), "You are logged in")
    assert.strictEqual(yield* Fiber.join(next), 200)
    assert.lengthOf(oauth.seen.logins, 1)
  })

  itEffect("ends with its layer, closes its port, and leaves the turn to others", function* () {
    const opened = yield* Deferred.make<URL>()
    const { browser, oauth, start } = yield* setUp()
    const run = yield* Scope.make()
    const authorization = yield* start({
      openBrowser: (address) => Effect.as(Deferred.succeed(opened, address), true)
    }).pipe(Scope.provide(run))
    const waiting = yield* Effect.forkChild(request(oauth, authorization))
    const back = (yield* Deferred.await(opened)).searchParams.get("redirect_uri") ?? ""
    yield* Scope.close(run, Exit.void)
    assert.isTrue(Exit.isFailure(yield* Fiber.await(waiting)))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => fetch(back)))))
    assert.strictEqual(yield* request(oauth, yield* start()), 200)
    assert.lengthOf(browser.addresses, 1)
  })
})

describe("a refresh", () => {
  itEffect("happens without a person, once, however many requests need it", function* () {
    const { authorization, browser, oauth, store } = yield* setUp()
    yield* request(oauth, authorization)
    const before = tokensOf(yield* store.read(oauth.url))
    oauth.expire()
    const statuses = yield* Effect.forEach([1, 2, 3], () => request(oauth, authorization), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(statuses, [200, 200, 200])
    assert.deepStrictEqual(oauth.seen.refreshes, [before?.refresh_token])
    assert.lengthOf(browser.addresses, 1)
    assert.notStrictEqual(tokensOf(yield* store.read(oauth.url))?.refresh_token, before?.refresh_token)
  })

  itEffect("of somebody else with the same store is taken over", function* () {
    const { authorization, oauth, start } = yield* setUp()
    yield* request(oauth, authorization)
    const other = yield* start()
    yield* other.header
    oauth.expire()
    assert.strictEqual(yield* request(oauth, other), 200)
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(oauth.seen.refreshes, 1)
  })

  itEffect("that is refused becomes a new login with the same client", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    yield* request(oauth, authorization)
    yield* TestClock.adjust("1 hour")
    oauth.expire()
    oauth.behaviour.refuseRefresh = true
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(oauth.seen.refreshes, 1)
    assert.lengthOf(browser.addresses, 2)
    assert.lengthOf(oauth.seen.registrations, 1)
  })

  itEffect("that is refused while the registered port is in use: registers again", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    yield* request(oauth, authorization)
    const before = new URL(browser.addresses[0]?.searchParams.get("redirect_uri") ?? "")
    const other = createServer()
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void other.listen(Number(before.port), "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => other.close())
    )
    yield* TestClock.adjust("1 hour")
    oauth.expire()
    oauth.behaviour.refuseRefresh = true
    assert.strictEqual(yield* request(oauth, authorization), 200)
    const [, after] = oauth.seen.registrations
    assert.strictEqual(oauth.seen.logins[1]?.clientId, after?.client_id)
    assert.notInclude(after?.redirect_uris ?? [], before.href)
  })

  itEffect("is not tried for another client than the tokens are of", function* () {
    const { authorization, oauth, start } = yield* setUp()
    yield* request(oauth, authorization)
    oauth.expire()
    const [first] = oauth.seen.registrations
    const registered = yield* Effect.promise(async () => {
      const body = JSON.stringify({ redirect_uris: first?.redirect_uris, token_endpoint_auth_method: "none" })
      const headers = { "content-type": "application/json" }
      await fetch(`${oauth.origin}/register`, { method: "POST", headers, body })
      return oauth.seen.registrations[1]
    })
    const other = yield* start({ clientId: registered?.client_id })
    assert.strictEqual(yield* request(oauth, other), 200)
    assert.deepStrictEqual(oauth.seen.refreshes, [])
    assert.strictEqual(oauth.seen.logins[1]?.clientId, registered?.client_id)
  })

  itEffect("that fails because the authorization server is down asks nobody and loses nothing", function* () {
    const { authorization, browser, oauth, store } = yield* setUp()
    yield* request(oauth, authorization)
    const before = tokensOf(yield* store.read(oauth.url))
    oauth.expire()
    oauth.behaviour.tokenStatus = 503
    const error = yield* Effect.flip(request(oauth, authorization))
    assert.strictEqual(error.reason, "Unreachable")
    assert.include(error.message, "HTTP 503")
    assert.notInclude(error.message, before?.refresh_token ?? "?")
    assert.lengthOf(browser.addresses, 1)
    assert.deepStrictEqual(tokensOf(yield* store.read(oauth.url)), before)
    oauth.behaviour.tokenStatus = undefined
    assert.strictEqual(yield* request(oauth, authorization), 200)
  })
})

describe("more scope", () => {
  itEffect("is asked for together with what was granted before", function* () {
    const { authorization, browser, oauth, store } = yield* setUp()
    yield* request(oauth, authorization)
    oauth.behaviour.requiredScope = "mcp:write"
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.deepStrictEqual(oauth.seen.logins.at(-1)?.scopes, ["mcp:read", "mcp:write"])
    assert.lengthOf(browser.addresses, 2)
    assert.lengthOf(oauth.seen.refreshes, 0)
    assert.strictEqual(tokensOf(yield* store.read(oauth.url))?.scope, "mcp:read mcp:write")
  })

  itEffect("that the person refuses leaves what was granted before", function* () {
    const { authorization, oauth, store } = yield* setUp()
    yield* request(oauth, authorization)
    const before = yield* authorization.header
    oauth.behaviour.requiredScope = "mcp:write"
    oauth.behaviour.deny = true
    assert.include((yield* Effect.flip(request(oauth, authorization))).message, "access_denied")
    assert.strictEqual(yield* authorization.header, before)
    assert.strictEqual(`Bearer ${tokensOf(yield* store.read(oauth.url))?.access_token}`, told(before))
  })

  itEffect("is not asked for when the server just forbids it", function* () {
    const { authorization, browser } = yield* setUp()
    const error = yield* Effect.flip(
      authorization.renew({ status: 403, wwwAuthenticate: null }, yield* authorization.header)
    )
    assert.include(error.message, "HTTP 403")
    assert.lengthOf(browser.addresses, 0)
  })
})

describe("a server that does not go along", () => {
  itEffect("without OAuth: says what to do instead", function* () {
    const plain = createServer((_request, response) => void response.writeHead(401).end("no"))
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void plain.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => plain.close())
    )
    const address = plain.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const { browser, start } = yield* setUp()
    const authorization = yield* start({ url: `http://127.0.0.1:${port}/mcp?key=k-8712387123` })
    const error = yield* Effect.flip(authorization.renew({ status: 401, wwwAuthenticate: null }, undefined))
    assert.strictEqual(error.reason, "Unauthorized")
    assert.include(error.message, "offers no login with OAuth")
    assert.include(error.message, "MCP_GEN_UI_UPSTREAM_TOKEN")
    assert.notInclude(JSON.stringify(error), "k-8712387123")
    assert.lengthOf(browser.addresses, 0)
  })

  itEffect("that cannot be reached: is not the person's fault", function* () {
    const { authorization, oauth } = yield* setUp()
    yield* Effect.promise(oauth.close)
    const error = yield* Effect.flip(authorization.renew({ status: 401, wwwAuthenticate: null }, undefined))
    assert.strictEqual(error.reason, "Unreachable")
    assert.include(error.message, "ECONNREFUSED")
  })

  itEffect("without registration: asks for a client, and takes one", function* () {
    const { authorization, browser, oauth, start, store } = yield* setUp()
    oauth.behaviour.registration = false
    const error = yield* Effect.flip(request(oauth, authorization))
    assert.include(error.message, "--client-id")
    assert.include(error.message, "/oauth/callback")
    assert.lengthOf(browser.addresses, 0)

    oauth.behaviour.registration = true
    yield* Effect.promise(() =>
      fetch(`${oauth.origin}/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          redirect_uris: ["http://127.0.0.1/oauth/callback"],
          token_endpoint_auth_method: "client_secret_post"
        })
      })
    )
    const [client] = oauth.seen.registrations
    const given = yield* start({
      clientId: client?.client_id,
      clientSecret: Redacted.make(client?.client_secret ?? "")
    })
    assert.strictEqual(yield* request(oauth, given), 200)
    assert.strictEqual(oauth.seen.logins.at(-1)?.clientId, client?.client_id)

    oauth.expire()
    const later = yield* start()
    assert.strictEqual(yield* request(oauth, later), 200)
    assert.lengthOf(oauth.seen.refreshes, 1)
    assert.lengthOf(oauth.seen.registrations, 1)
    assert.strictEqual(clientOf(yield* store.read(oauth.url))?.client_secret, client?.client_secret)
  })

  itEffect("of 2025-03-26: its authorization server may have another name than its address", function* () {
    const { authorization, browser, oauth, store } = yield* setUp()
    oauth.behaviour.unnamed = true
    oauth.behaviour.alias = "https://as.example.com"
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.strictEqual(tokensOf(yield* store.read(oauth.url))?.issuer, "https://as.example.com")
    oauth.expire()
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(browser.addresses, 1)
  })

  itEffect("whose authorization server is not who it should be: stops before the browser", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    oauth.behaviour.alias = "https://as.example.com"
    const error = yield* Effect.flip(request(oauth, authorization))
    assert.include(error.message, "Issuer mismatch")
    assert.lengthOf(browser.addresses, 0)
  })

  itEffect("whose answer comes from elsewhere: shows nothing of it", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    for (const deny of [false, true]) {
      oauth.behaviour.foreignIssuer = "https://evil.example.com"
      oauth.behaviour.deny = deny
      const error = yield* Effect.flip(request(oauth, authorization))
      assert.include(error.message, "does not come from the authorization server that was asked")
      const page = yield* Effect.promise(async () => browser.pages.at(-1) ?? "")
      assert.notMatch(JSON.stringify(error) + page, /evil|not today/)
      yield* TestClock.adjust("1 minute")
    }
    assert.lengthOf(oauth.seen.exchanges, 0)
  })

  itEffect("that takes an address for a client id: is not asked to register one", function* () {
    const clientMetadataUrl = "https://client.example.com/mcp-gen-ui.json"
    const { authorization, oauth } = yield* setUp({ clientMetadataUrl })
    oauth.behaviour.clientDocuments = true
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.strictEqual(oauth.seen.logins[0]?.clientId, clientMetadataUrl)
    oauth.expire()
    assert.strictEqual(yield* request(oauth, authorization), 200)
    assert.lengthOf(oauth.seen.refreshes, 1)
    assert.lengthOf(oauth.seen.registrations, 0)
  })

  itEffect("that refuses what it has just issued: does not ask again and again", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    yield* request(oauth, authorization)
    oauth.expire()
    oauth.behaviour.refuseRefresh = true
    const error = yield* Effect.flip(request(oauth, authorization))
    assert.include(error.message, "has just issued")
    assert.lengthOf(browser.addresses, 1)
  })

  itEffect("that quotes what it was sent: keeps it out of the error", function* () {
    const { authorization, browser, oauth } = yield* setUp()
    oauth.behaviour.tokenStatus = 400
    const error = yield* Effect.flip(request(oauth, authorization))
    assert.include(error.message, "sorry: ")
    assert.notMatch(JSON.stringify(error) + error.message, /code-[0-9a-f]{8}|refresh-[0-9a-f]{8}/)
    assert.notInclude(yield* Effect.promise(async () => browser.pages[0]), "code-")
  })
})
