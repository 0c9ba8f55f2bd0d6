import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { withMembersAt, without, withParams, withValueAt } from "../../../../src/domain/upstream/eras/EraSplices.ts"
import { withId } from "../../../../src/domain/wire/withId.ts"
import { bytes, text } from "./script.ts"

describe("withParams", () => {
  const meta = [["k", "1e400"]] as const
  const changed = (frame: string): string =>
    text(withParams(bytes(frame), { id: '"new"', members: [["m", "{}"]], meta }))

  it("adds what is missing and leaves every other byte", () => {
    assert.strictEqual(
      changed('{"id": 1e0, "params" : {"a":-0,"a":1.0, "_meta":{ "x":12345678901234567890 } }, "z":1}'),
      '{"id": "new", "params" : {"a":-0,"a":1.0, "_meta":{ "x":12345678901234567890 ,"k":1e400} ,"m":{}}, "z":1}'
    )
    assert.strictEqual(changed('{"id":1,"params":{"a":1}}'), '{"id":"new","params":{"a":1,"m":{},"_meta":{"k":1e400}}}')
    assert.strictEqual(changed('{"id":1,"params":{}}'), '{"id":"new","params":{"m":{},"_meta":{"k":1e400}}}')
    assert.strictEqual(changed('{"id":1,"x":0}'), '{"id":"new","x":0,"params":{"m":{},"_meta":{"k":1e400}}}')
    assert.strictEqual(changed('{"id":1,"params":null}'), '{"id":"new","params":{"m":{},"_meta":{"k":1e400}}}')
  })

  it("replaces what is there", () => {
    assert.strictEqual(
      changed('{"params":{"_meta":{"k":0,"l":1},"m":2},"id":1}'),
      '{"params":{"_meta":{"k":1e400,"l":1},"m":{}},"id":"new"}'
    )
    assert.strictEqual(
      changed('{"id":1,"params":{"_meta":null}}'),
      '{"id":"new","params":{"_meta":{"k":1e400},"m":{}}}'
    )
  })

  it("does not touch params that are no object, nor what is no message", () => {
    assert.strictEqual(changed('{"id":1,"params":[1]}'), '{"id":"new","params":[1]}')
    assert.strictEqual(changed("junk"), "junk")
  })
})

describe("withMembersAt, withValueAt, withId", () => {
  it("add only what is missing, and only to an object", () => {
    const members = [
      ["a", "1"],
      ["b", "2"]
    ] as const
    assert.strictEqual(
      text(withMembersAt(bytes('{"result":{"b":-0}}'), ["result"], members)),
      '{"result":{"b":-0,"a":1}}'
    )
    for (const frame of ['{"result":{"b":1,"a":2}}', '{"result":[]}', '{"error":{}}']) {
      assert.strictEqual(text(withMembersAt(bytes(frame), ["result"], members)), frame)
    }
  })

  it("replace a value that is there", () => {
    assert.strictEqual(text(withValueAt(bytes('{"a":{"b": 1.0 }}'), ["a", "b"], "2")), '{"a":{"b": 2 }}')
    assert.strictEqual(text(withValueAt(bytes('{"a":{}}'), ["a", "b"], "2")), '{"a":{}}')
    assert.strictEqual(text(withId(bytes('{"id":12345678901234567890}'), '"x"')), '{"id":"x"}')
  })
})

describe("without", () => {
  it("leaves the other members as they stand", () => {
    const frame = bytes('{ "a" : 1 , "b":-0, "c" : [ 1.0 ] ,"d":{} }')
    assert.strictEqual(text(without(frame, [], ["a"])), '{ "b":-0, "c" : [ 1.0 ] ,"d":{} }')
    assert.strictEqual(text(without(frame, [], ["b", "c"])), '{ "a" : 1 ,"d":{} }')
    assert.strictEqual(text(without(frame, [], ["d", "x"])), '{ "a" : 1 , "b":-0, "c" : [ 1.0 ] }')
  })

  it("takes any members out of any object", () => {
    const keys = fc.constantFrom("a", "b", "c", "d")
    fc.assert(
      fc.property(
        fc.array(fc.tuple(keys, fc.jsonValue())),
        fc.uniqueArray(keys),
        fc.constantFrom("", " "),
        (members, gone, space) => {
          const member = ([key, value]: readonly [string, unknown]): string =>
            `"${key}"${space}:${JSON.stringify(value)}`
          const frame = `{${space}${members.map(member).join(`${space},${space}`)}${space}}`
          const kept = members.filter(([key]) => !gone.includes(key))
          assert.deepStrictEqual(
            JSON.parse(text(without(bytes(frame), [], gone))),
            JSON.parse(`{${kept.map(member).join(",")}}`)
          )
        }
      )
    )
  })
})
