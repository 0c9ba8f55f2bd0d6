import type { FormModel } from "../../domain/forms/FormField.ts"
import { h } from "../parts/index.ts"
import type { JsonObject } from "../runtime/types.ts"
import { summaryOf } from "./summaryOf.ts"

const MAX_SHOWN = 4

/** The arguments of a call in one quiet line; `model` knows which of them are secrets. */
export const inputSummary = (args: JsonObject, model?: FormModel): HTMLElement => {
  const entries = Object.entries(args)
  if (entries.length === 0) return h("span", { class: "mf-summary" }, "No input")
  const fields = model?.root.kind === "group" ? model.root.fields(args) : []
  const shown = entries.slice(0, MAX_SHOWN).map(([name, value]) => {
    const field = fields.find((field) => field.name === name)
    const text = typeof value === "object" ? summaryOf(value, field) || JSON.stringify(value) : summaryOf(value, field)
    return h("span", {}, h("span", { class: "mf-name" }, name), ` ${text}`)
  })
  const more = entries.length > MAX_SHOWN ? h("span", {}, `and ${entries.length - MAX_SHOWN} more`) : null
  return h("span", { class: "mf-summary" }, shown, more)
}
