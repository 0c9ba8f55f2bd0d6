import { makeFieldOptions, type OptionFacts } from "./FieldOptions.ts"
import { fileFields } from "./FileFields.ts"
import { schemaFields } from "./SchemaFields.ts"
import type { RecordTool, ToolRecords } from "./ToolRecords.ts"
import type { Tool } from "./Tool.ts"
import type { UiExtras } from "./UiExtras.ts"

const orNone = <A extends object>(all: A): A | undefined => (Object.keys(all).length === 0 ? undefined : all)

/** What the pages of a server's tools can do beyond them, by rule and as the configuration says. */
export const makeToolExtras = (
  tools: ReadonlyArray<Tool>,
  records: ReadonlyMap<string, ToolRecords>,
  facts: OptionFacts | undefined
) => {
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const optionsOf = facts && makeFieldOptions(tools, facts)
  const ofFields = (tool: Tool): UiExtras | undefined => {
    if (optionsOf === undefined) return undefined
    const fields = schemaFields(tool.inputSchema)
    const options = orNone(optionsOf(tool, fields))
    const files = orNone(fileFields(fields))
    return orNone({ ...(options && { options }), ...(files && { files }) })
  }
  /** The forms of other tools in a page have what they have in their own. */
  const withFields = (of: RecordTool): RecordTool => {
    const tool = named.get(of.name)
    const extras = tool && ofFields(tool)
    return extras === undefined ? of : { ...of, extras }
  }
  return (tool: Tool): UiExtras | undefined => {
    const joined = records.get(tool.name)
    if (joined === undefined) return ofFields(tool)
    const { create, update } = joined
    const forms = { ...(create && { create: withFields(create) }), ...(update && { update: withFields(update) }) }
    return { ...ofFields(tool), records: { ...joined, ...forms } }
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
