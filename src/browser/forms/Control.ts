import type { Draft, FieldPath } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"

/** The place of a control in the draft. The key of a map's member changes when it is renamed. */
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

export const pathOf = ({ parent, key }: Place): FieldPath => [
  ...(parent === undefined ? [] : pathOf(parent)),
  ...(key === undefined ? [] : [key])
]

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
  /** A row of a list: the label is for screen readers only, the list shows the description. */
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
  /** Writes what a person has not done: beginnings that the schema asks for. */
  readonly prepare: (place: Place, value: Draft) => void
  /** There has been no call: what is required may begin by itself. */
  readonly isFresh: boolean
  /** IANA name. */
  readonly timeZone: string
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

/** Draws below an element, and gives the focus back to the field that had it. */
export const keepingFocus = (above: HTMLElement, draw: () => void): void => {
  const active = above.contains(document.activeElement) ? document.activeElement : null
  const path = active?.closest<HTMLElement>("[data-path]")?.dataset.path
  draw()
  const field = [...above.querySelectorAll<HTMLElement>("[data-path]")].findLast(({ dataset }) => dataset.path === path)
  if (active === null || field === undefined) return
  const alike = [...field.querySelectorAll<HTMLElement>(FOCUSABLE)].find(({ tagName }) => tagName === active.tagName)
  ;(alike ?? focusFirst(field))?.focus()
}

/** What the keyboard goes to first, below an element. */
export const focusFirst = (element: HTMLElement): HTMLElement | undefined =>
  element.querySelector(":scope>.mf-content")?.querySelector<HTMLElement>(FOCUSABLE) ??
  element.querySelector<HTMLElement>(FOCUSABLE) ??
  undefined
