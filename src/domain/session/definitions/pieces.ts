/* The pieces of JSON Schema that the definitions of the wrapper's tools share. */

export const text = { type: "string" } as const

export const texts = { type: "array", items: text } as const

export const nullableText = { type: ["string", "null"] } as const

export const integer = { type: "integer" } as const

export const nullableInteger = { type: ["integer", "null"] } as const

export const nullableTime = { type: ["string", "null"], format: "date-time" } as const

export const toolName = { type: "string", minLength: 1, description: "Name of a tool of this server" } as const

export const uiType = { type: "string", enum: ["rich", "minimal"] } as const

export const versionNumber = { type: "integer", minimum: 1, description: "Number of a version of its UI" } as const

export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
} as const

export const changing = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false
} as const

export const object = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required
})

export const input = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  ...object(properties, required),
  additionalProperties: false
})

export const level = {
  minimum: 0,
  maximum: 3,
  description: "0 as generated, 1 repaired, 2 the built-in UI in its place, 3 plain HTML"
} as const

export const fallback = {
  type: ["object", "null"],
  description: "Why the built-in UI, or the last good one, stands in for what was asked for",
  properties: {
    code: text,
    message: text,
    transient: { type: "boolean", description: "It is tried again by itself" }
  },
  required: ["code", "message", "transient"]
} as const
