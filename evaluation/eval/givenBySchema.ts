import { isRecord } from "./json.ts"

/** Values that a schema brings by itself, by member name: what a form may add to what was entered. */
export const givenBySchema = (
  schema: unknown,
  into = new Map<string, Array<unknown>>(),
  depth = 0
): Map<string, Array<unknown>> => {
  if (depth > 40 || typeof schema !== "object" || schema === null) return into
  if (isRecord(schema) && isRecord(schema.properties)) {
    for (const [name, member] of Object.entries(schema.properties)) {
      if (!isRecord(member)) continue
      const only = Array.isArray(member.enum) && member.enum.length === 1 ? member.enum : []
      const values = ["default" in member ? [member.default] : [], "const" in member ? [member.const] : [], only].flat()
      into.set(name, [...(into.get(name) ?? []), ...values])
    }
  }
  for (const below of Object.values(schema)) givenBySchema(below, into, depth + 1)
  return into
}
