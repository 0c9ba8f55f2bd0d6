import { isObject } from "../isObject.ts"
import type { LearnedResults } from "./LearnedResults.ts"
import type { Tool } from "./Tool.ts"

/** The names of the members of one kind of object. */
export type Members = ReadonlyArray<string>

const inValue = (value: unknown): ReadonlyArray<Members> => {
  if (Array.isArray(value)) return value.flatMap(inValue)
  return isObject(value) ? [Object.keys(value), ...Object.values(value).flatMap(inValue)] : []
}

const inSchema = (schema: unknown): ReadonlyArray<Members> => {
  if (Array.isArray(schema)) return schema.flatMap(inSchema)
  if (!isObject(schema)) return []
  const own = isObject(schema.properties) ? [Object.keys(schema.properties)] : []
  return [...own, ...Object.values(schema).flatMap(inSchema)]
}

/** Where an object of a shape begins and ends, and its words; a member is `name:` or `name?:`. */
const SHAPE = /[{}]|([\p{L}\p{N}_$-]+)(\??:)?/gu

const inShape = (shape: string): ReadonlyArray<Members> => {
  const all: Array<Array<string>> = []
  const open: Array<Array<string>> = []
  for (const [found, name, isMember] of shape.matchAll(SHAPE)) {
    if (found === "{") open.push(all[all.push([]) - 1] ?? [])
    else if (found === "}") open.pop()
    else if (name !== undefined && isMember !== undefined) open.at(-1)?.push(name)
  }
  return all
}

/** What is known of the objects in a tool's results, by its schema and by what was seen. */
export const memberNames = (tool: Tool, { results, shape }: LearnedResults): ReadonlyArray<Members> => [
  ...inSchema(tool.outputSchema),
  ...results.flatMap(({ data }) => inValue(data)),
  ...inShape(shape ?? "")
]
