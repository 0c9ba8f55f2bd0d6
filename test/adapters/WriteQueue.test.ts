import { assert, describe, it } from "@effect/vitest"
import { systemErrorCode } from "../../src/adapters/replaceFile.ts"
import { WriteQueue } from "../../src/adapters/WriteQueue.ts"

const answerOf = (work: Promise<unknown>): Promise<unknown> => work.catch(systemErrorCode)

describe("WriteQueue", () => {
  it("does one after the other, whatever becomes of the one before", async () => {
    const queue = new WriteQueue({ patienceMs: 5000 })
    const done: Array<string> = []
    const first = queue.run(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      done.push("first")
      throw new Error("no")
    })
    const second = queue.run(async () => done.push("second"))
    await queue.settle(5000)
    assert.deepStrictEqual(done, ["first", "second"])
    assert.strictEqual(await answerOf(first), "UNKNOWN")
    assert.strictEqual(await second, 2)
  })

  it("gives up waiting, and still does in its turn what was late", async () => {
    const queue = new WriteQueue({ patienceMs: 30 })
    const done: Array<string> = []
    const answer = Promise.withResolvers<void>()
    const first = answerOf(queue.run(() => answer.promise.then(() => void done.push("first"))))
    const second = answerOf(queue.run(async () => void done.push("second")))
    assert.deepStrictEqual(await Promise.all([first, second]), ["ETIMEDOUT", "ETIMEDOUT"])
    await queue.settle(10)
    assert.deepStrictEqual(done, [])
    answer.resolve()
    await queue.settle(5000)
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
})
