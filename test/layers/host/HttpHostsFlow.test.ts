import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import {
  beginSession,
  call,
  contentOf,
  modernCall,
  post,
  postModern,
  type RawAnswer,
  turn
} from "../../fixtures/RawHttp.ts"
import { hosted, hostedEffect } from "../../fixtures/httpServing.ts"
import type { PipedSessions } from "../../fixtures/pipedSessions.ts"

const MEGABYTE = 1_048_576

/** What becomes of the sessions' reading. */
const watch = (sessions: PipedSessions) => {
  const flows: Array<string> = []
  const paused = new Promise<void>((resolve) => {
    sessions.onFlow = (flow) => {
      flows.push(flow)
      resolve()
    }
  })
  return { flows, paused }
}

setFlagsFromString("--expose-gc")
const collectGarbage: unknown = runInNewContext("gc")

/** Bytes of buffers that somebody holds. */
const buffered = (): number => {
  // Twice, because what the first one found is swept beside us.
  if (typeof collectGarbage === "function") for (const _ of [1, 2]) collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** The answer to a request, if its stream gets so far. */
const lastOf = async (answer: RawAnswer): Promise<unknown> => {
  let last: unknown
  for (let event = await answer.next(); event !== undefined; event = await answer.next()) last = event.message.result
  return last
}

/** How many events with data come until the end. */
const countEvents = async (answer: RawAnswer): Promise<number> => {
  let count = 0
  for (let event = await answer.next(); event !== undefined; event = await answer.next())
    if (event.data !== "") count += 1
  return count
}

describe("a host that does not read", () => {
  hosted("holds its server up instead of filling the memory, and misses nothing", async ({ sessions, url }) => {
    const { flows, paused } = watch(sessions)
    const id = await beginSession(url)
    const before = buffered()
    const headers = { "mcp-session-id": id }
    const flood = call(1, "flood", { count: 200, bytes: MEGABYTE }, { progressToken: 1 })
    const slow = await post(url, flood, headers)
    slow.incoming.pause()
    await paused
    assert.isBelow(buffered() - before, 60 * MEGABYTE)
    // Others are not held up.
    const other = await beginSession(url)
    const echo = await post(url, call(1, "echo"), { "mcp-session-id": other })
    assert.strictEqual(echo.status, 200)
    assert.strictEqual(await countEvents(slow), 201)
    assert.include(flows, "resumed")
  })

  hosted("delays nobody, where it shares its server with others", async ({ url }) => {
    const unread = await Promise.all([1, 2].map(() => postModern(url, modernCall(1, "big", { bytes: 40 * MEGABYTE }))))
    for (const { incoming } of unread) incoming.pause()
    const answer = await postModern(url, modernCall(1, "echo", { other: true }))
    assert.include(await answer.text(), "other")
    for (const { json } of unread) assert.lengthOf(contentOf(await json()), 40 * MEGABYTE)
  })

  hostedEffect("is cut off when its share of the memory is used up and others wait", function* ({ sessions, url }) {
    const { flows, paused } = watch(sessions)
    const before = buffered()
    const slow = yield* Effect.promise(async () => {
      const small = await postModern(url, modernCall(1, "big", { bytes: 10 * MEGABYTE }))
      small.incoming.pause()
      const flood = await postModern(url, modernCall(1, "flood", { count: 600, bytes: MEGABYTE }, { progressToken: 1 }))
      flood.incoming.pause()
      await paused
      return { flood, small }
    })
    assert.isBelow(buffered() - before, 90 * MEGABYTE)
    const other = postModern(url, modernCall(1, "wait", { tag: "other" }))
    yield* Effect.promise(async () => {
      while (flows.length < 3) await turn()
    })
    const release = postModern(url, { method: "notifications/release", params: { tag: "other" } })
    const answered = { is: false }
    void other.finally(() => {
      answered.is = true
    })
    yield* Effect.promise(() => release)
    yield* Effect.promise(async () => {
      for (let turns = 0; turns < 200; turns += 1) await turn()
    })
    assert.isFalse(answered.is)
    assert.deepStrictEqual(flows, ["paused", "resumed", "paused"])
    assert.isBelow(buffered() - before, 300 * MEGABYTE)
    yield* TestClock.adjust("2 seconds")
    const { heard, text } = yield* Effect.promise(async () => ({
      text: await (await other).text(),
      heard: contentOf(await (await postModern(url, modernCall(2, "heard"))).json())
    }))
    assert.include(text, "other")
    assert.include(heard, "notifications/cancelled")
    assert.isUndefined(yield* Effect.promise(() => lastOf(slow.flood)))
    assert.lengthOf(contentOf(yield* Effect.promise(() => slow.small.json())), 10 * MEGABYTE)
  })

  hostedEffect("is told from one that reads slowly", function* ({ url }) {
    const bytes = 60 * MEGABYTE
    const { incoming } = yield* Effect.promise(() => postModern(url, modernCall(1, "big", { bytes })))
    let read = 0
    const step = (upTo: number) =>
      new Promise<void>((resolve) => {
        const stop = (): void => {
          incoming.pause().removeAllListeners("data").removeAllListeners("close")
          resolve()
        }
        incoming.once("close", stop)
        incoming.on("data", (chunk: string) => {
          read += chunk.length
          if (read >= upTo) stop()
        })
        incoming.resume()
      })
    for (let upTo = 5 * MEGABYTE; upTo < bytes && !incoming.destroyed; upTo += 5 * MEGABYTE) {
      yield* Effect.promise(() => step(upTo))
      yield* Effect.promise(turn)
      yield* TestClock.adjust("20 seconds")
    }
    yield* Effect.promise(() => step(Infinity))
    assert.isAbove(read, bytes)
  })
})

describe("large answers", () => {
  hosted("of 30 MB pass whole", async ({ url }) => {
    const id = await beginSession(url)
    const answers = await Promise.all([
      post(url, call(1, "big", { bytes: 30 * MEGABYTE }), { "mcp-session-id": id }),
      postModern(url, modernCall(1, "big", { bytes: 30 * MEGABYTE }))
    ])
    for (const answer of answers) assert.lengthOf(contentOf(await answer.json()), 30 * MEGABYTE)
  })
})
