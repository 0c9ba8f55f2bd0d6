import { isObject } from "../../domain/isObject.ts"
import type { TableOptions } from "../../../types/parts.d.ts"
import { withoutMarks } from "../../domain/results/TextPieces.ts"
import {
  columnsOf,
  isEmpty,
  numberOf,
  sampleOf,
  type JsonRecord,
  type ResultColumn
} from "../../domain/results/ResultColumn.ts"
import { hashOf } from "./accent.ts"
import { type Child, h, uniqueId } from "./dom.ts"
import { icon } from "./icons.ts"
import { button } from "./button.ts"
import { type Field, fieldNode, fieldsOf, fieldText, isNumeric } from "./field.ts"
import { fmt } from "./format.ts"
import { sessionOrNone } from "./host.ts"
import { empty } from "./layout.ts"
import { detail } from "./records.ts"
import { jsonTakeaway, saved, tableTakeaway, type Takeaway } from "./resultTools.ts"
import { columnChoice } from "./tableColumns.ts"
import { isLong, tableFields } from "./tableFields.ts"
import { rowFilter } from "./tableFilter.ts"
import { type NarrowCell, narrowCells, stacks } from "./tableNarrow.ts"
import { rowGroups } from "./tableGroups.ts"
import { arranged, indexes, type Order, ranksOf, readOrder } from "./tableOrder.ts"
import { tablePager } from "./tablePager.ts"
import { rowSelection } from "./tableSelection.ts"
import { separatedText } from "./tableText.ts"
import { attempt, clip, jsonOf, listOf, memberOf, nameIn, optionsOf, rowsOf, textOf } from "./values.ts"

const alignOf = (field: Field): string => {
  const align = field.align ?? (isNumeric(field) ? "end" : "start")
  return align === "end" ? "mg-end" : align === "center" ? "mg-center" : ""
}

/** Columns that are drawn. The others stand in the details of each row. */
const MOST_COLUMNS = 100

/** What a table remembers when its page is taken down and brought back. */
interface Remembered {
  readonly sort?: Order | undefined
  readonly query?: string
  readonly page?: number
  readonly size?: number
  readonly columns?: ReadonlyArray<string>
  /** Rows that were selected, each as its place and what it held: another row in that place is not selected. */
  readonly picked?: ReadonlyArray<string>
}

/** A larger selection is not remembered. */
const MOST_PICKED = 500

/**
 * Takes up to 100,000 rows: only what is on screen is computed. With a session the table remembers its view, and its
 * rows can be copied and downloaded.
 */
export const table = (rows?: unknown, options?: Partial<TableOptions>): HTMLElement => {
  const given = optionsOf<TableOptions>(Array.isArray(options) ? { columns: options } : options)
  const names = listOf(given.columns).map((column) => (isObject(column) ? textOf(column.key) : textOf(column)))
  const all = rowsOf(rows, names)
  return all.length === 0 ? empty(given.empty ?? "No rows.") : recordTable(all, columnsOf(all), given)
}

/** The same for records whose columns are known. */
export const recordTable = (
  all: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>,
  given: Partial<TableOptions>
): HTMLElement => {
  const { all: fields, usual } = tableFields(given, all, columns)
  const session = sessionOrNone()
  const title = textOf(given.title)
  const memoryKey = clip(`table ${title} ${fields.map(({ key }) => key).join(" ")}`, 300)
  const known = attempt(() => session?.memory.get(memoryKey))
  const remembered: Remembered = isObject(known) ? known : {}

  // Rows that an author draws are taller.
  const toldSize = Math.round(
    numberOf(given.pageSize) ?? (fields.some(({ render }) => render !== undefined) && all.length > 20 ? 12 : 20)
  )
  let pageSize = Math.max(1, Math.round(numberOf(remembered.size) ?? toldSize))
  const { onSort } = given
  let order = readOrder("sort" in remembered && !onSort ? remembered.sort : given.sort)
  let query = textOf(remembered.query)
  let page = numberOf(remembered.page) ?? 0
  const wanted = Array.isArray(remembered.columns) ? new Set<string>(remembered.columns) : undefined
  const chosen = new Set(wanted === undefined ? usual : fields.filter(({ key }) => wanted.has(key)))
  const markOf = (index: number): string => `${index} ${hashOf(jsonOf(all[index]))}`
  const remember = (): void =>
    void attempt(() =>
      session?.memory.set(memoryKey, {
        sort: order ?? null,
        query,
        page,
        size: pageSize,
        columns: fields.filter((field) => chosen.has(field)).map(({ key }) => key),
        picked: Array.from(
          selection === undefined || selection.chosen.size > MOST_PICKED ? [] : selection.chosen,
          markOf
        )
      })
    )

  const groups = rowGroups(all, fields, given.groups, () => {
    page = 0
    change()
  })
  let matches: Uint8Array | undefined
  let found: Uint32Array = new Uint32Array()
  let ordered: Uint32Array | undefined
  const ranks = new Map<string, Float64Array>()
  const arrange = (): Uint32Array => {
    const field = fields.find(({ key }) => key === order?.key) ?? (order && fieldsOf([order.key], all)[0])
    if (order === undefined || field === undefined || onSort) return indexes(all.length)
    const known = ranks.get(field.key) ?? ranksOf(all, field)
    ranks.set(field.key, known)
    return arranged(known, order.desc)
  }

  const isMany = given.select === true || given.select === "many"
  const selection = isMany || given.select === "one" ? rowSelection(isMany, () => tellSelection()) : undefined
  const offersAll = session !== undefined && (given.download ?? all.length > 8)

  let shown: ReadonlyArray<Field> = []
  /** The column that says what a row is: not its number. */
  let nameAt = 0
  let narrowCell: NarrowCell | undefined
  let expand: ((row: JsonRecord) => Child) | undefined
  const chooseExpand = (): typeof expand => {
    if (typeof given.expand === "function") return given.expand
    const keys = new Set(shown.map(({ key }) => key))
    const hidesSome = (): boolean =>
      columns.some(({ key }) => !keys.has(key)) ||
      sampleOf(all).some((row) => shown.some(({ key, render }) => render === undefined && isLong(memberOf(row, key))))
    return given.expand === true || (given.expand !== false && hidesSome()) ? (row) => detail(row) : undefined
  }

  const nameOfRow = (row: JsonRecord, index: number): string => {
    const [first] = shown
    const text =
      textOf(nameIn(row)?.value) || (first === undefined ? "" : fieldText(memberOf(row, first.key), first, row))
    return clip(text, 60) || `row ${index + 1}`
  }

  const cell = (field: Field, row: JsonRecord, isName: boolean): HTMLElement => {
    const value = memberOf(row, field.key)
    const content =
      typeof value === "string" && field.type === "text"
        ? clip(withoutMarks(clip(value, 4000).replace(/^#{1,6}\s+/gm, "")), 400)
        : value
    const node = h("div", { class: "mg-cell" }, fieldNode(content, field, row))
    const { onRow } = given
    if (!isName || typeof onRow !== "function") return node
    return h("button", { type: "button", class: "mg-linkbutton", onclick: () => void attempt(() => onRow(row)) }, node)
  }

  const rowNodes = (index: number): Child => {
    const row = all[index] ?? {}
    const cells = shown.map((field, at) => {
      const content = cell(field, row, at === nameAt)
      const narrow = narrowCell?.(field, content)
      const names = `${alignOf(field)}${at === 0 ? " mg-key" : ""}${narrow?.name ?? ""}`
      return h("td", { class: names, data: { label: narrow?.label } }, content)
    })
    if (selection === undefined && expand === undefined) return h("tr", {}, cells)
    const name = nameOfRow(row, index)
    const lead = h("td", { class: "mg-lead" }, selection?.box(index, `Select ${name}`))
    const line = h("tr", {}, lead, cells)
    if (expand === undefined) return line
    const id = uniqueId()
    const more = h("tr", { id, hidden: true, class: "mg-more" })
    const toggle = h(
      "button",
      {
        type: "button",
        class: "mg-expand",
        "aria-expanded": "false",
        "aria-controls": id,
        "aria-label": `Details of ${name}`
      },
      icon("chevron")
    )
    toggle.addEventListener("click", () => {
      if (more.childNodes.length === 0)
        more.append(
          h(
            "td",
            { colspan: shown.length + 1 },
            h("div", { class: "mg-inside" }, attempt(() => expand?.(row)) ?? detail(row))
          )
        )
      more.hidden = !more.hidden
      toggle.setAttribute("aria-expanded", String(!more.hidden))
    })
    lead.append(toggle)
    return [line, more]
  }

  const head = h("tr")
  const body = h("tbody")
  const grid = h("table", { class: "mg-table" }, h("thead", {}, head), body)
  const region = h("div", { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": title || "Table" }, grid)
  region.addEventListener("scroll", () => region.classList.toggle("mg-scrolled", region.scrollLeft !== 0), {
    passive: true
  })

  const drawHead = (): void => {
    shown = fields.filter((field) => chosen.has(field)).slice(0, MOST_COLUMNS)
    nameAt = Math.max(
      0,
      shown.findIndex((field) => field.render !== undefined || (!isNumeric(field) && field.type !== "id"))
    )
    narrowCell = stacks(shown) ? narrowCells(shown, shown[nameAt], all) : undefined
    expand = chooseExpand()
    const hasLead = selection !== undefined || expand !== undefined
    region.classList.toggle("mg-wide-lead", selection !== undefined && expand !== undefined)
    const cells = shown.map((field, at) => {
      const direction = order?.key !== field.key ? undefined : order.desc ? "descending" : "ascending"
      const mark = h(
        "span",
        { class: "mg-sort-mark" },
        icon(order?.key !== field.key ? "sort" : order.desc ? "down" : "up")
      )
      return h(
        "th",
        { scope: "col", class: `${alignOf(field)}${at === 0 ? " mg-key" : ""}`, "aria-sort": direction },
        h(
          "button",
          { type: "button", class: "mg-sort", onclick: () => sortBy(field, at) },
          field.label || h("span", { class: "mg-hidden" }, field.key || "Column"),
          mark
        )
      )
    })
    // Few columns share the room there is; many keep their width and scroll.
    grid.classList.toggle("mg-few", shown.length < 8)
    grid.classList.toggle("mg-many", shown.length > 5)
    grid.classList.toggle("mg-stacks", narrowCell !== undefined)
    head.replaceChildren(
      ...(hasLead
        ? [h("th", { scope: "col", class: "mg-lead" }, selection?.all ?? h("span", { class: "mg-hidden" }, "Row"))]
        : []),
      ...cells
    )
  }

  const count = h("span", { class: "mg-muted", role: "status" })
  const tellCount = (): void => {
    const total = fmt.number(found.length)
    const from = page * pageSize
    const picked = selection?.chosen.size ?? 0
    const range = `${fmt.number(from + 1)}–${fmt.number(Math.min(found.length, from + pageSize))} of ${total}`
    count.textContent =
      picked > 0
        ? `${fmt.number(picked)} selected`
        : found.length > pageSize
          ? range
          : found.length === all.length
            ? fmt.plural(all.length, "row")
            : `${total} of ${fmt.number(all.length)}`
    clear.hidden = picked === 0
    const isShort = selection === undefined || (picked === 0 && all.length <= 8)
    foot.hidden = isShort && found.length <= pageSize && found.length === all.length
    for (const taker of takers) taker.hidden = picked === 0 && !offersAll
    everything.hidden = selection?.all?.checked !== true || found.length <= pageSize || picked >= found.length
    everything.textContent = `Select all ${total}`
  }

  const tellSelection = (): void => {
    tellCount()
    remember()
    const items = pickedRows()
    const { onSelect } = given
    if (typeof onSelect === "function") attempt(() => onSelect(items))
    else attempt(() => session?.select({ items, noun: textOf(given.noun) || title.toLowerCase() || "rows" }))
  }
  /** Those that are chosen, in the order of the view; hidden ones too. */
  const pickedRows = (): ReadonlyArray<JsonRecord> =>
    Array.from(ordered ?? [])
      .filter((index) => selection?.chosen.has(index) === true)
      .map((index) => all[index] ?? {})
  const takenRows = (): ReadonlyArray<JsonRecord> =>
    (selection?.chosen.size ?? 0) > 0 ? pickedRows() : Array.from(found, (index) => all[index] ?? {})

  const quiet = (label: string, act: () => unknown, name?: string, needs = ""): HTMLElement =>
    button(label, act, { kind: "plain", small: true, title: name, needs })
  const clear = quiet("Clear", () => selection?.choose([]), "Clear the selection")
  const everything = quiet("", () => selection?.choose(found))
  const saver = (name: string, offer: (rows: ReadonlyArray<JsonRecord>) => Takeaway): HTMLElement =>
    quiet(name, () => saved(session, title, offer(takenRows())), `Download as ${name}`, "ui/download-file")
  const copy = async (): Promise<void> => {
    await session?.copy(separatedText(takenRows(), "\t"))
    count.textContent = "Copied"
  }
  const takers =
    session === undefined
      ? []
      : [quiet("Copy", copy, "Copy the rows"), saver("CSV", tableTakeaway), saver("JSON", jsonTakeaway)]
  const pager = tablePager(
    all.length,
    toldSize,
    (to) => {
      page = to
      region.scrollTop = 0
      change()
    },
    (size) => {
      page = Math.floor((page * pageSize) / size)
      pageSize = size
      change()
    }
  )
  const taken = h("div", { class: "mg-taken" }, count, everything, clear, takers)
  const foot = h("div", { class: "mg-table-foot" }, selection && taken, pager.node)

  const draw = (): void => {
    ordered ??= arrange()
    const hits = matches
    const isAll = hits === undefined && !groups?.chosen()
    found = isAll ? ordered : ordered.filter((index) => hits?.[index] !== 0 && groups?.has(index) !== false)
    const pages = Math.max(1, Math.ceil(found.length / pageSize))
    page = Math.min(Math.max(0, Math.round(page)), pages - 1)
    const visible = found.slice(page * pageSize, (page + 1) * pageSize)
    selection?.begin(found)
    const note = (...said: ReadonlyArray<Child>): HTMLElement =>
      h("tr", {}, h("td", { colspan: shown.length + 1, class: "mg-muted" }, said))
    const lines =
      shown.length === 0
        ? note("No columns are chosen.")
        : visible.length === 0
          ? note("No row matches. ", quiet("Clear the filter", clearFilter))
          : Array.from(visible, rowNodes)
    body.replaceChildren(...h("div", {}, lines).childNodes)
    selection?.mark()
    pager.show(page, pages, pageSize)
    tellCount()
    taken.hidden = !offersAll && selection === undefined && all.length <= pageSize
  }

  const change = (): void => {
    draw()
    remember()
  }

  const sortBy = (field: Field, at: number): void => {
    const first = isNumeric(field)
    const next =
      order?.key !== field.key
        ? { key: field.key, desc: first }
        : order.desc === first
          ? { key: field.key, desc: !first }
          : undefined
    if (onSort) return onSort(next)
    order = next
    ordered = undefined
    page = 0
    drawHead()
    head.querySelectorAll<HTMLElement>(".mg-sort")[at]?.focus()
    change()
  }

  let restores = query !== ""
  const search = rowFilter(all, fields, (hits) => {
    region.removeAttribute("aria-busy")
    // A remembered filter that matches nothing would look like an empty answer: drop it.
    if (restores && hits?.includes(1) === false) query = filter.value = ""
    else matches = hits
    restores = false
    change()
  })
  const filter = h("input", {
    type: "search",
    class: "mg-input mg-filter",
    placeholder: "Filter",
    "aria-label": title === "" ? "Filter rows" : `Filter ${title}`
  })
  filter.value = query
  let typing: ReturnType<typeof setTimeout> | undefined
  const find = (): void => {
    region.setAttribute("aria-busy", "true")
    search(query)
  }
  filter.addEventListener("input", () => {
    clearTimeout(typing)
    query = filter.value.trim()
    page = 0
    if (all.length > 5000) typing = setTimeout(find, 120)
    else find()
  })
  const clearFilter = (): void => {
    query = filter.value = ""
    find()
    filter.focus()
  }

  const hasFilter = given.filter ?? all.length > 8
  const choice =
    (given.choose ?? (isEmpty(given.columns) && fields.length > Math.min(6, usual.length)))
      ? columnChoice(fields, chosen, usual, MOST_COLUMNS, () => {
          drawHead()
          change()
        })
      : undefined
  drawHead()
  draw()
  if (restores) find()
  const picked = listOf(remembered.picked).flatMap((mark) => {
    const index = Number.parseInt(textOf(mark), 10)
    return markOf(index) === mark ? [index] : []
  })
  if (picked.length > 0) selection?.choose(picked)
  return h(
    "div",
    { class: "mg-table-block" },
    groups?.node,
    (hasFilter || (offersAll && selection === undefined) || title !== "" || choice !== undefined) &&
      h(
        "div",
        { class: "mg-table-head" },
        title !== "" && h("h2", { class: "mg-heading" }, title),
        selection === undefined && taken,
        h("div", { class: "mg-table-tools" }, hasFilter && filter, choice?.toggle)
      ),
    choice?.panel,
    region,
    foot
  )
}
