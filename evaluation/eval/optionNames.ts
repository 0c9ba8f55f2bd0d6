import { isRecord } from "./json.ts"
import type { SeenOption } from "./Seen.ts"

/** Letters and digits: what people compare names by. */
export const plainName = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}.+<>=!-]+/gu, "")

/** What a form may call a value. */
export const namesOf = (value: unknown, titles: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const title = titles.get(JSON.stringify(value))
  const given = title === undefined ? [] : [title]
  if (value === true) return [...given, "Yes", "true", "On"]
  if (value === false) return [...given, "No", "false", "Off"]
  if (value === null) return [...given, "None (null)", "None", "null"]
  if (value === "") return [...given, "(empty)", "Empty"]
  return [...given, typeof value === "string" ? value : JSON.stringify(value)]
}

/** The titles that a schema gives to constants: what people see in place of the value. */
export const titlesOf = (schema: unknown, into = new Map<string, string>(), depth = 0): Map<string, string> => {
  if (depth > 40 || typeof schema !== "object" || schema === null) return into
  if (isRecord(schema)) {
    if ("const" in schema && typeof schema.title === "string") into.set(JSON.stringify(schema.const), schema.title)
    const { enum: values, enumNames } = schema
    if (Array.isArray(values) && Array.isArray(enumNames))
      values.forEach((value, index) => into.set(JSON.stringify(value), String(enumNames[index])))
  }
  for (const below of Object.values(schema)) titlesOf(below, into, depth + 1)
  return into
}

/** The option of a value by its name: as it is written, else in letters and digits. */
export const optionFor = (
  options: ReadonlyArray<SeenOption>,
  value: unknown,
  titles: ReadonlyMap<string, string>
): SeenOption | undefined => {
  const names = namesOf(value, titles)
  return (
    options.find(({ label }) => names.includes(label)) ??
    options.find(({ label }) => names.some((name) => plainName(name) !== "" && plainName(name) === plainName(label)))
  )
}
