import { isObject } from "../../domain/isObject.ts"
import { labelOf } from "../../domain/labelOf.ts"
import { isEmpty, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Child, h } from "./dom.ts"
import { coloured } from "./codeColours.ts"
import { givenValue } from "./field.ts"
import { fmt } from "./format.ts"
import { fileIcon } from "./files.ts"
import { disclosure } from "./layout.ts"
import { clip, jsonOf, nameIn, optionsOf, textOf } from "./values.ts"

const treeLimit = 200

const treeLeaf = (name: string, value: unknown, words = true): HTMLElement =>
  h(
    "div",
    { class: "mg-tree-leaf" },
    name !== "" && h("span", { class: "mg-tree-name" }, name),
    value === undefined
      ? null
      : value instanceof Node
        ? value
        : words === false
          ? h("code", {}, coloured(clip(jsonOf(value), 2000)))
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

const isFile = (node: JsonRecord): boolean => /^(file|dir(ectory)?|folder)$/i.test(textOf(node.type))

/** The picture of a file, and nothing for other nodes. */
const pictureOf = (node: unknown): Child => isObject(node) && isFile(node) && [fileIcon(node, nameOf(node), 18), " "]

/** What else a node says, small beside its name. */
const treeNote = (node: JsonRecord): Child => {
  const name = nameIn(node)?.key
  const notes = Object.entries(node)
    .filter(
      ([key, value]) =>
        key !== name && !isEmpty(value) && typeof value !== "object" && !(key === "type" && isFile(node))
    )
    .slice(0, 4)
  return notes.map(([key, value]) => [
    " ",
    h("span", { class: "mg-muted mg-tree-note", title: labelOf(key) }, givenValue(value, {}, key))
  ])
}

/** A record that fits on one line: its name and a few plain members. */
const isLeaf = (item: JsonRecord): boolean =>
  treeChildren(item) === undefined &&
  nameIn(item) !== undefined &&
  Object.keys(item).length <= 5 &&
  Object.values(item).every((value) => typeof value !== "object" || value === null)

const nameOf = (item: unknown): string => (isObject(item) ? textOf(nameIn(item)?.value) : "")

const treeNode = (name: string, value: unknown, open: number, words: boolean): HTMLElement => {
  if (isObject(value) && isLeaf(value))
    return treeLeaf("", h("span", { class: "mg-yes" }, pictureOf(value), nameOf(value), treeNote(value)))
  if (value instanceof Node || typeof value !== "object" || value === null || isEmpty(value))
    return treeLeaf(name, value, words)
  const children = isObject(value) ? treeChildren(value) : undefined
  const label = children === undefined ? name : nameOf(value)
  const note = children === undefined || !isObject(value) ? undefined : treeNote(value)
  if (children?.length === 0) return treeLeaf("", h("span", { class: "mg-yes" }, pictureOf(value), label, note))
  const entries =
    children === undefined ? entriesOf(value, words) : children.map((child) => [nameOf(child), child] as const)
  return disclosure(
    [
      pictureOf(value),
      h("span", { class: "mg-tree-name" }, label || "List"),
      " ",
      h("span", { class: "mg-muted" }, fmt.number(entries.length)),
      note
    ],
    () => branches(entries, open - 1, words),
    { open: open > 0 }
  )
}

type Entries = ReadonlyArray<readonly [string, unknown]>

/** Readers of a result get words and count from one; data that an author shows as a tree keep their keys. */
const entriesOf = (value: object, words: boolean): Entries =>
  Array.isArray(value)
    ? value.map((item: unknown, at) => [nameOf(item) || String(words ? at + 1 : at), item] as const)
    : Object.entries(value).map(([key, item]) => [words ? labelOf(key) : key, item] as const)

/** The members. Of many, the first ones at once. */
const branches = (entries: Entries, open: number, words: boolean): ReadonlyArray<Child> => [
  entries.slice(0, treeLimit).map(([key, item]) => treeNode(key, item, open, words)),
  entries.length > treeLimit &&
    disclosure(`${fmt.number(entries.length - treeLimit)} more`, () => branches(entries.slice(treeLimit), open, words))
]

/** How many things there are, but no more than are counted. */
const countIn = (value: unknown, most: number): number => {
  let count = 1
  if (typeof value !== "object" || value === null || value instanceof Node) return count
  for (const member of Object.values(value)) {
    if (count > most) break
    count += countIn(member, most - count)
  }
  return count
}

/** A tree that is looked over at once is open. */
const small = 120

interface TreeOptions {
  readonly open: number
  readonly label: string
  /** Keys as words. */
  readonly words: boolean
}

export const tree = (value?: unknown, options?: Partial<TreeOptions>): HTMLElement => {
  const given = optionsOf<TreeOptions>(options)
  const words = given.words === true
  const open = countIn(value, small) <= small ? 20 : (numberOf(given.open) ?? 1)
  const label = textOf(given.label)
  const isWhole =
    label === "" &&
    (isObject(value) || Array.isArray(value)) &&
    !(value instanceof Node) &&
    !isEmpty(value) &&
    !(isObject(value) && treeChildren(value) !== undefined)
  return h(
    "div",
    { class: "mg-tree" },
    isWhole ? branches(entriesOf(value, words), open, words) : treeNode(label, value, open, words)
  )
}
