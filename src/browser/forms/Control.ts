import type { Draft, FieldPath } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"

/** Where a control stands in the draft. Items of lists move and members of maps get other names: their key changes. */
export interface Place {
  readonly parent: Place | undefined
  /** `undefined`: the same value as the parent's, as of the variant of a union. */
  key: string | number | undefined
  /** What the value begins with when something below it is written first. */
  begin?: () => Draft
  /** What an emptied value is, where it can not be left out. */
  blank?: Draft
  /** Called after something below it has been written. */
  changed?: () => void
}

export const pathOf = (place: Place): FieldPath => {
  const path: Array<string | number> = []
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    if (at.key !== undefined) path.unshift(at.key)
  }
  return path
}

/** JSON pointer (RFC 6901). */
export const pointerOf = (path: FieldPath): string =>
  path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** A field on the page. */
export interface Control {
  /** May be another one after the control has been drawn again. */
  readonly element: HTMLElement
  readonly focus: () => void
  /** Says what is wrong; `""`: nothing any more. */
  readonly showError: (message: string) => void
  /** The control of a member or an item, made visible if it was not; `undefined` if it has none of its own. */
  readonly child?: (key: string | number) => Control | undefined
}

/** How a control differs from what its field says. */
export interface Look {
  /** Stands for the label of the field. */
  readonly label?: string
  /** A row of a list: the label is for screen readers, the description is the list's affair. */
  readonly isRow?: boolean
  /** The whole input, or the variant of a union: without a label and a line of its own. */
  readonly isBare?: boolean
  /** A group that has not been added: the button that adds it says its name. */
  readonly isClosed?: boolean
  /** Buttons beside the label. */
  readonly tools?: ReadonlyArray<HTMLElement>
}

/** What the controls of one form share: the draft, and how to change it. */
export interface Form {
  readonly get: (place: Place) => Draft
  readonly set: (place: Place, value: Draft) => void
  /** Changes the draft around a place: moves, removals, other names. */
  readonly edit: (place: Place, change: (draft: Draft, path: FieldPath) => Draft) => void
  /** Writes what a person has not done: beginnings that the schema asks for. */
  readonly prepare: (place: Place, value: Draft) => void
  /** There has been no call: what is required may begin by itself. */
  readonly isFresh: boolean
  /** IANA name. */
  readonly timeZone: string
  /** `listener` is called as long as `element` is on the page. */
  readonly onTimeZone: (element: HTMLElement, listener: () => void) => void
  readonly control: (field: Field, place: Place, look?: Look) => Control
}

/** Where a control is drawn. */
export interface Slot {
  readonly form: Form
  readonly place: Place
  readonly look: Look
  /** Draws the control again, from the draft, and gives it the focus. */
  readonly redraw: () => void
}

const FOCUSABLE =
  "input:checked,input:not([tabindex='-1'],[type=radio]),select,textarea,[role=radiogroup] input,button:not(.mf-more),summary"

/** What the keyboard goes to first, below an element. */
export const focusFirst = (element: HTMLElement): HTMLElement | undefined =>
  element.querySelector(":scope>.mf-content")?.querySelector<HTMLElement>(FOCUSABLE) ??
  element.querySelector<HTMLElement>(FOCUSABLE) ??
  undefined
