import { closestOf } from "../closestOf.ts"
import type { ToolHintsByName } from "./toolExtras.ts"
import { matchesGlob } from "./ToolGlob.ts"

interface NamedTools {
  readonly enabledTools: ReadonlyArray<string> | undefined
  readonly tools: ToolHintsByName
}

/** How many names of the server are listed where none is close. */
const MAX_LISTED = 8

/** Every name of a tool in the configuration that no tool of the server has, with the closest one. */
export const namedToolProblems = (
  names: ReadonlyArray<string>,
  { enabledTools = [], tools }: NamedTools
): ReadonlyArray<string> => {
  const known = new Set(names)
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ""
  const listed = names.length === 0 ? "it has no tools" : `it has ${names.slice(0, MAX_LISTED).join(", ")}${more}`
  const problemOf = (path: string, name: unknown): ReadonlyArray<string> => {
    if (typeof name !== "string" || known.has(name)) return []
    const closest = closestOf(name, names)
    const advice = closest === undefined ? listed : `did you mean "${closest}"?`
    return [`${path}: the server has no tool "${name}"; ${advice}`]
  }
  const enabled = enabledTools.flatMap((glob) => {
    if (!/[*?]/.test(glob)) return problemOf("generation.enabledTools", glob)
    if (names.some((name) => matchesGlob(glob, name))) return []
    return [`generation.enabledTools: no tool of the server is named like "${glob}"; ${listed}`]
  })
  const hinted = Object.entries(tools).flatMap(([name, { fields = {}, records = false }]) => {
    const at = `generation.tools.${name}`
    const { id: _, ...deeds } = records === false ? {} : records
    const others = Object.entries(deeds).flatMap(([deed, other]) => problemOf(`${at}.records.${deed}`, other))
    const sources = Object.entries(fields).flatMap(([field, from]) =>
      from === false ? [] : problemOf(`${at}.fields.${field}.from`, from.from)
    )
    return problemOf("generation.tools", name).concat(others, sources)
  })
  return [...new Set([...enabled, ...hinted])]
}
