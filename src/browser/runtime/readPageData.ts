import { isObject } from "./Bridge.ts"
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

/** The data that the linker put into the document; without it, the data of a page that knows nothing of its tool. */
export const readPageData = (): PageData => {
  try {
    const data: unknown = JSON.parse(document.getElementById("mcp-gen-ui-data")?.textContent ?? "")
    return isObject(data) ? { ...UNKNOWN, ...data } : UNKNOWN
  } catch {
    return UNKNOWN
  }
}
