import { assert, describe, it } from "@effect/vitest"
import {
  isStillAsked,
  MAX_ASKED,
  MAX_REJECTED,
  NO_REFINEMENTS,
  type Refinements,
  withApplied,
  withGivenWay,
  withNewestRejected,
  withoutPending,
  withRefinement,
  withTexts
} from "../../../src/domain/library/Refinements.ts"

const WHY = { code: "REJECTED", message: "No.", at: 1 }

type Texts = ReadonlyArray<string>

const list = (applied: Texts, pending: Texts = [], rejected: Texts = []): Refinements => [
  ...applied.map((text) => ({ text, state: "applied", reason: null }) as const),
  ...pending.map((text) => ({ text, state: "pending", reason: null }) as const),
  ...rejected.map((text) => ({ text, state: "rejected", reason: WHY }) as const)
]

/** `+` applied, `?` pending, `-` rejected. */
const told = (refinements: Refinements): string =>
  refinements.map(({ state, text }) => ({ applied: "+", pending: "?", rejected: "-" })[state] + text).join(" ")

const many = (count: number): Texts => Array.from({ length: count }, (_, index) => `${index}`)

describe("refinements", () => {
  it("are pending when they are new, also if they were pending or rejected before", () => {
    assert.strictEqual(told(withRefinement(list(["a"]), "b")), "+a ?b")
    assert.strictEqual(told(withRefinement(list(["a"], [], ["b", "c"]), "b")), "+a ?b -c")
    assert.strictEqual(told(withRefinement(list([], ["b", "c"]), "b")), "?c ?b")
    assert.strictEqual(told(withRefinement(list(["b"]), "b")), "+b ?b")
  })

  it("are dropped when there are too many, the oldest first", () => {
    const next = withRefinement(list(many(MAX_ASKED)), "a")
    assert.deepStrictEqual(
      next.map(({ text }) => text),
      [...many(MAX_ASKED).slice(1), "a"]
    )
    const full = list([], ["a"], many(MAX_REJECTED))
    const rejected = withNewestRejected(full, ["a"], WHY)
    assert.deepStrictEqual(
      rejected.map(({ text }) => text),
      [...many(MAX_REJECTED).slice(1), "a"]
    )
  })

  it("are applied when a UI made with them is accepted, whatever became of them elsewhere", () => {
    const before = list([], ["a", "b"])
    assert.strictEqual(told(withApplied(before, ["a"])), "+a ?b")
    assert.strictEqual(told(withApplied(before, ["a", "b"])), "+a +b")
    assert.strictEqual(told(withApplied(list([], ["b"], ["a"]), ["a", "b"])), "+a +b")
    assert.strictEqual(told(withApplied(list(["a"], ["a"]), ["a"])), "+a ?a")
    const cleared = list([], ["b"])
    assert.strictEqual(withApplied(cleared, ["a"]), cleared)
    const known = list(["a", "b"], [], ["c"])
    assert.strictEqual(withApplied(known, ["a", "b"]), known)
    assert.strictEqual(withApplied(known, ["a"]), known)
    assert.strictEqual(told(withTexts(list(["a"], ["e"], ["b", "c"]), ["c", "d"])), "+c +d -b")
  })

  it("are forgotten only while they are pending, the newest of the same words", () => {
    assert.strictEqual(told(withoutPending(list(["a"], ["b", "c"]), "b")), "+a ?c")
    const known = list(["a"])
    assert.strictEqual(withoutPending(known, "a"), known)
    assert.strictEqual(withoutPending(NO_REFINEMENTS, "a"), NO_REFINEMENTS)
  })

  it("are still asked for while the newest of them is", () => {
    assert.isTrue(isStillAsked(list(["a"], ["b"]), []))
    assert.isTrue(isStillAsked(list(["a"], ["b"], ["x"]), ["x", "b"]))
    assert.isFalse(isStillAsked(list(["a"], [], ["b"]), ["a", "b"]))
    assert.isFalse(isStillAsked(list(["a"]), ["a", "a"]))
  })
})

describe("withNewestRejected", () => {
  it("rejects the newest that is pending, and no other", () => {
    assert.strictEqual(told(withNewestRejected(list(["a"], ["b", "c"], ["x"]), ["a", "b", "c"], WHY)), "+a ?b -x -c")
    assert.strictEqual(told(withNewestRejected(list(["a"], ["b", "c"]), ["a", "b"], WHY)), "+a ?c -b")
    for (const [known, texts] of [
      [list(["a", "b"]), ["a", "b"]],
      [list(["a"], ["b"]), ["a", "x"]],
      [list(["a"], ["b"]), []]
    ] as const) {
      assert.strictEqual(withNewestRejected(known, texts, WHY), known)
    }
  })

  it("keeps each text once, with its latest reason", () => {
    const later = { ...WHY, at: 2 }
    const next = withNewestRejected(list([], ["a"], ["a", "b"]), ["a"], later)
    assert.strictEqual(told(next), "-b -a")
    assert.deepStrictEqual(next[1]?.reason, later)
  })
})

describe("withGivenWay", () => {
  it("rejects what the failed version alone applied, and leaves what is pending", () => {
    const failed = withGivenWay(list(["a", "b"], ["c"], ["x"]), ["a", "b"], ["a"], 7)
    assert.strictEqual(told(failed), "+a ?c -x -b")
    assert.deepInclude(failed.at(-1)?.reason, { code: "FAILED_ON_SCREEN", at: 7 })
    assert.strictEqual(told(withGivenWay(list(["a"], ["c"]), ["a"], ["a"], 7)), "+a ?c")
    assert.strictEqual(told(withGivenWay(list(["a"], ["a"]), ["a"], [], 7)), "?a")
  })

  it("brings back what the good version applied, unless others have changed that by now", () => {
    assert.strictEqual(told(withGivenWay(list([], ["c"]), [], ["a", "b"], 7)), "+a +b ?c")
    assert.strictEqual(told(withGivenWay(NO_REFINEMENTS, ["b"], ["a"], 7)), "")
    assert.strictEqual(told(withGivenWay(list(["x", "b"], ["c"]), ["a", "x", "b"], ["a", "x"], 7)), "+x ?c -b")
  })
})
