import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import * as FleetFlightsNone from "../../../src/layers/cache/FleetFlightsNone.ts"
import { FleetFlights } from "../../../src/services/cache/FleetFlights.ts"
import { UiCache } from "../../../src/services/cache/UiCache.ts"
import {
  connectedMachine,
  eventually,
  logged,
  machine,
  type MachineOptions,
  PREFIX,
  untilCalled,
  untilThere
} from "../../fixtures/redisLayers.ts"
import { type RedisServer, redisServer } from "../../fixtures/redisServer.ts"
import { slowWay } from "../../fixtures/slowWay.ts"
import { keyOf, uiEntry } from "../../fixtures/uiEntry.ts"
import { itLive } from "../../fixtures/itEffect.ts"

class MakingFailed extends Schema.TaggedError<MakingFailed>()("MakingFailed", { turn: Schema.Finite }) {}

const NAME = "a"
const LOCK = `${PREFIX}flight:${keyOf(NAME)}`

/** A machine that counts how often it makes the UI, and makes it when `gate` opens. */
const openMachine = (url: string, isThere = true, options: MachineOptions = {}) =>
  Effect.gen(function* () {
    const context = yield* isThere ? connectedMachine(url, options) : Layer.build(machine(url, options))
    const cache = Context.get(context, UiCache)
    const flights = Context.get(context, FleetFlights)
    const gate = Deferred.makeUnsafe<UiEntry, MakingFailed>()
    const counts = { begun: 0, interrupted: 0 }
    const make = Effect.gen(function* () {
      counts.begun += 1
      const entry = yield* Deferred.await(gate)
      yield* cache.set(entry)
      return entry
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => (counts.interrupted += 1))))
    const find = cache.peek(keyOf(NAME))
    const failure = Schema.fromJsonString(MakingFailed)
    return { counts, gate, read: flights.run(keyOf(NAME), { make, find, failure }) }
  })

/** Those who wait for a flight look at its lock. The connections of the machines are in their order. */
const waitForSecond = (server: RedisServer) =>
  eventually(
    "the second machine waiting",
    Effect.map(server.command("CLIENT", "LIST"), (list) => /cmd=getrange /.test(String(list).split("\n")[1] ?? ""))
  )

const waitForOthers = (server: RedisServer, count: number) =>
  eventually(
    `${count} machines waiting`,
    Effect.map(server.command("CLIENT", "LIST"), (list) => String(list).split("cmd=getrange ").length > count)
  )

/** A lock that was renewed so often has been there for longer than it lives by itself. */
const outliveLock = (server: RedisServer) => untilCalled(server, "pexpire", 5)

const readers = <A, E>(count: number, read: Effect.Effect<A, E>) =>
  Effect.all(
    Array.from({ length: count }, () => Effect.exit(read)),
    { concurrency: "unbounded" }
  )

const started = { startImmediately: true }

/** A process of its own, and all that it has said. */
const spawnMaker = (url: string, readers: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const script = new URL("../../fixtures/redisMaker.ts", import.meta.url).pathname
      const child = spawn(process.execPath, [script, url, NAME, String(readers)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      const said = { text: "" }
      child.stdout.on("data", (chunk) => (said.text += String(chunk)))
      return { child, said, closed: once(child, "close") }
    }),
    ({ child }) => Effect.sync(() => void child.kill("SIGKILL"))
  )

describe("one UI for the fleet", () => {
  itLive("is made once for a hundred readers on each of two machines", function* () {
    const server = yield* redisServer()
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    const reading = yield* Effect.forkChild(
      Effect.all([readers(100, one.read), readers(100, two.read)], { concurrency: 2 }),
      started
    )
    yield* eventually("the first one", () => one.counts.begun + two.counts.begun > 0)
    yield* outliveLock(server)
    for (const { gate } of [one, two]) yield* Deferred.succeed(gate, uiEntry(NAME, { source: "made" }))
    const exits = (yield* Fiber.join(reading)).flat()
    assert.strictEqual(one.counts.begun + two.counts.begun, 1)
    assert.strictEqual(exits.length, 200)
    for (const exit of exits) assert.deepStrictEqual(exit, Exit.succeed(uiEntry(NAME, { source: "made" })))
    assert.strictEqual(yield* server.command("EXISTS", LOCK), 0)
  })

  itLive("is made once for a hundred readers in each of two processes", function* () {
    const server = yield* redisServer()
    const makers = [yield* spawnMaker(server.url, 100), yield* spawnMaker(server.url, 100)]
    yield* waitForOthers(server, 2)
    for (const { child } of makers) child.stdin.end("go")
    yield* Effect.promise(() => Promise.all(makers.map(({ closed }) => closed)))
    const said = makers.map(({ said }) => said.text)
    assert.strictEqual(said.join("").match(/making/g)?.length, 1, said.join(""))
    const sources = said.map((text) => /100 read (made by \d+)\n$/.exec(text)?.[1])
    assert.isDefined(sources[0], said.join(""))
    assert.strictEqual(sources[0], sources[1])
  })

  itLive("is made by exactly one other when the machine dies that was at it", function* () {
    const server = yield* redisServer()
    const maker = yield* spawnMaker(server.url, 1)
    yield* eventually("the process at work", () => maker.said.text.includes("making"))
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    const begun = () => one.counts.begun + two.counts.begun
    const reading = yield* Effect.forkChild(
      Effect.all([readers(20, one.read), readers(20, two.read)], { concurrency: 2 }),
      started
    )
    yield* outliveLock(server)
    assert.strictEqual(begun(), 0)
    maker.child.kill("SIGKILL")
    yield* eventually("another one", () => begun() > 0)
    for (const { gate } of [one, two]) yield* Deferred.succeed(gate, uiEntry(NAME))
    const exits = (yield* Fiber.join(reading)).flat()
    assert.isTrue(exits.every(Exit.isSuccess))
    assert.strictEqual(begun(), 1)
  })

  itLive("that another machine has made in between is not made again", function* () {
    const server = yield* redisServer()
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    yield* Deferred.succeed(one.gate, uiEntry(NAME))
    yield* one.read
    assert.deepStrictEqual(yield* two.read, uiEntry(NAME))
    assert.strictEqual(two.counts.begun, 0)
    assert.strictEqual(yield* server.command("EXISTS", LOCK), 0)
  })
})

describe("a flight that fails", () => {
  itLive("fails for all who waited for it, and the next reader begins another one", function* () {
    const server = yield* redisServer()
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    const first = yield* Effect.forkChild(Effect.exit(one.read), started)
    yield* eventually("the first one", () => one.counts.begun === 1)
    const others = yield* Effect.forkChild(readers(50, two.read), started)
    yield* waitForSecond(server)
    yield* Deferred.fail(one.gate, new MakingFailed({ turn: 7 }))
    const exits = [yield* Fiber.join(first), ...(yield* Fiber.join(others))]
    for (const exit of exits) {
      assert.deepStrictEqual(Exit.findErrorOption(exit), Option.some(new MakingFailed({ turn: 7 })))
    }
    assert.strictEqual(two.counts.begun, 0)
    yield* Deferred.succeed(two.gate, uiEntry(NAME))
    assert.deepStrictEqual(yield* two.read, uiEntry(NAME))
    assert.strictEqual(two.counts.begun, 1)
    const remains = yield* server.command("KEYS", `${PREFIX}failure:*`)
    assert.isTrue(Array.isArray(remains) && remains.length === 1)
    yield* eventually(
      "the end of what was left behind",
      Effect.map(server.command("KEYS", `${PREFIX}f*`), (keys) => Array.isArray(keys) && keys.length === 0)
    )
  })

  itLive("without a word is taken over by one of those who wait, after the other", function* () {
    const server = yield* redisServer()
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    const first = yield* Effect.forkChild(one.read, started)
    yield* eventually("the first one", () => one.counts.begun === 1)
    const others = yield* Effect.forkChild(readers(20, two.read), started)
    yield* waitForSecond(server)
    yield* Fiber.interrupt(first)
    assert.strictEqual(one.counts.interrupted, 1)
    yield* eventually("the second one", () => two.counts.begun > 0)
    yield* Deferred.succeed(two.gate, uiEntry(NAME))
    assert.isTrue((yield* Fiber.join(others)).every(Exit.isSuccess))
    assert.strictEqual(two.counts.begun, 1)
  })
})

describe("leaving", () => {
  itLive("gives the lock back at once, and a waiter leaves no trace", function* () {
    const server = yield* redisServer()
    const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
    const making = yield* Effect.forkChild(one.read, started)
    yield* untilThere(server, LOCK)
    const token = yield* server.command("GET", LOCK)
    const waiting = yield* Effect.forkChild(two.read, started)
    yield* waitForSecond(server)
    yield* Fiber.interrupt(waiting)
    assert.strictEqual(yield* server.command("GET", LOCK), token)
    yield* Fiber.interrupt(making)
    assert.deepStrictEqual(yield* server.command("KEYS", `${PREFIX}*`), [])
    assert.strictEqual(two.counts.begun, 0)
  })

  itLive("stops who has lost the lock to somebody else, leaves it there, and gets what that one makes", function* () {
    const server = yield* redisServer()
    const one = yield* openMachine(server.url)
    const two = Context.get(yield* connectedMachine(server.url), UiCache)
    const making = yield* Effect.forkChild(one.read, started)
    yield* untilThere(server, LOCK)
    yield* server.command("SET", LOCK, "another one")
    yield* eventually("the end of the first one", () => one.counts.interrupted === 1)
    assert.strictEqual(yield* server.command("GET", LOCK), "another one")
    yield* two.set(uiEntry(NAME, { source: "of another one" }))
    yield* server.command("DEL", LOCK)
    assert.strictEqual((yield* Fiber.join(making)).source, "of another one")
    assert.strictEqual(one.counts.begun, 1)
  })

  for (const [what, opened] of [
    ["what it has made", (gate: Deferred.Deferred<UiEntry, MakingFailed>) => Deferred.succeed(gate, uiEntry(NAME))],
    [
      "a failure",
      (gate: Deferred.Deferred<UiEntry, MakingFailed>) => Deferred.fail(gate, new MakingFailed({ turn: 1 }))
    ]
  ] as const)
    itLive(`who was frozen until another one was done comes back with ${what}, and the other's UI stays`, function* () {
      const server = yield* redisServer()
      const one = yield* openMachine(server.url)
      const two = Context.get(yield* connectedMachine(server.url), UiCache)
      const making = yield* Effect.forkChild(one.read, started)
      yield* eventually("the first one", () => one.counts.begun === 1)
      yield* two.set(uiEntry(NAME, { source: "of another one" }))
      yield* server.command("DEL", LOCK)
      yield* opened(one.gate)
      assert.strictEqual((yield* Fiber.join(making)).source, "of another one")
      const there = Option.getOrThrow(yield* two.get(keyOf(NAME)))
      assert.strictEqual(there.source, "of another one")
      assert.strictEqual(one.counts.begun, 1)
    })
})

/** What the product itself waits. */
const PRODUCT = { patienceMs: 250, lockMs: 5000 }

describe("flights over a Redis that is slow", () => {
  it.live("are one: each of five machines waits for the answer to its claim", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const url = yield* slowWay(server.url, 500)
      const machines = yield* Effect.all(Array.from({ length: 5 }, () => openMachine(url, false, PRODUCT)))
      const begun = () => machines.reduce((sum, { counts }) => sum + counts.begun, 0)
      const reading = yield* Effect.forkChild(
        Effect.forEach(machines, ({ read }) => Effect.exit(read), { concurrency: "unbounded" }),
        started
      )
      yield* eventually("the first one", () => begun() > 0)
      yield* waitForOthers(server, 4)
      for (const { gate } of machines) yield* Deferred.succeed(gate, uiEntry(NAME, { source: "made once" }))
      for (const exit of yield* Fiber.join(reading)) {
        assert.deepStrictEqual(exit, Exit.succeed(uiEntry(NAME, { source: "made once" })))
      }
      assert.strictEqual(begun(), 1)
    }).pipe(Effect.provide(logged([])))
  )

  it.live("begin on each machine by itself when it falls silent, and nobody can know whose claim was won", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const machines = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
      yield* server.pause
      for (const { gate } of machines) yield* Deferred.succeed(gate, uiEntry(NAME))
      const exits = yield* Effect.forEach(machines, ({ read }) => Effect.exit(read), { concurrency: "unbounded" })
      assert.isTrue(exits.every(Exit.isSuccess))
      yield* server.resume
    }).pipe(Effect.provide(logged([])))
  )
})

describe("flights without Redis", () => {
  it.live("begin at once, while it is away from the start", () =>
    Effect.gen(function* () {
      const server = yield* redisServer({ started: false })
      const one = yield* openMachine(server.url, false)
      yield* Deferred.succeed(one.gate, uiEntry(NAME))
      assert.deepStrictEqual(yield* one.read, uiEntry(NAME))
    }).pipe(Effect.provide(logged([])))
  )

  it.live("go on when it dies, and have the lock again when it is back", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const one = yield* openMachine(server.url)
      const making = yield* Effect.forkChild(one.read, started)
      yield* eventually("the first one", () => one.counts.begun === 1)
      yield* server.kill
      yield* server.start
      yield* untilThere(server, LOCK)
      const two = yield* openMachine(server.url)
      const waiting = yield* Effect.forkChild(two.read, started)
      yield* waitForSecond(server)
      yield* Deferred.succeed(one.gate, uiEntry(NAME, { source: "made through it all" }))
      yield* Fiber.join(making)
      assert.strictEqual((yield* Fiber.join(waiting)).source, "made through it all")
      assert.deepStrictEqual([one.counts, two.counts.begun], [{ begun: 1, interrupted: 0 }, 0])
    }).pipe(Effect.provide(logged([])))
  )

  it.live("begin at once for those who wait, when it dies", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const [one, two] = yield* Effect.all([openMachine(server.url), openMachine(server.url)])
      yield* Effect.forkChild(one.read, started)
      yield* eventually("the first one", () => one.counts.begun === 1)
      const waiting = yield* Effect.forkChild(two.read, started)
      yield* waitForSecond(server)
      assert.strictEqual(two.counts.begun, 0)
      yield* server.kill
      yield* Deferred.succeed(two.gate, uiEntry(NAME))
      assert.deepStrictEqual(yield* Fiber.join(waiting), uiEntry(NAME))
    }).pipe(Effect.provide(logged([])))
  )

  it.effect("are the rule for a process that shares nothing", () =>
    Effect.gen(function* () {
      const flights = yield* FleetFlights
      const flight = { find: Effect.succeedSome(uiEntry("found")), failure: Schema.Never }
      const made = yield* flights.run("key", { ...flight, make: Effect.succeed(uiEntry("made")) })
      assert.deepStrictEqual(made, uiEntry("made"))
    }).pipe(Effect.provide(FleetFlightsNone.layer))
  )
})
