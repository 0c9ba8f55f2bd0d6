import type { FallbackReason } from "../tools/UiEntry.ts"

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

const withAside = (
  setAside: Wishes["setAside"],
  refused: ReadonlyArray<string>,
  why: Omit<SetAsideWish, "feedback">
): Wishes["setAside"] => [
  ...setAside.filter(({ feedback }) => !refused.includes(feedback)),
  ...refused.map((feedback) => ({ feedback, ...why }))
]

/**
 * After a version that was made with the wishes `failed` failed on screen and gave way to one made with `good`: what only
 * the failed one met is set aside, and what waits goes on waiting. If the history has become another one, it stays that.
 */
export const withGivenWay = (
  wishes: Wishes,
  failed: ReadonlyArray<string>,
  good: ReadonlyArray<string>,
  at: number
): Wishes => {
  const isOwn = (wish: string): boolean => failed.includes(wish) && !good.includes(wish)
  const isAsked = isAskedFor(wishes.history, failed)
  const met = isAsked ? failed.length : wishes.accepted
  const waiting = wishes.history.slice(met)
  const left = isAsked ? good : wishes.history.slice(0, met).filter((wish) => !isOwn(wish))
  const own = wishes.history.slice(0, met).filter((wish) => isOwn(wish) && !waiting.includes(wish))
  const why = { code: "FAILED_ON_SCREEN", message: "The UI that met it failed on screen.", at }
  return bounded({
    history: [...left, ...waiting],
    accepted: left.length,
    setAside: withAside(wishes.setAside, own, why)
  })
}

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
 * way of no other. Where none is known to be met, the last one is blamed first: the others may have been met before. If they
 * are not to blame, only one that was just asked for is (`isNew`: the last of them).
 */
export const withSetAside = (
  wishes: Wishes,
  refinements: ReadonlyArray<string>,
  why: { readonly reason: FallbackReason; readonly isNew: boolean; readonly at: number }
): Wishes => {
  const { at, isNew, reason } = why
  const isToBlame = ABOUT_WISHES.has(reason.code)
  const newest = isNew || isToBlame ? refinements.length - 1 : refinements.length
  const first = isToBlame && wishes.accepted > 0 ? wishes.accepted : Math.max(wishes.accepted, newest)
  const isNone = refinements.length === 0 || first >= refinements.length
  if (reason.transient || isNone || !isAskedFor(wishes.history, refinements)) return wishes
  const refused = wishes.history.slice(first, refinements.length)
  const { code, message } = reason
  return bounded({
    ...wishes,
    history: wishes.history.toSpliced(first, refused.length),
    setAside: withAside(wishes.setAside, refused, { code, message, at })
  })
}
