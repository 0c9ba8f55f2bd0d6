import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Logger, Queue } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FrameHead } from "../../../src/domain/wire/Frame.ts"
import * as UpstreamStdio from "../../../src/layers/upstream/UpstreamStdio.ts"
import type { StdioUpstream } from "../../../src/services/settings/Settings.ts"
import { Upstream, UpstreamUnavailable } from "../../../src/services/upstream/Upstream.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { someTurns } from "../../fixtures/time.ts"

const layer = (options: StdioUpstream, maxMessageBytes = 1_000_000) => UpstreamStdio.layer(options, { maxMessageBytes })

type Event =
  | { readonly kind: "lost"; readonly message: string; readonly retryInMs: number }
  | { readonly kind: "restored" }
  | { readonly kind: "frame"; readonly message: { readonly id?: unknown; readonly method?: string } }
  | { readonly kind: "junk"; readonly text: string }
  | { readonly kind: "oversized"; readonly bytes: number; readonly head: FrameHead | undefined }

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** A server for the rest of the test, and what its process does, as the router hears it. */
const start = Effect.fnUntraced(function* (options: StdioUpstream, maxMessageBytes?: number) {
  const upstream = Context.get(yield* Layer.build(layer(options, maxMessageBytes)), Upstream)
  const events = yield* Queue.unbounded<Event>()
  const kinds: Array<Event["kind"]> = []
  const tell = (event: Event): void => {
    kinds.push(event.kind)
    Queue.offerUnsafe(events, event)
  }
  upstream.watch({
    lost: ({ message }, retryInMs) => tell({ kind: "lost", message, retryInMs }),
    restored: () => tell({ kind: "restored" })
  })
  upstream.link.listen({
    frame: (frame) => {
      const text = decoder.decode(frame)
      tell(text.startsWith("{") ? { kind: "frame", message: JSON.parse(text) } : { kind: "junk", text })
    },
    oversized: (head, bytes) => tell({ kind: "oversized", bytes, head }),
    drained: () => undefined,
    ended: () => undefined
  })
  const next = <K extends Event["kind"]>(kind: K) =>
    Effect.map(Queue.take(events), (event) => {
      assert.strictEqual(event.kind, kind, JSON.stringify(event))
      return event as Extract<Event, { kind: K }>
    })
  const send = (message: object): void => {
    upstream.link.send(encoder.encode(JSON.stringify({ jsonrpc: "2.0", ...message })))
  }
  const call = (name: string, args = {}): void =>
    send({ id: 1, method: "tools/call", params: { name, arguments: args } })
  return { upstream, next, send, call, kinds }
})

const faulty = (modes: ReadonlyArray<string>) => ({
  transport: "stdio" as const,
  command: process.execPath,
  args: [fixtureServer("faulty.mjs"), ...modes],
  env: {},
  cwd: undefined
})

/** What is logged in a test, as texts. */
const logging = () => {
  const lines: Array<string> = []
  const keep = Logger.make(({ message }) => void lines.push(String(message)))
  return { lines, layer: Logger.layer([keep]) }
}

const script = (code: string) => ({ ...faulty([]), args: ["-e", code] })

/** A file of the fixture's state; it is gone after the test. */
const stateFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-gen-ui-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "state")
)

const processesWith = (text: string): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pid,stat,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))

describe("a server that ends", () => {
  itEffect("is started again after 0.5 s, 1 s, 2 s and so on to 30 s", function* () {
    const { call, next } = yield* start(faulty(["hello"]))
    for (const delay of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      yield* next("frame")
      call("crash")
      const lost = yield* next("lost")
      assert.strictEqual(lost.retryInMs, delay)
      assert.match(lost.message, /was ended by SIGKILL/)
      yield* TestClock.adjust(delay - 1)
      yield* TestClock.adjust(1)
      yield* next("restored")
    }
  })

  itEffect("waits 0.5 s again after it lived for 30 s", function* () {
    const { call, next } = yield* start(faulty(["hello"]))
    for (const lived of [0, 29_999, 30_000]) {
      yield* next("frame")
      yield* TestClock.adjust(lived)
      call("crash")
      const { retryInMs } = yield* next("lost")
      assert.strictEqual(retryInMs, lived === 29_999 ? 1000 : 500, `lived ${lived} ms`)
      yield* TestClock.adjust(retryInMs)
      yield* next("restored")
    }
  })

  itEffect("is not started before its time, and does not get what was sent meanwhile", function* () {
    const state = yield* stateFile
    const { call, next } = yield* start(faulty(["hello", `state=${state}`]))
    yield* next("frame")
    call("crash")
    yield* next("lost")
    call("echo")
    yield* TestClock.adjust(499)
    assert.strictEqual(readFileSync(state, "utf8"), "start tools/call ")
    yield* TestClock.adjust(1)
    yield* next("restored")
    yield* next("frame")
    assert.strictEqual(readFileSync(state, "utf8"), "start tools/call start ")
  })

  itEffect("is not started again if it never sent a message", function* () {
    const { next, upstream } = yield* start(script("console.log('usage: server [options]'); process.exitCode = 3"))
    yield* next("junk")
    const error = yield* Effect.flip(upstream.exited)
    assert.deepInclude({ ...error }, { _tag: "UpstreamExited", exitCode: 3, silent: true })
  })

  itEffect("is given up after ten ends in a row without a message", function* () {
    const state = yield* stateFile
    const { call, next, upstream } = yield* start(faulty(["silent-later", "hello", `state=${state}`]))
    yield* next("frame")
    call("crash")
    for (let end = 1; end < 10; end += 1) {
      const { retryInMs } = yield* next("lost")
      yield* TestClock.adjust(retryInMs)
      yield* next("restored")
    }
    const error = yield* Effect.flip(upstream.exited)
    assert.deepInclude({ ...error }, { exitCode: 6, silent: true })
    assert.strictEqual(readFileSync(state, "utf8"), `start tools/call ${"start ".repeat(9)}`)
  })

  itEffect("is tried again, later each time, if it cannot be started", function* () {
    const command = yield* stateFile
    const install = () => symlinkSync(process.execPath, command)
    install()
    const { call, next } = yield* start({ ...faulty(["hello"]), command })
    yield* next("frame")
    rmSync(command)
    call("crash")
    for (const delay of [500, 1000]) {
      const lost = yield* next("lost")
      assert.strictEqual(lost.retryInMs, delay)
      assert.match(lost.message, /was ended by SIGKILL/)
      yield* TestClock.adjust(delay)
    }
    assert.strictEqual((yield* next("lost")).retryInMs, 2000)
    install()
    yield* TestClock.adjust(2000)
    yield* next("restored")
    yield* next("frame")
  })

  itEffect("is not started again after the host's end, also if it was lost before", function* () {
    for (const isLostFirst of [false, true]) {
      const { call, kinds, next, upstream } = yield* start(faulty(["hello"]))
      yield* next("frame")
      if (isLostFirst) {
        call("crash")
        yield* next("lost")
      }
      upstream.link.end()
      const error = yield* Effect.flip(upstream.exited)
      assert.deepStrictEqual(kinds, isLostFirst ? ["frame", "lost"] : ["frame"])
      assert.strictEqual(error._tag === "UpstreamExited" && error.exitCode, isLostFirst ? null : 0)
    }
  })

  itEffect("has its last line delivered before it counts as lost, and half a line left out", function* () {
    const { call, next } = yield* start(faulty(["hello"]))
    yield* next("frame")
    call("last-line")
    assert.deepInclude((yield* next("frame")).message, { id: 1 })
    assert.match((yield* next("lost")).message, /ended with exit code 0/)
    yield* TestClock.adjust(500)
    yield* next("restored")
    yield* next("frame")
    call("crash-within-line")
    assert.match((yield* next("lost")).message, /ended with exit code 9/)
  })
})

describe("a server that closes a pipe and lives on", () => {
  for (const [name, stream] of [
    ["close-stdin", "input"],
    ["close-stdout", "output"]
  ] as const) {
    itLive(`is ended and started again: its ${stream}`, function* () {
      const mark = `mark-${process.pid}-${name}`
      yield* Effect.gen(function* () {
        const { call, next } = yield* start(faulty(["hello", "stubborn", mark]))
        yield* next("frame")
        const [old] = processesWith(mark)
        call(name)
        if (name === "close-stdin") {
          yield* next("frame")
          call("echo")
        }
        assert.match((yield* next("lost")).message, /closed its standard input or output/)
        yield* next("restored")
        yield* next("frame")
        const now = processesWith(mark)
        assert.lengthOf(now, 1)
        assert.notStrictEqual(now[0], old)
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(processesWith(mark), [])
    })
  }
})

describe("a server whose last words are not read yet", () => {
  itLive("does not count as lost", function* () {
    const state = yield* stateFile
    const { call, kinds, next, upstream } = yield* start(faulty(["hello", `state=${state}`]))
    yield* next("frame")
    upstream.link.pause()
    call("close-stdin")
    while (!readFileSync(state, "utf8").includes("closed")) yield* someTurns
    call("echo")
    // One that is read, and does the same later, is lost by now.
    const other = yield* start(faulty(["hello"]))
    yield* other.next("frame")
    other.call("close-stdin")
    yield* other.next("frame")
    other.call("echo")
    yield* other.next("lost")
    assert.deepStrictEqual(kinds, ["frame"])
    upstream.link.resume()
    yield* next("frame")
    yield* next("lost")
  })
})

describe("a message that is longer than the limit", () => {
  itEffect("is told by its head, and the next ones arrive", function* () {
    const { call, next } = yield* start(faulty(["hello"]), 100_000)
    yield* next("frame")
    call("large", { bytes: 300_000 })
    const { bytes, head } = yield* next("oversized")
    assert.isAbove(bytes, 300_000)
    assert.deepStrictEqual(head, { kind: "response", id: "1" })
    call("large", { bytes: 90_000 })
    yield* next("frame")
  })
})

describe("a server that does not read", () => {
  it.live("makes send answer false, and drained follows when the server is lost", () =>
    Effect.gen(function* () {
      const upstream = yield* Upstream
      const drained = yield* Deferred.make<void>()
      const lost = yield* Deferred.make<number>()
      let takes = true
      upstream.watch({ lost: () => void Deferred.doneUnsafe(lost, Exit.succeed(0)), restored: () => undefined })
      const pid = yield* Effect.callback<number>((resume) => {
        upstream.link.listen({
          frame: (frame) => resume(Effect.succeed(JSON.parse(decoder.decode(frame)).params.pid)),
          drained: () => void Deferred.doneUnsafe(drained, Exit.void),
          ended: () => undefined
        })
      })
      const megabyte = new Uint8Array(1_000_000).fill(0x20)
      let megabytes = 0
      while (takes && megabytes < 100) {
        takes = upstream.link.send(megabyte)
        megabytes += 1
      }
      assert.isFalse(takes)
      assert.isAtMost(megabytes, 18)
      process.kill(pid, "SIGKILL")
      yield* Deferred.await(lost)
      yield* Deferred.await(drained)
    }).pipe(Effect.provide(layer(faulty(["hello", "deaf"]))))
  )
})

describe("a command that cannot be started", () => {
  for (const [command, advice] of [
    ["no-such-command", "Check the spelling, give its full path, or install it."],
    [
      "no-such-command server.js",
      'Write each word by itself: mcp-gen-ui -- no-such-command server.js, or in a list: "--", "no-such-command", "server.js".'
    ],
    ["C:toolsnode.exe", "A shell took its backslashes: write them twice, or as /, or the path in single quotes."]
  ] as const) {
    itEffect(`fails the layer and says why: ${command}`, function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer({ ...faulty([]), args: [], command }))))
      assert.instanceOf(error, UpstreamUnavailable)
      assert.strictEqual(error.reason, "NotFound")
      assert.strictEqual(error.message, `the command "${command}" was not found on PATH. ${advice}`)
    })
  }
})

describe("a server that says nothing", () => {
  const silent = script("console.error('waiting for the database'); process.stdin.resume()")
  const SAID =
    '"node" has not answered for 10 s. If it is still being installed or started, wait; else check that it speaks MCP over stdio. ' +
    "The last that it wrote on standard error:\n  waiting for the database"

  itEffect("is said to be silent, once, 10 s after it was first asked", function* () {
    const { layer: keep, lines } = logging()
    yield* Effect.gen(function* () {
      const { send } = yield* start(silent)
      yield* TestClock.adjust("20 seconds")
      send({ id: 1, method: "initialize" })
      // Until its words are here, in real time.
      yield* TestClock.withLive(Effect.sleep("500 millis"))
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(lines, [])
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(lines, [SAID])
      send({ id: 2, method: "ping" })
      yield* TestClock.adjust("60 seconds")
      assert.lengthOf(lines, 1)
    }).pipe(Effect.provide(keep))
  })

  itEffect("is not, when it answered", function* () {
    const { layer: keep, lines } = logging()
    yield* Effect.gen(function* () {
      const { next, send } = yield* start(faulty([]))
      send({ id: 1, method: "initialize", params: {} })
      yield* next("frame")
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(keep))
  })
})
