import { isObject } from "./Bridge.ts"
import type { FallbackData, PageData, ToolData } from "./types.ts"

const DEFAULT_DISPLAY_BYTES = 102_400

const toolOf = (value: unknown): ToolData => {
  if (!isObject(value) || typeof value.name !== "string") return { name: "tool" }
  const { name, title, description, inputSchema, outputSchema, annotations } = value
  return {
    name,
    inputSchema,
    outputSchema,
    annotations,
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    ...(typeof description === "string" && description !== "" ? { description } : {})
  }
}

const fallbackOf = (value: unknown): FallbackData | null =>
  isObject(value) && typeof value.message === "string"
    ? { code: String(value.code), message: value.message, transient: value.transient === true }
    : null

const parsed = (): unknown => {
  try {
    return JSON.parse(document.getElementById("mcp-gen-ui-data")?.textContent ?? "")
  } catch {
    return undefined
  }
}

/** The data that the linker put into the document; without it, the data of a page that knows nothing of its tool. */
export const readPageData = (): PageData => {
  const value = parsed()
  const data = isObject(value) ? value : {}
  const select = isObject(data.wrapperTools) ? data.wrapperTools.select : undefined
  const limit = isObject(data.limits) ? Number(data.limits.maxOutputDisplayBytes) : Number.NaN
  return {
    tool: toolOf(data.tool),
    view: data.view === "generated" ? "generated" : "builtin",
    uiType: data.uiType === "rich" ? "rich" : "minimal",
    fallback: fallbackOf(data.fallback),
    level: data.level === 0 || data.level === 1 || data.level === 3 ? data.level : 2,
    version: typeof data.version === "string" ? data.version : "0",
    theme: data.theme === "light" || data.theme === "dark" ? data.theme : "system",
    limits: { maxOutputDisplayBytes: limit > 0 ? limit : DEFAULT_DISPLAY_BYTES },
    ...(typeof select === "string" ? { wrapperTools: { select } } : {})
  }
}
