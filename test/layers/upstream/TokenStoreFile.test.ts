import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Deferred, type Duration, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir, hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { defaultDirectory, layer } from "../../../src/layers/upstream/TokenStoreFile.ts"
import { type StoredAuthorization, TokenStore } from "../../../src/services/upstream/TokenStore.ts"
import { startOAuthServer } from "../../fixtures/oauth/OAuthServer.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"

const URL_A = "https://mcp.example.com/mcp?team=a"
const KEPT: StoredAuthorization = {
  client: Redacted.make({
    client_id: "c-1",
    client_secret: "client-secret-1",
    redirect_uris: ["http://127.0.0.1:3334/x"],
    issuer: "https://as.example.com"
  }),
  tokens: Redacted.make({
    access_token: "access-1",
    token_type: "Bearer",
    refresh_token: "refresh-1",
    scope: "a b",
    expires_in: 60
  })
}
const plain = ({ client, tokens }: StoredAuthorization) => ({
  client: client === undefined ? undefined : Redacted.value(client),
  tokens: tokens === undefined ? undefined : Redacted.value(tokens)
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-gen-ui-tokens-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const setUp = Effect.gen(function* () {
  const directory = join(yield* folder, "mcp-gen-ui", "auth")
  const open = Effect.map(Layer.build(layer({ directory })), (context) => Context.get(context, TokenStore))
  return { directory, open, store: yield* open }
})

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("TokenStoreFile", () => {
  itEffect("keeps what it is given, in files that are their owner's alone", function* () {
    const { directory, open, store } = yield* setUp
    assert.deepStrictEqual(plain(yield* store.read(URL_A)), { client: undefined, tokens: undefined })
    mkdirSync(directory, { recursive: true })
    chmodSync(directory, 0o755)
    yield* store.write(URL_A, KEPT)
    assert.deepStrictEqual(plain(yield* (yield* open).read(URL_A)), plain(KEPT))
    assert.deepStrictEqual(plain(yield* store.read("https://mcp.example.com/mcp?team=b")).tokens, undefined)

    const [name = ""] = readdirSync(directory)
    assert.match(name, /^mcp\.example\.com-[0-9a-f]{32}\.json$/)
    assert.strictEqual(modeOf(directory), "700")
    assert.strictEqual(modeOf(join(directory, name)), "600")

    assert.isTrue(yield* store.remove(URL_A))
    assert.isFalse(yield* store.remove(URL_A))
    assert.deepStrictEqual(readdirSync(directory), [])
  })

  itEffect("replaces a file as a whole, and leaves nothing beside it when that fails", function* () {
    const { directory, store } = yield* setUp
    yield* Effect.all(
      Array.from({ length: 20 }, () => store.write(URL_A, KEPT)),
      { concurrency: "unbounded" }
    )
    const [name = "", ...others] = readdirSync(directory)
    assert.deepStrictEqual(others, [])
    rmSync(join(directory, name))
    mkdirSync(join(directory, name))
    const error = yield* Effect.flip(store.write(URL_A, KEPT))
    assert.match(error.message, /cannot be written \(E[A-Z]+\)$/)
    assert.notInclude(JSON.stringify(error), "access-1")
    assert.deepStrictEqual(readdirSync(directory), [name])
  })

  itEffect("takes a damaged or foreign file for an absent one, says so, and does not quote it", function* () {
    const { directory, store } = yield* setUp
    yield* store.write(URL_A, KEPT)
    const path = join(directory, readdirSync(directory)[0] ?? "")
    const good = readFileSync(path, "utf8")
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const damaged = [
      good.slice(0, -20),
      "",
      good.replace('"version":1', '"version":2'),
      good.replace('"access_token":"access-1"', '"access_token":["access-1"]')
    ]
    for (const text of damaged) {
      writeFileSync(path, text)
      assert.deepStrictEqual(plain(yield* store.read(URL_A).pipe(Effect.provide(logger))), {
        client: undefined,
        tokens: undefined
      })
    }
    assert.lengthOf(lines, damaged.length)
    for (const line of lines) {
      assert.include(line, path)
      assert.notMatch(line, /access-1|refresh-1|client-secret-1/)
    }
  })

  it.effect.runIf(process.getuid?.() === 0)("takes no login that another user has put there, and gives none", () =>
    Effect.gen(function* () {
      const { directory, store } = yield* setUp
      yield* store.write(URL_A, KEPT)
      const path = join(directory, readdirSync(directory)[0] ?? "")
      chownSync(path, 12_345, 12_345)
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
      const found = yield* store.read(URL_A).pipe(Effect.provide(logger))
      assert.deepStrictEqual(plain(found), { client: undefined, tokens: undefined })
      assert.include(lines.join("\n"), "ENOTOWN")

      rmSync(path)
      chownSync(directory, 12_345, 12_345)
      const error = yield* Effect.flip(store.write(URL_A, KEPT))
      assert.match(error.message, /cannot be written \(the folder is not used: it belongs to the user 12345, /)
      assert.strictEqual(yield* store.exclusively(URL_A)(Effect.succeed(1)), 1)
      assert.deepStrictEqual(readdirSync(directory), [])
    })
  )

  it("is in the user's folder for configuration", () => {
    assert.strictEqual(defaultDirectory({ XDG_CONFIG_HOME: "/x" }, "linux"), join("/x", "mcp-gen-ui", "auth"))
    assert.strictEqual(
      defaultDirectory({ XDG_CONFIG_HOME: "relative" }, "darwin"),
      join(homedir(), ".config", "mcp-gen-ui", "auth")
    )
    assert.strictEqual(defaultDirectory({ APPDATA: "/roaming" }, "win32"), join("/roaming", "mcp-gen-ui", "auth"))
    assert.strictEqual(
      defaultDirectory({ APPDATA: "/roaming" }, "linux"),
      join(homedir(), ".config", "mcp-gen-ui", "auth")
    )
  })
})

describe("TokenStoreFile.exclusively", () => {
  itLive("gives one turn after the other, each server its own", function* () {
    const { directory, open, store } = yield* setUp
    const other = yield* open
    let inside = 0
    let most = 0
    const turn = Effect.gen(function* () {
      inside += 1
      most = Math.max(most, inside)
      yield* Effect.yieldNow
      inside -= 1
    })
    yield* Effect.all(
      [store.exclusively(URL_A)(turn), other.exclusively(URL_A)(turn), store.exclusively(URL_A)(turn)],
      {
        concurrency: "unbounded"
      }
    )
    assert.strictEqual(most, 1)
    yield* store.exclusively(URL_A)(other.exclusively("https://other.example.com/")(Effect.void))
    assert.deepStrictEqual(readdirSync(directory), [])
  })

  itEffect("is passed on when whoever has it fails or is interrupted", function* () {
    const { open, store } = yield* setUp
    const other = yield* open
    assert.strictEqual(yield* Effect.flip(store.exclusively(URL_A)(Effect.fail("no"))), "no")
    const begun = yield* Deferred.make<void>()
    const holder = yield* Effect.forkChild(
      store.exclusively(URL_A)(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    )
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(holder)
    assert.strictEqual(yield* other.exclusively(URL_A)(Effect.succeed(1)), 1)
  })

  const lockOf = Effect.fnUntraced(function* (content: string, ageMs: number) {
    const { directory, store } = yield* setUp
    yield* store.write(URL_A, KEPT)
    const path = join(directory, readdirSync(directory)[0] ?? "").replace(/json$/, "lock")
    writeFileSync(path, content)
    yield* TestClock.setTime(1_800_000_000_000)
    const at = (1_800_000_000_000 - ageMs) / 1000
    utimesSync(path, at, at)
    return { path, store }
  })
  const holder = (pid: number, host = hostname()) => JSON.stringify({ id: "somebody", pid, host })

  const abandoned: ReadonlyArray<readonly [string, string, number]> = [
    ["of a process that ended", holder(2 ** 22 + 1), 0],
    ["of a process that hangs", holder(process.ppid), 16 * 60_000],
    ["of another machine that went silent", holder(1, "elsewhere"), 3 * 60_000],
    ["that is damaged and old", "{", 3 * 60_000]
  ]
  for (const [name, content, age] of abandoned) {
    it.live(`takes over the turn ${name}`, () =>
      Effect.gen(function* () {
        const { path, store } = yield* lockOf(content, age)
        assert.strictEqual(
          yield* store.exclusively(URL_A)(Effect.sync(() => readFileSync(path, "utf8").includes(String(process.pid)))),
          true
        )
        assert.throws(() => statSync(path), /ENOENT/)
      }).pipe(Effect.provide(TestClock.layer()))
    )
  }

  const held: ReadonlyArray<readonly [string, string, number]> = [
    ["of a process that runs", holder(process.ppid), 14 * 60_000],
    ["of another machine that was heard of", holder(1, "elsewhere"), 60_000],
    ["that is being written", "", 1000]
  ]
  for (const [name, content, age] of held) {
    itEffect(`waits for the turn ${name}`, function* () {
      const { path, store } = yield* lockOf(content, age)
      const polled = yield* Deferred.make<string>()
      const clock = yield* Clock.Clock
      const watched: Clock.Clock = Object.create(clock, {
        sleep: {
          value: (time: Duration.Duration) =>
            Effect.andThen(
              Deferred.succeed(polled, "polled"),
              Effect.suspend(() => clock.sleep(time))
            )
        }
      })
      const waiting = yield* Effect.forkChild(
        store.exclusively(URL_A)(Effect.succeed("mine")).pipe(Effect.provideService(Clock.Clock, watched))
      )
      assert.strictEqual(yield* Effect.raceFirst(Deferred.await(polled), Fiber.join(waiting)), "polled")
      rmSync(path)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(yield* Fiber.join(waiting), "mine")
    })
  }

  itEffect("does without where no lock can be made", function* () {
    const base = yield* folder
    writeFileSync(join(base, "file"), "")
    const store = Context.get(yield* Layer.build(layer({ directory: join(base, "file", "auth") })), TokenStore)
    assert.strictEqual(yield* store.exclusively(URL_A)(Effect.succeed(1)), 1)
  })
})

describe("several processes that need a login at the same time", () => {
  /** Runs three at one time; a person agrees when all of them have had their first answer. */
  const runThree = async (url: string, directory: string): Promise<ReadonlyArray<string>> => {
    const { pathname } = new URL("../../fixtures/oauth/main.ts", import.meta.url)
    const runs = [1, 2, 3].map(() => {
      const child = spawn(process.execPath, [pathname, url, directory])
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
      const ended = once(child, "close").then(() => output)
      return { child, answered: Promise.race([once(child.stdout, "data"), ended]), ended }
    })
    await Promise.all(runs.map(({ answered }) => answered))
    for (const { child } of runs) child.stdin.on("error", () => undefined).end("agreed")
    return Promise.all(runs.map(({ ended }) => ended))
  }

  itLive("ask once, and refresh once", function* () {
    const oauth = yield* Effect.acquireRelease(Effect.promise(startOAuthServer), ({ close }) => Effect.promise(close))
    const directory = join(yield* folder, "auth")
    const three = Effect.promise(() => runThree(oauth.url, directory))
    for (const output of yield* three) assert.match(output, /^401\n[^]*200$/)
    assert.lengthOf(oauth.seen.exchanges, 1)
    assert.lengthOf(oauth.seen.registrations, 1)
    oauth.expire()
    for (const output of yield* three) assert.match(output, /200$/)
    assert.lengthOf(oauth.seen.refreshes, 1)
    assert.lengthOf(oauth.seen.exchanges, 1)
  })
})
