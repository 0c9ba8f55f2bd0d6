import { itemsOf, Unread } from "../../domain/forms/FormDraft.ts"
import type { Field, NumberField, TextField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { humanName } from "../../domain/forms/FieldText.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import type { FieldOptions } from "../../domain/tools/FieldOptions.ts"
import type { Option } from "../../domain/tools/OptionMembers.ts"
import { afterPress } from "../forms/afterPress.ts"
import type { Control, Slot } from "../forms/Control.ts"
import { hint, textInput, tool } from "../forms/elements.ts"
import { frame, placeholderOf } from "../forms/frame.ts"
import { uniqueId } from "../parts/dom.ts"
import { icon } from "../parts/icons.ts"
import { button, h } from "../parts/index.ts"
import { messageOf } from "../parts/values.ts"
import type { JsonObject } from "../runtime/types.ts"
import { askOptions, type OptionPage } from "./optionPages.ts"

interface Picked {
  readonly field: Field
  /** The field, or that of an item of its list. */
  readonly item: TextField | NumberField
  readonly isMany: boolean
  readonly options: FieldOptions
}

/** Milliseconds after the last key before the server is asked. */
const PAUSE_MS = 250

/** What was seen of each value, so that it keeps its name wherever it is shown. */
const seen = new Map<string, Option>()
const keyOf = ({ from }: FieldOptions, value: unknown): string => JSON.stringify([from, value])

const swatch = (color: string | undefined): HTMLElement | null => {
  const paint = color === undefined ? "" : /^[\da-f]{3,8}$/i.test(color) ? `#${color}` : color
  if (!CSS.supports("color", paint)) return null
  const style = "inline-size:10px;block-size:10px;border-radius:50%;flex:none;margin-inline-end:4px"
  return h("span", { style: `${style};background:${paint}`, "aria-hidden": "true" })
}

/**
 * One or several of what another tool lists. The tool is called when a person opens the box, types or asks for more, and
 * at no other time. The box takes typed values too, so that it is a plain one where the list does not come.
 */
export const optionsControl = ({ field, isMany, item, options }: Picked, slot: Slot): Control => {
  const { form, place } = slot
  const id = uniqueId()
  const list = h("ul", {
    class: "mf-list mf-box",
    role: "listbox",
    id,
    "aria-label": field.label,
    "aria-multiselectable": isMany ? "true" : undefined,
    hidden: true
  })
  const input = textInput({
    class: isMany ? "mf-tag-input" : "mf-input",
    role: "combobox",
    required: field.required,
    placeholder: isMany ? "Add…" : placeholderOf(item) || "Search…",
    "aria-autocomplete": "list",
    "aria-controls": id,
    "aria-expanded": "false"
  })
  const note = hint("")
  const more = button("Show more", () => void grow(), { small: true, needs: "tools/call" })
  const tags = h("span", { class: "mf-tags", role: "list" })

  let offered: ReadonlyArray<Option> = []
  let shown: ReadonlyArray<Option> = []
  let next: OptionPage["next"]
  let active = -1
  /** Of the newest question; answers to older ones are dropped. */
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const values = (): ReadonlyArray<unknown> => (isMany ? itemsOf(form.get(place)) : [form.get(place)])
  const optionOf = (value: unknown): Option =>
    seen.get(keyOf(options, value)) ?? {
      value,
      label: value instanceof Unread ? value.text : (textOf(item, value) ?? ""),
      note: "",
      color: undefined
    }
  const isChosen = (value: unknown): boolean => values().some((one) => sameJson(one, value))
  const labelNow = (): string => (isMany ? "" : optionOf(form.get(place) ?? undefined).label)

  const tell = (text: string): void => {
    note.textContent = text
    note.hidden = text === ""
  }
  const drawChosen = (): void => {
    input.value = labelNow()
    const [value] = values()
    if (!isMany) tell(input.value === "" || String(value) === input.value ? "" : `Sends ${String(value)}`)
    tags.replaceChildren(
      ...(isMany ? values() : []).map((value, index) => {
        const { color, label } = optionOf(value)
        const remove = tool("cross", `Remove ${label}`, () => {
          write(values().toSpliced(index, 1))
          input.focus()
        })
        return h("span", { class: "mf-tag", role: "listitem" }, swatch(color), label, remove)
      })
    )
    tags.hidden = tags.childElementCount === 0
  }
  const write = (items: ReadonlyArray<unknown>): void => {
    form.set(place, isMany ? (items.length === 0 && !field.required ? undefined : items) : items.at(-1))
    control.showError("")
    drawChosen()
    drawList()
  }
  const choose = ({ value }: Option): void => {
    if (!isMany) close()
    write(isMany ? (isChosen(value) ? values().filter((one) => !sameJson(one, value)) : [...values(), value]) : [value])
  }

  const setActive = (at: number): void => {
    active = at
    for (const [index, row] of [...list.children].entries()) {
      if (row instanceof HTMLElement) row.style.outline = index === at ? "2px solid var(--mg-ring)" : ""
    }
    const row = list.children[at]
    input.setAttribute("aria-activedescendant", row?.id ?? "")
    row?.scrollIntoView({ block: "nearest" })
  }
  const rowOf = (option: Option, at: number): HTMLElement => {
    const { color, label, note, value } = option
    const mark = isMany && isChosen(value) ? icon("check") : null
    const about = h("span", { class: "mf-hint" }, ` ${note}`)
    const attributes = { role: "option", id: `${id}-${at}`, "aria-selected": String(isChosen(value)) }
    const style = "display:flex;align-items:center;gap:0 6px"
    const words = h("span", { style: "flex:1" }, label, about)
    return h("li", { ...attributes, style, onclick: () => choose(option) }, swatch(color), words, mark)
  }
  const drawList = (): void => {
    const wanted = isSearching() && options.search === undefined ? input.value.trim().toLowerCase() : ""
    shown = offered.filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(wanted))
    list.replaceChildren(...shown.map(rowOf))
    more.hidden = list.hidden || next === undefined
    setActive(Math.min(active, shown.length - 1))
  }
  const isSearching = (): boolean => input.value.trim() !== "" && input.value !== labelNow()

  const close = (): void => {
    clearTimeout(timer)
    asked += 1
    list.hidden = true
    more.hidden = true
    input.ariaExpanded = "false"
    input.ariaBusy = null
  }
  /** Takes a page when it comes, unless something else was asked for meanwhile. */
  const take = async (page: Promise<OptionPage>, before: ReadonlyArray<Option>): Promise<void> => {
    const question = (asked += 1)
    input.ariaBusy = "true"
    tell("Loading…")
    try {
      const got = await page
      if (question !== asked) return
      for (const option of got.options) seen.set(keyOf(options, option.value), option)
      offered = [...before, ...got.options]
      next = got.next
      tell(offered.length === 0 ? "Nothing matches." : "")
      list.hidden = offered.length === 0
      drawList()
    } catch (error) {
      if (question !== asked) return
      close()
      tell(`The choices could not be loaded: ${messageOf(error, "no reason was given.")} Type the value instead.`)
    }
    input.ariaBusy = null
  }
  const open = (): void => {
    const text = isSearching() ? input.value.trim() : ""
    const scope = options.scope.map((name) => [name, form.get({ parent: undefined, key: name })] as const)
    const missing = scope.filter(([, value]) => value === undefined || value === "" || value instanceof Unread)
    if (missing.length > 0) return tell(`First enter ${missing.map(([name]) => humanName(name)).join(" and ")}.`)
    if (text === "" && options.mustSearch === true) return tell("Type to search.")
    input.ariaExpanded = "true"
    const search = text === "" || options.search === undefined ? {} : { [options.search]: text }
    const args: JsonObject = { ...Object.fromEntries(scope), ...search }
    active = -1
    const of = { name: field.name, isNumber: item.kind === "number" }
    void take(askOptions(form.session, of, options, args), [])
  }
  const grow = async (): Promise<void> => {
    if (next !== undefined && input.ariaBusy === null) await take(next(), offered)
  }

  /** Takes what was typed: the name of a choice, else the value itself. */
  const leave = (): void => {
    close()
    const typed = input.value.trim()
    if (typed === labelNow()) return drawChosen()
    if (typed === "") return isMany ? undefined : write([undefined])
    const named = offered.filter(({ label }) => label.toLowerCase() === typed.toLowerCase())
    const read = named.length === 1 ? named[0]?.value : readText(item, typed)
    if (isMany && read instanceof Unread) return control.showError(read.message)
    write(isMany ? [...values(), read] : [read])
    if (read instanceof Unread) control.showError(read.message)
  }
  input.addEventListener("click", (event) => {
    if (!list.hidden || !event.isTrusted) return
    open()
    input.select()
  })
  input.addEventListener("input", (event) => {
    if (!event.isTrusted) return
    clearTimeout(timer)
    const isKnown = !list.hidden && options.search === undefined
    if (isKnown) drawList()
    else timer = setTimeout(open, PAUSE_MS)
  })
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || !event.isTrusted) return
    const step = ["ArrowUp", "", "ArrowDown"].indexOf(event.key) - 1
    if (Math.abs(step) === 1) {
      if (list.hidden) open()
      else if (step === 1 && active === shown.length - 1 && next !== undefined) void grow()
      else setActive(Math.max(0, Math.min(active + step, shown.length - 1)))
    } else if (event.key === "Escape" && !list.hidden) {
      close()
      drawChosen()
    } else if (event.key === "Enter" && (!list.hidden || isSearching())) {
      const option = list.hidden ? undefined : shown[active]
      if (option === undefined) leave()
      else choose(option)
    } else if (event.key === "Backspace" && isMany && input.value === "" && values().length > 0) {
      write(values().slice(0, -1))
    } else return
    event.preventDefault()
  })
  for (const element of [list, more]) element.addEventListener("mousedown", (event) => event.preventDefault())

  const box = isMany
    ? h("div", { class: "mf-input mf-tagbox" }, tags, input)
    : h("div", { class: "mf-combo" }, input, icon("chevron"))
  const control = frame(field, slot, { target: input, content: [box, list, more, note] })
  control.element.addEventListener("focusout", ({ relatedTarget }) => {
    const isInside = relatedTarget instanceof Node && control.element.contains(relatedTarget)
    if (!isInside) afterPress(leave)
  })
  more.hidden = true
  tell("")
  drawChosen()
  return control
}
