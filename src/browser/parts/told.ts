import { isObject } from "../../domain/isObject.ts"
import { labelOf } from "../../domain/labelOf.ts"
import { type ResultContent, unwrap } from "../../domain/results/ResultContent.ts"
import { textPieces } from "../../domain/results/TextPieces.ts"
import type { JsonObject } from "../runtime/types.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { textOf } from "./values.ts"

/** Whether the view says what was asked: texts and numbers that are no choice of a few, and short enough to be repeated. */
export const saysArguments = (args: JsonObject, schema: unknown, shown: string): boolean => {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  return Object.entries(args).every(([name, value]) => {
    const property = properties[name]
    const isChoice = typeof value === "boolean" || (isObject(property) && Array.isArray(property.enum))
    return isChoice || typeof value === "object" || textOf(value).length > 60 || shown.includes(textOf(value))
  })
}

type Said = readonly [label: string, value: string]

/** Single values of a record; of long lists a view shows what it chooses. */
const inRecord = (value: unknown, label: string, into: Array<Said>): void => {
  if (Array.isArray(value)) {
    if (value.length === 1) inRecord(value[0], label, into)
  } else if (isObject(value)) for (const [key, member] of Object.entries(value)) inRecord(member, labelOf(key), into)
  else if (typeof value === "string" || typeof value === "number") into.push([label, String(value)])
}

/** Lines of "Key: value", and what Markdown links and single lines of code hold. */
const inText = (text: string): ReadonlyArray<Said> => [
  ...Object.entries(textPieces(text).pairs).map(([key, value]): Said => [key, textOf(value)]),
  ...[...text.matchAll(/\[([^[\]\n]{1,60})\]\(([^()\n]{1,160})\)|```\w*\n([^\n]{1,160})\n```/g)].map(
    ([, title = "Code", address = "", code = ""]): Said => [title, address || code]
  )
]

/** A path, an address, a name with digits, a moment, code: no word, no sentence, no number or version. */
const isExact = /^(?!v?-?\d+(\.\d+){0,2}$).*(\S[/_:@=.(-]\S|[a-z]\d|\d[a-z])/i

/** Four words and more, and no code. */
const isSentence = (value: string): boolean =>
  !/[{}();=<>]/.test(value) && (value.match(/\s[\p{L}-]+/gu) ?? []).length > 2

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*$/

/** An answer with more values is no small one. */
const small = 40

/** Beyond this, a view has chosen from a large answer, and the raw JSON has the rest. */
const most = 4

/** What a small answer says exactly and the view does not: paths, identifiers, moments, code. Below the view, in small type. */
export const untold = (content: ResultContent, shown: string): HTMLElement | "" => {
  const data = unwrap(content.data)
  const said: Array<Said> = []
  const text = typeof data === "string" ? data : content.texts.join("\n")
  if (isObject(data)) inRecord(data, "", said)
  else if (text.length < 4000) said.push(...inText(text))
  if (said.length > small) return ""
  const known = shown.toLowerCase().replace(/(\d)[,.\s\u2019](?=\d{3})/g, "$1")
  const left = new Map<string, Set<string>>()
  for (const [label, value] of said) {
    const words = value.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
    if (
      value.length < 160 &&
      !value.includes("\n") &&
      isExact.test(value) &&
      value.split(" ").length < 8 &&
      !isSentence(value) &&
      !(isMoment.test(value) && shown.includes(fmt.date(value))) &&
      !words.every((word) => known.includes(word))
    )
      left.set(label, (left.get(label) ?? new Set()).add(value))
  }
  return left.size === 0 || left.size > most
    ? ""
    : h(
        "dl",
        { class: "mg-sent mg-untold" },
        [...left].map(([label, values]) => [
          h("dt", {}, label),
          h(
            "dd",
            {},
            [...values].map((value) => (isMoment.test(value) ? fmt.date(value, { time: true }) : value)).join(", ")
          )
        ])
      )
}
