/** The accents that a view may choose from. A host that sends colours of its own has the say in any case. */
export const hues: Readonly<Record<string, string>> = {
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
export const fills: Readonly<Record<string, string>> = { amber: "#ffc62e", orange: "#ff9550" }
