import { beginValue, withItemInserted, withItemMoved, withItemRemoved } from "../../domain/forms/FormDraft.ts"
import type { Field, ListField } from "../../domain/forms/FormField.ts"
import { icon, type IconName, uniqueId } from "../parts/dom.ts"
import { button, h } from "../parts/index.ts"
import { type Control, focusFirst, type Place, type Slot } from "./Control.ts"
import { frame, renewPaths } from "./frame.ts"
import { summaryOf } from "./summaryOf.ts"
import { areTags, tagsControl } from "./tagsControl.ts"

/** Items that are drawn before the rest is asked for. */
const MAX_DRAWN = 100

interface Item {
  readonly place: Place
  readonly field: Field
  readonly element: HTMLElement
  readonly renew: () => void
  /** The control, opened if it was not. */
  readonly open: () => Control
}

const tool = (name: IconName, label: string, onClick: () => void): HTMLElement => {
  const control = h("button", { type: "button", class: "mf-tool", "aria-label": label, title: label }, icon(name))
  control.addEventListener("click", onClick)
  return control
}

export const isScalar = ({ kind }: Field): boolean => /^(text|number|boolean|choice|constant)$/.test(kind)

/** "Address" becomes "address" in the middle of a sentence; "URL" stays. */
export const inSentence = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** An array: tags where the items are short, rows where they are scalars, cards where they have fields of their own. */
export const listControl = (field: ListField, slot: Slot): Control => {
  const { form, place, look } = slot
  const now = (): ReadonlyArray<unknown> => {
    const value = form.get(place)
    return Array.isArray(value) ? value : []
  }
  const further = field.itemAt(Math.max(field.prefix, now().length))
  if (field.prefix === 0 && further !== undefined && areTags(further, now())) return tagsControl(field, further, slot)

  const label = look.label ?? field.label
  const items: Array<Item> = []
  const leading = h("div", { class: "mf-fields" })
  const body = h("div", { class: "mf-items" })
  const nameOf = (item: Field, index: number): string =>
    /^Item( \d+)?$/.test(item.label) || item.label === "" ? `${label} ${index + 1}` : `${item.label} ${index + 1}`

  const renew = (): void => {
    for (const [index, item] of items.entries()) {
      if (item.place.key !== index) {
        item.place.key = index
        renewPaths(item.element)
      }
      item.renew()
    }
    const count = now().length
    more.hidden = further === undefined || count >= (field.maxItems ?? Infinity)
    rest.hidden = items.length >= count
    rest.textContent = `Show ${Math.min(MAX_DRAWN, count - items.length)} more of ${count}`
  }
  const remove = (item: Item): void => {
    const index = items.indexOf(item)
    const hadFocus = item.element.contains(document.activeElement)
    items.splice(index, 1)
    item.element.remove()
    if (now().length === 1 && !field.required) form.set(place, undefined)
    else form.edit(place, (draft, path) => withItemRemoved(draft, path, index))
    renew()
    if (hadFocus) (focusFirst(items[Math.min(index, items.length - 1)]?.element ?? foot) ?? more).focus()
  }
  const move = (item: Item, step: number, by: HTMLElement): void => {
    const from = items.indexOf(item)
    const other = items[from + step]
    if (other === undefined || from + step < field.prefix) return
    form.edit(place, (draft, path) => withItemMoved(draft, path, from, from + step))
    items.splice(from, 1)
    items.splice(from + step, 0, item)
    if (step < 0) other.element.before(item.element)
    else other.element.after(item.element)
    renew()
    by.focus()
  }

  const row = (item: Field, at: Place): Item => {
    const draw = (): Control => form.control(item, at, { label: nameOf(item, Number(at.key)), isRow: true })
    let control = draw()
    let drawn = at.key
    const drop = tool("cross", "Remove", () => remove(self))
    const element = h("div", { class: "mf-row" }, control.element, drop)
    const self: Item = {
      place: at,
      field: item,
      element,
      open: () => control,
      renew: () => {
        const name = nameOf(item, Number(at.key))
        drop.ariaLabel = `Remove ${name}`
        if (drawn === at.key) return
        drawn = at.key
        const hadFocus = control.element.contains(document.activeElement)
        const next = draw()
        control.element.replaceWith(next.element)
        control = next
        if (hadFocus) control.focus()
      }
    }
    return self
  }

  const fixed = (item: Field, at: Place): Item => {
    // A list that may be left out has no places that must be filled.
    const own = field.required ? item : { ...item, required: false }
    const control = form.control(own, at, { label: item.label || `Item ${Number(at.key) + 1}` })
    return { place: at, field: item, element: control.element, open: () => control, renew: () => undefined }
  }

  const card = (item: Field, at: Place, isOpen: boolean): Item => {
    const id = uniqueId()
    const inside = h("div", { class: "mf-line-start", id, hidden: true })
    const name = h("span", { class: "mf-label" })
    const summary = h("span", { class: "mf-card-summary" })
    const toggle = h(
      "button",
      { type: "button", class: "mg-expand mf-card-toggle", "aria-expanded": "false", "aria-controls": id },
      icon("chevron"),
      name,
      summary
    )
    let control: Control | undefined
    const setOpen = (isOpen: boolean): Control => {
      if (control === undefined) {
        control = form.control(item, at, { label: nameOf(item, Number(at.key)), isBare: true })
        inside.append(control.element)
      }
      inside.hidden = !isOpen
      toggle.setAttribute("aria-expanded", String(isOpen))
      self.renew()
      return control
    }
    toggle.addEventListener("click", () => setOpen(inside.hidden === true))
    const up: HTMLElement = tool("up", "Move up", () => move(self, -1, up))
    const down: HTMLElement = tool("down", "Move down", () => move(self, 1, down))
    const copy = tool("copy", "Duplicate", () => insert(items.indexOf(self) + 1, form.get(at), false))
    const drop = tool("cross", "Remove", () => remove(self))
    const element = h(
      "div",
      { class: "mf-card", role: "group" },
      h("div", { class: "mf-card-head" }, toggle, up, down, copy, drop),
      inside
    )
    const self: Item = {
      place: at,
      field: item,
      element,
      open: () => setOpen(true),
      renew: () => {
        const index = items.indexOf(self)
        const title = nameOf(item, index)
        name.textContent = title
        element.ariaLabel = title
        summary.textContent = inside.hidden ? summaryOf(form.get(at), item) : ""
        for (const [button, verb] of [
          [up, "Move"],
          [down, "Move"],
          [copy, "Duplicate"],
          [drop, "Remove"]
        ] as const) {
          button.ariaLabel = `${verb} ${title}${button === up ? " up" : button === down ? " down" : ""}`
        }
        up.toggleAttribute("disabled", index <= field.prefix)
        down.toggleAttribute("disabled", index === items.length - 1)
        copy.hidden = more.hidden
      }
    }
    if (isOpen) setOpen(true)
    return self
  }

  const draw = (index: number, isOpen: boolean): Item | undefined => {
    const item = field.itemAt(index)
    if (item === undefined) return undefined
    const at: Place = { parent: place, key: index }
    const drawn = index < field.prefix ? fixed(item, at) : isScalar(item) ? row(item, at) : card(item, at, isOpen)
    const next = items[index]
    items.splice(index, 0, drawn)
    if (next === undefined) (index < field.prefix ? leading : body).append(drawn.element)
    else next.element.before(drawn.element)
    return drawn
  }
  const drawFurther = (): void => {
    const count = Math.max(now().length, field.prefix)
    const end = Math.min(count, items.length + MAX_DRAWN)
    while (items.length < end && draw(items.length, count - field.prefix === 1) !== undefined);
    renew()
  }
  const insert = (index: number, value: unknown, isOpen: boolean): void => {
    if (items.length < now().length && index >= items.length) while (items.length < now().length) drawFurther()
    form.edit(place, (draft, path) => withItemInserted(draft, path, index, value))
    const item = draw(index, isOpen)
    renew()
    if (item === undefined) return
    if (isOpen) item.open().focus()
    else focusFirst(item.element)?.focus()
  }
  const rest = h("button", { type: "button", class: "mg-linkbutton" })
  rest.addEventListener("click", drawFurther)
  const noun = further === undefined || /^Item\b/.test(further.label) ? "item" : inSentence(further.label)
  const more = button(
    `Add ${noun}`,
    () => {
      const index = Math.max(now().length, field.prefix)
      const item = field.itemAt(index)
      insert(index, item === undefined ? undefined : beginValue(item), true)
    },
    { small: true, title: `Add ${noun} to ${label}` }
  )
  const foot = h("div", { class: "mf-foot" }, rest, more)
  drawFurther()

  const framed = frame(field, slot, { content: [leading, body, foot], class: "mf-wide" })
  return {
    ...framed,
    child: (key) => {
      while (Number(key) >= items.length && items.length < now().length) drawFurther()
      return items[Number(key)]?.open()
    }
  }
}
