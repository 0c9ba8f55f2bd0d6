import { assert, describe, it } from "@effect/vitest"
import { ForwardedRequests } from "../../../src/domain/session/ForwardedRequests.ts"
import { idKey } from "../../../src/domain/wire/Frame.ts"

const withIds = (...ids: ReadonlyArray<string>): ForwardedRequests => {
  const forwarded = new ForwardedRequests()
  for (const id of ids) forwarded.add({ id, method: `method of ${id}` })
  return forwarded
}

describe("ForwardedRequests", () => {
  it("gives each request once, whatever way its id is written", () => {
    const forwarded = withIds("1", '"1"', String.raw`"\u0061"`)
    assert.strictEqual(forwarded.get(idKey("1"))?.method, "method of 1")
    assert.strictEqual(forwarded.take(idKey("1"))?.id, "1")
    assert.isUndefined(forwarded.take(idKey("1")))
    assert.strictEqual(forwarded.take(idKey('"a"'))?.id, String.raw`"\u0061"`)
    assert.strictEqual(forwarded.size, 1)
    assert.strictEqual(forwarded.take(idKey('"1"'))?.id, '"1"')
    assert.strictEqual(forwarded.size, 0)
  })

  it("keeps both of two with the same id, in order", () => {
    const forwarded = withIds("1")
    forwarded.add({ id: "1", method: "another" })
    assert.strictEqual(forwarded.take(idKey("1"))?.method, "method of 1")
    assert.strictEqual(forwarded.take(idKey("1"))?.method, "another")
    assert.strictEqual(forwarded.size, 0)
  })

  it("knows what was asked for, a number answered as text too, and nothing else", () => {
    const forwarded = withIds("1", '"2"')
    assert.strictEqual(forwarded.keyFor(idKey("1")), idKey("1"))
    assert.strictEqual(forwarded.keyFor(idKey('"1"')), idKey("1"))
    for (const id of ["2", '"0x1"', "null", "[1]", '"01"', "3"]) assert.isUndefined(forwarded.keyFor(idKey(id)), id)
    forwarded.take(idKey("1"))
    assert.isUndefined(forwarded.keyFor(idKey("1")))
  })

  it("expects one more answer to what was cancelled, of the newest thousand", () => {
    const forwarded = withIds("1", "2")
    forwarded.cancel(idKey("1"))
    forwarded.cancel(idKey("3"))
    assert.strictEqual(forwarded.size, 1)
    assert.strictEqual(forwarded.keyFor(idKey("1")), idKey("1"))
    assert.isUndefined(forwarded.keyFor(idKey("3")))
    assert.isUndefined(forwarded.take(idKey("1")))
    assert.isUndefined(forwarded.keyFor(idKey("1")))
    forwarded.cancel(idKey("2"))
    for (let id = 10; id < 1010; id += 1) {
      forwarded.add({ id: String(id), method: "ping" })
      forwarded.cancel(idKey(String(id)))
    }
    assert.isUndefined(forwarded.keyFor(idKey("2")))
  })

  it("gives up all at once, but for those that are asked again", () => {
    const forwarded = withIds("1", "2", "3")
    assert.deepStrictEqual(
      forwarded.takeAll(new Set([idKey("2")])).map(({ id }) => id),
      ["1", "3"]
    )
    assert.strictEqual(forwarded.size, 1)
    assert.deepStrictEqual(
      forwarded.takeAll(new Set()).map(({ id }) => id),
      ["2"]
    )
    assert.deepStrictEqual(forwarded.takeAll(new Set()), [])
  })

  it("says once when nothing is owed any more", () => {
    const forwarded = withIds("1", "2", "3")
    let told = 0
    forwarded.whenEmpty(() => (told += 1))
    forwarded.take(idKey("1"))
    forwarded.cancel(idKey("2"))
    assert.strictEqual(told, 0)
    forwarded.take(idKey("3"))
    forwarded.takeAll(new Set())
    assert.strictEqual(told, 1)
    forwarded.whenEmpty(() => (told += 1))
    assert.strictEqual(told, 2)
  })
})
