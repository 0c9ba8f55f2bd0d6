import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { wrapperTools } from "../../../src/domain/session/WrapperTool.ts"
import type { ToolChanges } from "../../../src/domain/tools/ToolCatalog.ts"
import { makeServerRequests, type ServerRequests } from "../../../src/layers/session/ServerRequests.ts"
import { makeServerTools, type ServerTools, type ToolsChanged } from "../../../src/layers/session/ServerTools.ts"

interface Asked {
  readonly id: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A server at the other end of the link, whose tools a test changes. */
class ListingServer {
  tools: ReadonlyArray<string> = []
  fails = false
  isSilent = false
  /** Characters of each tool's description. */
  described = 0
  hasMorePages = false
  onList: () => void = () => undefined
  readonly asked: Array<Asked> = []
  onAnswer: (id: string, answer: Uint8Array) => void = () => undefined

  send(frame: Uint8Array): boolean {
    const request = JSON.parse(new TextDecoder().decode(frame)) as Asked
    this.asked.push(request)
    if (request.method === "tools/list" && !this.isSilent) this.answer(request.id)
    return true
  }

  answer(id: string): void {
    const answer = this.fails
      ? { error: { code: -32603, message: "down" } }
      : {
          result: {
            tools: this.tools.map((name) => ({ name, inputSchema: {}, description: "d".repeat(this.described) })),
            ...(this.hasMorePages ? { nextCursor: `${this.lists}` } : {})
          }
        }
    this.onList()
    queueMicrotask(() =>
      this.onAnswer(JSON.stringify(id), new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id, ...answer })))
    )
  }

  get lists(): number {
    return this.asked.filter(({ method }) => method === "tools/list").length
  }
}

const OPTIONS = {
  toolPrefix: "_ui_",
  enabledTools: undefined,
  tools: {},
  toolRefresh: { enabled: false, intervalMs: 0, retryBackoffMs: [] }
}

/** A test of what a session knows of a server's tools. */
const listing = (
  name: string,
  use: (
    tools: ServerTools,
    server: ListingServer,
    requests: ServerRequests,
    log: ReadonlyArray<string>
  ) => Generator<Effect.Effect<unknown, unknown>, unknown, never>,
  options: Partial<Parameters<typeof makeServerTools>[1]> = {}
): void => {
  const log: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])
  const test = Effect.gen(function* () {
    const server = new ListingServer()
    const requests = makeServerRequests(server)
    server.onAnswer = requests.onAnswer
    const tools = yield* makeServerTools(requests, { ...OPTIONS, ...options }, () => NOTHING_LEARNED)
    yield* Effect.gen(() => use(tools, server, requests, log))
  })
  it.effect(name, () => Effect.provide(test, logger))
}

const wanted = { kind: "wanted", envelope: undefined } as const

const settled = (tools: ServerTools) =>
  Effect.gen(function* () {
    yield* tools.whenSettled
    assert.isTrue(tools.known().isSettled)
  })

/** Lets what is under way come to an end without any time passing. */
const pause = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("ServerTools", () => {
  listing(
    "reads the tools again at the interval, and waits longer and longer while that fails",
    function* (tools, server) {
      server.tools = ["one"]
      tools.tell(wanted)
      yield* settled(tools)
      assert.strictEqual(server.lists, 1)
      const changed = yield* Deferred.make<ToolChanges>()
      tools.onChange(({ changes }) => Deferred.doneUnsafe(changed, Effect.succeed(changes)))
      server.tools = ["one", "two"]
      yield* TestClock.adjust(4999)
      assert.strictEqual(server.lists, 1)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual((yield* Deferred.await(changed)).added, ["two"])

      server.fails = true
      yield* TestClock.adjust(5000)
      yield* pause
      assert.strictEqual(server.lists, 3)
      for (const [wait, lists] of [
        [29_999, 3],
        [1, 4],
        [59_999, 4],
        [1, 5],
        [59_999, 5],
        [1, 6]
      ] as const) {
        if (lists === 6) server.fails = false
        yield* TestClock.adjust(wait)
        yield* pause
        assert.strictEqual(server.lists, lists)
      }
      yield* TestClock.adjust(5000)
      yield* pause
      assert.strictEqual(server.lists, 7)
    },
    { toolRefresh: { enabled: true, intervalMs: 5000, retryBackoffMs: [30_000, 60_000] } }
  )

  listing("does not do so unless it is asked to", function* (tools, server) {
    tools.tell(wanted)
    yield* settled(tools)
    yield* TestClock.adjust(86_400_000)
    assert.strictEqual(server.lists, 1)
  })

  listing(
    "names the wrapper's tools by the prefix of the settings, and makes way for the server's",
    function* (tools, server) {
      server.tools = ["ui-list", "ui2-refine"]
      tools.tell(wanted)
      yield* settled(tools)
      assert.deepStrictEqual(tools.known().wrapperTools, wrapperTools({ prefix: "ui3-", isTaken: () => false }))
    },
    { toolPrefix: "ui-" }
  )

  listing("listens to changes in the modern era, under an id of its own", function* (tools, server) {
    tools.tell({ kind: "wanted", envelope: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })
    yield* settled(tools)
    const listen = server.asked.find(({ method }) => method === "subscriptions/listen")
    assert.deepStrictEqual(listen?.params, {
      notifications: { toolsListChanged: true },
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
    })
    const change = (subscription: unknown) =>
      new TextEncoder().encode(
        JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/tools/list_changed",
          params: { _meta: { "io.modelcontextprotocol/subscriptionId": subscription } }
        })
      )
    assert.isFalse(tools.onNotification(change("a host's")))
    assert.isTrue(tools.known().isSettled)
    assert.isTrue(tools.onNotification(change(listen?.id)))
    assert.isFalse(tools.known().isSettled)
    yield* TestClock.adjust(50)
    yield* settled(tools)
    assert.strictEqual(server.lists, 2)
  })

  listing(
    "gives up at once on a server that is gone, and reads anew when it is back",
    function* (tools, server, requests) {
      server.tools = ["one"]
      tools.tell(wanted)
      yield* settled(tools)
      requests.onLost("the server ended")
      const error = yield* Effect.flip(tools.refresh)
      assert.match(error.message, /did not list its tools: the server ended/)
      requests.onRestored()
      server.tools = ["two"]
      tools.tell({ kind: "restored" })
      assert.isFalse(tools.known().isSettled)
      yield* TestClock.adjust(50)
      yield* settled(tools)
      assert.deepStrictEqual(
        tools.known().catalog.tools.map(({ name }) => name),
        ["two"]
      )
    }
  )

  listing(
    "does not ask a server again that died of being asked, before a host does",
    function* (tools, server, requests) {
      server.isSilent = true
      tools.tell(wanted)
      yield* pause
      const shared = tools.known().firstPage
      assert.isDefined(shared)
      tools.tell({ kind: "lost" })
      requests.onLost("the server ended")
      assert.match((yield* Effect.flip(shared ?? Effect.never)).message, /the server ended/)
      yield* settled(tools)
      server.isSilent = false
      requests.onRestored()
      tools.tell({ kind: "restored" })
      yield* TestClock.adjust(1000)
      assert.strictEqual(server.lists, 1)
      tools.tell({ kind: "listed" })
      yield* TestClock.adjust(50)
      yield* settled(tools)
      assert.strictEqual(server.lists, 2)
    }
  )

  listing(
    "waits ten seconds for a slow server, and tells hosts of its tools when they come",
    function* (tools, server) {
      server.tools = ["one"]
      server.isSilent = true
      tools.tell(wanted)
      const changed = yield* Deferred.make<ToolsChanged>()
      tools.onChange((change) => Deferred.doneUnsafe(changed, Effect.succeed(change)))
      const waits = yield* Effect.forkChild(tools.whenSettled, { startImmediately: true })
      yield* TestClock.adjust(9999)
      assert.isUndefined(waits.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.isDefined(waits.pollUnsafe())
      assert.isFalse(tools.known().isSettled)
      server.answer(server.asked[0]?.id ?? "")
      const { changes, isKnown } = yield* Deferred.await(changed)
      assert.deepStrictEqual(changes.added, ["one"])
      assert.isFalse(isKnown)
      yield* settled(tools)
    }
  )

  listing("shares the answer to its first request with a host that asks meanwhile", function* (tools, server) {
    server.tools = ["one"]
    assert.isUndefined(tools.known().firstPage)
    server.isSilent = true
    tools.tell(wanted)
    yield* pause
    const shared = tools.known().firstPage
    server.answer(server.asked[0]?.id ?? "")
    const page = yield* shared ?? Effect.never
    assert.include(new TextDecoder().decode(page), '"one"')
    yield* settled(tools)
    assert.isUndefined(tools.known().firstPage)
  })

  listing(
    "keeps nobody waiting for a list that changes with every reading, and reads it less and less often",
    function* (tools, server) {
      server.tools = ["one"]
      tools.tell(wanted)
      yield* settled(tools)
      server.onList = () => tools.tell({ kind: "changed" })
      tools.tell({ kind: "changed" })
      for (let turn = 0; turn < 3; turn += 1) {
        const waits = yield* Effect.forkChild(tools.whenSettled)
        yield* pause
        for (let second = 0; second < 3; second += 1) {
          yield* TestClock.adjust(1000)
          yield* pause
        }
        assert.isDefined(waits.pollUnsafe())
      }
      const before = server.lists
      for (let tenth = 0; tenth < 100; tenth += 1) {
        yield* TestClock.adjust(100)
        yield* pause
      }
      assert.isAtMost(server.lists - before, 11)
      server.onList = () => undefined
      yield* TestClock.adjust(1000)
      yield* pause
      yield* settled(tools)
    }
  )

  listing("does not read pages for ever that are large", function* (tools, server) {
    server.tools = ["one"]
    server.described = 5_000_000
    server.hasMorePages = true
    tools.tell(wanted)
    yield* settled(tools)
    assert.strictEqual(server.lists, 7)
    assert.isDefined(tools.known().catalog.toolNamed("one"))
  })

  listing("does not look at a list of far too many entries", function* (tools, server) {
    server.isSilent = true
    tools.tell(wanted)
    yield* pause
    const id = JSON.stringify(server.asked[0]?.id)
    const answer = `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"one"}${",1".repeat(300_000)}]}}`
    server.onAnswer(id, new TextEncoder().encode(answer))
    yield* settled(tools)
    assert.isUndefined(tools.known().catalog.toolNamed("one"))
  })

  listing("does not flood the log with names that differ only in case", function* (tools, server, _, log) {
    server.tools = Array.from({ length: 2000 }, (_, at) => `${at % 2 === 0 ? "a" : "A"}${at >> 1}`)
    tools.tell(wanted)
    yield* settled(tools)
    assert.isBelow(log.length, 30)
    assert.include(log.join(), "980 more")
  })

  listing(
    "warns once of a card whose tool the server does not have",
    function* (tools, server, _, log) {
      server.tools = ["list_orders"]
      tools.tell(wanted)
      yield* settled(tools)
      yield* tools.refresh
      const warnings = log.filter((line) => line.startsWith("dashboards."))
      assert.deepStrictEqual(warnings, [
        'dashboards.shop.cards[0].tool: The server has no tool "list_order". Did you mean "list_orders"?'
      ])
    },
    { dashboards: { shop: { cards: [{ tool: "list_order" }] } } }
  )
})
