import { asText } from "../../domain/forms/FieldText.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import { append, type Child, h, uniqueId } from "../parts/dom.ts"
import { clampedText } from "./clampedText.ts"
import { type Control, focusFirst, pathOf, pointerOf, type Slot } from "./Control.ts"

const HINT_LENGTH = 160
const PLACEHOLDER_LENGTH = 80

/** The default, else an example. */
export const placeholderOf = ({ defaultValue, examples: [example] }: Field): string => {
  const told = typeof defaultValue === "object" ? "" : asText(defaultValue)
  const text = told || asText(example)
  return text === "" ? "" : `${told === "" ? "e.g. " : ""}${text.slice(0, PLACEHOLDER_LENGTH)}`
}

const exampleNote = ({ kind, examples }: Field): string | undefined =>
  examples.length === 0 || /^(text|number|json|group)$/.test(kind)
    ? undefined
    : `For example: ${examples.slice(0, 3).map(asText).join(", ")}`

export interface FrameParts {
  readonly content: Child
  /** The input that the label names. Without one, the frame is a group of controls. */
  readonly target?: HTMLElement
  /** Used when there is no target. */
  readonly role?: "group" | "radiogroup"
  /** The target comes before its label. */
  readonly isCheckbox?: boolean
  readonly class?: string
  readonly note?: string | undefined
}

/** Label, description and error around the controls of a field. `data-path` is the JSON pointer of its place. */
export const frame = (field: Field, { place, look }: Slot, parts: FrameParts): Control => {
  const { target, content, role = "group", isCheckbox = false } = parts
  const id = uniqueId()
  const isHidden = look.isRow === true || look.isBare === true || look.isClosed === true
  const element = h("div", { class: ["mf-field", parts.class], "data-path": pointerOf(pathOf(place)) })
  const label = h(
    target === undefined ? "div" : "label",
    { id: `${id}-l`, class: isHidden ? "mg-hidden" : "mf-label", for: target === undefined ? undefined : id },
    look.label ?? field.label,
    field.required && !isHidden ? h("span", { class: "mf-required", "aria-hidden": "true" }, "*") : null
  )
  const notes = [look.isRow === true ? undefined : field.description, parts.note, exampleNote(field)]
  const said = notes.filter((note) => note !== undefined).join("\n")
  const about = said === "" ? null : clampedText(said, HINT_LENGTH, "mf-hint", `${id}-h`)

  const isNameless = field.kind === "group" && look.isBare === true
  if (target !== undefined) target.id = id
  else if (!isNameless) {
    element.role = role
    element.setAttribute("aria-labelledby", `${id}-l`)
  }
  const described = target ?? element
  const describe = (hasError: boolean): void => {
    const ids = [about === null ? [] : `${id}-h`, hasError ? `${id}-e` : []].flat()
    if (ids.length === 0) described.removeAttribute("aria-describedby")
    else described.setAttribute("aria-describedby", ids.join(" "))
  }
  describe(false)

  const tools = look.tools ?? []
  const isOld = field.deprecated && !isHidden
  const head =
    isOld || tools.length > 0
      ? h(
          "div",
          { class: "mf-head" },
          label,
          isOld ? h("span", { class: "mf-hint" }, "Deprecated") : null,
          h("span"),
          tools
        )
      : label
  const leads = target === undefined && role === "group" && look.isClosed !== true
  const body = target === undefined ? h("div", { class: "mf-content" }, content) : content
  const top = isNameless ? null : isCheckbox ? h("div", { class: "mf-choice" }, target, head) : head
  append(element, top, leads ? [about, body] : [body, about])

  const error = h("p", { class: "mf-error", id: `${id}-e` })
  return {
    element,
    focus: () => (target ?? focusFirst(element))?.focus(),
    showError: (message) => {
      error.textContent = message
      if (message === "") error.remove()
      else if (leads) element.lastElementChild?.before(error)
      else if (about === null) element.append(error)
      else about.before(error)
      describe(message !== "")
      if (target !== undefined || role === "radiogroup") described.ariaInvalid = message === "" ? null : "true"
    }
  }
}
