import { itemsOf, Unread } from "../../domain/forms/FormDraft.ts"
import type { Field, ListField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { textInput, tool } from "./elements.ts"
import { frame, placeholderOf } from "./frame.ts"

const MAX_TAGS = 200
const MAX_LENGTH = 60

/** Whether the items are short enough to stand side by side. */
export const areTags = (item: Field, values: ReadonlyArray<unknown>): boolean =>
  (item.kind === "number" || (item.kind === "text" && /^(text|email|uri|uuid)$/.test(item.format))) &&
  values.length <= MAX_TAGS &&
  values.every((value) => {
    const text = value === null || value === undefined ? undefined : textOf(item, value)
    return text !== undefined && text !== "" && text.length <= MAX_LENGTH && !/[\n\r]/.test(text)
  })

/**
 * Short items as tags before an input. Enter, or leaving the input, adds what was typed. A comma adds a text without
 * blanks; Backspace right after that takes the comma as text. Backspace in an empty input removes the last tag.
 */
export const tagsControl = (field: ListField, item: Field, slot: Slot): Control => {
  const { form, place } = slot
  const now = (): ReadonlyArray<unknown> => itemsOf(form.get(place))
  const input = textInput({
    class: "mf-tag-input",
    spellcheck: undefined,
    placeholder: placeholderOf(item) || "Add…",
    inputmode: item.kind === "number" ? "decimal" : undefined
  })
  let isAfterComma = false
  const tags = h("span", { class: "mf-tags", role: "list" })
  const write = (items: ReadonlyArray<unknown>): void => {
    form.set(place, items.length === 0 && !field.required ? undefined : items)
    draw()
  }
  const draw = (): void => {
    tags.replaceChildren(
      ...now().map((value, index) => {
        const text = textOf(item, value) ?? ""
        const remove = tool("cross", `Remove ${text}`, () => {
          write(now().toSpliced(index, 1))
          input.focus()
        })
        return h("span", { class: "mf-tag", role: "listitem" }, text, remove)
      })
    )
    tags.hidden = tags.childElementCount === 0
  }
  /** Text that could not be read stays in the input, with the reason. */
  const add = (texts: ReadonlyArray<string>): void => {
    const read = texts
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text) => ({ text, value: readText(item, text) }))
    const good = read.filter(({ value }) => value !== undefined && !(value instanceof Unread))
    const bad = read.find(({ value }) => value instanceof Unread)
    input.value = bad?.text ?? ""
    input.toggleAttribute("data-pending", bad !== undefined)
    if (good.length > 0) write([...now(), ...good.map(({ value }) => value)])
    control.showError(bad?.value instanceof Unread ? bad.value.message : "")
  }
  const addTyped = (): void => {
    if (input.value.trim() !== "") add([input.value])
  }
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    const typed = input.value.trim()
    const wasComma = isAfterComma
    isAfterComma = event.key === "," && typed !== ""
    if ((event.key === "Enter" && typed !== "") || (event.key === "," && typed !== "" && !/\s/.test(typed))) {
      event.preventDefault()
      addTyped()
    } else if (event.key === "Backspace" && input.value === "" && now().length > 0) {
      event.preventDefault()
      if (wasComma) input.value = `${textOf(item, now().at(-1)) ?? ""},`
      write(now().slice(0, -1))
    }
  })
  input.addEventListener("input", () => {
    if (input.value !== "" || !input.hasAttribute("data-pending")) return
    input.removeAttribute("data-pending")
    control.showError("")
  })
  input.addEventListener("change", () => afterPress(addTyped))
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? ""
    const parts = text.split(item.kind === "number" ? /[\s,;]+/ : /[\n\r\t]+/).filter((part) => part.trim() !== "")
    if (parts.length < 2) return
    event.preventDefault()
    add([input.value, ...parts])
  })
  draw()
  const box = h("div", { class: "mf-input mf-tagbox" }, tags, input)
  box.addEventListener("click", (event) => {
    if (event.target === box || event.target === tags) input.focus()
  })
  const control = frame(field, slot, { target: input, content: box })
  return control
}
