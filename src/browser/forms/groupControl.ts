import { byName } from "../../domain/forms/fieldBelow.ts"
import { beginValue } from "../../domain/forms/FormDraft.ts"
import type { Field, GroupField } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/isObject.ts"
import { icon } from "../parts/icons.ts"
import { button, h } from "../parts/index.ts"
import { type Control, focusFirst, type Slot } from "./Control.ts"
import { hint } from "./elements.ts"
import { frame } from "./frame.ts"
import { mapControl } from "./mapControl.ts"

const MANY_FIELDS = 7
const SHOWN_WITHOUT_REQUIRED = 3
/** Fields that are drawn at once. */
const STEP = 200
const NAMED = 20

const isFilled = (value: unknown): boolean =>
  value !== undefined &&
  value !== "" &&
  !(typeof value === "object" && value !== null && Object.keys(value).length === 0)

/** Updates the children of a box, and moves none that can stay: an input that is moved loses the focus. */
const fill = (box: HTMLElement, wanted: ReadonlyArray<HTMLElement>): void => {
  const keep = new Set<Element>(wanted)
  for (const child of [...box.children].filter((child) => !keep.has(child))) child.remove()
  for (const [index, element] of wanted.entries()) {
    const at = box.children[index] ?? null
    if (at !== element) box.insertBefore(element, at)
  }
}

interface FieldBox {
  readonly element: HTMLElement
  readonly draw: (children: ReadonlyArray<Field>) => void
  /** Draws a field even if it is not among the first ones. */
  readonly reach: (name: string) => void
}

/** Fields below each other. Of hundreds, the first are drawn, and the others on demand. */
const fieldBox = (elementOf: (child: Field) => HTMLElement): FieldBox => {
  const element = h("div", { class: "mf-fields" })
  const reached = new Set<string>()
  let all: ReadonlyArray<Field> = []
  let limit = STEP
  const more = button("", () => show(limit + STEP), { small: true })
  const rest = h("div", { class: "mf-wide" }, more)
  const show = (count: number): void => {
    limit = count
    const drawn = all.filter(({ name }, index) => index < limit || reached.has(name))
    const left = all.length - drawn.length
    more.textContent = `Show more (${left})`
    fill(element, [...drawn.map(elementOf), ...(left > 0 ? [rest] : [])])
  }
  return {
    element,
    draw: (children) => {
      all = children
      show(limit)
    },
    reach: (name) => {
      if (all.findIndex((child) => child.name === name) < limit) return
      reached.add(name)
      show(limit)
    }
  }
}

/**
 * The members of an object. Rarely needed ones wait behind "More options" when there are many, and are drawn when that
 * is opened.
 */
export const groupControl = (field: GroupField, slot: Slot): Control => {
  const { form, place, look } = slot
  if (place.key !== undefined) place.begin = () => beginValue(field)
  const now = (): Readonly<Record<string, unknown>> => {
    const value = form.get(place)
    return isObject(value) ? value : {}
  }
  const valueOf = (name: string): unknown => (Object.hasOwn(now(), name) ? now()[name] : undefined)
  /** In a variant of a union, its constants only repeat which variant it is. */
  const isSaid = (child: Field): boolean =>
    place.key === undefined &&
    place.parent !== undefined &&
    child.kind === "constant" &&
    child.required &&
    (valueOf(child.name) ?? child.value) === child.value
  let fields: ReadonlyArray<Field> = []
  const drawn = new Map<string, { readonly field: Field; readonly control: Control }>()
  /** The names behind "More options". Decided once, so that nothing jumps while a person types. */
  const aside = new Set<string>()

  const controlOf = (child: Field): Control => {
    const known = drawn.get(child.name)
    if (known?.field === child) return known.control
    const control = form.control(child, { parent: place, key: child.name })
    drawn.set(child.name, { field: child, control })
    return control
  }
  const shown = fieldBox((child) => controlOf(child).element)
  const more = fieldBox((child) => controlOf(child).element)
  const count = h("span")
  const details = h(
    "details",
    { class: "mf-wide mg-disclosure" },
    h("summary", {}, icon("chevron"), count),
    more.element
  )
  const drawMore = (): void => {
    if (details.open) more.draw(fields.filter(({ name }) => aside.has(name)))
  }
  const setAside = (next: ReadonlyArray<Field>): void => {
    const isNeeded = ({ required, name, defaultValue }: Field): boolean =>
      required || (isFilled(valueOf(name)) && (defaultValue === undefined || !form.isFresh))
    const isMany = next.length >= MANY_FIELDS
    const rest = next.filter((child) => !isNeeded(child) && (isMany || child.deprecated))
    const hidden = isMany && rest.length === next.length ? next.slice(SHOWN_WITHOUT_REQUIRED) : rest
    for (const { name } of hidden) aside.add(name)
  }
  const draw = (next: ReadonlyArray<Field>): void => {
    if (fields.length === 0) setAside(next)
    fields = next
    for (const { name, required } of next) if (required) aside.delete(name)
    const focused = document.activeElement
    const path = focused?.closest<HTMLElement>("[data-path]")?.dataset.path
    const hadFocus = shown.element.contains(focused) || more.element.contains(focused)
    const names = new Set(next.map(({ name }) => name))
    for (const name of drawn.keys()) if (!names.has(name)) drawn.delete(name)
    shown.draw(next.filter((child) => !aside.has(child.name) && !isSaid(child)))
    drawMore()
    if (aside.size > 0) shown.element.after(details)
    else details.remove()
    count.textContent = `More options (${next.filter(({ name }) => aside.has(name)).length})`
    if (hadFocus && focused?.isConnected !== true) {
      const again = framed.element.querySelector<HTMLElement>(`[data-path=${JSON.stringify(path)}]`)
      if (again) focusFirst(again)?.focus()
    }
  }
  details.addEventListener("toggle", drawMore)
  place.changed = () => {
    const next = field.fields(form.get(place))
    if (next !== fields && (next.length !== fields.length || next.some((child, index) => child !== fields[index])))
      draw(next)
  }

  const isOwn = (name: string): boolean => field.isConditional(name) || byName(field.fields(form.get(place))).has(name)
  const others =
    field.others && mapControl(field.others, { ...slot, place: { parent: place, key: undefined }, look: {} }, isOwn)
  const kept = others === undefined ? Object.keys(now()).filter((name) => !isOwn(name)) : []
  const rest = kept.length > NAMED ? ` and ${kept.length - NAMED} more` : ""
  const unknown = kept.length > 0 ? hint(`Sent as well: ${kept.slice(0, NAMED).join(", ")}${rest}.`) : null
  const framed = frame(field, slot, {
    content: [shown.element, others?.element, unknown],
    class: look.isBare === true ? "mf-wide" : "mf-wide mf-group"
  })
  draw(field.fields(form.get(place)))
  return {
    ...framed,
    child: (key) => {
      const child = byName(fields).get(String(key))
      if (child === undefined) return others?.child?.(key)
      if (aside.has(child.name)) {
        details.open = true
        drawMore()
      }
      for (const box of [shown, more]) box.reach(child.name)
      return controlOf(child)
    }
  }
}
