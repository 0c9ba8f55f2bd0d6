import { isEmpty, isRecord, labelOf, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, h } from "./dom.ts"
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
  if (children !== undefined && children.length === 0) return treeLeaf(label, undefined)
  const branch = (from: number): Child => [
    entries
      .slice(from, from + treeLimit)
      .map(([key, item]) =>
        isRecord(item) &&
        key === "" &&
        treeChildren(item) === undefined &&
        nameIn(item) !== undefined &&
        Object.keys(item).length <= 2
          ? treeLeaf("", nameIn(item)?.value)
          : treeNode(key, item, open - 1)
      ),
    entries.length > from + treeLimit &&
      disclosure(`${fmt.number(entries.length - from - treeLimit)} more`, () => branch(from + treeLimit))
  ]
  return disclosure(
    [
      h("span", { class: "mg-tree-name" }, label || "List"),
      " ",
      h("span", { class: "mg-muted" }, fmt.number(entries.length))
    ],
    () => branch(0),
    { open: open > 0 }
  )
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
        ? [["", value]]
        : Object.entries(value)
    return h(
      "div",
      { class: "mg-tree" },
      entries.slice(0, treeLimit).map(([key, item]) => treeNode(labelOf(key), item, open)),
      entries.length > treeLimit &&
        disclosure(`${fmt.number(entries.length - treeLimit)} more`, () =>
          entries.slice(treeLimit).map(([key, item]) => treeNode(labelOf(key), item, 0))
        )
    )
  }
  return h("div", { class: "mg-tree" }, treeNode(label, value, open))
}
