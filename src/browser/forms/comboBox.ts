import { Unread } from "../../domain/forms/FormDraft.ts"
import type { Choice, Field } from "../../domain/forms/FormField.ts"
import { uniqueId } from "../parts/dom.ts"
import { icon } from "../parts/icons.ts"
import { h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { textInput } from "./elements.ts"
import { frame } from "./frame.ts"

const MAX_SHOWN = 100

/**
 * For many options: an input that filters a list below it (ARIA APG, "Editable Combobox With List Autocomplete"). The
 * list is part of the page's flow: a frame is only as high as its page, and would cut a floating list.
 */
export const comboBox = (
  field: Field,
  slot: Slot,
  options: ReadonlyArray<Choice>,
  begin: number,
  onChoice: (index: number) => void,
  about: HTMLElement | null
): Control => {
  const { form, place } = slot
  const id = uniqueId()
  const list = h("ul", { class: "mf-list mf-box", role: "listbox", id, "aria-label": field.label, hidden: true })
  const input = textInput({
    role: "combobox",
    required: field.required,
    placeholder: "Search…",
    "aria-autocomplete": "list",
    "aria-controls": id,
    "aria-expanded": "false"
  })
  let chosen = begin
  let active = -1
  let shown: ReadonlyArray<number> = []

  const labelOf = (index: number): string => (options[index]?.value === undefined ? "" : options[index].label)
  const before = form.get(place)
  input.value = before instanceof Unread ? before.text : labelOf(chosen)

  const setActive = (next: number): void => {
    active = next
    for (const [at, row] of [...list.children].entries()) row.ariaSelected = String(at === next)
    const row = list.children[next]
    input.setAttribute("aria-activedescendant", row?.id ?? "")
    row?.scrollIntoView({ block: "nearest" })
  }
  const setOpen = (isOpen: boolean): void => {
    list.hidden = !isOpen
    input.ariaExpanded = String(isOpen)
  }
  const choose = (index: number): void => {
    chosen = index
    input.value = labelOf(index)
    control.showError("")
    setOpen(false)
    onChoice(index)
  }
  const open = (filter: string): void => {
    const wanted = filter.trim().toLowerCase()
    const found = [...options.keys()].filter((index) => options[index]?.label.toLowerCase().includes(wanted))
    shown = found.slice(0, MAX_SHOWN)
    list.replaceChildren(
      ...shown.map((index, at) =>
        h("li", { role: "option", id: `${id}-${at}`, onclick: () => choose(index) }, options[index]?.label)
      )
    )
    if (found.length !== shown.length || found.length === 0) {
      const rest = found.length === 0 ? "Nothing matches." : "Type to find more."
      list.append(h("li", { class: "mf-hint", role: "option", "aria-disabled": "true" }, rest))
    }
    setOpen(true)
    setActive(wanted === "" ? shown.indexOf(chosen) : Math.min(0, shown.length - 1))
  }
  /** Takes the typed text if it is the name of an option. */
  const leave = (): void => {
    const typed = input.value.trim()
    setOpen(false)
    if (typed === labelOf(chosen)) return
    const index = options.findIndex((_option, at) => labelOf(at).toLowerCase() === typed.toLowerCase())
    if (index !== -1) return choose(index)
    const unread = typed === "" ? undefined : new Unread(typed, "Choose one from the list.", field.kind)
    chosen = -1
    form.set(place, unread)
    control.showError(unread?.message ?? "")
  }
  input.addEventListener("click", () => {
    if (!list.hidden) return
    open("")
    input.select()
  })
  input.addEventListener("input", () => open(input.value))
  input.addEventListener("blur", () => afterPress(leave))
  list.addEventListener("mousedown", (event) => event.preventDefault())
  input.addEventListener("keydown", (event) => {
    const step = ["ArrowUp", "", "ArrowDown"].indexOf(event.key) - 1
    if (Math.abs(step) === 1) {
      if (list.hidden) open("")
      else setActive(Math.max(0, Math.min(active + step, shown.length - 1)))
    } else if (list.hidden || !/^(Enter|Escape)$/.test(event.key)) return
    else if (event.key === "Escape") {
      input.value = labelOf(chosen)
      setOpen(false)
    } else {
      const index = shown[active]
      if (index === undefined) leave()
      else choose(index)
    }
    event.preventDefault()
  })
  const control = frame(field, slot, {
    target: input,
    content: [h("div", { class: "mf-combo" }, input, icon("chevron")), list, about]
  })
  return control
}
