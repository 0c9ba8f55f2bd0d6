import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { createServer, get } from "node:http"
import { type LoginCallback, listenForLogin } from "../../../../src/adapters/upstream/login/loginCallback.ts"
import { itEffect } from "../../../fixtures/itEffect.ts"

const STATE = "s".repeat(43)

const open = (callback: LoginCallback, query: string, path?: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const url = new URL(`${path ?? new URL(callback.redirectUrl).pathname}${query}`, callback.redirectUrl)
    const response = await fetch(url, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const listen = listenForLogin({ port: 0, hostname: "127.0.0.1", state: STATE })

describe("listenForLogin", () => {
  itEffect("takes the first answer with our state, and holds its page until the end is known", function* () {
    const callback = yield* listen
    const page = yield* Effect.forkChild(open(callback, `?code=c%20d&state=${STATE}&iss=https%3A%2F%2Fas`))
    assert.deepStrictEqual(yield* callback.answer, {
      code: "c d",
      error: undefined,
      errorDescription: undefined,
      iss: "https://as"
    })
    assert.isUndefined(page.pollUnsafe())
    yield* callback.conclude("Done", "<script>alert(1)</script> & more")
    const { headers, status, text } = yield* Fiber.join(page)
    assert.strictEqual(status, 200)
    assert.include(text, "<h1>Done</h1>")
    assert.include(text, "&#60;script&#62;alert(1)&#60;/script&#62; &#38; more")
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/)
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    assert.include((yield* open(callback, `?code=again&state=${STATE}`)).text, "<h1>Done</h1>")
  })

  itEffect("turns everything else away", function* () {
    const callback = yield* listen
    const { port } = new URL(callback.redirectUrl)
    const foreignHost = yield* Effect.callback<number | undefined>((resume) => {
      get(
        { host: "127.0.0.1", port, path: `/oauth/callback?code=c&state=${STATE}`, headers: { host: "evil.example" } },
        (response) => {
          response.resume()
          resume(Effect.succeed(response.statusCode))
        }
      )
    })
    assert.strictEqual(foreignHost, 421)
    const wrong = [
      yield* open(callback, "?code=c"),
      yield* open(callback, `?code=c&state=${STATE}x`),
      yield* open(callback, `?code=c&state=${"t".repeat(43)}`),
      yield* open(callback, `?error=access_denied`),
      yield* open(callback, "", "/favicon.ico"),
      yield* open(callback, `?code=c&state=${STATE}`, undefined, { method: "POST" })
    ]
    assert.deepStrictEqual(
      wrong.map(({ status }) => status),
      [400, 400, 400, 400, 404, 405]
    )
    const right = yield* Effect.forkChild(open(callback, `?code=right&state=${STATE}`))
    assert.strictEqual((yield* callback.answer).code, "right")
    yield* callback.conclude("Done", "")
    yield* Fiber.join(right)
  })

  itEffect(
    "takes a free port when the preferred one is in use, and tells the browser when it ends early",
    function* () {
      const other = createServer()
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void other.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => other.close())
      )
      const address = other.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const scope = yield* Scope.make()
      const callback = yield* listenForLogin({ port, hostname: "localhost", state: STATE }).pipe(Scope.provide(scope))
      const { hostname, pathname, port: taken } = new URL(callback.redirectUrl)
      assert.deepStrictEqual([hostname, pathname], ["localhost", "/oauth/callback"])
      assert.notStrictEqual(Number(taken), port)

      const here: LoginCallback = { ...callback, redirectUrl: `http://127.0.0.1:${taken}${pathname}` }
      const page = yield* Effect.forkChild(open(here, `?code=c&state=${STATE}`))
      yield* callback.answer
      yield* Scope.close(scope, Exit.void)
      assert.include((yield* Fiber.join(page)).text, "The login was not finished")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => fetch(here.redirectUrl)))))
    }
  )
})
