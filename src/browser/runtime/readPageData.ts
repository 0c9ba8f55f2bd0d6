import { isObject } from "../../domain/isObject.ts"
import type { PageData } from "./types.ts"

const UNKNOWN: PageData = {
  tool: { name: "tool" },
  view: "builtin",
  uiType: "minimal",
  fallback: null,
  level: 2,
  version: "0",
  theme: "system",
  limits: { maxOutputDisplayBytes: 102_400 }
}

/**
 * Reads the data that the linker put into the document, and removes it: views must not see what proves the page to the
 * wrapper. Without that data, answers for a page that knows no tool.
 */
export const readPageData = (): PageData => {
  const element = document.getElementById("mcp-gen-ui-data")
  element?.remove()
  try {
    const data: unknown = JSON.parse(element?.textContent ?? "")
    return isObject(data) ? { ...UNKNOWN, ...data } : UNKNOWN
  } catch {
    return UNKNOWN
  }
}
