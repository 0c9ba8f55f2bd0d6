import { isObject } from "../isObject.ts"
import { numberOf, type JsonRecord } from "./ResultColumn.ts"

/**
 * The shapes in which records come: lists of objects, parallel columns, lists of lists, places, names with values,
 * trees.
 */

export const isScalar = (value: unknown): boolean => value === null || typeof value !== "object"

const columnarRows = (value: JsonRecord): Array<JsonRecord> | undefined => {
  const entries = Object.entries(value)
  const length = Array.isArray(entries[0]?.[1]) ? entries[0][1].length : 0
  const isColumnar =
    entries.length >= 2 &&
    length >= 2 &&
    entries.every(([, list]) => Array.isArray(list) && list.length === length && list.every(isScalar))
  if (!isColumnar) return undefined
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(entries.map(([key, list]) => [key, Array.isArray(list) ? list[index] : undefined]))
  )
}

const mappedRows = (value: JsonRecord): Array<JsonRecord> | undefined => {
  const entries = Object.entries(value)
  const first = entries[0]?.[1]
  if (entries.length < 3 || !isObject(first)) return undefined
  const names = Object.keys(first)
  const isUniform =
    names.length >= 2 &&
    entries.every(([, row]) => isObject(row) && names.filter((name) => name in row).length * 2 > names.length)
  if (!isUniform) return undefined
  const key = ["name", "key", "entry"].find((key) => entries.every(([, row]) => isObject(row) && !(key in row)))
  return key === undefined ? undefined : entries.map(([name, row]) => Object.assign({ [key]: name }, row))
}

const namesOf = (value: unknown): ReadonlyArray<string> | undefined => {
  if (!Array.isArray(value)) return undefined
  const names = value.map((name: unknown) => (isObject(name) ? (name.name ?? name.label ?? name.field) : name))
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length ? names : undefined
}

const isLine = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.every(isScalar)

const named = (lines: ReadonlyArray<unknown>, names: ReadonlyArray<string>): Array<JsonRecord> | undefined =>
  lines.length > 0 && lines.every((line) => isLine(line) && line.length === names.length)
    ? lines.map((line) =>
        Object.fromEntries(names.map((name, index) => [name, (line as ReadonlyArray<unknown>)[index]]))
      )
    : undefined

/** `{columns: ["a", "b"], rows: [[1, 2]]}`, as databases answer, with nothing else important in it. */
export const headedRows = (value: JsonRecord): Array<JsonRecord> | undefined => {
  const heads = ["columns", "headers", "header", "fields"].find((key) => namesOf(value[key]) !== undefined)
  const body = ["rows", "data", "values", "records"].find((key) => Array.isArray(value[key]))
  const lines = value[body ?? ""]
  return heads === undefined || !Array.isArray(lines) ? undefined : named(lines, namesOf(value[heads]) ?? [])
}

/** The rows of a list of lists. Its first line names the columns if it is all text and the rest is not. */
export const matrixRows = (value: unknown): ReadonlyArray<JsonRecord> | undefined => {
  if (!Array.isArray(value) || value.length < 2) return undefined
  const [first, ...others] = value
  if (!isLine(first) || first.length < 2) return undefined
  const isHeader =
    namesOf(first) !== undefined &&
    first.every((cell) => cell !== "" && numberOf(cell) === undefined) &&
    others.some((line) => isLine(line) && line.some((cell) => numberOf(cell) !== undefined))
  return isHeader
    ? named(others, namesOf(first) ?? [])
    : named(
        value,
        first.map((_, index) => `Column ${index + 1}`)
      )
}

export const featureRows = (value: JsonRecord): ReadonlyArray<JsonRecord> | undefined =>
  value.type === "FeatureCollection" && Array.isArray(value.features) && value.features.length > 0
    ? value.features
        .filter(isObject)
        .map(({ id, properties, geometry }) => Object.assign(id === undefined ? {} : { id }, properties, geometry))
    : undefined

const hasName = (node: JsonRecord): boolean =>
  ["name", "title", "label"].some((key) => typeof node[key] === "string" && node[key] !== "")

const isParent = (node: JsonRecord): boolean =>
  Array.isArray(node.children) &&
  node.children.length > 0 &&
  node.children.every((child) => isObject(child) && hasName(child))

/** The nodes of a tree: records with a name, some of them with `children` that are records with a name. */
export const treeNodesOf = (value: unknown): ReadonlyArray<JsonRecord> | undefined => {
  const nodes = Array.isArray(value) ? value : isObject(value) && isParent(value) ? [value] : []
  return nodes.every((node) => isObject(node) && hasName(node)) && nodes.some(isParent) ? nodes : undefined
}

/** `[{name: "Colour", value: "red"}]` as the one record that it is; records whose values are all numbers stay a list. */
export const pairedRecord = (rows: ReadonlyArray<JsonRecord>): JsonRecord | undefined => {
  const key = ["name", "key", "label", "field", "property"].find((name) => rows[0] !== undefined && name in rows[0])
  if (key === undefined || rows.length < 2 || rows.every(({ value }) => typeof value === "number")) return undefined
  return rows.every((row) => Object.keys(row).length === 2 && "value" in row) &&
    namesOf(rows.map((row) => row[key])) !== undefined
    ? Object.fromEntries(rows.map((row) => [String(row[key]), row.value]))
    : undefined
}

/** The records in a value: a list of objects, parallel lists of equal length, or objects of one kind under names. */
export const recordsOf = (value: unknown): ReadonlyArray<JsonRecord> | undefined => {
  if (Array.isArray(value)) {
    if (!value.every((row) => row === null || isObject(row))) return undefined
    // Reuse a list without gaps: copying 100,000 rows takes time.
    const rows = value.includes(null) ? value.filter(isObject) : value
    return rows.length > 0 ? rows : undefined
  }
  return isObject(value)
    ? (featureRows(value) ?? headedRows(value) ?? columnarRows(value) ?? mappedRows(value))
    : undefined
}
