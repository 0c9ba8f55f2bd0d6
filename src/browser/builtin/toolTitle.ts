import type { ToolData } from "../runtime/types.ts"

/** The name of a tool for people: its title, else its name in words. */
export const toolTitle = ({ title, name, annotations }: ToolData): string => {
  const told = title || (annotations as { readonly title?: unknown } | null | undefined)?.title
  if (typeof told === "string" && told !== "") return told
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_.-]+/g, " ")
    .trim()
    .toLowerCase()
  return words === "" || !/^[\w.-]+$/.test(name) ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
