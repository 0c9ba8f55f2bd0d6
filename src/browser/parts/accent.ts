import type { ToolData } from "../runtime/types.ts"
import { fills, hues } from "../../domain/tools/hues.ts"
import { attempt, textOf } from "./values.ts"

/** A number of 32 bits for a text, the same on every page (FNV-1a). */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/**
 * Gives the page its accent: a name of the list or any colour of CSS, else one of the tool's own. Tools of one server get neighbours,
 * so that they look like kin.
 */
export const setAccent = (wanted: unknown, tool: Pick<ToolData, "name" | "family">): void => {
  const name = textOf(wanted).toLowerCase()
  const names = Object.keys(hues)
  const told = Object.hasOwn(hues, name) ? hues[name] : attempt(() => (CSS.supports("color", name) ? name : undefined))
  const hue =
    told ?? hues[names[(hashOf(tool.family ?? tool.name) + (hashOf(tool.name) % 3)) % names.length] ?? "blue"] ?? ""
  const { style } = document.documentElement
  style.setProperty("--mg-hue", hue)
  const fill = told === hues[name] ? fills[name] : undefined
  style.setProperty("--mg-fill", fill ?? "")
  style.setProperty("--mg-on-fill", fill === undefined ? "" : "#1d1300")
}
