import { isObject } from "../../domain/isObject.ts"
import { columnOf, columnsOf, isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { jsonInText } from "../../domain/results/ResultJson.ts"
import { saidBy } from "../../domain/results/ResultErrors.ts"
import { matrixRows, recordsOf, type ResultRecords, treeNodesOf, unwrap } from "../../domain/results/ResultShape.ts"
import { looksLikeMarkdown, saysDone } from "../../domain/results/ResultText.ts"
import { badge } from "./badge.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { sessionOrNone } from "./host.ts"
import { hero } from "./hero.ts"
import { icon } from "./icons.ts"
import { disclosure, section, status, tabs } from "./layout.ts"
import { plainText } from "./markdown.ts"
import { bounded } from "./media.ts"
import { detail, list, stats } from "./records.ts"
import { labelFor, labelled, type ResultContext } from "./resultContext.ts"
import { subjectOfObject, subjectOfRows } from "./resultForms.ts"
import { swatches } from "./swatches.ts"
import { recordTable } from "./table.ts"
import { tree } from "./tree.ts"
import { clip, textOf } from "./values.ts"

const isProse = (value: unknown): value is string =>
  typeof value === "string" &&
  (value.length > 300 || (value.includes("\n") && (value.length > 60 || looksLikeMarkdown(value))))

/** Base64 and the like: a reader has no use for more than its beginning. */
const isOpaque = (value: string): boolean => value.length > 300 && !/\s/.test(value.slice(0, 300))

/** Records as a table. `isMain`: they are the result, whose rows can be chosen. */
export const recordsView = (
  { columns, rows }: Pick<ResultRecords, "columns" | "rows">,
  { titles }: ResultContext,
  isMain = false
): HTMLElement =>
  recordTable(rows, columns, {
    labels: Object.fromEntries(titles),
    // The result has its own copy and download.
    download: !isMain,
    ...(isMain && sessionOrNone() !== undefined ? { select: "many" } : {})
  })

const shortList = (items: ReadonlyArray<string>): HTMLElement => {
  const node = list(items)
  if (items.length > 12 && items.every((item) => item.length <= 32)) node.classList.add("mg-columns")
  return node
}

const areMoments = (items: ReadonlyArray<unknown>): boolean => columnOf("", items).kind === "datetime"

const listView = (items: ReadonlyArray<unknown>): HTMLElement =>
  items.some((item) => typeof item === "object" && item !== null)
    ? tree(items, { open: 2, words: true })
    : shortList(
        items.map(areMoments(items) ? (item) => fmt.date(item, { time: true }) : (item) => clip(textOf(item), 2000))
      )

const inside = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value
  const found = jsonInText(value)
  return found !== undefined && found.before + found.after === "" ? found.value : value
}

/** Any JSON value: records as a table, nodes as a tree, an object as fields and sections, text as what it is. */
export const valueView = (given: unknown, context: ResultContext, depth: number): Node => {
  const value = inside(given)
  const flat = typeof value === "string" ? value : unwrap(value)
  if (typeof flat === "string") return isOpaque(flat) ? bounded(flat, 300, plainText) : context.text(flat)
  const nodes = treeNodesOf(flat)
  if (nodes !== undefined) return tree(nodes, { open: 2, words: true })
  const rows = recordsOf(flat) ?? matrixRows(flat)
  if (rows !== undefined && (rows.length > 1 || Array.isArray(flat))) {
    const columns = columnsOf(rows)
    const subject = subjectOfRows(rows, columns, context)
    if (subject !== undefined) return subject
    const [only] = rows
    return rows.length === 1 && only !== undefined
      ? objectView(only, context, depth)
      : recordsView({ rows, columns }, context, depth === 0)
  }
  if (Array.isArray(flat)) return flat.length === 0 ? status("The list is empty.", "neutral") : listView(flat)
  return isObject(flat) ? objectView(flat, context, depth) : context.text(textOf(flat))
}

const manySections = 100
const manyTabs = 12
/** Names in a sentence; of more it says how many. */
const manyNames = 20

/** Colours as such, few numbers as figures, many short facts side by side, all else as names and values. */
const facts = (record: JsonRecord, context: ResultContext): ReadonlyArray<Child> => {
  const keys = Object.keys(record)
  if (keys.length === 0) return []
  if (keys.length > 2 && columnOf("", Object.values(record)).kind === "color")
    return [swatches(keys.map((name) => ({ name, color: record[name] })))]
  if (keys.length > 1 && keys.every((key) => typeof record[key] === "number")) {
    if (keys.length <= 6) return [stats(record, { fields: labelled(keys, context) })]
    // Of many counts, those that counted nothing are only named.
    const none = keys.filter((key) => record[key] === 0)
    const some = keys.filter((key) => record[key] !== 0)
    if (none.length > 3 && some.length > 0 && keys.length <= manySections)
      return [
        facts(without(record, ...none), context),
        h(
          "p",
          { class: "mg-muted mg-small" },
          `0: ${namesText(
            none.map((key) => labelFor(key, context)),
            ", "
          )}`
        )
      ]
  }
  // Hundreds of one type are a table that can be searched: prices by name, counts by word.
  if (keys.length > manySections && new Set(keys.map((key) => typeof record[key])).size === 1) {
    const rows = keys.map((name) => ({ name: context.titles.get(name) ?? name, value: record[name] }))
    return [h("div", { class: "mg-pairs" }, recordsView({ rows, columns: columnsOf(rows) }, context))]
  }
  const draw = (chosen: ReadonlyArray<string>): HTMLElement => detail(record, { fields: labelled(chosen, context) })
  const isShort = (key: string): boolean => typeof record[key] !== "object" && textOf(record[key]).length <= 32
  const short = keys.filter(isShort)
  if (short.length <= 7) return [draw(keys)]
  const grid = draw(short)
  ;(grid.matches("dl") ? grid : grid.querySelector("dl"))?.classList.add("mg-facts-grid")
  const long = keys.filter((key) => !isShort(key))
  return [long.length > 0 && draw(long), grid]
}

/** Says that there is nothing. What was asked for stands above, beside the form. */
export const nothingView = (said: string): HTMLElement =>
  h("div", { class: "mg-nothing" }, icon("search", 28), h("p", {}, said))

const without = (record: JsonRecord, ...keys: ReadonlyArray<string>): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

const isFine = (value: unknown): boolean => value === true || /^(ok|success|succeeded)$/i.test(textOf(value))

/** How an answer says whether it succeeded, and the members that say so. */
export const outcome = (record: JsonRecord): { readonly node: Child; readonly rest: JsonRecord } => {
  const { success, ok, status: state, message } = record
  const error = isObject(record.error) ? record.error.message : (record.error ?? record.errorMessage)
  if (success === false || ok === false || (typeof error === "string" && error !== "")) {
    const said = saidBy(typeof error === "string" && error !== "" ? { error } : record)
    const rest = without(record, "error", "errorMessage", "success", "ok")
    const { message: _said, ...others } = isObject(record.error) ? record.error : {}
    return {
      node: status(clip(said ?? "The answer says that this did not work.", 1000), "danger"),
      rest: isEmpty(others) ? rest : { ...rest, error: others }
    }
  }
  const flags = [success, ok, state].filter((flag) => flag !== undefined)
  const isDone = flags.length > 0 && flags.every(isFine)
  const isAll = Object.keys(record).every((key) => /^(success|ok|status|message)$/.test(key))
  if (isShort(message, 1000) && (isDone || isAll || saysDone(message))) {
    return {
      node: hero(message, isDone || saysDone(message) ? { tone: "success" } : { badge: state }),
      rest: isDone || isAll ? without(record, "success", "ok", "status", "message") : without(record, "message")
    }
  }
  return { node: undefined, rest: record }
}

const isShort = (value: unknown, length: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= length && !value.includes("\n")

const memberIn = (record: JsonRecord, names: string, isFit: (value: unknown) => boolean): string | undefined =>
  names.split(" ").find((name) => Object.hasOwn(record, name) && isFit(record[name]))

/** The head of a record that is the whole result: name, state, picture, description; and the members that are left. */
const headOf = (record: JsonRecord): { readonly node: Child; readonly rest: JsonRecord } => {
  const title = memberIn(
    record,
    "title name displayName display_name full_name label subject",
    (value) => isShort(value, 120) && !/[;{}]$|\w!$/.test(value)
  )
  if (title === undefined || Object.keys(record).length < 4) return { node: undefined, rest: record }
  const said = textOf(record[title])
  const state = memberIn(record, "status state priority severity", (value) => isShort(value, 24))
  const about = memberIn(record, "description summary subtitle", (value) => isShort(value, 300))
  const picture = memberIn(record, "image avatar thumbnail icon logo photo picture", (value) =>
    /^data:image\//i.test(textOf(value))
  )
  const used = new Set([state, about, picture])
  return {
    node: [
      h(
        "div",
        { class: "mg-record-head" },
        picture !== undefined && h("img", { class: "mg-portrait", src: record[picture], alt: "" }),
        h("h2", { class: "mg-large" }, said),
        state !== undefined && badge(record[state])
      ),
      about !== undefined && record[about] !== said && h("p", {}, textOf(record[about]))
    ],
    rest: Object.fromEntries(Object.entries(record).filter(([key, value]) => !used.has(key) && value !== said))
  }
}

const isInline = (value: unknown): boolean =>
  !isProse(value) &&
  (typeof value !== "object" ||
    (Array.isArray(value) &&
      value.length <= 12 &&
      !areMoments(value) &&
      value.every((item) => typeof item !== "object" && textOf(item).length <= 40)))

const envelope = /^(data|result|results|response|payload|output|body|item)$/

const namesText = (names: ReadonlyArray<string>, separator: string): string =>
  names.slice(0, manyNames).join(separator) +
  (names.length > manyNames ? ` and ${fmt.number(names.length - manyNames)} more` : "")

const sectionsOf = (
  entries: ReadonlyArray<readonly [string, unknown]>,
  context: ResultContext,
  depth: number
): ReadonlyArray<Child> => {
  const isOpen = depth < 2 && entries.length <= 8
  const rest = entries.slice(manySections)
  const drawn = entries.slice(0, manySections).map(([key, value]): Child => {
    const count = Array.isArray(value) ? fmt.number(value.length) : undefined
    const label = labelFor(key, context)
    const draw = (): Node => valueView(value, context, depth + 1)
    return isOpen
      ? section(label, draw(), { open: true, ...(count === undefined ? {} : { badge: count }) })
      : disclosure([label, count === undefined ? null : h("span", { class: "mg-muted" }, ` ${count}`)], draw)
  })
  return rest.length === 0
    ? drawn
    : [...drawn, disclosure(`${fmt.number(rest.length)} more`, () => sectionsOf(rest, context, depth))]
}

/** What a server tells the model to do next: it stays within reach, folded, because it is not for people. */
const isAdvice = (key: string, value: unknown): boolean =>
  typeof value === "string" &&
  value.length > 40 &&
  (/^(next_?steps?|instructions?|usage|tips?|hints?|guidance|reminder)$/i.test(key) ||
    /\b(you (must|should)|call (the|this) tool|use (the )?[\w-]+ tool|the (user|assistant)|inform the user)\b/i.test(
      value.slice(0, 400)
    ))

/** A switch that says nothing: it worked, no more pages, not cut, not a subtask. */
const isOff = (key: string, value: unknown): boolean =>
  (value === true && /^(ok|success)$/.test(key)) ||
  (value === false && /^(has_?[a-z]*more|has_?next|truncated|partial|is_?error|cached|dry_?run|is_?[a-z]+)$/i.test(key))

const plainName = (name: string): string => name.replace(/[_-]/g, "").toLowerCase()

const isAsked = (key: string, value: unknown, { args = {} }: ResultContext): boolean =>
  Object.entries(args).some(([name, asked]) => asked === value && plainName(name) === plainName(key))

/** The members that say something of their own: with a value, and not how long one of the lists is. */
const tellingOf = (record: JsonRecord, lists: JsonRecord): JsonRecord => {
  const lengths = new Set(Object.values(lists).map((list) => (Array.isArray(list) ? list.length : undefined)))
  return Object.fromEntries(
    Object.entries(record).filter(
      ([key, value]) =>
        !isEmpty(value) &&
        !isOff(key, value) &&
        !(typeof value === "number" && /count|total/i.test(key) && lengths.has(value))
    )
  )
}

/** What stands beside lists, without what was asked. */
export const besideOf = (record: JsonRecord, lists: JsonRecord, context: ResultContext): JsonRecord =>
  Object.fromEntries(Object.entries(tellingOf(record, lists)).filter(([key, value]) => !isAsked(key, value, context)))

const adviceView = (record: JsonRecord, context: ResultContext): Child => {
  const keys = Object.keys(record).filter((key) => isAdvice(key, record[key]))
  return keys.length > 0 && disclosure("Notes for the model", () => detail(record, { fields: labelled(keys, context) }))
}

/** What stands below the answer: facts and texts in sight, objects and advice folded. */
export const asideView = (record: JsonRecord, context: ResultContext): ReadonlyArray<Child> => {
  const entries = Object.entries(record).filter(([key, value]) => !isAdvice(key, value))
  const long = entries.filter(([, value]) => !isInline(value))
  return [
    facts(Object.fromEntries(entries.filter((entry) => !long.includes(entry))), context),
    [1, 2].map((depth) =>
      sectionsOf(
        long.filter(([, value]) => isObject(value) === (depth === 2)),
        context,
        depth
      )
    ),
    adviceView(record, context)
  ]
}

/** The one member that is the answer, with a few words beside it: `{data: {…}, version: {…}}`, `{mode, template: {…}}`. */
const coreOf = (record: JsonRecord, isFree: boolean): string | undefined => {
  const structures = Object.keys(record).filter((key) => !isInline(record[key]) && !isAdvice(key, record[key]))
  const wrappers = structures.filter((key) => envelope.test(key))
  const isAlone =
    structures.length === 1 &&
    isFree &&
    Object.keys(record).length <= 3 &&
    Object.keys(tellingOf(record[structures[0] ?? ""] as JsonRecord, {})).length > 2
  const core = wrappers.length === 1 ? wrappers[0] : isAlone ? structures[0] : undefined
  const isSmall = ([key, value]: readonly [string, unknown]): boolean =>
    isInline(value) ||
    isAdvice(key, value) ||
    (isObject(value) && Object.values(value).every((member) => typeof member !== "object"))
  return core !== undefined && isObject(record[core]) && Object.entries(without(record, core)).every(isSmall)
    ? core
    : undefined
}

/** Says which lists are empty, where nothing else was found: beside them stand echoes and zeros only. */
const nothingIn = (record: JsonRecord, beside: JsonRecord, context: ResultContext): Child => {
  const none = Object.keys(record).filter(
    (key) => isEmpty(record[key]) && Array.isArray(record[key]) && !/^(warnings|errors)$/i.test(key)
  )
  const others = Object.keys(beside).filter((key) => beside[key] !== 0)
  const isCountedZero = [record.total, record.totalCount, record.count].includes(0)
  if (none.length === 0 || (others.length > 0 && !isCountedZero)) return undefined
  const names = none.map((key) => labelFor(key, context).toLowerCase())
  return [
    nothingView(`No ${namesText(names, ", no ")}.`),
    asideView(Object.fromEntries(others.map((key) => [key, beside[key]])), context)
  ]
}

/** Shows how it went, the title, the facts, then each structure in a section. Long lists stand under tabs. */
export const objectView = (whole: JsonRecord, context: ResultContext, depth: number): HTMLElement => {
  const isWhole = depth === 0
  const subject = isWhole ? subjectOfObject(whole, context) : undefined
  const went = subject ?? (isWhole ? outcome(whole) : { node: undefined, rest: whole })
  const { rest } = went
  const stack = (...children: ReadonlyArray<Child>): HTMLElement =>
    h("div", { class: "mg-stack" }, went.node, ...children)
  const beside = besideOf(rest, rest, context)
  if (subject !== undefined) return stack(asideView(beside, context))
  const nothing = isWhole ? nothingIn(rest, beside, context) : undefined
  if (nothing !== undefined) return stack(nothing)
  const isBusy = isWhole && Object.values(beside).some((value) => !isInline(value))
  const told = isBusy ? beside : tellingOf(rest, rest)
  if (Object.keys(told).length === 0)
    return stack(
      went.node !== undefined
        ? undefined
        : rest.ok === true || rest.success === true
          ? hero("Done", { tone: "success" })
          : isWhole
            ? nothingView("The answer is empty.")
            : h("p", { class: "mg-muted" }, "No values.")
    )
  const core = isBusy ? coreOf(told, went.node === undefined) : undefined
  if (core !== undefined)
    return stack(objectView(told[core] as JsonRecord, context, 0), asideView(without(told, core), context))
  const head = isWhole && went.node === undefined ? headOf(told) : { node: undefined, rest: told }
  const read = Object.entries(head.rest).map(([key, value]) => [key, inside(value)] as const)
  const entries = read.filter(([key, value]) => !isAdvice(key, value))
  const structures = entries.filter(([, value]) => !isInline(value))
  const lists = structures.filter(([, value]) => (recordsOf(value)?.length ?? 0) > 1)
  const hasTabs =
    isWhole &&
    lists.length > 1 &&
    lists.length <= manyTabs &&
    lists.some(([, value]) => (recordsOf(value)?.length ?? 0) > 10)
  return stack(
    head.node,
    facts(Object.fromEntries(entries.filter(([, value]) => isInline(value))), context),
    hasTabs &&
      tabs(
        lists.map(([key, value]) => ({
          label: `${labelFor(key, context)} ${fmt.number(recordsOf(value)?.length)}`,
          content: () => valueView(value, context, depth + 1)
        })),
        { label: "Lists" }
      ),
    sectionsOf(hasTabs ? structures.filter((entry) => !lists.includes(entry)) : structures, context, depth),
    adviceView(head.rest, context)
  )
}
