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
 * The data that the linker put into the document; without it, the data of a page that knows nothing of its tool. They are
 * taken out of it: what proves the page to the wrapper is not for the code of views.
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
