import { assert, describe, it } from "@effect/vitest"
import { ForwardedRequests } from "../../../src/domain/wire/ForwardedRequests.ts"
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

  it("keeps the later one of two with the same id", () => {
    const forwarded = withIds("1")
    forwarded.add({ id: "1", method: "another" })
    assert.strictEqual(forwarded.size, 1)
    assert.strictEqual(forwarded.take(idKey("1"))?.method, "another")
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
})
