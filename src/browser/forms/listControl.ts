import { beginValue, itemsOf } from "../../domain/forms/FormDraft.ts"
import type { Field, ListField } from "../../domain/forms/FormField.ts"
import { uniqueId } from "../parts/dom.ts"
import { icon } from "../parts/icons.ts"
import { button, h } from "../parts/index.ts"
import { type Control, focusFirst, type Place, type Slot } from "./Control.ts"
import { inSentence, tool } from "./elements.ts"
import { frame } from "./frame.ts"
import { summaryOf } from "./summaryOf.ts"
import { areTags, tagsControl } from "./tagsControl.ts"

interface Item {
  readonly element: HTMLElement
  /** The control, opened if it was closed. */
  readonly open: () => Control
  /** Buttons that move the item up and down. */
  readonly movers: ReadonlyArray<HTMLButtonElement>
}

export const isScalar = ({ kind }: Field): boolean => /^(text|number|boolean|choice|constant)$/.test(kind)

/** An array: tags where the items are short, rows where they are scalars, cards where they have fields of their own. */
export const listControl = (field: ListField, slot: Slot): Control => {
  const { form, place, look } = slot
  const { prefix } = field
  const now = (): ReadonlyArray<unknown> => itemsOf(form.get(place))
  const further = field.itemAt(Math.max(prefix, now().length))
  if (prefix === 0 && further !== undefined && areTags(further, now())) return tagsControl(field, further, slot)

  const label = look.label ?? field.label
  /** The value, with a blank for each missing place of a tuple, and which of its items are open. */
  const padded = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
    Array.from({ length: Math.max(prefix, list.length) }, (_, index) => list[index])
  let values = padded(now())
  let opened = values.map(() => values.length - prefix === 1)
  let items: ReadonlyArray<Item> = []
  const leading = h("div", { class: "mf-fields" })
  const body = h("div", { class: "mf-items" })

  /** Draws all items again: their number or order has changed. */
  const change = (edit: <A>(list: ReadonlyArray<A>, added: A) => Array<A>, value?: unknown, isOpen = false): void => {
    values = edit(padded(now()), value)
    opened = edit(opened, isOpen)
    form.set(place, values.length === 0 && !field.required ? undefined : values)
    draw()
  }
  const insert = (index: number, value: unknown, isOpen: boolean): void => {
    change((list, added) => list.toSpliced(index, 0, added), value, isOpen)
    const item = items[index]
    if (isOpen) item?.open().focus()
    else if (item !== undefined) focusFirst(item.element)?.focus()
  }
  const remove = (index: number): void => {
    change((list) => list.toSpliced(index, 1))
    const next = items[Math.min(index, items.length - 1)]
    ;((next && focusFirst(next.element)) ?? more).focus()
  }
  const move = (from: number, step: number): void => {
    change((list) => list.toSpliced(from, 1).toSpliced(from + step, 0, ...list.slice(from, from + 1)))
    const movers = items[from + step]?.movers ?? []
    ;(step < 0 ? movers : movers.toReversed()).find(({ disabled }) => !disabled)?.focus()
  }

  /** A place of a tuple. In a list that may be left out, no place must be filled. */
  const fixed = (item: Field, at: Place): Item => {
    const control = form.control(field.required ? item : { ...item, required: false }, at)
    return { element: control.element, open: () => control, movers: [] }
  }
  const row = (item: Field, at: Place, name: string, index: number): Item => {
    const control = form.control(item, at, { label: name, isRow: true })
    const drop = tool("cross", `Remove ${name}`, () => remove(index))
    return { element: h("div", { class: "mf-row" }, control.element, drop), open: () => control, movers: [] }
  }
  const card = (item: Field, at: Place, name: string, index: number): Item => {
    const id = uniqueId()
    const inside = h("div", { class: "mf-line-start", id })
    const summary = h("span", { class: "mf-card-summary" })
    const toggle = h(
      "button",
      { type: "button", class: "mg-expand mf-card-toggle", "aria-controls": id },
      icon("chevron"),
      h("span", { class: "mf-label" }, name),
      summary
    )
    let control: Control | undefined
    const controlOf = (): Control => {
      if (control === undefined) {
        control = form.control(item, at, { label: name, isBare: true })
        inside.append(control.element)
      }
      return control
    }
    const setOpen = (isOpen: boolean): void => {
      opened[index] = isOpen
      if (isOpen) controlOf()
      inside.hidden = !isOpen
      toggle.ariaExpanded = String(isOpen)
      summary.textContent = isOpen ? "" : summaryOf(form.get(at), item)
    }
    toggle.addEventListener("click", () => setOpen(inside.hidden === true))
    setOpen(opened[index] === true)
    const movers = [
      tool("up", `Move ${name} up`, () => move(index, -1), index === prefix),
      tool("down", `Move ${name} down`, () => move(index, 1), index === values.length - 1)
    ]
    const copy = tool("copy", `Duplicate ${name}`, () => insert(index + 1, form.get(at), false))
    copy.hidden = isFull()
    const drop = tool("cross", `Remove ${name}`, () => remove(index))
    const head = h("div", { class: "mf-card-head" }, toggle, movers, copy, drop)
    return {
      element: h("div", { class: "mf-card", role: "group", "aria-label": name }, head, inside),
      open: () => {
        setOpen(true)
        return controlOf()
      },
      movers
    }
  }

  const isFull = (): boolean => further === undefined || values.length >= (field.maxItems ?? Infinity)
  const draw = (): void => {
    more.hidden = isFull()
    items = values.flatMap((_value, index) => {
      const item = field.itemAt(index)
      if (item === undefined) return []
      const at: Place = { parent: place, key: index }
      if (index < prefix) return fixed(item, at)
      const name = `${/^(Item)?$/.test(item.label) ? label : item.label} ${index + 1}`
      return (isScalar(item) ? row : card)(item, at, name, index)
    })
    const elements = items.map(({ element }) => element)
    leading.replaceChildren(...elements.slice(0, prefix))
    body.replaceChildren(...elements.slice(prefix))
  }
  const noun = further === undefined || further.label === "" ? "item" : inSentence(further.label)
  const more = button(
    `Add ${noun}`,
    () => {
      const index = values.length
      const item = field.itemAt(index)
      insert(index, item && beginValue(item), true)
    },
    { small: true, title: `Add ${noun} to ${label}` }
  )
  draw()

  return {
    ...frame(field, slot, { content: [leading, body, more], class: "mf-wide" }),
    child: (key) => items[Number(key)]?.open()
  }
}
