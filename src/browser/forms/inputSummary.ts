import { fieldBelow } from "../../domain/forms/fieldBelow.ts"
import type { FormModel } from "../../domain/forms/FormField.ts"
import { h } from "../parts/index.ts"
import type { JsonObject } from "../runtime/types.ts"
import { summaryOf } from "./summaryOf.ts"

const MAX_SHOWN = 4

/** The arguments of a call in one quiet line, with the form's names. `model` knows which of them are secrets. */
export const inputSummary = (args: JsonObject, { root }: FormModel): HTMLElement => {
  const entries = Object.entries(args)
  const shown = entries.slice(0, MAX_SHOWN).map(([name, value]) => {
    const field = fieldBelow(root, args, name)
    return h(
      "span",
      {},
      h("span", { class: "mf-name" }, field?.label || name),
      ` ${summaryOf(value, field) || JSON.stringify(value)}`
    )
  })
  const more = entries.length - MAX_SHOWN
  return h(
    "span",
    { class: "mf-summary" },
    entries.length === 0 ? h("span", { class: "mf-name" }, "No input") : shown,
    more > 0 ? h("span", {}, `and ${more} more`) : null
  )
}
