import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Option, Redacted, Schema } from "effect"
import { openRedisSession } from "../../../src/adapters/cache/redisSession.ts"
import { entryText } from "../../../src/adapters/cache/uiEntryText.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { layer } from "../../../src/layers/cache/RedisConnection.ts"
import { FleetFlights } from "../../../src/services/cache/FleetFlights.ts"
import { UiCache } from "../../../src/services/cache/UiCache.ts"
import {
  connectedMachine,
  eventually,
  logged,
  machine,
  type MachineOptions,
  PATIENCE_MS,
  PREFIX,
  untilCalled,
  untilThere
} from "../../fixtures/redisLayers.ts"
import { type RedisServer, redisServer } from "../../fixtures/redisServer.ts"
import { keyOf, uiEntry } from "../../fixtures/uiEntry.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"

const nameOf = (name: string): string => `${PREFIX}ui:${keyOf(name)}`

const openCache = (url: string, options: MachineOptions = {}) =>
  Effect.map(connectedMachine(url, options), (context) => Context.get(context, UiCache))

const openCacheAnyway = (url: string) =>
  Effect.map(Layer.build(machine(url)), (context) => Context.get(context, UiCache))

const sourceOf = (cache: UiCache["Service"], name: string) =>
  Effect.map(cache.get(keyOf(name)), (entry) => Option.getOrUndefined(entry)?.source)

const millisecondsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = performance.now()
    yield* effect
    return performance.now() - from
  })

describe("UIs shared through Redis", () => {
  itLive("are seen by another machine, replaced and removed ones, too", function* () {
    const server = yield* redisServer()
    const first = yield* openCache(server.url)
    const second = yield* openCache(server.url)
    assert.isUndefined(yield* sourceOf(second, "a"))
    yield* first.set(uiEntry("a", { source: "one – ÄÖÜ" }))
    assert.strictEqual(yield* sourceOf(second, "a"), "one – ÄÖÜ")
    yield* second.set(uiEntry("a", { source: "two" }))
    assert.strictEqual(yield* sourceOf(first, "a"), "two")
    assert.deepStrictEqual(yield* first.peek(keyOf("a")), Option.some(uiEntry("a", { source: "two" })))
    yield* first.set(uiEntry("b", { toolName: "another" }))
    yield* first.removeTool("tool")
    assert.isUndefined(yield* sourceOf(second, "a"))
    assert.isDefined(yield* sourceOf(second, "b"))
    assert.deepInclude(yield* second.statistics, { entries: 1, hits: 2, misses: 2, evictions: 0 })
  })

  itLive("are compared, not read again, while they are the same", function* () {
    const server = yield* redisServer()
    const cache = yield* openCache(server.url)
    yield* cache.set(uiEntry("a", { source: "x".repeat(400_000) }))
    yield* server.command("CONFIG", "RESETSTAT")
    for (let turn = 0; turn < 10; turn += 1) yield* cache.get(keyOf("a"))
    const sent = /total_net_output_bytes:(\d+)/.exec(String(yield* server.command("INFO", "stats")))?.[1]
    assert.isBelow(Number(sent), 50_000)
  })

  itLive("live in Redis as long as the settings say, else as long as they are used", function* () {
    const server = yield* redisServer()
    const now = yield* Clock.currentTimeMillis
    const brief = yield* openCache(server.url, { ttlMs: 60_000 })
    yield* brief.set(uiEntry("a", { createdAt: now - 20_000 }))
    const left = Number(yield* server.command("PTTL", nameOf("a")))
    assert.isTrue(left > 30_000 && left <= 40_000, String(left))
    yield* brief.set(uiEntry("old", { createdAt: now - 60_000 }))
    assert.isUndefined(yield* sourceOf(brief, "old"))
    assert.strictEqual(yield* server.command("EXISTS", nameOf("old")), 0)

    const cache = yield* openCache(server.url)
    yield* cache.set(uiEntry("b"))
    const days = (milliseconds: unknown): number => Math.round(Number(milliseconds) / 86_400_000)
    assert.strictEqual(days(yield* server.command("PTTL", nameOf("b"))), 30)
    yield* server.command("PEXPIRE", nameOf("b"), "86400000")
    yield* cache.get(keyOf("b"))
    assert.strictEqual(days(yield* server.command("PTTL", nameOf("b"))), 1)
    const later = yield* openCache(server.url)
    yield* later.get(keyOf("b"))
    assert.strictEqual(days(yield* server.command("PTTL", nameOf("b"))), 30)
  })

  itLive(
    "are left out when they are damaged, too old for their format or of another key, and that is said once",
    function* () {
      const server = yield* redisServer()
      const whole = entryText(uiEntry("whole"))
      const broken: Readonly<Record<string, string>> = {
        cut: entryText(uiEntry("cut")).slice(0, -30),
        changed: entryText(uiEntry("changed")).replace("anthropic", "anthropik"),
        empty: "",
        later: entryText(uiEntry("later")).replace(/"mcp-gen-ui":\d+/, '"mcp-gen-ui":99'),
        "of another key": whole
      }
      for (const [name, text] of Object.entries(broken)) yield* server.command("SET", nameOf(name), text)
      yield* server.command("SADD", nameOf("no text"), "member")
      const lines: Array<string> = []
      yield* Effect.gen(function* () {
        const cache = yield* openCache(server.url)
        for (const name of [...Object.keys(broken), "no text"]) {
          assert.isUndefined(yield* sourceOf(cache, name), name)
          assert.isUndefined(yield* sourceOf(cache, name), name)
        }
        yield* cache.set(uiEntry("cut"))
        assert.isDefined(yield* sourceOf(cache, "cut"))
      }).pipe(Effect.provide(logged(lines)))
      assert.strictEqual(lines.length, 6, lines.join("\n"))
      assert.include(lines.join("\n"), "of another version (format 99)")
      assert.include(lines.join("\n"), "WRONGTYPE")
    }
  )

  itLive("are no failures: those are kept by the machine that failed, until another one has made the UI", function* () {
    const server = yield* redisServer()
    const reason = { code: "AUTH", message: "A wrong key.", transient: false } as const
    const refusal = uiEntry("a", { source: null, fallback: reason, createdAt: 5 })
    const cache = yield* openCache(server.url)
    yield* cache.set(refusal)
    assert.deepStrictEqual(yield* cache.get(keyOf("a")), Option.some(refusal))
    assert.strictEqual(yield* server.command("EXISTS", nameOf("a")), 0)
    yield* server.command("SET", nameOf("a"), entryText(refusal))
    const other = yield* openCache(server.url)
    assert.isUndefined(yield* sourceOf(other, "a"))
    assert.deepStrictEqual(yield* cache.get(keyOf("a")), Option.some(refusal))
    yield* other.set(uiEntry("a", { source: "made by another", createdAt: 4 }))
    assert.strictEqual(yield* sourceOf(cache, "a"), "made by another")
  })

  itLive("stay within the bounds of the memory, and large ones are not kept at all", function* () {
    const server = yield* redisServer()
    const cache = yield* openCache(server.url, { maxEntries: 2, maxEntrySizeBytes: 10_000 })
    for (const name of ["a", "b", "c"]) yield* cache.set(uiEntry(name))
    assert.deepInclude(yield* cache.statistics, { entries: 2, evictions: 1 })
    assert.isDefined(yield* sourceOf(cache, "a"))
    yield* cache.set(uiEntry("large", { source: "x".repeat(20_000) }))
    assert.strictEqual(yield* server.command("EXISTS", nameOf("large")), 0)
  })
})

describe("a value that is no UI", () => {
  const sentBytes = (server: RedisServer) =>
    Effect.map(server.command("INFO", "stats"), (text) =>
      Number(/total_net_output_bytes:(\d+)/.exec(String(text))?.[1])
    )

  itLive("and that has twenty megabytes, is never read, and gives way to the next UI", function* () {
    const server = yield* redisServer()
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(server.url)
      const lock = `${PREFIX}flight:${keyOf("a")}`
      yield* server.command("SETRANGE", nameOf("a"), "20000000", "x")
      yield* server.command("SETRANGE", lock, "20000000", "x")
      const flights = Context.get(yield* connectedMachine(server.url), FleetFlights)
      const flight = { make: Effect.never, find: cache.peek(keyOf("a")), failure: Schema.Never }
      yield* Effect.forkScoped(flights.run(keyOf("a"), flight))
      for (let turn = 0; turn < 10; turn += 1) assert.isUndefined(yield* sourceOf(cache, "a"))
      yield* untilCalled(server, "getrange", 5)
      assert.isBelow(yield* sentBytes(server), 5_000_000)
      yield* cache.set(uiEntry("a"))
      assert.isDefined(yield* sourceOf(yield* openCache(server.url), "a"))
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line.includes("too large")).length, 1, lines.join("\n"))
  })
})

describe("a Redis that is away", () => {
  itLive("at the start costs no read more than a moment, and gets what was set meanwhile", function* () {
    const server = yield* redisServer({ started: false })
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCacheAnyway(server.url)
      yield* cache.set(uiEntry("a", { source: "made without Redis" }))
      assert.strictEqual(yield* sourceOf(cache, "a"), "made without Redis")
      assert.isUndefined(yield* sourceOf(cache, "b"))
      assert.isBelow(yield* millisecondsOf(cache.get(keyOf("a"))), PATIENCE_MS / 2)
      yield* server.start
      yield* untilThere(server, nameOf("a"))
      const other = yield* openCache(server.url)
      assert.strictEqual(yield* sourceOf(other, "a"), "made without Redis")
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is away")).length, 1, lines.join("\n"))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is back")).length, 1, lines.join("\n"))
    assert.include(lines.join("\n"), "ECONNREFUSED")
  })

  itLive("is waited for once when it falls silent, and not at all until it answers again", function* () {
    const server = yield* redisServer()
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(server.url)
      yield* cache.set(uiEntry("a"))
      yield* server.pause
      const first = yield* millisecondsOf(
        Effect.flatMap(cache.get(keyOf("a")), (entry) => Effect.sync(() => assert.isTrue(Option.isSome(entry))))
      )
      assert.isTrue(first > 0.9 * PATIENCE_MS && first < 3 * PATIENCE_MS, `${first} ms`)
      for (let turn = 0; turn < 20; turn += 1) assert.isDefined(yield* sourceOf(cache, "a"))
      assert.isBelow(yield* millisecondsOf(cache.get(keyOf("a"))), PATIENCE_MS / 2)
      yield* cache.set(uiEntry("a", { source: "made in the silence" }))
      assert.strictEqual(yield* sourceOf(cache, "a"), "made in the silence")
      yield* server.resume
      const isThere = Effect.map(server.command("GET", nameOf("a")), (text) => String(text).includes("silence"))
      yield* eventually("what was set", isThere)
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is away")).length, 1, lines.join("\n"))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is back")).length, 1, lines.join("\n"))
  })

  it.live("fails no read when it dies, and gets the newest hundred of what was set meanwhile", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const cache = yield* openCache(server.url)
      for (const name of ["a", "b", "gone"]) yield* cache.set(uiEntry(name))
      yield* cache.set(uiEntry("other", { toolName: "another" }))
      yield* server.command("DEL", nameOf("gone"))
      assert.isUndefined(yield* sourceOf(cache, "gone"))
      yield* server.kill
      for (const name of ["a", "b", "other"]) {
        const duration = yield* millisecondsOf(cache.get(keyOf(name)))
        assert.isBelow(duration, PATIENCE_MS / 2)
        assert.isDefined(yield* sourceOf(cache, name))
      }
      for (let index = 0; index < 150; index += 1) yield* cache.set(uiEntry(`meanwhile ${index}`))
      yield* server.start
      const arrived = Effect.map(server.command("DBSIZE"), (size) => size === 100)
      yield* eventually("the newest hundred", arrived)
      assert.strictEqual(yield* server.command("EXISTS", nameOf("meanwhile 149"), nameOf("meanwhile 50")), 2)
      assert.strictEqual(yield* server.command("EXISTS", nameOf("a"), nameOf("meanwhile 49")), 0)
    }).pipe(Effect.provide(logged([])))
  )

  it.live("that comes back empty is given again what a machine still has and uses", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const cache = yield* openCache(server.url)
      yield* cache.set(uiEntry("a"))
      yield* server.kill
      yield* server.start
      yield* eventually(
        "the entry in Redis",
        Effect.gen(function* () {
          assert.isDefined(yield* sourceOf(cache, "a"))
          return (yield* server.command("EXISTS", nameOf("a"))) === 1
        })
      )
      yield* server.command("DEL", nameOf("a"))
      assert.isUndefined(yield* sourceOf(cache, "a"))
    }).pipe(Effect.provide(logged([])))
  )

  it.live("is told of removals later; what others made better meanwhile stays", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const cache = yield* openCache(server.url)
      const other = yield* Effect.promise((signal) => openRedisSession(server.url, signal))
      yield* Effect.addFinalizer(() => Effect.sync(other.end))
      const writeByOther = (entry: UiEntry) =>
        Effect.sync(() => void other.send(["SET", `${PREFIX}ui:${entry.key}`, entryText(entry)]))
      const reason = { code: "TIMEOUT", message: "Too slow.", transient: true } as const
      yield* cache.set(uiEntry("removed", { toolName: "removed" }))
      yield* server.pause
      // They reach Redis before anything that the cache sends once it knows that Redis is back.
      yield* writeByOther(uiEntry("good", { source: "theirs" }))
      yield* writeByOther(uiEntry("newer", { source: "theirs", createdAt: 8 }))
      yield* writeByOther(uiEntry("older", { source: "theirs", createdAt: 2 }))
      assert.isDefined(yield* sourceOf(cache, "removed"))
      yield* cache.removeTool("removed")
      assert.isUndefined(yield* sourceOf(cache, "removed"))
      yield* cache.set(uiEntry("good", { source: "ours", fallback: reason, createdAt: 5 }))
      yield* cache.set(uiEntry("newer", { source: "ours", createdAt: 5 }))
      yield* cache.set(uiEntry("older", { source: "ours", createdAt: 5 }))
      yield* cache.set(uiEntry("last"))
      yield* server.resume
      yield* untilThere(server, nameOf("last"))
      assert.strictEqual(yield* server.command("EXISTS", nameOf("removed")), 0)
      assert.strictEqual(yield* sourceOf(cache, "good"), "theirs")
      assert.strictEqual(yield* sourceOf(cache, "newer"), "theirs")
      assert.strictEqual(yield* sourceOf(cache, "older"), "ours")
      assert.include(String(yield* server.command("GET", nameOf("older"))), "ours")
    }).pipe(Effect.provide(logged([])))
  )

  itLive("is waited for by the first reads after the start, which find what others have made", function* () {
    const server = yield* redisServer()
    yield* server.command("SET", nameOf("a"), entryText(uiEntry("a")))
    const cache = yield* openCacheAnyway(server.url)
    assert.isDefined(yield* sourceOf(cache, "a"))
  })

  it.live("because it is full, gets what it refused after the next change that it takes", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const cache = yield* openCache(server.url)
      yield* cache.set(uiEntry("a", { source: "before" }))
      yield* server.command("CONFIG", "SET", "maxmemory", "1")
      yield* cache.set(uiEntry("a", { source: "after", createdAt: 1 }))
      assert.strictEqual(yield* sourceOf(cache, "a"), "after")
      yield* server.command("CONFIG", "SET", "maxmemory", "0")
      yield* cache.set(uiEntry("b"))
      const isThere = Effect.map(server.command("GET", nameOf("a")), (text) => String(text).includes("after"))
      yield* eventually("what was refused", isThere)
      assert.strictEqual(yield* sourceOf(cache, "a"), "after")
    }).pipe(Effect.provide(logged([])))
  )

  itLive("is not taken for silent when this process itself was busy", function* () {
    const server = yield* redisServer()
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(server.url, { patienceMs: 250 })
      yield* cache.set(uiEntry("a", { source: "before" }))
      yield* server.command("SET", nameOf("a"), entryText(uiEntry("a", { source: "after" })))
      const reading = yield* Effect.forkChild(sourceOf(cache, "a"), { startImmediately: true })
      const until = performance.now() + 400
      while (performance.now() < until) Math.random()
      assert.strictEqual(yield* Fiber.join(reading), "after")
    }).pipe(Effect.provide(logged(lines)))
    assert.deepStrictEqual(lines, [])
  })
})

describe("the account of a Redis", () => {
  itLive("needs a few commands and its own keys, no more", function* () {
    const server = yield* redisServer()
    const allowed = ["+ping", "+get", "+getrange", "+strlen", "+set", "+del", "+pexpire", "+eval"]
    yield* server.command("ACL", "SETUSER", "fleet", "on", ">word", `~${PREFIX}*`, "resetchannels", "-@all", ...allowed)
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const url = server.url.replace("//", "//fleet:word@")
      const context = yield* connectedMachine(url)
      const cache = Context.get(context, UiCache)
      const make = Effect.as(cache.set(uiEntry("a")), uiEntry("a"))
      const flight = { make, find: cache.peek(keyOf("a")), failure: Schema.Never }
      yield* Context.get(context, FleetFlights).run(keyOf("a"), flight)
      yield* sourceOf(cache, "a")
      const other = yield* openCache(url)
      assert.isDefined(yield* sourceOf(other, "a"))
      yield* other.removeTool("tool")
      assert.isUndefined(yield* sourceOf(cache, "a"))
    }).pipe(Effect.provide(logged(lines)))
    assert.deepStrictEqual(lines, [])
  })

  itLive("has a password that opens it, and that is in no line of the log, whatever goes wrong", function* () {
    const password = "s3cret/@:ü word"
    const server = yield* redisServer({ password })
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(server.url)
      yield* cache.set(uiEntry("a"))
      assert.strictEqual(yield* server.command("EXISTS", nameOf("a")), 1)
      yield* server.kill
      assert.isDefined(yield* sourceOf(cache, "a"))
      yield* server.start
      const wrong = yield* openCacheAnyway(server.url.replace("s3cret", "wr0ng"))
      const none = yield* openCacheAnyway(server.url.replace(/\/\/.*@/, "//"))
      for (const one of [wrong, none]) {
        yield* one.set(uiEntry("b"))
        assert.isDefined(yield* sourceOf(one, "b"))
      }
    }).pipe(Effect.provide(logged(lines)))
    const text = lines.join("\n")
    assert.include(text, "WRONGPASS")
    assert.include(text, "NOAUTH")
    assert.notMatch(text, /s3cret|wr0ng/)
  })

  itEffect("is not told when its URL is none", function* () {
    const wrong = ["redis//:s3cret@host", "http://:s3cret@host", "redis://:s3cret@host:99999", "redis://:s3cret@h/db"]
    for (const url of wrong) {
      const error = yield* Effect.flip(Layer.build(layer({ url: Redacted.make(url) })))
      assert.strictEqual(error._tag, "RedisUrlRejected", url)
      assert.notInclude(`${String(error)} ${error.stack} ${JSON.stringify(error)}`, "s3cret")
    }
  })
})
