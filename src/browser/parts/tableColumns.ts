import { append, h, uniqueId } from "./dom.ts"
import { button } from "./button.ts"
import type { Field } from "./field.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"

export interface ColumnChoice {
  /** Opens and closes the panel. */
  readonly toggle: HTMLElement
  readonly panel: HTMLElement
}

/**
 * A button and the panel that it opens: a box for each field, and buttons for all, for none and for the first choice.
 * Changes `chosen` in place, then calls `onChange`. The table draws `most` columns.
 */
export const columnChoice = (
  fields: ReadonlyArray<Field>,
  chosen: Set<Field>,
  usual: ReadonlyArray<Field>,
  most: number,
  onChange: () => void
): ColumnChoice => {
  const id = uniqueId()
  const boxes = new Map<Field, HTMLInputElement>()
  const lineOf = (field: Field): HTMLElement => {
    const box = h("input", { type: "checkbox", class: "mg-pick" })
    box.checked = chosen.has(field)
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(field)
      else chosen.delete(field)
      tell()
      onChange()
    })
    boxes.set(field, box)
    return h("label", {}, box, field.label || field.key)
  }
  const limit = h("p", { class: "mg-muted" }, `The first ${most} that are chosen are shown.`)
  const tell = (): void => {
    limit.hidden = chosen.size <= most
    toggle.textContent = `Columns: ${fmt.number(Math.min(chosen.size, most))} of ${fmt.number(fields.length)}`
  }
  const mark = (): void => {
    for (const [field, box] of boxes) box.checked = chosen.has(field)
  }
  const choose = (label: string, wanted: ReadonlyArray<Field>): HTMLElement =>
    button(
      label,
      () => {
        chosen.clear()
        for (const field of wanted) chosen.add(field)
        mark()
        tell()
        onChange()
      },
      { kind: "plain", small: true }
    )
  const panel = h("div", { class: "mg-panel", id, role: "group", "aria-label": "Columns", hidden: true })
  const toggle = button(
    "",
    () => {
      // Most tables are never asked.
      if (boxes.size === 0)
        append(panel, [
          gradually(h("div", { class: "mg-choices" }), fields, lineOf),
          limit,
          h("div", { class: "mg-toolbar" }, choose("All", fields), choose("None", []), choose("Default", usual))
        ])
      panel.hidden = !panel.hidden
      toggle.ariaExpanded = String(!panel.hidden)
      mark()
    },
    { small: true }
  )
  toggle.ariaExpanded = "false"
  toggle.setAttribute("aria-controls", id)
  tell()
  return { toggle, panel }
}
