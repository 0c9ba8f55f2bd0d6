import { Schema } from "effect"
import { configFileSchema } from "./ConfigFile.ts"

/**
 * The JSON Schema (draft 2020-12) of the configuration file, made from the definition that also gives its types
 * and decodes it. Apart from that definition, because what makes it is large and no run needs it.
 */
export const configFileJsonSchema = (): Readonly<Record<string, unknown>> => {
  const { schema } = Schema.toJsonSchemaDocument(configFileSchema(), { onExcessProperty: "error" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "mcp-gen-ui configuration", ...schema }
}
