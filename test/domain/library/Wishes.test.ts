import { assert, describe, it } from "@effect/vitest"
import type { FallbackReason } from "../../../src/domain/tools/UiEntry.ts"
import {
  MAX_HISTORY,
  MAX_SET_ASIDE,
  NO_WISHES,
  type Wishes,
  withAccepted,
  withGivenWay,
  withHistory,
  withoutWish,
  withSetAside,
  withWish
} from "../../../src/domain/library/Wishes.ts"

const wishes = (history: ReadonlyArray<string>, accepted = 0, aside: ReadonlyArray<string> = []): Wishes => ({
  history,
  accepted,
  setAside: aside.map((feedback) => ({ feedback, code: "REJECTED", message: "No.", at: 1 }))
})

const because = (code: FallbackReason["code"], isNew = true, transient = false) => ({
  reason: { code, message: "No.", transient },
  isNew,
  at: 1
})

const told = ({ accepted, history, setAside }: Wishes) => [history, accepted, setAside.map(({ feedback }) => feedback)]

describe("withSetAside", () => {
  it("sets aside all that no accepted UI meets, if the wishes are to blame", () => {
    const before = wishes(["a", "b", "c"], 1)
    assert.deepStrictEqual(told(withSetAside(before, ["a", "b", "c"], because("REJECTED"))), [["a"], 1, ["b", "c"]])
    const ofRead = withSetAside(before, ["a", "b", "c"], because("CONTENT_FILTERED", false))
    assert.deepStrictEqual(told(ofRead), [["a"], 1, ["b", "c"]])
  })

  it("sets aside the new one only, if they are not", () => {
    const before = wishes(["a", "b", "c"], 1)
    assert.deepStrictEqual(told(withSetAside(before, ["a", "b", "c"], because("AUTH"))), [["a", "b"], 1, ["c"]])
    assert.strictEqual(withSetAside(before, ["a", "b", "c"], because("NO_MODEL", false)), before)
  })

  it("sets aside the last one only, if none is known to be met", () => {
    const before = wishes(["a", "b", "c"])
    for (const isNew of [true, false]) {
      const after = withSetAside(before, ["a", "b", "c"], because("REJECTED", isNew))
      assert.deepStrictEqual(told(after), [["a", "b"], 0, ["c"]])
    }
    assert.strictEqual(withSetAside(before, [], because("REJECTED")), before)
  })

  it("leaves what is met, what may pass, what is asked for no more, and what was asked for since", () => {
    const met = wishes(["a", "b"], 2)
    assert.strictEqual(withSetAside(met, ["a", "b"], because("REJECTED")), met)
    const pending = wishes(["a", "b"], 1)
    assert.strictEqual(withSetAside(pending, ["a", "b"], because("TIMEOUT", true, true)), pending)
    assert.strictEqual(withSetAside(pending, ["a", "x"], because("REJECTED")), pending)
    const more = wishes(["a", "b", "c"], 1)
    assert.deepStrictEqual(told(withSetAside(more, ["a", "b"], because("REJECTED"))), [["a", "c"], 1, ["b"]])
  })

  it("keeps each wish once, and the newest", () => {
    const before = wishes(["a"], 0, ["a", "b"])
    assert.deepStrictEqual(told(withSetAside(before, ["a"], because("REJECTED")))[2], ["b", "a"])
    const full = Array.from({ length: MAX_SET_ASIDE }, (_, index) => `${index}`)
    const after = withSetAside(wishes(["a"], 0, full), ["a"], because("REJECTED"))
    assert.deepStrictEqual(told(after)[2], [...full.slice(1), "a"])
  })
})

describe("withGivenWay", () => {
  it("sets aside what only the failed version met, and leaves what waits", () => {
    const failed = withGivenWay(wishes(["a", "b", "c"], 2, ["x"]), ["a", "b"], ["a"], 7)
    assert.deepStrictEqual(told(failed), [["a", "c"], 1, ["x", "b"]])
    assert.deepInclude(failed.setAside[1], { code: "FAILED_ON_SCREEN", at: 7 })
    assert.deepStrictEqual(told(withGivenWay(wishes(["a", "c"], 1), ["a"], ["a"], 7)), [["a", "c"], 1, []])
  })

  it("brings back what the good version met, unless the history is another one by now", () => {
    assert.deepStrictEqual(told(withGivenWay(wishes(["c"]), [], ["a", "b"], 7)), [["a", "b", "c"], 2, []])
    assert.deepStrictEqual(told(withGivenWay(wishes([]), ["b"], ["a"], 7)), [[], 0, []])
    const moved = wishes(["x", "b", "c"], 2)
    assert.deepStrictEqual(told(withGivenWay(moved, ["a", "x", "b"], ["a", "x"], 7)), [["x", "c"], 1, ["b"]])
    assert.deepStrictEqual(told(withGivenWay(wishes(["a", "a"], 1), ["a"], [], 7)), [["a"], 0, []])
  })
})

describe("wishes", () => {
  it("said again are not set aside any more", () => {
    assert.deepStrictEqual(told(withWish(wishes(["a"], 1, ["b", "c"]), "b")), [["a", "b"], 1, ["c"]])
  })

  it("are dropped when there are too many, met ones first", () => {
    const full = Array.from({ length: MAX_HISTORY }, (_, index) => `${index}`)
    assert.deepStrictEqual(told(withWish(wishes(full, MAX_HISTORY), "a")), [
      [...full.slice(1), "a"],
      MAX_HISTORY - 1,
      []
    ])
  })

  it("are met by what was made with them", () => {
    const before = wishes(["a", "b"])
    assert.deepStrictEqual(told(withAccepted(before, ["a"])), [["a", "b"], 1, []])
    assert.strictEqual(withAccepted(before, ["b"]), before)
    const met = wishes(["a", "b"], 2)
    assert.strictEqual(withAccepted(met, ["a"]), met)
    assert.deepStrictEqual(told(withHistory(wishes(["a"], 0, ["b"]), ["c", "d"])), [["c", "d"], 2, ["b"]])
  })

  it("are taken back unless they are met", () => {
    assert.deepStrictEqual(told(withoutWish(wishes(["a", "b", "c"], 1), ["a", "b"])), [["a", "c"], 1, []])
    const met = wishes(["a", "b"], 2)
    assert.strictEqual(withoutWish(met, ["a", "b"]), met)
    assert.strictEqual(withoutWish(NO_WISHES, ["a"]), NO_WISHES)
  })
})
