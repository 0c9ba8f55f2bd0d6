import type { Field } from "../../domain/forms/FormField.ts"
import { type Child, fragment, h, uniqueId } from "../parts/dom.ts"
import { clampedText } from "./clampedText.ts"
import { type Control, focusFirst, pathOf, type Place, pointerOf, type Slot } from "./Control.ts"

const HINT_LENGTH = 160
const EXAMPLE_LENGTH = 60
const PLACEHOLDER_LENGTH = 80

const places = new WeakMap<HTMLElement, Place>()

const renewPath = (element: HTMLElement): void => {
  const place = places.get(element)
  if (place !== undefined) element.dataset.path = pointerOf(pathOf(place))
}

/** Writes the paths below an element again, after items have moved. */
export const renewPaths = (element: HTMLElement): void => {
  element.querySelectorAll<HTMLElement>("[data-path]").forEach(renewPath)
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** The default, else an example. */
export const placeholderOf = ({ defaultValue, examples: [example] }: Field): string => {
  const told = typeof defaultValue === "object" ? "" : asText(defaultValue)
  const text = told === "" ? asText(example) : told
  return text === "" ? "" : `${told === "" ? "e.g. " : ""}${text.slice(0, PLACEHOLDER_LENGTH)}`
}

const exampleNote = ({ kind, examples }: Field): string | undefined => {
  const shown = examples.map(asText).filter((text) => text !== "" && text.length <= EXAMPLE_LENGTH)
  return shown.length === 0 || /^(text|number|json|group)$/.test(kind)
    ? undefined
    : `For example: ${shown.slice(0, 3).join(", ")}`
}

export interface FrameParts {
  readonly content: Child
  /** What the label names: an input. Without one, the frame is a group of controls. */
  readonly target?: HTMLElement
  /** Of a frame without target. */
  readonly role?: "group" | "radiogroup"
  /** A target that stands before its label. */
  readonly isCheckbox?: boolean
  readonly class?: string
  readonly notes?: ReadonlyArray<string | undefined>
}

const markInvalid = (element: HTMLElement | undefined, isInvalid: boolean): void => {
  if (isInvalid) element?.setAttribute("aria-invalid", "true")
  else element?.removeAttribute("aria-invalid")
}

/** Label, description and error around the controls of a field. `data-path` is the JSON pointer of its place. */
export const frame = (field: Field, { place, look }: Slot, parts: FrameParts): Control => {
  const { target, content, role = "group" } = parts
  const id = uniqueId()
  const isHidden = look.isRow === true || look.isBare === true || look.isClosed === true
  const element = h("div", { class: `mf-field ${parts.class ?? ""}` })
  places.set(element, place)
  renewPath(element)

  const text = [look.label ?? field.label, ...(isHidden ? [] : [field.required ? mark() : null])]
  const attributes = { id: `${id}-l`, class: isHidden ? "mg-hidden" : "mf-label" }
  const label = target === undefined ? h("div", attributes, text) : h("label", { ...attributes, for: id }, text)
  const tags = field.deprecated && !isHidden ? h("span", { class: "mf-note-tag" }, "Deprecated") : null
  const notes = [look.isRow === true ? undefined : field.description, ...(parts.notes ?? []), exampleNote(field)]
  const said = notes.filter((note) => note !== undefined).join("\n")
  const hint = said === "" ? null : clampedText(said, HINT_LENGTH, "mf-hint", `${id}-h`)

  const isNameless = field.kind === "group" && look.isBare === true
  if (target !== undefined) target.id = id
  else if (!isNameless) {
    element.setAttribute("role", role)
    element.setAttribute("aria-labelledby", `${id}-l`)
  }
  const described = target ?? element
  const describe = (hasError: boolean): void => {
    const ids = [hint === null ? "" : `${id}-h`, hasError ? `${id}-e` : ""].join(" ").trim()
    if (ids === "") described.removeAttribute("aria-describedby")
    else described.setAttribute("aria-describedby", ids)
  }
  describe(false)

  const tools = look.tools ?? []
  const head = tags !== null || tools.length > 0 ? h("div", { class: "mf-head" }, label, tags, h("span"), tools) : label
  if (parts.isCheckbox === true) element.append(h("div", { class: "mf-choice" }, target, head))
  else if (!isNameless) element.append(head)
  const leads = target === undefined && role === "group" && look.isClosed !== true
  if (hint !== null && leads) element.append(hint)
  const body = target === undefined ? h("div", { class: "mf-content" }, content) : fragment(content)
  if (parts.isCheckbox !== true) element.append(body)
  if (hint !== null && !leads) element.append(hint)

  const error = h("p", { class: "mf-error", id: `${id}-e` })
  return {
    element,
    focus: () => (target ?? focusFirst(element))?.focus(),
    showError: (message) => {
      error.textContent = message
      if (message === "") error.remove()
      else if (leads) element.querySelector(":scope>.mf-content")?.before(error)
      else if (hint === null) element.append(error)
      else hint.before(error)
      describe(message !== "")
      markInvalid(target ?? (role === "radiogroup" ? element : undefined), message !== "")
    }
  }
}

const mark = (): HTMLElement => h("span", { class: "mf-required", "aria-hidden": "true" }, "*")
