import type { FallbackReason } from "../documents/UiEntry.ts"

/** More than any prompt takes; older wishes are dropped. */
export const MAX_HISTORY = 50
/** The oldest go. */
export const MAX_SET_ASIDE = 20

/** A wish that could not be met, and why. It is kept, but the model is not asked for it again unless the user is. */
export interface SetAsideWish {
  readonly feedback: string
  readonly code: string
  /** One sentence for people. */
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What a user asked to be changed about one UI (requirements R1, R5). */
export interface Wishes {
  /** What the UI is made with, oldest first. */
  readonly history: ReadonlyArray<string>
  /** How many of the first are met by a UI that was accepted; the others wait for the next change. */
  readonly accepted: number
  readonly setAside: ReadonlyArray<SetAsideWish>
}

export const NO_WISHES: Wishes = { history: [], accepted: 0, setAside: [] }

const bounded = ({ accepted, history, setAside }: Wishes): Wishes => ({
  history: history.slice(-MAX_HISTORY),
  accepted: Math.max(0, accepted - Math.max(0, history.length - MAX_HISTORY)),
  setAside: setAside.slice(-MAX_SET_ASIDE)
})

/** Whether a UI made with these refinements is one that is still asked for, perhaps with more wishes after them. */
export const isAskedFor = (history: ReadonlyArray<string>, refinements: ReadonlyArray<string>): boolean =>
  refinements.length <= history.length && refinements.every((wish, index) => wish === history[index])

/** One more. The words of one that was set aside have it tried again. */
export const withWish = (wishes: Wishes, feedback: string): Wishes =>
  bounded({
    ...wishes,
    history: [...wishes.history, feedback],
    setAside: wishes.setAside.filter((aside) => aside.feedback !== feedback)
  })

/** The history of a version that was accepted in the place of the present one. */
export const withHistory = (wishes: Wishes, history: ReadonlyArray<string>): Wishes =>
  bounded({ ...wishes, history, accepted: history.length })

/** After a UI that was made with these refinements was accepted. */
export const withAccepted = (wishes: Wishes, refinements: ReadonlyArray<string>): Wishes =>
  isAskedFor(wishes.history, refinements) && wishes.accepted < refinements.length
    ? { ...wishes, accepted: refinements.length }
    : wishes

/** Without the last of these refinements, unless a UI that was accepted meets it. */
export const withoutWish = (wishes: Wishes, refinements: ReadonlyArray<string>): Wishes =>
  isAskedFor(wishes.history, refinements) && wishes.accepted < refinements.length
    ? { ...wishes, history: wishes.history.toSpliced(refinements.length - 1, 1) }
    : wishes

/** What the wishes are to blame for; the others (no key, for one) would have failed without them. */
const ABOUT_WISHES: ReadonlySet<FallbackReason["code"]> = new Set([
  "REJECTED",
  "CONTENT_FILTERED",
  "PROMPT_INJECTION",
  "INVALID_REQUEST"
])

/**
 * After a UI with these refinements failed for good: those that no accepted UI meets are set aside, so that they are in the
 * way of no other. If they are not to blame, only one that was just asked for is (`isNew`: the last of them).
 */
export const withSetAside = (
  wishes: Wishes,
  refinements: ReadonlyArray<string>,
  why: { readonly reason: FallbackReason; readonly isNew: boolean; readonly at: number }
): Wishes => {
  const { at, isNew, reason } = why
  const newest = isNew ? refinements.length - 1 : refinements.length
  const first = Math.max(wishes.accepted, ABOUT_WISHES.has(reason.code) ? 0 : newest)
  if (reason.transient || !isAskedFor(wishes.history, refinements) || first >= refinements.length) return wishes
  const refused = wishes.history.slice(first, refinements.length)
  const { code, message } = reason
  return bounded({
    ...wishes,
    history: wishes.history.toSpliced(first, refused.length),
    setAside: [
      ...wishes.setAside.filter(({ feedback }) => !refused.includes(feedback)),
      ...refused.map((feedback) => ({ feedback, code, message, at }))
    ]
  })
}
