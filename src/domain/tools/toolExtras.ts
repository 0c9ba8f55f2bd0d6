import { makeFieldOptions, type OptionsHint } from "./FieldOptions.ts"
import { fileFields } from "./FileFields.ts"
import type { LearnedResults } from "./LearnedResults.ts"
import { schemaFields } from "./SchemaFields.ts"
import type { Tool } from "./Tool.ts"
import { type RecordsHint, recordsOfTools } from "./ToolRecords.ts"
import type { FormExtras, UiExtras } from "./UiExtras.ts"

/** What the configuration says of how tools belong together. */
interface ToolHint {
  readonly records?: RecordsHint | undefined
  /** Where the values of fields come from, by their paths; `false`: from nowhere. */
  readonly fields?: Readonly<Record<string, OptionsHint | false>> | undefined
}

export type ToolHintsByName = Readonly<Record<string, ToolHint>>

const orNone = <A extends object>(all: A): A | undefined => (Object.keys(all).length === 0 ? undefined : all)

/** What the pages of a server's tools can do beyond them, by rule and as the configuration says. */
export const makeToolExtras = (
  tools: ReadonlyArray<Tool>,
  hints: ToolHintsByName,
  learned: (toolName: string) => LearnedResults
) => {
  const hintOf = (name: string): ToolHint => (Object.hasOwn(hints, name) ? (hints[name] ?? {}) : {})
  const records = recordsOfTools(tools, (name) => hintOf(name).records)
  const fieldHintOf = (name: string, path: string): OptionsHint | false | undefined => {
    const { fields = {} } = hintOf(name)
    return Object.hasOwn(fields, path) ? fields[path] : undefined
  }
  const optionsOf = makeFieldOptions(tools, { hintOf: fieldHintOf, learned })

  const formExtras = (tool: Tool): FormExtras => {
    const fields = schemaFields(tool.inputSchema)
    const options = orNone(optionsOf(tool, fields))
    const files = orNone(fileFields(fields))
    return { ...(options && { options }), ...(files && { files }) }
  }

  return (tool: Tool): UiExtras | undefined => {
    const joined = records.get(tool.name)
    const forms = [joined?.create, joined?.update].flatMap((shown) => {
      const other = tools.find(({ name }) => name === shown?.name)
      const extras = other && orNone(formExtras(other))
      return other === undefined || extras === undefined ? [] : [[other.name, extras] as const]
    })
    return orNone({
      ...formExtras(tool),
      ...(joined && { records: joined }),
      ...(forms.length > 0 && { forms: Object.fromEntries(forms) })
    })
  }
}

const TOLD: ReadonlySet<string> = new Set(["from", "value", "label", "search", "color", "by"])

/** The fields of a tool that have a picker, for people who ask why. */
export const fieldSources = ({ extras: { files = {}, options = {} } = {} }: Tool) => [
  ...Object.entries(options).map(([field, from]) =>
    Object.fromEntries([["field", field], ...Object.entries(from).filter(([name]) => TOLD.has(name))])
  ),
  ...Object.entries(files).map(([field, { as }]) => ({ field, file: as }))
]
