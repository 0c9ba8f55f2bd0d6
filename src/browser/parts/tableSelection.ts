import { h, uniqueId } from "./dom.ts"

/** The rows that a person has chosen, by index among all rows: sorting, filtering and paging do not change it. */
export interface RowSelection {
  readonly chosen: ReadonlySet<number>
  /** The box in the header selects all rows of the page. There is none where only one row can be chosen. */
  readonly all: HTMLInputElement | undefined
  /** The box of a row of the page that is being drawn. */
  readonly box: (index: number, label: string) => HTMLInputElement
  /** Begins a page. `found` holds all rows that the pages are made of. */
  readonly begin: (found: Uint32Array) => void
  /** Shows the state in the boxes. */
  readonly mark: () => void
  /** Chooses these rows and no others. */
  readonly choose: (indexes: Iterable<number>) => void
}

/** Boxes that choose rows. Shift with a press, or with the space bar, chooses a range. */
export const rowSelection = (isMany: boolean, onChange: () => void): RowSelection => {
  const chosen = new Set<number>()
  const boxes = new Map<number, HTMLInputElement>()
  const name = uniqueId()
  let found: Uint32Array = new Uint32Array()
  let anchor = -1

  const mark = (): void => {
    let count = 0
    for (const [index, box] of boxes) {
      box.checked = chosen.has(index)
      if (box.checked) count++
      box.closest("tr")?.classList.toggle("mg-chosen", box.checked)
    }
    if (all === undefined) return
    all.checked = count > 0 && count === boxes.size
    all.indeterminate = count > 0 && count < boxes.size
  }
  const set = (indexes: Iterable<number>, isChosen: boolean): void => {
    if (!isMany) chosen.clear()
    for (const index of indexes) {
      if (isChosen) chosen.add(index)
      else chosen.delete(index)
    }
    mark()
    onChange()
  }
  const all = isMany
    ? h("input", { type: "checkbox", class: "mg-pick", "aria-label": "Select all rows on this page" })
    : undefined
  all?.addEventListener("change", () => set(boxes.keys(), all.checked))

  const box = (index: number, label: string): HTMLInputElement => {
    const made = h("input", { type: isMany ? "checkbox" : "radio", name, class: "mg-pick", "aria-label": label })
    made.addEventListener("click", (event) => {
      const [from, to] = [found.indexOf(anchor), found.indexOf(index)].sort((left, right) => left - right)
      const isRange = isMany && event.shiftKey && from !== undefined && from >= 0 && to !== undefined
      set(isRange ? found.slice(from, to + 1) : [index], made.checked)
      anchor = index
    })
    boxes.set(index, made)
    return made
  }
  return {
    chosen,
    all,
    box,
    mark,
    begin: (rows) => {
      found = rows
      boxes.clear()
    },
    choose: (indexes) => {
      chosen.clear()
      set(indexes, true)
    }
  }
}
