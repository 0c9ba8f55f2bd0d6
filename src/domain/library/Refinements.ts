import type { FallbackReason } from "../tools/UiEntry.ts"

/** More than any prompt takes; the oldest are dropped. */
export const MAX_ASKED = 50
/** The oldest are dropped. */
export const MAX_REJECTED = 20

/** Why a refinement was rejected. */
export interface Rejection {
  readonly code: string
  /** One sentence for people. */
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * What a user asked to be changed about one UI.
 *
 * @example
 * import type { Refinement } from "mcp-gen-ui"
 *
 * const line = ({ reason, state, text }: Refinement) => `${state}: ${text}${reason === null ? "" : ` (${reason.message})`}`
 */
export interface Refinement {
  /** In the user's words. */
  readonly text: string
  /**
   * - `applied`: an accepted UI was made with it.
   * - `pending`: the next generation is made with it.
   * - `rejected`: it failed for good. The model is not asked for it again, unless the user is.
   */
  readonly state: "applied" | "pending" | "rejected"
  /** `null` unless it is rejected. */
  readonly reason: Rejection | null
}

/** The refinements of one tool: first those that the UI is made with, then the rejected ones; each oldest first. */
export type Refinements = ReadonlyArray<Refinement>

type Texts = ReadonlyArray<string>

export const NO_REFINEMENTS: Refinements = []

const inState = (list: Refinements, ...states: ReadonlyArray<Refinement["state"]>): Refinements =>
  list.filter(({ state }) => states.includes(state))

const textsOf = (list: Refinements): Texts => list.map(({ text }) => text)

const isSame = (one: Texts, other: Texts): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])

const applied = (texts: Texts): Refinements => texts.map((text) => ({ text, state: "applied", reason: null }))

const bounded = (asked: Refinements, rejected: Refinements): Refinements => [
  ...asked.slice(-MAX_ASKED),
  ...rejected.slice(-MAX_REJECTED)
]

const askedFor = (list: Refinements): Refinements => inState(list, "applied", "pending")

export const rejectedOf = (list: Refinements): Refinements => inState(list, "rejected")

/** The words that the UI is made with. */
export const askedTexts = (list: Refinements): Texts => textsOf(askedFor(list))

export const hasPending = (list: Refinements): boolean => list.some(({ state }) => state === "pending")

/** Whether the newest refinement that a UI was made with is still asked for. */
export const isStillAsked = (list: Refinements, texts: Texts): boolean => {
  const newest = texts.at(-1)
  const count = (among: Texts): number => among.filter((text) => text === newest).length
  return count(askedTexts(list)) >= count(texts)
}

/** Adds a refinement. A pending or rejected one with the same words is replaced, so it is tried again. */
export const withRefinement = (list: Refinements, text: string): Refinements => {
  const others = list.filter((other) => other.text !== text || other.state === "applied")
  return bounded([...askedFor(others), { text, state: "pending", reason: null }], rejectedOf(others))
}

/**
 * After a UI made with these was accepted, if the newest of them is still asked for. Keeps what others added meanwhile.
 * What they rejected or removed comes back, because the UI was made with it.
 */
export const withApplied = (list: Refinements, texts: Texts): Refinements => {
  if (!isStillAsked(list, texts)) return list
  const others = [...askedFor(list)]
  for (const text of texts) {
    const at = others.findIndex((other) => other.text === text)
    if (at !== -1) others.splice(at, 1)
  }
  const next = bounded(
    [...applied(texts), ...others],
    rejectedOf(list).filter(({ text }) => !texts.includes(text))
  )
  const isUnchanged = isSame(textsOf(list), textsOf(next)) && list.every(({ state }, at) => state === next[at]?.state)
  return isUnchanged ? list : next
}

/** After a version made with these became the current one again. */
export const withTexts = (list: Refinements, texts: Texts): Refinements =>
  bounded(
    applied(texts),
    rejectedOf(list).filter(({ text }) => !texts.includes(text))
  )

/** Without the newest pending refinement with these words. */
export const withoutPending = (list: Refinements, text: string | undefined): Refinements => {
  const at = list.findLastIndex((other) => other.state === "pending" && other.text === text)
  return at === -1 ? list : list.toSpliced(at, 1)
}

const withReason = (rejected: Refinements, texts: Texts, reason: Rejection): Refinements => [
  ...rejected.filter(({ text }) => !texts.includes(text)),
  ...texts.map((text): Refinement => ({ text, state: "rejected", reason }))
]

/** After a UI made with these failed for good: the newest of them is rejected, if it is pending. */
export const withNewestRejected = (list: Refinements, texts: Texts, reason: Rejection): Refinements => {
  const newest = texts.at(-1)
  const others = withoutPending(list, newest)
  if (newest === undefined || others === list) return list
  return bounded(askedFor(others), withReason(rejectedOf(others), [newest], reason))
}

/**
 * After a version made with `failed` failed on screen and was replaced by one made with `good`. Rejects what only the
 * failed one applied; pending ones stay. If others changed the applied ones meanwhile, their changes stay too.
 */
export const withGivenWay = (list: Refinements, failed: Texts, good: Texts, at: number): Refinements => {
  const pending = inState(list, "pending")
  const before = textsOf(inState(list, "applied"))
  const isOwn = (text: string): boolean => failed.includes(text) && !good.includes(text)
  const left = isSame(before, failed) ? good : before.filter((text) => !isOwn(text))
  const own = before.filter((text) => isOwn(text) && !textsOf(pending).includes(text))
  const reason = { code: "FAILED_ON_SCREEN", message: "The UI that was made with it failed on screen.", at }
  return bounded([...applied(left), ...pending], withReason(rejectedOf(list), own, reason))
}

const REFUSALS: ReadonlySet<FallbackReason["code"]> = new Set([
  "REJECTED",
  "CONTENT_FILTERED",
  "PROMPT_INJECTION",
  "INVALID_REQUEST"
])

/** Whether other words could have helped; a missing key fails every request. */
export const isRefusal = ({ code }: FallbackReason): boolean => REFUSALS.has(code)
