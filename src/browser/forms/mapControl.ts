import { beginValue, Unread, withMemberRenamed } from "../../domain/forms/FormDraft.ts"
import type { Field, MapField } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/forms/isObject.ts"
import { icon } from "../parts/dom.ts"
import { button, h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Place, Slot } from "./Control.ts"
import { frame, renewPaths } from "./frame.ts"
import { isScalar } from "./listControl.ts"

const MAX_DRAWN = 100

/** Members with names of their own: a name and a value each. `isOwn`: names that are not the map's affair. */
export const mapControl = (field: MapField, slot: Slot, isOwn: (name: string) => boolean = () => false): Control => {
  const { form, place, look } = slot
  const now = (): Readonly<Record<string, unknown>> => {
    const value = form.get(place)
    return isObject(value) ? value : {}
  }
  const names = (): ReadonlyArray<string> =>
    Object.keys(now()).filter((name) => now()[name] !== undefined && !isOwn(name))
  const label = look.label ?? field.label
  const controls = new Map<string, () => Control>()
  const body = h("div", { class: "mf-items" })
  const problemOf = (name: string): string | undefined =>
    Object.hasOwn(now(), name) && now()[name] !== undefined ? "There is one of that name." : field.nameProblem(name)

  /** Says what is wrong with a name; a wrong one holds the form up. */
  const judge = (input: HTMLInputElement, problem: string | undefined): boolean => {
    input.toggleAttribute("data-pending", problem !== undefined)
    if (problem === undefined) input.removeAttribute("aria-invalid")
    else input.setAttribute("aria-invalid", "true")
    framed.showError(problem === undefined ? "" : `${input.value === "" ? "" : `“${input.value}”: `}${problem}`)
    return problem === undefined
  }

  const placeOf = (name: string): Place => {
    const member = field.memberAt(name)
    const isEmptyText = member.kind === "text" && (member.minLength ?? 0) === 0
    return {
      parent: place,
      key: name,
      blank: isEmptyText ? "" : new Unread("", "Enter a value, or remove the entry.", member.kind)
    }
  }
  const draw = (first: string): void => {
    let name = first
    const at = placeOf(name)
    let member: Field = field.memberAt(name)
    const value = (): Control => form.control(member, at, { label: `Value of ${name}`, isRow: true })
    let control = value()
    const input = h("input", {
      class: "mf-input",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `Name of ${label}`
    })
    input.value = name
    const drop = h("button", { type: "button", class: "mf-tool", "aria-label": `Remove ${name}` }, icon("cross"))
    const element = h(
      "div",
      { class: isScalar(member) ? "mf-entry" : "mf-entry mf-entry-tall" },
      input,
      control.element,
      drop
    )
    controls.set(name, () => control)
    const rename = (): void => {
      const next = input.value
      if (next === name) return void judge(input, undefined)
      if (!judge(input, problemOf(next))) return
      form.edit(place, (draft, path) => withMemberRenamed(draft, path, name, next))
      controls.delete(name)
      controls.set(next, () => control)
      name = next
      at.key = next
      drop.ariaLabel = `Remove ${name}`
      if (field.memberAt(next) === member) return renewPaths(element)
      member = field.memberAt(next)
      const redrawn = value()
      control.element.replaceWith(redrawn.element)
      control = redrawn
    }
    input.addEventListener("change", () => afterPress(rename))
    drop.addEventListener("click", () => {
      controls.delete(name)
      element.remove()
      delete at.blank
      form.set(at, undefined)
      limit()
      newName.focus()
    })
    body.append(element)
  }

  const newName = h("input", {
    class: "mf-input",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "New name",
    "aria-label": `New name in ${label}`
  })
  const add = (isLeaving = false): void => {
    const name = newName.value
    if (name === "") {
      judge(newName, undefined)
      if (!isLeaving) newName.focus()
      return
    }
    if (!judge(newName, problemOf(name))) return
    newName.value = ""
    form.set(placeOf(name), beginValue(field.memberAt(name)))
    draw(name)
    limit()
    if (!isLeaving) controls.get(name)?.().focus()
  }
  newName.addEventListener("keydown", (event) => {
    if (
      event.isComposing ||
      newName.value === "" ||
      !(event.key === "Enter" || (event.key === "Tab" && !event.shiftKey))
    )
      return
    event.preventDefault()
    add()
  })
  newName.addEventListener("input", () => {
    if (newName.value === "") judge(newName, undefined)
  })
  newName.addEventListener("blur", ({ relatedTarget }) => {
    if (relatedTarget !== addButton && newName.value !== "") afterPress(() => add(true))
  })
  const addButton = button("Add entry", () => add(), { small: true, title: `Add entry to ${label}` })
  const adder = h("div", { class: "mf-entry" }, newName, addButton)
  const limit = (): void => {
    adder.hidden = Object.keys(now()).length >= (field.maxProperties ?? Infinity)
  }
  const rest = h("button", { type: "button", class: "mg-linkbutton" })
  const drawFurther = (): void => {
    for (const name of names()
      .filter((name) => !controls.has(name))
      .slice(0, MAX_DRAWN))
      draw(name)
    const left = names().length - controls.size
    rest.hidden = left <= 0
    rest.textContent = `Show ${Math.min(left, MAX_DRAWN)} more of ${names().length}`
  }
  rest.addEventListener("click", drawFurther)
  const framed = frame(field, slot, { content: [body, rest, adder], class: "mf-wide" })
  drawFurther()
  limit()
  return {
    ...framed,
    child: (key) => {
      while (!controls.has(String(key)) && controls.size < names().length) drawFurther()
      return controls.get(String(key))?.()
    }
  }
}
