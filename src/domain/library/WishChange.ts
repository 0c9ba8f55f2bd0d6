import { NO_WISHES, type Wishes, withoutWish, withWish } from "./Wishes.ts"
import type { Lineage } from "./UiVersions.ts"

/** A change of a UI that somebody asks for, and of its wishes with it. */
export interface WishChange {
  readonly lineage: Lineage
  /** Made from the good UI there is, or from nothing. */
  readonly fromGood: boolean
  readonly change: (wishes: Wishes) => Wishes
  /** When it was cancelled, or failed for good; `before` and `asked` are what there was on both sides of the change. */
  readonly undo: (wishes: Wishes, before: Wishes, asked: Wishes) => Wishes
}

export const refinement = (feedback: string): WishChange => ({
  lineage: { origin: "refined", feedback },
  fromGood: true,
  change: (wishes) => withWish(wishes, feedback),
  undo: (wishes, _before, asked) => withoutWish(wishes, asked.history)
})

/** Wishes that were to be forgotten come back with the UI that stays, unless there are others by then. */
export const regeneration = (clearRefinements: boolean): WishChange => ({
  lineage: { origin: "regenerated" },
  fromGood: false,
  change: (wishes) => (clearRefinements ? { ...NO_WISHES } : wishes),
  undo: (wishes, before) => (clearRefinements && wishes.history.length === 0 ? before : wishes)
})
