import type { Draft, FieldPath } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import type { FormSession } from "./FormSession.ts"

/** The place of a control in the draft. The key of a map's member changes when it is renamed. */
export interface Place {
  readonly parent: Place | undefined
  /** `undefined`: the value is the parent's own, as in a variant of a union. */
  key: string | number | undefined
  /** What the value starts as, when something below it is written first. */
  begin?: () => Draft
  /** What the value becomes when it is emptied and cannot be left out. */
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
  /** Another one may stand here after the control was drawn again. */
  readonly element: HTMLElement
  readonly focus: () => void
  /** Says what is wrong. `""` takes the message away. */
  readonly showError: (message: string) => void
  /** The control of a member or an item, made visible first. `undefined` if it has none of its own. */
  readonly child?: (key: string | number) => Control | undefined
}

/** How a control differs from what its field says. */
export interface Look {
  /** Takes the place of the field's label. */
  readonly label?: string
  /** A row of a list. Its label is for screen readers only: the list shows the description. */
  readonly isRow?: boolean
  /** The whole input, or a variant of a union: it has no label and no line of its own. */
  readonly isBare?: boolean
  /** A group that was not added yet: the button that adds it says the name. */
  readonly isClosed?: boolean
  /** Buttons beside the label. */
  readonly tools?: ReadonlyArray<HTMLElement>
}

/** What the controls of one form share: the draft, and how to change it. */
export interface Form {
  /** Of the tool that the form is for. */
  readonly session: FormSession
  readonly get: (place: Place) => Draft
  readonly set: (place: Place, value: Draft) => void
  /** Writes starting values that the schema asks for and no person has typed. */
  readonly prepare: (place: Place, value: Draft) => void
  /** No call was made yet: what is required may start with a value. */
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
  /** Draws the control again from the draft, and gives it the focus. */
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

/** The first element below this one that the keyboard can reach. */
export const focusFirst = (element: HTMLElement): HTMLElement | undefined =>
  element.querySelector(":scope>.mf-content")?.querySelector<HTMLElement>(FOCUSABLE) ??
  element.querySelector<HTMLElement>(FOCUSABLE) ??
  undefined
