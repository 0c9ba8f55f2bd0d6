import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { layer } from "../../../src/layers/cache/RedisConnection.ts"
import { RedisConnection } from "../../../src/services/cache/RedisConnection.ts"
import { eventually, logged } from "../../fixtures/redisLayers.ts"
import { redisServer } from "../../fixtures/redisServer.ts"
import { itLive } from "../../fixtures/itEffect.ts"

/** A way to a server on which connections can go dead: they stay open, and nothing comes through any more. */
const wayTo = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<readonly [Socket, Socket]>()
      const relay = createServer((near) => {
        const far = connect(port, "127.0.0.1")
        open.add([near, far])
        for (const socket of [near, far]) socket.on("error", () => undefined)
        near.pipe(far)
        far.pipe(near)
      }).listen(0, "127.0.0.1")
      await once(relay, "listening")
      const address = relay.address()
      return {
        url: `redis://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`,
        cut: () => {
          for (const [near, far] of open) {
            near.unpipe(far)
            far.unpipe(near)
          }
        },
        close: () => {
          relay.close()
          for (const sockets of open) for (const socket of sockets) socket.destroy()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )

/** The URL of a server that does with its connections what it is told. */
const serverThat = (onConnection: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((socket) => onConnection(socket.on("error", () => undefined)))
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(
    Effect.map((server) => server.address()),
    Effect.map((at) => Redacted.make(`redis://127.0.0.1:${at !== null && typeof at === "object" ? at.port : 0}`))
  )

const open = (
  url: string,
  times: { readonly silenceMs?: number; readonly patienceMs: number } = { patienceMs: 1000 }
) =>
  Effect.gen(function* () {
    const redis = Context.get(yield* Layer.build(layer({ ...times, url: Redacted.make(url) })), RedisConnection)
    yield* eventually("the connection", Effect.map(Effect.exit(redis.send(["PING"])), Exit.isSuccess))
    return redis
  })

describe("the connection to Redis", () => {
  it.live("is replaced when nothing comes through it any more", () =>
    Effect.gen(function* () {
      const server = yield* redisServer()
      const way = yield* wayTo(Number(new URL(server.url).port))
      const redis = yield* open(way.url, { patienceMs: 200, silenceMs: 400 })
      const before = redis.connections()
      way.cut()
      assert.strictEqual((yield* Effect.flip(redis.send(["PING"]))).code, "NO_ANSWER")
      assert.strictEqual((yield* Effect.flip(redis.send(["PING"]))).code, "AWAY")
      yield* eventually("another one", Effect.map(Effect.exit(redis.send(["PING"])), Exit.isSuccess))
      assert.strictEqual(redis.connections(), before + 1)
    }).pipe(Effect.provide(logged([])))
  )

  itLive("comes back after every outage, and each is told once", function* () {
    const server = yield* redisServer()
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const redis = yield* open(server.url)
      const answer = Effect.exit(redis.send(["PING"]))
      for (let outage = 0; outage < 3; outage += 1) {
        yield* server.kill
        yield* eventually("the outage", Effect.map(answer, Exit.isFailure))
        yield* server.start
        yield* eventually("the connection", Effect.map(answer, Exit.isSuccess))
      }
      assert.strictEqual(redis.connections(), 4)
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is away")).length, 3, lines.join("\n"))
    assert.strictEqual(lines.filter((line) => line.includes("Redis is back")).length, 3, lines.join("\n"))
  })

  itLive("is tried with growing pauses where a server turns everybody away", function* () {
    const knocks: Array<number> = []
    const lines: Array<string> = []
    const url = yield* serverThat((socket) => {
      knocks.push(performance.now())
      socket.end("-ERR max number of clients reached\r\n")
    })
    yield* Layer.build(layer({ url })).pipe(Effect.provide(logged(lines)))
    yield* eventually("four knocks", () => knocks.length === 4)
    const [first = 0, second = 0, third = 0, fourth = 0] = knocks
    assert.isAbove(second - first, 70)
    assert.isAbove(third - second, 140)
    assert.isAbove(fourth - third, 280)
    assert.strictEqual(lines.length, 1, lines.join("\n"))
  })

  itLive("is none where something else answers: OK to everything", function* () {
    const lines: Array<string> = []
    const url = yield* serverThat((socket) => void socket.on("data", () => void socket.write("+OK\r\n")))
    yield* Effect.gen(function* () {
      const redis = Context.get(yield* Layer.build(layer({ url })), RedisConnection)
      assert.strictEqual((yield* Effect.flip(redis.send(["EVAL", "return 'x'", "0"]))).code, "AWAY")
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.length, 1, lines.join("\n"))
    assert.include(lines[0], "code=NO_REDIS")
  })

  itLive("is closed with its scope, also while Redis is silent", function* () {
    const server = yield* redisServer()
    const count = Effect.map(server.command("CLIENT", "LIST"), (list) => String(list).trim().split("\n").length)
    yield* Effect.scoped(
      Effect.andThen(
        open(server.url),
        Effect.map(count, (all) => assert.strictEqual(all, 2))
      )
    )
    yield* eventually(
      "the end of it",
      Effect.map(count, (all) => all === 1)
    )
    yield* Effect.scoped(Effect.andThen(open(server.url), server.pause))
    yield* server.resume
    yield* eventually(
      "the end of the other",
      Effect.map(count, (all) => all === 1)
    )
  })

  itLive("tells what Redis refused, and stays", function* () {
    const server = yield* redisServer()
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const redis = yield* open(server.url)
      for (let turn = 0; turn < 3; turn += 1) {
        assert.strictEqual((yield* Effect.flip(redis.send(["EVAL", "return {err='OOM no room'}", "0"]))).code, "OOM")
      }
      assert.strictEqual(yield* redis.send(["PING"]), "PONG")
      assert.strictEqual(redis.connections(), 1)
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.length, 1, lines.join("\n"))
  })
})
