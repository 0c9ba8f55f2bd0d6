import { h, uniqueId } from "./dom.ts"
import { button } from "./button.ts"
import type { Field } from "./field.ts"

export interface ColumnChoice {
  /** Opens and closes the panel. */
  readonly toggle: HTMLElement
  readonly panel: HTMLElement
}

/**
 * A button and the panel that it opens: a box for each field, all, none and the first choice again.
 * `chosen` is changed in place before `onChange` is called.
 */
export const columnChoice = (
  fields: ReadonlyArray<Field>,
  chosen: Set<Field>,
  usual: ReadonlyArray<Field>,
  onChange: () => void
): ColumnChoice => {
  const id = uniqueId()
  const boxes = fields.map((field) => {
    const box = h("input", { type: "checkbox", class: "mg-pick" })
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(field)
      else chosen.delete(field)
      onChange()
    })
    return { field, box, line: h("label", {}, box, field.label || field.key) }
  })
  const mark = (): void => {
    for (const { field, box } of boxes) box.checked = chosen.has(field)
  }
  const choose = (label: string, wanted: ReadonlyArray<Field>): HTMLElement =>
    button(
      label,
      () => {
        chosen.clear()
        for (const field of wanted) chosen.add(field)
        mark()
        onChange()
      },
      { kind: "plain", small: true }
    )
  const panel = h(
    "div",
    { class: "mg-panel", id, role: "group", "aria-label": "Columns", hidden: true },
    h(
      "div",
      { class: "mg-choices" },
      boxes.map(({ line }) => line)
    ),
    h("div", { class: "mg-toolbar" }, choose("All", fields), choose("None", []), choose("Default", usual))
  )
  const toggle = button(
    "Columns",
    () => {
      panel.hidden = !panel.hidden
      toggle.ariaExpanded = String(!panel.hidden)
      mark()
    },
    { small: true }
  )
  toggle.ariaExpanded = "false"
  toggle.setAttribute("aria-controls", id)
  return { toggle, panel }
}
