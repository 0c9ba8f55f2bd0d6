import { attempt, textOf } from "./values.ts"

/** The accents that a view may choose from. A host that sends colours of its own has the say in any case. */
const hues: Readonly<Record<string, string>> = {
  blue: "#2563eb",
  indigo: "#5457e0",
  violet: "#7c4ddb",
  plum: "#a63fa8",
  rose: "#cf3a68",
  orange: "#d2590c",
  amber: "#b27300",
  green: "#2b8a3e",
  teal: "#0d8a80",
  sky: "#0b7fb5",
  slate: "#5b6b82"
}

/** Accents whose large surfaces are bright, with dark letters on them. */
const fills: Readonly<Record<string, string>> = { amber: "#ffc62e", orange: "#ff9550" }

/** A number of 32 bits for a text, the same on every page (FNV-1a). */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Gives the page its accent: a name of the list or any colour of CSS, else the one that `seed` always gets. */
export const setAccent = (wanted: unknown, seed: string): void => {
  const name = textOf(wanted).toLowerCase()
  const names = Object.keys(hues)
  const told = Object.hasOwn(hues, name) ? hues[name] : attempt(() => (CSS.supports("color", name) ? name : undefined))
  const hue = told ?? hues[names[hashOf(seed) % names.length] ?? "blue"] ?? ""
  const { style } = document.documentElement
  style.setProperty("--mg-hue", hue)
  const fill = told === hues[name] ? fills[name] : undefined
  style.setProperty("--mg-fill", fill ?? "")
  style.setProperty("--mg-on-fill", fill === undefined ? "" : "#1d1300")
}
