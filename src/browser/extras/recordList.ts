import type { RecordsOptions } from "../../../types/parts.d.ts"
import { labelOf } from "../../domain/labelOf.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import {
  filterOf,
  filtersOf,
  firstPageOf,
  type ListPaging,
  orderOf,
  pagingOf,
  type SortedBy
} from "../../domain/tools/ListPaging.ts"
import { pager } from "../pageParts/pager.ts"
import { button } from "../parts/button.ts"
import { type Child, h } from "../parts/dom.ts"
import { fmt } from "../parts/format.ts"
import { input } from "../pageParts/input.ts"
import { table } from "../parts/table.ts"
import { nameIn } from "../parts/values.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { JsonObject } from "../runtime/types.ts"
import type { ListedRows } from "./recordCalls.ts"

/** The most rows that a server's page may have without pages of its own on screen. */
const LONGEST_PAGE = 200

export interface RecordListOptions {
  readonly session: ViewSession
  readonly listed: ListedRows
  readonly args: JsonObject
  readonly noun: string
  /** Arguments of pages that were asked for. */
  readonly visited: Map<number, JsonObject>
  readonly table: Partial<RecordsOptions>
  readonly onRow: ((row: JsonRecord) => void) | undefined
  /** What can be done with the rows that are chosen. */
  readonly actions: (rows: ReadonlyArray<JsonRecord>) => ReadonlyArray<HTMLElement>
  readonly more: Child
  /** Reads the list with other arguments; what has the name keeps the focus. */
  readonly read: (args: JsonObject, focus: string) => Promise<unknown>
}

/** A list that its server pages, filters and orders, with boxes that choose rows. */
export const recordList = (options: RecordListOptions): HTMLElement => {
  const { args, listed, noun, read, session, visited } = options
  const { rest, rows } = listed
  const schema = session.tool.inputSchema
  const paging = pagingOf(schema, args, { rest, count: rows.length }, visited)
  const order = paging === undefined ? undefined : orderOf(schema, firstPageOf(args))
  const things = fmt.plural(2, noun).replace(/^\S+\s/, "")

  const named = (name: string, node: HTMLElement): HTMLElement => {
    node.dataset.name = name
    return node
  }
  const narrow = (name: string, value: unknown): Promise<unknown> => {
    const { [name]: _, ...others } = firstPageOf(args)
    return read(value === undefined || value === "" ? others : { ...others, [name]: value }, name)
  }
  const { choices, search } = filtersOf(schema)
  const isNarrow = Object.keys(filterOf(args)).length > 0
  const offersFilters = paging !== undefined || isNarrow || rows.length > 8
  const filters = offersFilters && [
    search !== undefined &&
      named(
        search,
        input("Search", {
          type: "search",
          value: args[search],
          placeholder: `Search ${things}`,
          onEnter: (value: unknown) => narrow(search, value)
        } as never)
      ),
    choices.map(({ name, values }) =>
      named(
        name,
        input(labelOf(name), {
          value: args[name] ?? "",
          options: [
            { label: "Any", value: "" },
            ...values.map((value) => ({
              value,
              label: value === true ? "Yes" : value === false ? "No" : labelOf(String(value))
            }))
          ],
          onChange: (value: unknown) => void narrow(name, value)
        } as never)
      )
    )
  ]

  const go = (to: number, focus: string): Promise<unknown> | undefined => {
    const given = paging?.argumentsOf(to)
    if (given === undefined) return undefined
    visited.set(to, given)
    return read(given, focus)
  }
  const bulk = h("div", {
    class: "mg-toolbar",
    style: { "min-height": "36px" },
    role: "group",
    "aria-label": "What is selected",
    hidden: true
  })
  // What can be done takes its place, so that the rows stay where they are.
  const hasFilters = offersFilters && (search !== undefined || choices.length > 0)
  const usual = h("div", { class: "mg-toolbar" }, filters, hasFilters && h("span", { class: "mg-grow" }), options.more)
  const bar = h("div", { hidden: !usual.hasChildNodes() }, usual, bulk)
  const tellSelected = (chosen: ReadonlyArray<JsonRecord>): void => {
    session.select({ items: chosen, noun: things })
    const { total } = paging ?? {}
    const isAll = total !== undefined && total > rows.length && chosen.length === rows.length && rows.length > 0
    const all =
      isAll &&
      button(`Select all ${fmt.number(total)} that match`, () => tellAll(total), { kind: "plain", small: true })
    bulk.hidden = chosen.length === 0
    usual.hidden = chosen.length > 0
    bar.hidden = chosen.length === 0 && !usual.hasChildNodes()
    bulk.replaceChildren(...options.actions(chosen), ...(all === false ? [] : [all]))
  }
  const tellAll = (total: number): void => {
    session.select({ items: rows, noun: things, total, filter: filterOf(args) })
    const said = `All ${fmt.number(total)} ${things} that match are selected. Say in the conversation what is to be done with them.`
    bulk.replaceChildren(h("p", { class: "mg-muted", role: "status" }, said))
  }

  const hint = h("p", { class: "mg-muted mg-small", role: "status" })
  const drawn = table(nameFirst(rows), {
    noun: things,
    empty: `No ${things}${isNarrow ? " match" : ""}.`,
    select: "many",
    expand: false,
    ...options.table,
    ...(options.onRow === undefined ? {} : { onRow: options.onRow, expand: false }),
    onSelect: tellSelected,
    ...(paging === undefined ? {} : { pageSize: LONGEST_PAGE, filter: false }),
    ...(order === undefined
      ? {}
      : {
          ...(order.sort === undefined ? {} : { sort: order.sort }),
          onSort: (sort: SortedBy | undefined) => {
            const given = order.argumentsOf(sort)
            hint.textContent = given === undefined ? "The server does not order by this column." : ""
            if (given !== undefined) void read(given, `sort ${sort?.key ?? ""}`)
          }
        })
  } as never)

  if (options.onRow !== undefined) openByRow(drawn)
  return h(
    "div",
    { class: "mg-stack" },
    hasFilters && bar,
    hint,
    drawn,
    paging === undefined
      ? !hasFilters && bar
      : h(
          "div",
          { class: "mg-toolbar" },
          !hasFilters && bar,
          h("span", { class: "mg-grow" }),
          rangeOf(paging, rows.length),
          pagerOf(paging, go)
        )
  )
}

/** The name of a row opens it, so it stands first. */
const nameFirst = (rows: ReadonlyArray<JsonRecord>): ReadonlyArray<JsonRecord> => {
  const { key = "" } = nameIn(rows[0] ?? {}) ?? {}
  return rows.map((row) => (Object.hasOwn(row, key) ? { [key]: row[key], ...row } : row))
}

/** A press anywhere in a row that has no meaning of its own opens it. */
const openByRow = (drawn: HTMLElement): void => {
  drawn.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("button,a,input,label,summary,thead") !== null) return
    target.closest("tr")?.querySelector<HTMLElement>(".mg-linkbutton")?.click()
  })
  drawn.classList.add("mg-opens")
}

const rangeOf = ({ page, size, total }: ListPaging, count: number): Child => {
  if (size === undefined || count === 0) return total !== undefined && `${fmt.number(total)} in all`
  const from = (page - 1) * size
  const range = `${fmt.number(from + 1)}–${fmt.number(from + count)}`
  return h("span", { class: "mg-muted" }, total === undefined ? range : `${range} of ${fmt.number(total)}`)
}

const pagerOf = (paging: ListPaging, go: (to: number, focus: string) => unknown): HTMLElement => {
  const { hasMore, page, pages } = paging
  return pager({
    page,
    ...(pages === undefined ? { hasMore } : { pages }),
    onPage: (to: number) => go(to, to > page ? "Next" : "Previous")
  } as never)
}
