import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  beginSession,
  call,
  contentOf,
  modernCall,
  post,
  postModern,
  type RawAnswer,
  turn
} from "../fixtures/RawHttp.ts"
import { served, withServed } from "../fixtures/httpServing.ts"
import { pipedSessions } from "../fixtures/pipedSessions.ts"

const MEGABYTE = 1_048_576

/** Sessions, and what becomes of their reading. */
const watched = () => {
  const sessions = pipedSessions()
  const flows: Array<string> = []
  const paused = new Promise<void>((resolve) => {
    sessions.onFlow = (flow) => {
      flows.push(flow)
      resolve()
    }
  })
  return { sessions, flows, paused }
}

const buffered = (): number => {
  const { arrayBuffers, external } = process.memoryUsage()
  return arrayBuffers + external
}

/** How many events with data come until the end. */
const countEvents = async (answer: RawAnswer): Promise<number> => {
  let count = 0
  for (let event = await answer.next(); event !== undefined; event = await answer.next())
    if (event.data !== "") count += 1
  return count
}

describe("a host that does not read", () => {
  it.live("holds its server up instead of filling the memory, and misses nothing", () => {
    const { flows, paused, sessions } = watched()
    return withServed(
      async ({ url }) => {
        const id = await beginSession(url)
        const before = buffered()
        const headers = { "mcp-session-id": id }
        const flood = call(1, "flood", { count: 200, bytes: MEGABYTE }, { progressToken: 1 })
        const slow = await post(url, flood, headers)
        slow.incoming.pause()
        await paused
        assert.isBelow(buffered() - before, 120 * MEGABYTE)
        // Others are not held up.
        const other = await beginSession(url)
        const echo = await post(url, call(1, "echo"), { "mcp-session-id": other })
        assert.strictEqual(echo.status, 200)
        assert.strictEqual(await countEvents(slow), 201)
        assert.include(flows, "resumed")
      },
      {},
      sessions
    )
  })

  it.effect("is given up in time, where it shares its server with others", () => {
    const { paused, sessions } = watched()
    return served(
      ({ url }) =>
        Effect.gen(function* () {
          const flood = modernCall(1, "flood", { count: 400, bytes: MEGABYTE }, { progressToken: 1 })
          const slow = yield* Effect.promise(() => postModern(url, flood))
          slow.incoming.pause()
          yield* Effect.promise(() => paused)
          const other = postModern(url, modernCall(1, "echo", { other: true })).then(({ text }) => text())
          const answered = { is: false }
          void other.finally(() => {
            answered.is = true
          })
          while (!answered.is) {
            yield* TestClock.adjust("1 second")
            yield* Effect.promise(turn)
          }
          const answer = yield* Effect.promise(() => other)
          assert.include(answer, "other")
        }),
      {},
      sessions
    )
  })
})

describe("large answers", () => {
  it.live("of 30 MB pass whole", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const answers = await Promise.all([
        post(url, call(1, "big", { bytes: 30 * MEGABYTE }), { "mcp-session-id": id }),
        postModern(url, modernCall(1, "big", { bytes: 30 * MEGABYTE }))
      ])
      for (const answer of answers) assert.lengthOf(contentOf(await answer.json()), 30 * MEGABYTE)
    })
  )
})
