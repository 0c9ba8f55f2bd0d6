import { type JsonRecord, sampleOf } from "../../domain/results/ResultColumn.ts"
import type { Field } from "./field.ts"
import { nothing } from "./format.ts"
import { memberOf } from "./values.ts"

/** How a cell stands where its row is drawn below each other: class names, each after a space, and the label over it. */
export type NarrowCell = (field: Field, content: HTMLElement) => { readonly name: string; readonly label?: string }

/** Whether a narrow frame has no room for the columns: there the values of a row stand below its name. */
export const stacks = (fields: ReadonlyArray<Field>): boolean =>
  fields.reduce((width, { type, render }) => width + (render !== undefined ? 2.5 : type === "text" ? 1.2 : 1), 0) > 3.4

/** A column of few words that are drawn as what they are, such as states and kinds: these need no label. */
const isOfWords = ({ key, render, type }: Field, rows: ReadonlyArray<JsonRecord>): boolean => {
  const values = sampleOf(rows).map((row) => memberOf(row, key))
  const isWord = (value: unknown): boolean =>
    typeof value === "string" && /^(?!(yes|no|true|false)$)[a-z -]{1,24}$/i.test(value)
  return (type === "badge" || render !== undefined) && values.length >= new Set(values).size * 2 && values.every(isWord)
}

/** What is empty is left out, and what is long has a line of its own. Labels are left out where all but the name are such words. */
export const narrowCells = (
  fields: ReadonlyArray<Field>,
  name: Field | undefined,
  rows: ReadonlyArray<JsonRecord>
): NarrowCell => {
  const hasLabels = fields.some((field) => field !== name && !isOfWords(field, rows))
  return (field, content) => {
    if (field === name) return { name: " mg-name" }
    const text = content.textContent.trim()
    const isVoid = (text === "" || text === nothing) && content.querySelector("svg,img,i,input,[style]") === null
    const size = isVoid ? " mg-void" : text.length > 18 ? " mg-wide" : ""
    return hasLabels ? { name: size, label: field.label } : { name: size }
  }
}
