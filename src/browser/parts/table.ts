import { isEmpty, isRecord, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, h, icon, uniqueId } from "./dom.ts"
import { button } from "./button.ts"
import { type Field, fieldNode, fieldsOf, fieldText, isNumeric } from "./field.ts"
import { fmt, momentOf } from "./format.ts"
import { empty } from "./layout.ts"
import { detail } from "./records.ts"
import { attempt, clip, listOf, memberOf, optionsOf, rowsOf, textOf } from "./values.ts"

export interface TableOptions {
  /** Names, options of a field, or labels by name; otherwise all that the rows have. */
  readonly columns: unknown
  /** A column's name, with "-" before it for descending; `{key, desc}` too. */
  readonly sort: string | { readonly key: string; readonly desc?: boolean }
  /** A box that filters all rows; shown from 9 rows on unless told. */
  readonly filter: boolean
  readonly pageSize: number
  /** Called when a row's first cell is pressed. */
  readonly onRow: (row: JsonRecord) => unknown
  /** What unfolds below a row: `true` for all members, or a function. */
  readonly expand: boolean | ((row: JsonRecord) => Child)
  readonly title: string
  readonly empty: Child
}

const maxInferred = 8
const clampLength = 160

type Direction = "ascending" | "descending"

interface Order {
  readonly key: string
  readonly direction: Direction
}

const readOrder = (sort: unknown): Order | undefined => {
  const given = isRecord(sort) ? sort : {}
  const name = typeof sort === "string" ? sort.trim() : textOf(given.key ?? given.column)
  if (name === "") return undefined
  const key = name.replace(/^[-+]/, "").replace(/[ :](asc|desc)$/i, "")
  const isDescending =
    name.startsWith("-") ||
    /[ :]desc$/i.test(name) ||
    given.desc === true ||
    /^desc/i.test(textOf(given.direction ?? given.order))
  return { key, direction: isDescending ? "descending" : "ascending" }
}

const sortKey = (value: unknown, field: Field, row: JsonRecord): number | string => {
  if (isNumeric(field)) return numberOf(value) ?? fieldText(value, field, row)
  if (["date", "datetime", "time", "relative"].includes(field.type))
    return momentOf(value)?.at.getTime() ?? textOf(value)
  if (typeof value === "number" || typeof value === "boolean") return Number(value)
  return textOf(value).toLocaleLowerCase()
}

const sorted = (
  rows: ReadonlyArray<JsonRecord>,
  order: Order | undefined,
  fields: ReadonlyArray<Field>
): ReadonlyArray<JsonRecord> => {
  if (order === undefined) return rows
  const field = fields.find(({ key }) => key === order.key) ?? fieldsOf([order.key], rows)[0]
  if (field === undefined) return rows
  const sign = order.direction === "ascending" ? 1 : -1
  const collator = attempt(() => new Intl.Collator(undefined, { numeric: true }))
  const keyed = rows.map((row) => {
    const value = memberOf(row, field.key)
    return { row, isEmpty: isEmpty(value), key: sortKey(value, field, row) }
  })
  keyed.sort((left, right) => {
    if (left.isEmpty || right.isEmpty) return Number(left.isEmpty) - Number(right.isEmpty)
    if (typeof left.key === "number" && typeof right.key === "number") return (left.key - right.key) * sign
    return (collator?.compare(String(left.key), String(right.key)) ?? 0) * sign
  })
  return keyed.map(({ row }) => row)
}

const isLong = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length > clampLength || value.includes("\n")
    : typeof value === "object" &&
      value !== null &&
      (isRecord(value) || listOf(value).some((item) => typeof item === "object") || listOf(value).length > 8)

interface Plan {
  readonly fields: ReadonlyArray<Field>
  readonly expand: ((row: JsonRecord) => Child) | undefined
}

const plan = (given: Partial<TableOptions>, rows: ReadonlyArray<JsonRecord>): Plan => {
  const all = fieldsOf(given.columns, rows)
  const isTold = !isEmpty(given.columns)
  const likeable = all.filter(
    (field) => field.type !== "object" && !rows.slice(0, 20).some((row) => textOf(row[field.key]).length > 600)
  )
  const shown = isTold || all.length <= 5 ? all : (likeable.length > 1 ? likeable : all).slice(0, maxInferred)
  const hidesSome =
    shown.length < all.length ||
    rows
      .slice(0, 200)
      .some((row) => shown.some((field) => field.render === undefined && isLong(memberOf(row, field.key))))
  const everything = (row: JsonRecord): Child => detail(row)
  if (typeof given.expand === "function") return { fields: shown, expand: given.expand }
  return {
    fields: shown,
    expand: given.expand === true || (given.expand !== false && hidesSome) ? everything : undefined
  }
}

/**
 * Records as a table: sorted by pressing a header, filtered, paged; wide tables scroll in a region of their own. Rows may be
 * objects, lists or scalars; missing members are shown as "–".
 */
export const table = (rows?: unknown, options?: Partial<TableOptions>): HTMLElement => {
  const given = optionsOf<TableOptions>(Array.isArray(options) ? { columns: options } : options)
  const names = listOf(given.columns).map((column) => (isRecord(column) ? textOf(column.key) : textOf(column)))
  const all = rowsOf(rows, names)
  if (all.length === 0) return empty(given.empty ?? "No rows.")
  const { fields, expand } = plan(given, all)
  const title = textOf(given.title)
  const pageSize = Math.max(1, Math.round(numberOf(given.pageSize) ?? 20))
  let order = readOrder(given.sort)
  let query = ""
  let page = 0

  const body = h("tbody")
  const count = h("span", { class: "mg-muted", role: "status" })
  const previous = button("Previous", () => turn(-1), { small: true })
  const next = button("Next", () => turn(1), { small: true })
  const foot = h("div", { class: "mg-table-foot" }, count, h("span", { class: "mg-pager" }, previous, next))

  const texts = new Map<JsonRecord, string>()
  const textOfRow = (row: JsonRecord): string => {
    const known = texts.get(row)
    if (known !== undefined) return known
    const text = fields
      .map((field) => `${fieldText(memberOf(row, field.key), field, row)} ${textOf(memberOf(row, field.key))}`)
      .join(" ")
      .toLocaleLowerCase()
    texts.set(row, text)
    return text
  }

  const cell = (field: Field, row: JsonRecord): HTMLElement => {
    const value = memberOf(row, field.key)
    const content = typeof value === "string" && field.type === "text" ? clip(value, 400) : value
    return h("div", { class: "mg-cell" }, fieldNode(content, field, row))
  }

  const firstCell = (field: Field, row: JsonRecord): Child => {
    if (typeof given.onRow !== "function") return cell(field, row)
    return h(
      "button",
      { type: "button", class: "mg-linkbutton", onclick: () => void attempt(() => given.onRow?.(row)) },
      cell(field, row)
    )
  }

  const rowNodes = (row: JsonRecord): Child => {
    const line = h("tr")
    const cells = fields.map((field, index) =>
      h("td", { class: alignOf(field) }, index === 0 ? firstCell(field, row) : cell(field, row))
    )
    if (expand === undefined) {
      line.append(...cells)
      return line
    }
    const id = uniqueId()
    const toggle = h(
      "button",
      {
        type: "button",
        class: "mg-expand",
        "aria-expanded": "false",
        "aria-controls": id,
        "aria-label": `Details of ${clip(fieldText(memberOf(row, fields[0]?.key ?? ""), fields[0] as Field, row) || "row", 60)}`
      },
      icon("chevron")
    )
    const more = h("tr", { id, hidden: true, class: "mg-more" })
    toggle.addEventListener("click", () => {
      if (more.childNodes.length === 0)
        more.append(h("td", { colspan: fields.length + 1 }, attempt(() => expand(row)) ?? detail(row)))
      more.hidden = !more.hidden
      toggle.setAttribute("aria-expanded", String(!more.hidden))
    })
    line.append(h("td", { class: "mg-expand-cell" }, toggle), ...cells)
    return [line, more]
  }

  const draw = (): void => {
    const found = query === "" ? all : all.filter((row) => textOfRow(row).includes(query))
    const pages = Math.max(1, Math.ceil(found.length / pageSize))
    page = Math.min(Math.max(0, page), pages - 1)
    const from = page * pageSize
    const visible = sorted(found, order, fields).slice(from, from + pageSize)
    const none = h(
      "tr",
      {},
      h("td", { colspan: fields.length + (expand === undefined ? 0 : 1), class: "mg-muted" }, "No row matches.")
    )
    body.replaceChildren(...h("div", {}, visible.length === 0 ? none : visible.map(rowNodes)).childNodes)
    const total = fmt.number(found.length)
    count.textContent =
      found.length > pageSize
        ? `${fmt.number(from + 1)}–${fmt.number(from + visible.length)} of ${total}`
        : query === ""
          ? ""
          : `${total} of ${fmt.number(all.length)}`
    previous.toggleAttribute("disabled", page === 0)
    next.toggleAttribute("disabled", page >= pages - 1)
    foot.hidden = all.length <= pageSize && query === ""
    const pagerNode = previous.parentElement
    if (pagerNode !== null) pagerNode.hidden = pages === 1
  }

  const turn = (by: number): void => {
    page += by
    draw()
  }

  const heads = fields.map((field) => {
    const mark = h("span", { class: "mg-sort-mark" })
    const head = h(
      "th",
      { scope: "col", class: alignOf(field) },
      h(
        "button",
        { type: "button", class: "mg-sort", onclick: () => sortBy(field) },
        field.label || h("span", { class: "mg-hidden" }, field.key || "Column"),
        mark
      )
    )
    return { field, head, mark }
  })
  const markOrder = (): void => {
    for (const { field, head, mark } of heads) {
      const direction = order?.key === field.key ? order.direction : undefined
      if (direction === undefined) head.removeAttribute("aria-sort")
      else head.setAttribute("aria-sort", direction)
      mark.replaceChildren(icon(direction === "ascending" ? "up" : direction === "descending" ? "down" : "sort"))
    }
  }
  const sortBy = (field: Field): void => {
    const first: Direction = isNumeric(field) ? "descending" : "ascending"
    const second: Direction = first === "ascending" ? "descending" : "ascending"
    order =
      order?.key !== field.key
        ? { key: field.key, direction: first }
        : order.direction === first
          ? { key: field.key, direction: second }
          : undefined
    page = 0
    markOrder()
    draw()
  }

  const filter = h("input", {
    type: "search",
    class: "mg-input mg-filter",
    placeholder: "Filter",
    "aria-label": title === "" ? "Filter rows" : `Filter ${title}`
  })
  filter.addEventListener("input", () => {
    query = filter.value.trim().toLocaleLowerCase()
    page = 0
    draw()
  })

  markOrder()
  draw()
  const hasFilter = given.filter ?? all.length > 8
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      expand !== undefined &&
        h("th", { scope: "col", class: "mg-expand-cell" }, h("span", { class: "mg-hidden" }, "Details")),
      heads.map(({ head }) => head)
    )
  )
  return h(
    "div",
    { class: "mg-table-block" },
    (hasFilter || title !== "") &&
      h(
        "div",
        { class: "mg-table-head" },
        title !== "" && h("h2", { class: "mg-heading" }, title),
        hasFilter && filter
      ),
    h(
      "div",
      { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": title || "Table" },
      h("table", { class: "mg-table" }, head, body)
    ),
    foot
  )
}

const alignOf = (field: Field): string => {
  const align = field.align ?? (isNumeric(field) ? "end" : "start")
  return align === "end" ? "mg-end" : align === "center" ? "mg-center" : ""
}
