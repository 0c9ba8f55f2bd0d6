import { clip } from "../parts/values.ts"
import type { Bridge } from "../runtime/Bridge.ts"
import { setTimeout } from "../runtime/platform.ts"
import { type Field, put } from "../runtime/typedValues.ts"
import type { JsonObject } from "../runtime/types.ts"

/** So much of a page is told, in characters. */
const MAX_VIEW = 20_000

/** Milliseconds in which the page draws what was done to it. */
const DRAWN_MS = 250

const CHANGED = "notifications/tools/list_changed"

const seen = (selector: string): ReadonlyArray<HTMLElement> =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())

const labelOf = (element: HTMLElement): string => (element.ariaLabel ?? element.innerText).replace("Select ", "").trim()

const named = (selector: string, name: unknown): HTMLElement => {
  const all = seen(selector)
  const found = all.find((element) => labelOf(element) === name)
  if (found) return found
  throw new Error(`There is no ${JSON.stringify(name)}. There is: ${all.map(labelOf).join(", ")}`)
}

/** What a person can fill in. Passwords and files are theirs alone. */
const FIELDS = ":is(input,textarea,select):not([type=password],[type=file],[type=hidden],.mg-table-block *)"

const fields = (): ReadonlyArray<Field> => seen(FIELDS) as ReadonlyArray<HTMLElement & Field>

const textOf = (element: Element | null | undefined): string => element?.textContent?.replace(/\*$/, "").trim() ?? ""

/** Radio buttons share the name of their group. */
const nameOf = (field: Field): string => {
  const group = field.type === "radio" ? field.closest("[role=radiogroup],fieldset") : null
  const label = document.getElementById(group?.getAttribute("aria-labelledby") ?? "") ?? group?.querySelector("legend")
  return textOf(group ? label : field.labels?.[0]) || (field.ariaLabel ?? field.name)
}

const valueOf = (field: Field): unknown => {
  if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text
  if (field.type === "radio") return textOf(field.labels?.[0])
  return field.type === "checkbox" ? (field as HTMLInputElement).checked : field.value
}

const fill = (name: string, value: unknown): void => {
  const all = fields().filter((field) => nameOf(field) === name)
  const [field] = all
  const missing = (what: string, there: ReadonlyArray<string>): Error =>
    new Error(`There is no ${what}. There is: ${[...new Set(there)].join(", ")}`)
  if (field === undefined) throw missing(`field ${JSON.stringify(name)}`, fields().map(nameOf))
  const words = value === true ? "Yes" : value === false ? "No" : String(value)
  const options = field instanceof HTMLSelectElement ? [...field.options] : []
  const names = field.type === "radio" ? all.map((each) => textOf(each.labels?.[0])) : options.map(({ text }) => text)
  const at = names.indexOf(words)
  if (names.length > 0 && at < 0) throw missing(`${JSON.stringify(words)} in "${name}"`, names)
  if (field.type === "radio") all[at]?.click()
  else put(field, options[at]?.value ?? (typeof value === "boolean" ? value : words))
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** By name: what has to be on the page, one line of description, the arguments with their types, and what it does. */
const TOOLS: Readonly<
  Record<
    string,
    readonly [selector: string, about: string, takes: Record<string, string>, act: (args: JsonObject) => void]
  >
> = {
  get_view: ["body", "Reads what the person sees: all text, and what is in the fields", {}, () => undefined],
  filter: [
    ".mg-filter",
    "Shows only the rows with all of these words; an empty text shows all",
    { text: "string" },
    ({ text }) => put(seen(".mg-filter")[0] as HTMLInputElement, String(text))
  ],
  sort: [
    ".mg-sort",
    "Sorts the table by a column",
    { column: "string", descending: "boolean" },
    ({ column, descending }) => {
      const wanted = descending === true ? "descending" : "ascending"
      const order = (): string | null | undefined => named(".mg-sort", column).closest("th")?.ariaSort
      for (let press = 0; press < 3 && order() !== wanted; press++) named(".mg-sort", column).click()
    }
  ],
  select: [
    "td .mg-pick",
    "Selects these rows of the table and no others, by what stands in their first column",
    { rows: "array" },
    ({ rows }) => {
      const wanted = new Set(listOf(rows).map((row) => named("td .mg-pick", row)))
      for (const box of seen("td .mg-pick") as ReadonlyArray<HTMLInputElement>)
        if (box.checked !== wanted.has(box)) box.click()
    }
  ],
  open_tab: ["[role=tab]", "Opens a tab", { tab: "string" }, ({ tab }) => named("[role=tab]", tab).click()],
  fill_form: [
    FIELDS,
    "Fills in fields by their labels. Nothing is sent: the person presses the button",
    { values: "object" },
    ({ values }) => Object.entries(values as JsonObject).forEach(([name, value]) => fill(name, value))
  ]
}

const offered = (): ReadonlyArray<string> =>
  Object.keys(TOOLS).filter((name) => seen(TOOLS[name]?.[0] ?? "").length > 0)

const view = (): string => {
  const given = fields().filter((field) => field.type !== "radio" || (field as HTMLInputElement).checked)
  const values = Object.fromEntries(given.map((field) => [nameOf(field), valueOf(field)]))
  return clip(`${document.body.innerText}\n\nFields: ${JSON.stringify(values)}`, MAX_VIEW)
}

/**
 * Tools by which a host's agent reads and moves the view, as far as there is something for each on the page. They do what a person
 * can do by pressing, and send nothing to a server. A page with tools of its own (`registerTool`) has those instead.
 */
export const offerViewTools = (bridge: Bridge): void => {
  let told = ""
  const tell = (): void => {
    if (told !== (told = offered().join())) bridge.notify(CHANGED)
  }
  bridge.onRecord(() => setTimeout(tell, DRAWN_MS))
  bridge.lastResponder = async (method, { arguments: args, name }) => {
    if (method === "tools/list") {
      return {
        tools: offered().map((tool) => {
          const [, description, takes] = TOOLS[tool] ?? []
          const properties = Object.entries(takes ?? {}).map(([member, type]) => [member, { type }])
          return {
            name: tool,
            description,
            inputSchema: { type: "object", properties: Object.fromEntries(properties) }
          }
        })
      }
    }
    try {
      const found = offered().find((tool) => tool === name)
      if (found === undefined)
        throw new Error(`There is no tool ${JSON.stringify(name)} here. There is: ${offered().join(", ")}`)
      TOOLS[found]?.[3]((args ?? {}) as JsonObject)
    } catch (error) {
      return { content: [{ type: "text", text: (error as Error).message }], isError: true }
    }
    await new Promise((resolve) => setTimeout(resolve, DRAWN_MS))
    return { content: [{ type: "text", text: view() }] }
  }
}
