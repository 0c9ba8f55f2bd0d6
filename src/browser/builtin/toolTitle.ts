import type { ToolData } from "../runtime/types.ts"

/** The name of a tool for people: its title, else its name in words. */
export const toolTitle = ({ title, name, annotations }: ToolData): string => {
  if (title !== undefined) return title
  if (typeof annotations === "object" && annotations !== null && "title" in annotations) {
    if (typeof annotations.title === "string" && annotations.title !== "") return annotations.title
  }
  if (!/^[\w.-]+$/.test(name)) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_.-]+/g, " ")
    .trim()
    .toLowerCase()
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
