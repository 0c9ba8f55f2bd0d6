import { makeFieldOptions, type OptionFacts } from "./FieldOptions.ts"
import { fileFields } from "./FileFields.ts"
import { schemaFields } from "./SchemaFields.ts"
import type { Tool } from "./Tool.ts"
import type { UiExtras } from "./UiExtras.ts"

const orNone = <A extends object>(all: A): A | undefined => (Object.keys(all).length === 0 ? undefined : all)

/** What the pages of a server's tools can do beyond them, by rule and as the configuration says. */
export const makeToolExtras = (tools: ReadonlyArray<Tool>, facts: OptionFacts) => {
  const optionsOf = makeFieldOptions(tools, facts)
  return (tool: Tool): UiExtras | undefined => {
    const fields = schemaFields(tool.inputSchema)
    const options = orNone(optionsOf(tool, fields))
    const files = orNone(fileFields(fields))
    return orNone({ ...(options && { options }), ...(files && { files }) })
  }
}

/** The fields of a tool that have a picker, for people who ask why. */
export const fieldSources = ({ extras: { files = {}, options = {} } = {} }: Tool) => [
  ...Object.entries(options).map(([field, { by, color, from, label, search, value }]) => ({
    field,
    from,
    ...(value && { value }),
    ...(label && { label }),
    ...(search && { search }),
    ...(color && { color }),
    by
  })),
  ...Object.entries(files).map(([field, { as }]) => ({ field, file: as }))
]
