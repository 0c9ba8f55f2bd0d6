import { beginValue, Unread } from "../../domain/forms/FormDraft.ts"
import type { MapField } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/isObject.ts"
import { button, h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import { type Control, pathOf, type Place, pointerOf, type Slot } from "./Control.ts"
import { textInput, tool } from "./elements.ts"
import { frame } from "./frame.ts"
import { isScalar } from "./listControl.ts"

/** Members whose names the person chooses: each has a name and a value. `isOwn` tells names that are not the map's. */
export const mapControl = (field: MapField, slot: Slot, isOwn: (name: string) => boolean = () => false): Control => {
  const { form, place, look } = slot
  const now = (): Readonly<Record<string, unknown>> => {
    const value = form.get(place)
    return isObject(value) ? value : {}
  }
  const label = look.label ?? field.label
  const controls = new Map<string, Control>()
  const body = h("div", { class: "mf-items" })

  /** Whether the name in an input may be used. A wrong one keeps the form from being sent. */
  const isGood = (input: HTMLInputElement, isUnchanged: boolean): boolean => {
    const name = input.value
    const problem = isUnchanged
      ? undefined
      : Object.hasOwn(now(), name)
        ? "There is one of that name."
        : field.nameProblem(name)
    input.toggleAttribute("data-pending", problem !== undefined)
    input.ariaInvalid = problem === undefined ? null : "true"
    framed.showError(problem === undefined || name === "" ? (problem ?? "") : `“${name}”: ${problem}`)
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
  const draw = (first: string): Control => {
    let name = first
    const at = placeOf(name)
    const member = field.memberAt(name)
    const control = form.control(member, at, { label: `Value of ${name}`, isRow: true })
    const input = textInput({ "aria-label": `Name of ${label}` })
    input.value = name
    input.addEventListener("change", () =>
      afterPress(() => {
        const next = input.value
        if (!isGood(input, next === name) || next === name) return
        const entries = Object.entries(now()).map(([key, value]) => [key === name ? next : key, value] as const)
        form.set(place, Object.fromEntries(entries))
        controls.delete(name)
        controls.set(next, control)
        drop.ariaLabel = `Remove ${next}`
        const before = pointerOf(pathOf(at))
        name = next
        at.key = next
        for (const { dataset } of element.querySelectorAll<HTMLElement>("[data-path]")) {
          dataset.path = pointerOf(pathOf(at)) + (dataset.path ?? "").slice(before.length)
        }
      })
    )
    const drop = tool("cross", `Remove ${name}`, () => {
      controls.delete(name)
      element.remove()
      delete at.blank
      form.set(at, undefined)
      limit()
      newName.focus()
    })
    const element = h(
      "div",
      { class: ["mf-entry", !isScalar(member) && "mf-entry-tall"] },
      input,
      control.element,
      drop
    )
    controls.set(name, control)
    body.append(element)
    return control
  }

  const newName = textInput({ placeholder: "New name", "aria-label": `New name in ${label}` })
  const add = (): Control | undefined => {
    const name = newName.value
    if (name === "" || !isGood(newName, false)) return undefined
    newName.value = ""
    form.set(placeOf(name), beginValue(field.memberAt(name)))
    limit()
    return draw(name)
  }
  const addAndGo = (): void => (add() ?? newName).focus()
  newName.addEventListener("keydown", (event) => {
    const isNext = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)
    if (event.isComposing || newName.value === "" || !isNext) return
    event.preventDefault()
    addAndGo()
  })
  newName.addEventListener("input", () => {
    if (newName.value === "") isGood(newName, true)
  })
  newName.addEventListener("blur", ({ relatedTarget }) => {
    if (relatedTarget !== addButton) afterPress(add)
  })
  const addButton = button("Add entry", addAndGo, { small: true, title: `Add entry to ${label}` })
  const adder = h("div", { class: "mf-entry" }, newName, addButton)
  const limit = (): void => {
    adder.hidden = Object.keys(now()).length >= (field.maxProperties ?? Infinity)
  }
  const framed = frame(field, slot, { content: [body, adder], class: "mf-wide" })
  for (const name of Object.keys(now())) if (!isOwn(name)) draw(name)
  limit()
  return { ...framed, child: (key) => controls.get(String(key)) }
}
