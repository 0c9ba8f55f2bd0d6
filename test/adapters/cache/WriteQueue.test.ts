import { assert, describe, it } from "@effect/vitest"
import { systemErrorCode } from "../../../src/adapters/platform/replaceFile.ts"
import { WriteQueue } from "../../../src/adapters/cache/WriteQueue.ts"

const answerOf = (work: Promise<unknown>): Promise<unknown> => work.catch(systemErrorCode)

const silence = (): Promise<void> => new Promise(() => undefined)
const within = (graceMs: number, maxMs = 10_000, probe: () => Promise<unknown> = silence) => ({ graceMs, maxMs, probe })

describe("WriteQueue", () => {
  it("does one after the other, whatever becomes of the one before", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    const done: Array<string> = []
    const first = answerOf(
      queue.run(async () => {
        await new Promise((resolve) => setImmediate(resolve))
        done.push("first")
        throw new Error("no")
      })
    )
    const second = queue.run(async () => done.push("second"))
    await queue.settle(within(5000, 5000, () => Promise.resolve()))
    assert.deepStrictEqual(done, ["first", "second"])
    assert.strictEqual(await first, "UNKNOWN")
    assert.strictEqual(await second, 2)
  })

  it("gives up waiting, and still does in its turn what was late", async () => {
    const queue = new WriteQueue({ patienceMs: 30 })
    const done: Array<string> = []
    const answer = Promise.withResolvers<void>()
    const first = answerOf(queue.run(() => answer.promise.then(() => void done.push("first"))))
    const second = answerOf(queue.run(async () => void done.push("second")))
    assert.deepStrictEqual(await Promise.all([first, second]), ["ETIMEDOUT", "ETIMEDOUT"])
    await queue.settle(within(10))
    assert.deepStrictEqual(done, [])
    answer.resolve()
    await queue.settle(within(5000, 5000, () => Promise.resolve()))
    assert.deepStrictEqual(done, ["first", "second"])
  })

  it("takes no more than 200 changes that wait", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    const answer = Promise.withResolvers<void>()
    const all = Array.from({ length: 201 }, () => answerOf(queue.run(() => answer.promise)))
    assert.strictEqual(await all[200], "EBUSY")
    answer.resolve()
    assert.deepStrictEqual(
      (await Promise.all(all)).filter((found) => found !== undefined),
      ["EBUSY"]
    )
  })

  it("waits at the end for all of them while one after the other is done", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    const done: Array<number> = []
    for (const index of [1, 2, 3, 4]) {
      void queue.run(() => new Promise((resolve) => setTimeout(() => resolve(done.push(index)), 120)))
    }
    await queue.settle(within(300))
    assert.deepStrictEqual(done, [1, 2, 3, 4])
  })

  it("waits at the end for one that takes long where the system answers, also with an error, and not for ever", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    const done: Array<string> = []
    void queue.run(() => new Promise((resolve) => setTimeout(() => resolve(done.push("long")), 250)))
    await queue.settle(within(100, 10_000, () => Promise.reject(new Error("ENOENT"))))
    assert.deepStrictEqual(done, ["long"])
    void queue.run(silence)
    const start = performance.now()
    await queue.settle(within(50, 200, () => Promise.resolve()))
    assert.isAtLeast(performance.now() - start, 190)
  })

  it("lets what it asked of the system come to its end, too", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    let isAnswered = false
    void queue.run(() => Promise.resolve())
    const probe = () => new Promise<void>((resolve) => setTimeout(() => resolve(void (isAnswered = true)), 50))
    await queue.settle(within(5000, 10_000, probe))
    assert.isTrue(isAnswered)
  })
})
