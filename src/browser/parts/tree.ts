import { isEmpty, isRecord, labelOf, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, fragment, h } from "./dom.ts"
import { givenValue } from "./field.ts"
import { fmt } from "./format.ts"
import { disclosure } from "./layout.ts"
import { clip, nameIn, optionsOf, textOf } from "./values.ts"

const treeLimit = 200

const treeLeaf = (name: string, value: unknown): HTMLElement =>
  h(
    "div",
    { class: "mg-tree-leaf" },
    name !== "" && h("span", { class: "mg-tree-name" }, name),
    value === undefined
      ? null
      : value instanceof Node
        ? value
        : h(
            "span",
            {},
            typeof value === "string"
              ? clip(value, 2000)
              : value === null
                ? h("span", { class: "mg-muted" }, "null")
                : isEmpty(value)
                  ? h("span", { class: "mg-muted" }, Array.isArray(value) ? "empty list" : "empty")
                  : givenValue(value, {}, name)
          )
  )

const treeChildren = (node: JsonRecord): ReadonlyArray<unknown> | undefined => {
  const found = ["children", "items", "nodes", "entries"].map((key) => node[key]).find(Array.isArray)
  return found !== undefined && nameIn(node) !== undefined ? found : undefined
}

/** What else a node says, small beside its name. */
const treeNote = (node: JsonRecord): Child => {
  const name = nameIn(node)?.key
  const notes = Object.entries(node)
    .filter(([key, value]) => key !== name && !isEmpty(value) && typeof value !== "object")
    .slice(0, 4)
  return notes.map(([key, value]) => [
    " ",
    h("span", { class: "mg-muted mg-tree-note", title: labelOf(key) }, givenValue(value, {}, key))
  ])
}

/** A record that is said in a line: its name and a few plain members. */
const isLeaf = (item: JsonRecord): boolean =>
  treeChildren(item) === undefined &&
  nameIn(item) !== undefined &&
  Object.keys(item).length <= 5 &&
  Object.values(item).every((value) => typeof value !== "object" || value === null)

const treeNode = (name: string, value: unknown, open: number): HTMLElement => {
  if (value instanceof Node || typeof value !== "object" || value === null || isEmpty(value))
    return treeLeaf(name, value)
  const children = isRecord(value) ? treeChildren(value) : undefined
  const label = children !== undefined && isRecord(value) ? textOf(nameIn(value)?.value) : name
  const entries: ReadonlyArray<readonly [string, unknown]> =
    children !== undefined
      ? children.map((child) => ["", child] as const)
      : Array.isArray(value)
        ? value.map(
            (item: unknown, index) =>
              [isRecord(item) ? textOf(nameIn(item)?.value) || String(index + 1) : "", item] as const
          )
        : Object.entries(value).map(([key, item]) => [labelOf(key), item] as const)
  const note = children !== undefined && isRecord(value) ? treeNote(value) : undefined
  if (children !== undefined && children.length === 0) {
    const leaf = treeLeaf(label, undefined)
    return h("div", { class: "mg-tree-leaf" }, ...leaf.childNodes, note)
  }
  const branch = (from: number): Child => [
    entries
      .slice(from, from + treeLimit)
      .map(([key, item]) =>
        isRecord(item) && isLeaf(item)
          ? treeLeaf("", fragment(textOf(nameIn(item)?.value), treeNote(item)))
          : treeNode(key, item, open - 1)
      ),
    entries.length > from + treeLimit &&
      disclosure(`${fmt.number(entries.length - from - treeLimit)} more`, () => branch(from + treeLimit))
  ]
  return disclosure(
    [
      h("span", { class: "mg-tree-name" }, label || "List"),
      " ",
      h("span", { class: "mg-muted" }, fmt.number(entries.length)),
      note
    ],
    () => branch(0),
    { open: open > 0 }
  )
}

const rootNode = (key: string, item: unknown, open: number): HTMLElement => {
  if (isRecord(item) && isLeaf(item)) return treeLeaf("", fragment(textOf(nameIn(item)?.value), treeNote(item)))
  const name = key === "" && isRecord(item) ? textOf(nameIn(item)?.value) : labelOf(key)
  return treeNode(name, item, open)
}

/** Nested data, folded: any JSON, or nodes of `{name, children}`. `open` is how many levels are unfolded (1 unless given). */
export const tree = (value?: unknown, options?: { readonly open?: number; readonly label?: string }): HTMLElement => {
  const given = optionsOf<{ readonly open: number; readonly label: string }>(options)
  const open = numberOf(given.open) ?? 1
  const label = textOf(given.label)
  if (label === "" && typeof value === "object" && value !== null && !(value instanceof Node) && !isEmpty(value)) {
    const isNode = isRecord(value) && treeChildren(value) !== undefined
    const entries: ReadonlyArray<readonly [string, unknown]> = isNode
      ? [["", value]]
      : Array.isArray(value)
        ? value.map((item: unknown, at) => [isRecord(item) ? "" : String(at + 1), item] as const)
        : Object.entries(value)
    return h(
      "div",
      { class: "mg-tree" },
      entries.slice(0, treeLimit).map(([key, item]) => rootNode(key, item, open)),
      entries.length > treeLimit &&
        disclosure(`${fmt.number(entries.length - treeLimit)} more`, () =>
          entries.slice(treeLimit).map(([key, item]) => rootNode(key, item, 0))
        )
    )
  }
  return h("div", { class: "mg-tree" }, treeNode(label, value, open))
}
