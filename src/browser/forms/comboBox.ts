import { Unread } from "../../domain/forms/FormDraft.ts"
import type { Choice, Field } from "../../domain/forms/FormField.ts"
import { icon, uniqueId } from "../parts/dom.ts"
import { h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { frame } from "./frame.ts"

const MAX_SHOWN = 100

/**
 * Many options: an input that filters a list below it (ARIA APG, "Editable Combobox With List Autocomplete"). The list
 * stands in the flow of the page, as a frame that is as high as its page would cut a floating one.
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
  const list = h("ul", { class: "mf-list", role: "listbox", id, "aria-label": field.label, hidden: true })
  const input = h("input", {
    class: "mf-input",
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    required: field.required,
    placeholder: "Search…",
    "aria-autocomplete": "list",
    "aria-controls": id,
    "aria-expanded": "false"
  })
  let chosen = begin
  let active = -1
  let shown: ReadonlyArray<number> = []

  const labelOf = (index: number): string => (options[index]?.value === undefined ? "" : (options[index]?.label ?? ""))
  const before = form.get(place)
  input.value = before instanceof Unread ? before.text : labelOf(chosen)

  const setActive = (next: number): void => {
    active = next
    for (const [at, row] of [...list.children].entries()) row.setAttribute("aria-selected", String(at === next))
    const row = list.children[next]
    if (row === undefined) input.removeAttribute("aria-activedescendant")
    else {
      input.setAttribute("aria-activedescendant", row.id)
      row.scrollIntoView({ block: "nearest" })
    }
  }
  const close = (): void => {
    list.hidden = true
    input.setAttribute("aria-expanded", "false")
    setActive(-1)
  }
  const choose = (index: number): void => {
    chosen = index
    input.value = labelOf(index)
    control.showError("")
    close()
    onChoice(index)
  }
  const open = (filter: string): void => {
    const wanted = filter.trim().toLowerCase()
    const ranked = [...options.keys()].flatMap((index) => {
      const at = (options[index]?.label ?? "").toLowerCase().indexOf(wanted)
      return at === -1 ? [] : [{ index, rank: at === 0 ? 0 : 1 }]
    })
    const found = wanted === "" ? ranked : ranked.sort((a, b) => a.rank - b.rank)
    shown = found.slice(0, MAX_SHOWN).map(({ index }) => index)
    const rows = shown.map((index, at) => {
      const row = h("li", { role: "option", id: `${id}-${at}`, "aria-selected": "false" }, options[index]?.label)
      if (index === chosen) row.classList.add("mf-current")
      row.addEventListener("click", () => choose(index))
      return row
    })
    const more = found.length - shown.length
    list.replaceChildren(...rows)
    const rest = more > 0 ? `${more} more: type to find them.` : found.length === 0 ? "Nothing matches." : ""
    if (rest !== "") list.append(h("li", { class: "mf-hint", role: "option", "aria-disabled": "true" }, rest))
    list.hidden = false
    input.setAttribute("aria-expanded", "true")
    setActive(wanted === "" ? shown.indexOf(chosen) : shown.length > 0 ? 0 : -1)
  }
  /** Takes what was typed where it is the name of an option. */
  const leave = (): void => {
    const typed = input.value.trim()
    close()
    if (typed === labelOf(chosen)) return
    const index = options.findIndex((_option, at) => labelOf(at).toLowerCase() === typed.toLowerCase())
    if (index !== -1) choose(index)
    else if (typed === "") {
      chosen = -1
      form.set(place, undefined)
    } else {
      const unread = new Unread(typed, "Choose one from the list.", field.kind)
      form.set(place, unread)
      control.showError(unread.message)
    }
  }
  input.addEventListener("click", () => {
    if (list.hidden) {
      open("")
      input.select()
    }
  })
  input.addEventListener("input", () => open(input.value))
  input.addEventListener("blur", () => afterPress(leave))
  list.addEventListener("mousedown", (event) => event.preventDefault())
  input.addEventListener("keydown", (event) => {
    const { key } = event
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault()
      const step = key === "ArrowDown" ? 1 : -1
      if (list.hidden) open("")
      else if (shown.length > 0)
        setActive((active + step + shown.length + (active === -1 && step === -1 ? 1 : 0)) % shown.length)
    } else if (key === "Enter" && !list.hidden) {
      event.preventDefault()
      const index = shown[active]
      if (index === undefined) leave()
      else choose(index)
    } else if (key === "Escape" && !list.hidden) {
      event.preventDefault()
      input.value = labelOf(chosen)
      close()
    }
  })
  const control = frame(field, slot, {
    target: input,
    content: [h("div", { class: "mf-combo" }, input, icon("chevron")), list, about]
  })
  return control
}
