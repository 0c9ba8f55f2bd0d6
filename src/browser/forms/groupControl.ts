import { beginValue } from "../../domain/forms/FormDraft.ts"
import type { Field, GroupField } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/forms/isObject.ts"
import { icon } from "../parts/dom.ts"
import { h } from "../parts/index.ts"
import { type Control, focusFirst, type Slot } from "./Control.ts"
import { frame } from "./frame.ts"
import { mapControl } from "./mapControl.ts"

const MANY_FIELDS = 7
const SHOWN_WITHOUT_REQUIRED = 3

const isFilled = (value: unknown): boolean =>
  value !== undefined &&
  value !== "" &&
  !(typeof value === "object" && value !== null && Object.keys(value).length === 0)

/** The members of an object. Of many, those that are rarely needed wait behind "More options" and are not drawn before. */
export const groupControl = (field: GroupField, slot: Slot): Control => {
  const { form, place, look } = slot
  if (place.key !== undefined) place.begin = () => beginValue(field)
  const valueOf = (name: string): unknown => {
    const value = form.get(place)
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  /** In the variant of a union its constants say no more than the choice of the variant. */
  const isSaid = (child: Field): boolean =>
    place.key === undefined &&
    place.parent !== undefined &&
    child.kind === "constant" &&
    child.required &&
    (valueOf(child.name) ?? child.value) === child.value
  let fields: ReadonlyArray<Field> = []
  const drawn = new Map<string, { readonly field: Field; readonly control: Control }>()
  /** Names that wait behind "More options", decided once: nothing jumps away while it is filled in. */
  const aside = new Set<string>()

  const shown = h("div", { class: "mf-fields" })
  const more = h("div", { class: "mf-fields" })
  const count = h("span")
  const details = h(
    "details",
    { class: "mf-more-fields mg-disclosure" },
    h("summary", {}, icon("chevron"), count),
    more
  )
  const unknown = h("p", { class: "mf-hint" })

  const controlOf = (child: Field): Control => {
    const known = drawn.get(child.name)
    if (known?.field === child) return known.control
    known?.control.element.remove()
    const control = form.control(child, { parent: place, key: child.name })
    drawn.set(child.name, { field: child, control })
    return control
  }
  /** Brings the children of a box in line, and moves none that can stay. */
  const fill = (box: HTMLElement, wanted: ReadonlyArray<HTMLElement>): void => {
    const keep = new Set<Element>(wanted)
    const left = [...box.children].filter((child) => !keep.has(child))
    for (const child of left) child.remove()
    let at = box.firstElementChild
    for (const element of wanted) {
      if (element === at) at = at.nextElementSibling
      else box.insertBefore(element, at)
    }
  }
  const drawMore = (): void => {
    if (details.open)
      fill(
        more,
        fields.filter(({ name }) => aside.has(name)).map((child) => controlOf(child).element)
      )
  }
  const draw = (next: ReadonlyArray<Field>): void => {
    const isFirst = fields.length === 0
    fields = next
    const visible = next.filter((child) => !isSaid(child))
    if (isFirst && next.length >= MANY_FIELDS) {
      const isNeeded = (child: Field): boolean =>
        child.required || (isFilled(valueOf(child.name)) && (child.defaultValue === undefined || !form.isFresh))
      const rest = next.some(isNeeded) ? next.filter((child) => !isNeeded(child)) : next.slice(SHOWN_WITHOUT_REQUIRED)
      for (const { name } of rest) aside.add(name)
    } else if (isFirst) {
      for (const { name, deprecated, required } of next) {
        if (deprecated && !required && !isFilled(valueOf(name))) aside.add(name)
      }
    }
    for (const { name, required } of next) if (required) aside.delete(name)
    const focused = document.activeElement
    const path = focused?.closest<HTMLElement>("[data-path]")?.dataset.path
    const hadFocus = element?.contains(focused) === true
    for (const [name, { control }] of drawn) {
      if (next.some((child) => child.name === name)) continue
      control.element.remove()
      drawn.delete(name)
    }
    fill(
      shown,
      visible.filter(({ name }) => !aside.has(name)).map((child) => controlOf(child).element)
    )
    drawMore()
    if (aside.size > 0) shown.after(details)
    else details.remove()
    count.textContent = `More options (${next.filter(({ name }) => aside.has(name)).length})`
    if (hadFocus && focused?.isConnected !== true) {
      const again = element?.querySelector<HTMLElement>(`[data-path=${JSON.stringify(path)}]`)
      if (again) focusFirst(again)?.focus()
    }
  }
  details.addEventListener("toggle", drawMore)
  place.changed = () => {
    const next = field.fields(form.get(place))
    if (next !== fields && (next.length !== fields.length || next.some((child, index) => child !== fields[index])))
      draw(next)
  }

  let element: HTMLElement | undefined
  draw(field.fields(form.get(place)))
  const isOwn = (name: string): boolean =>
    field.isConditional(name) || field.fields(form.get(place)).some((child) => child.name === name)
  const others =
    field.others === undefined
      ? undefined
      : mapControl(
          field.others,
          { form, place: { parent: place, key: undefined }, look: {}, redraw: () => undefined },
          isOwn
        )
  const value = form.get(place)
  const kept = others === undefined && isObject(value) ? Object.keys(value).filter((name) => !isOwn(name)) : []
  if (kept.length > 0)
    unknown.textContent = `Sent as well: ${kept.slice(0, 8).join(", ")}${kept.length > 8 ? ` and ${kept.length - 8} more` : ""}.`
  const framed = frame(field, slot, {
    content: [shown, aside.size > 0 ? details : null, others?.element, kept.length > 0 ? unknown : null],
    class: look.isBare === true ? "mf-wide" : "mf-wide mf-group"
  })
  element = framed.element
  return {
    ...framed,
    child: (key) => {
      const name = String(key)
      const child = fields.find((child) => child.name === name)
      if (child === undefined) return others?.child?.(name)
      if (aside.has(name)) {
        details.open = true
        drawMore()
      }
      return controlOf(child)
    }
  }
}
