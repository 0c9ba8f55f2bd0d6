import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runHere, startBin } from "../../fixtures/commandLine.ts"
import { type OAuthServer, startOAuthServer } from "../../fixtures/oauth/OAuthServer.ts"
import { bin, initialize, startRawClient } from "../../fixtures/RawClient.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const setUp = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-gen-ui-login-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  for (const name of ["open", "xdg-open"]) {
    const open = `const page = require("fs").readFileSync(new URL(process.argv[2]), "utf8")
      const address = /url=([^"]*)"/.exec(page)[1].replaceAll("&amp;", "&")
      fetch(address)`
    writeFileSync(join(folder, name), `#!${process.execPath}\n${open}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const environment = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    XDG_CONFIG_HOME: join(folder, "config")
  }
  const run = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
    Effect.promise(() => runHere(args, { cwd: folder, env: { ...environment, ...more } }))
  const tokens = join(folder, "config", "mcp-gen-ui", "auth")
  return {
    run,
    environment,
    folder,
    stored: () => readdirSync(tokens).map((name) => readFileSync(join(tokens, name), "utf8"))
  }
})

const oauthServer = Effect.acquireRelease(Effect.promise(startOAuthServer), ({ close }) => Effect.promise(close))

/** What a person does on the pages of an authorization server. */
const registerByHand = Effect.fnUntraced(function* ({ origin, seen }: OAuthServer) {
  yield* Effect.promise(() =>
    fetch(`${origin}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        redirect_uris: ["http://localhost/oauth/callback"],
        token_endpoint_auth_method: "client_secret_post"
      })
    })
  )
  return seen.registrations.at(-1) ?? assert.fail("not registered")
})

describe("mcp-gen-ui login", () => {
  itLive("logs in once, with the browser that the desktop has; logout forgets it", function* () {
    const { environment, run, stored } = yield* setUp
    const oauth = yield* oauthServer
    const inBin = (args: ReadonlyArray<string>) => Effect.promise(() => startBin(args, { env: environment }).ended)
    const first = yield* inBin(["login", oauth.url, "--callback-port", "0", "--scope", "mcp:read mcp:write"])
    assert.deepStrictEqual([first.status, first.stdout], [0, `You are logged in to ${oauth.url}.\n`])
    assert.include(first.stderr, `${oauth.origin}/authorize?`)
    assert.deepStrictEqual(
      oauth.seen.logins.map(({ scopes }) => scopes),
      [["mcp:read", "mcp:write"]]
    )
    const [file = ""] = stored()
    const { access_token }: { access_token: string } = JSON.parse(file).tokens
    assert.strictEqual((yield* Effect.promise(() => oauth.ask(`Bearer ${access_token}`))).status, 200)
    assert.notInclude(first.stdout + first.stderr, access_token)

    const second = yield* run(["login", "--", oauth.url])
    assert.deepStrictEqual([second.status, second.stdout, second.stderr], [0, first.stdout, ""])
    assert.lengthOf(oauth.seen.logins, 1)

    const out = yield* run(["logout", oauth.url])
    assert.deepStrictEqual([out.status, out.stdout], [0, `The login to ${oauth.url} is forgotten.\n`])
    assert.deepStrictEqual(stored(), [])
    assert.include((yield* run(["logout", oauth.url])).stdout, "There was no login")
  })

  itLive("takes the server of a file, and a client that was registered by hand", function* () {
    const { folder, run, stored } = yield* setUp
    const oauth = yield* oauthServer
    const client = yield* registerByHand(oauth)
    const config = { upstream: { url: oauth.url }, llm: { provider: "anthropic" } }
    writeFileSync(join(folder, "wrapper.json"), JSON.stringify(config))
    const args = ["login", "--config", "wrapper.json", "--client-id", client.client_id]
    const { status, stderr, stdout } = yield* run([...args, "--callback-host", "localhost", "--callback-port", "0"], {
      MCP_GEN_UI_OAUTH_CLIENT_SECRET: client.client_secret ?? ""
    })
    assert.deepStrictEqual([status, stdout], [0, `You are logged in to ${oauth.url}.\n`])
    assert.include(stderr, encodeURIComponent("http://localhost:"))
    assert.notInclude(stderr, client.client_secret ?? "?")
    assert.lengthOf(oauth.seen.registrations, 1)
    assert.include(stored()[0] ?? "", client.client_id)
  })

  itLive("takes everything of the login from the file, as serving does; flags win", function* () {
    const { environment, folder, run } = yield* setUp
    const oauth = yield* oauthServer
    const [first, second] = [yield* registerByHand(oauth), yield* registerByHand(oauth)]
    const login = {
      clientId: first.client_id,
      clientSecret: "${SECRET_OF_THE_FIRST}",
      scope: "mcp:read mcp:write",
      callbackHost: "localhost",
      callbackPort: 0
    }
    writeFileSync(join(folder, "wrapper.json"), JSON.stringify({ upstream: { url: oauth.url, oauth: login } }))
    const args = ["--config", "wrapper.json"]
    const secrets = { SECRET_OF_THE_FIRST: first.client_secret ?? "" }
    const read = ["mcp:read"]
    const both = ["mcp:read", "mcp:write"]
    const seen = () => oauth.seen.logins.map(({ clientId, scopes }) => [clientId, scopes])

    const byFile = yield* run(["login", ...args], secrets)
    assert.deepStrictEqual([byFile.status, byFile.stdout], [0, `You are logged in to ${oauth.url}.\n`])
    assert.include(byFile.stderr, encodeURIComponent("http://localhost:"))
    assert.deepStrictEqual(seen(), [[first.client_id, both]])

    yield* run(["logout", ...args], secrets)
    const byFlags = yield* run(["login", ...args, "--client-id", second.client_id, "--scope", "mcp:read"], {
      ...secrets,
      MCP_GEN_UI_OAUTH_CLIENT_SECRET: second.client_secret ?? ""
    })
    assert.deepStrictEqual(byFlags.status, 0)
    assert.deepStrictEqual(seen().slice(1), [[second.client_id, read]])

    yield* run(["logout", ...args], secrets)
    const wrapper = startRawClient(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...environment, ...secrets }
    })
    yield* Effect.promise(() => initialize(wrapper))
    yield* Effect.promise(wrapper.close)
    assert.deepStrictEqual(seen().slice(2), [[first.client_id, both]])
    for (const told of [byFile.stderr, byFlags.stderr, wrapper.log()]) {
      for (const { client_secret } of [first, second]) assert.notInclude(told, client_secret ?? "?")
    }
  })

  itLive("says when there is nothing to do, and what is wrong", function* () {
    const { run } = yield* setUp
    const open = createServer((request, response) => void response.writeHead(request.url === "/mcp" ? 400 : 404).end())
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void open.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => open.close())
    )
    const address = open.address()
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/mcp`
    const free = yield* run(["login", url])
    assert.deepStrictEqual([free.status, free.stdout], [0, `${url} asks for no login.\n`])

    for (const args of [["login"], ["logout"], ["login", "--", "node", "server.js"]]) {
      const { status, stderr } = yield* run(args)
      assert.strictEqual(status, 2)
      assert.include(stderr, "name its address: mcp-gen-ui login https://")
    }
    const document = "https://example.com/client.json"
    const two = yield* run(["login", url, "--client-id", "a", "--client-metadata-url", document])
    assert.strictEqual(two.status, 2)
    assert.include(two.stderr, "--client-metadata-url: stands beside --client-id")

    open.close()
    open.closeAllConnections()
    const gone = yield* run(["login", url])
    assert.strictEqual(gone.status, 1)
    assert.include(gone.stderr, `${url} cannot be reached (ECONNREFUSED)`)
  })

  itLive("ends with the login when it is refused", function* () {
    const { run } = yield* setUp
    const oauth = yield* oauthServer
    oauth.behaviour.deny = true
    const { status, stderr, stdout } = yield* run(["login", oauth.url, "--callback-port", "0"])
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.include(stderr, "access_denied")
  })
})
