import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { modelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { appsCapability, type RawClient, SERVING, startWrapper, weather } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { redisServer } from "../../fixtures/redisServer.ts"
import { slowWay } from "../../fixtures/slowWay.ts"
import { pageTitled, withConfig } from "../../fixtures/wrapperWithModel.ts"

/** Wrappers over HTTP that share one Redis and one model; all of it ends with the scope. */
const fleet = (answer: (index: number) => Answer | Promise<Answer>, delayMs = 0) =>
  Effect.gen(function* () {
    const redis = yield* redisServer()
    const url = delayMs === 0 ? redis.url : yield* slowWay(redis.url, delayMs)
    const model = yield* modelStandIn((_, index) => answer(index))
    const flags = withConfig({ cache: { url } })
    const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: model.url }

    const instance = Effect.gen(function* () {
      const wrapper = yield* Effect.acquireRelease(
        Effect.sync(() => startWrapper(weather, { flags: ["--http", "0", ...flags], env })),
        (wrapper: RawClient) =>
          Effect.promise(async () => {
            wrapper.signal("SIGKILL")
            await wrapper.exit
          })
      )
      const [, url = ""] = yield* Effect.promise(() => wrapper.logged(SERVING))
      const host = Effect.acquireRelease(
        Effect.promise(async () => {
          const client = new Client({ name: "host", version: "1" }, { capabilities: appsCapability })
          await client.connect(new StreamableHTTPClientTransport(new URL(url)))
          await client.listTools()
          return client
        }),
        (client) => Effect.promise(() => client.close())
      )
      return { wrapper, host }
    })
    return { redis, model, instance }
  })

const read = async (client: Client): Promise<string> => {
  const { contents } = await client.readResource({ uri: "ui://get_forecast" })
  const [content] = contents
  return content !== undefined && "text" in content ? content.text : ""
}

/** A page that the model writes once all readers wait: each host has had an answer to what it sent after its reads. */
const sharedPage = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const readBy = async (hosts: ReadonlyArray<Client>, times: number): Promise<ReadonlyArray<string>> => {
    const pages = hosts.flatMap((host) => Array.from({ length: times }, () => read(host)))
    await Promise.all(hosts.map((host) => host.ping()))
    resolve()
    return Promise.all(pages)
  }
  return { answer: { text: pageTitled("Shared"), pace: () => promise }, readBy }
}

/** Until the model was asked so often. */
const untilAsked = (model: { readonly requests: ReadonlyArray<unknown> }, count: number) =>
  Effect.promise(async () => {
    while (model.requests.length < count) await turn()
  })

describe("two instances on one Redis", () => {
  it.live(
    "ask the model once for a hundred readers",
    () =>
      Effect.gen(function* () {
        const { answer, readBy } = sharedPage()
        const { instance, model } = yield* fleet(() => answer)
        const [one, two] = yield* Effect.all([instance, instance], { concurrency: 2 })
        const hosts = yield* Effect.all([one.host, one.host, two.host, two.host])
        const pages = yield* Effect.promise(() => readBy(hosts, 25))
        assert.lengthOf(pages, 100)
        assert.isTrue(pages.every((page) => page.includes("Shared")))
        assert.lengthOf(model.requests, 1)
      }),
    60_000
  )

  it.live(
    "ask the model once for all readers, also if Redis takes half a second for each answer",
    () =>
      Effect.gen(function* () {
        const { answer, readBy } = sharedPage()
        const { instance, model } = yield* fleet(() => answer, 500)
        const [one, two] = yield* Effect.all([instance, instance], { concurrency: 2 })
        const hosts = yield* Effect.all([one.host, two.host])
        const pages = yield* Effect.promise(() => readBy(hosts, 2))
        assert.isTrue(pages.every((page) => page.includes("Shared")))
        assert.lengthOf(model.requests, 1)
      }),
    60_000
  )

  it.live(
    "take over from each other: one that is killed in the middle is followed by the other, once",
    () =>
      Effect.gen(function* () {
        const { instance, model } = yield* fleet((index) =>
          index === 0 ? { text: "<!-- rich -->\n", fault: "hang" } : { text: pageTitled("Second") }
        )
        const [one, two] = yield* Effect.all([instance, instance], { concurrency: 2 })
        const [first, second, third] = yield* Effect.all([one.host, two.host, two.host])
        const lost = read(first).catch(() => "lost")
        yield* untilAsked(model, 1)
        const waiting = [read(second), read(third)]
        one.wrapper.signal("SIGKILL")
        yield* Effect.promise(() => one.wrapper.exit)
        const pages = yield* Effect.promise(() => Promise.all(waiting))
        assert.isTrue(pages.every((page) => page.includes("Second")))
        assert.lengthOf(model.requests, 2)
        yield* Effect.promise(() => first.close())
        yield* Effect.promise(() => lost)
      }),
    60_000
  )

  it.live(
    "serve from memory while Redis is away, and go on when it is back",
    () =>
      Effect.gen(function* () {
        const { instance, model, redis } = yield* fleet((index) => ({ text: pageTitled(`Page ${index}`) }))
        const { host } = yield* instance
        const client = yield* host
        assert.include(yield* Effect.promise(() => read(client)), "Page 0")
        yield* redis.kill
        const pages = yield* Effect.promise(() => Promise.all(Array.from({ length: 20 }, () => read(client))))
        assert.isTrue(pages.every((page) => page.includes("Page 0")))
        yield* redis.start
        const other = yield* (yield* instance).host
        assert.include(yield* Effect.promise(() => read(client)), "Page 0")
        assert.match(yield* Effect.promise(() => read(other)), /Page [01]/)
        assert.isAtMost(model.requests.length, 2)
      }),
    60_000
  )
})
