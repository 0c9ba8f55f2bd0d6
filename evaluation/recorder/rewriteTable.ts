import { isObject } from "../../src/domain/isObject.ts"
import type { Difference } from "./differences.ts"

/** A frame that came out differently: what the two runs got. */
export interface Rewritten {
  readonly method: string
  readonly direct: unknown
  readonly wrapped: unknown
}

/** The value at a path of member names. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const list = at(value, ...path)
  return Array.isArray(list) ? list : []
}

const OWN_TOOLS = [
  "_ui_refine",
  "_ui_list",
  "_ui_inspect",
  "_ui_regenerate",
  "_ui_history",
  "_ui_revert",
  "_ui_refresh_tools",
  "_ui_selection",
  "_ui_select",
  "_ui_current"
]
const METHOD_NOT_FOUND = -32601
const RESOURCE_NOT_FOUND = new Set([-32002, -32602])
const UI_EXTENSION = "io.modelcontextprotocol/ui"

const isLastPage = (frame: unknown): boolean => {
  const cursor = at(frame, "result", "nextCursor")
  return typeof cursor !== "string" || cursor === ""
}

/** Whether a tool brings a UI, so that it gets none. */
const bringsUi = (tool: unknown): boolean =>
  at(tool, "_meta", "ui") !== undefined || at(tool, "_meta", "ui/resourceUri") !== undefined

const announcements: Readonly<Record<string, string>> = {
  "result.capabilities.tools.listChanged": "true",
  "result.capabilities.resources.listChanged": "true",
  [`result.capabilities.extensions["${UI_EXTENSION}"]`]: "{}"
}

const TOOL_UI = /^result\.tools\[(\d+)\]\._meta(?:\.ui\.resourceUri|\["ui\/resourceUri"\])$/
const TOOL = /^result\.tools\[(\d+)\][.[]/
const RESOURCE = /^result\.resources\[(\d+)\]\./

/** Members that a server wrote `null` for instead of leaving them out. */
const NULLS = /^result\.(?:tools\[\d+\]\._meta|capabilities\.(?:tools|resources|extensions)(?:\.listChanged)?)$/

const indexIn = (pattern: RegExp, path: string): number => Number(pattern.exec(path)?.[1] ?? Number.NaN)

const explainTools = ({ path, wrapped: raw }: Difference, { direct, wrapped }: Rewritten): string | undefined => {
  const tools = listAt(direct, "result", "tools")
  const withUi = tools[indexIn(TOOL_UI, path)]
  if (withUi !== undefined && !bringsUi(withUi) && raw?.startsWith('"ui://') === true) return "_meta.ui on tools"
  const index = indexIn(TOOL, path)
  if (!(index >= tools.length) || !isLastPage(direct)) return undefined
  const name = at(listAt(wrapped, "result", "tools")[index], "name")
  return OWN_TOOLS.includes(String(name)) ? "the wrapper's tools" : undefined
}

const explainResources = ({ path }: Difference, { direct, wrapped }: Rewritten): string | undefined => {
  const index = indexIn(RESOURCE, path)
  if (!(index >= listAt(direct, "result", "resources").length) || !isLastPage(direct)) return undefined
  const uri = at(listAt(wrapped, "result", "resources")[index], "uri")
  return typeof uri === "string" && uri.startsWith("ui://") ? "ui:// resources" : undefined
}

/**
 * The row of the table of rewrites in docs/architecture.md that a difference belongs to; `undefined` for a difference
 * that must not be.
 */
export const explain = (difference: Difference, frame: Rewritten): string | undefined => {
  const { kind, path } = difference
  const isList = frame.method === "tools/list" || frame.method === "resources/list"
  if (isList && kind === "changed" && path === "result.cacheScope") {
    return difference.direct === '"public"' && difference.wrapped === '"private"' ? "cacheScope private" : undefined
  }
  if (kind === "removed" && difference.direct === "null" && NULLS.test(path)) return "null filled"
  if (kind !== "added") return undefined
  switch (frame.method) {
    case "initialize":
    case "server/discover":
      return announcements[path] === difference.wrapped ? "capabilities" : undefined
    case "tools/list":
      return explainTools(difference, frame)
    case "resources/list":
      return explainResources(difference, frame)
    default:
      return undefined
  }
}

/** Requests that the wrapper answers for a server that knows no resources, and how. */
export const explainAnswer = ({ direct, method, wrapped }: Rewritten, uri: unknown): string | undefined => {
  if (at(direct, "error", "code") !== METHOD_NOT_FOUND) return undefined
  const keys = Object.keys(Object(at(wrapped, "result"))).filter(
    (key) => !["resultType", "ttlMs", "cacheScope"].includes(key)
  )
  const listed = (key: string) => keys.join() === key && Array.isArray(at(wrapped, "result", key))
  switch (method) {
    case "resources/list": {
      const uris = listAt(wrapped, "result", "resources").map((resource) => at(resource, "uri"))
      const areOurs = uris.every((uri) => typeof uri === "string" && uri.startsWith("ui://"))
      return listed("resources") && areOurs ? "ui:// resources" : undefined
    }
    case "resources/templates/list":
      return listed("resourceTemplates") && listAt(wrapped, "result", "resourceTemplates").length === 0
        ? "no templates"
        : undefined
    case "resources/read": {
      const isOurs = typeof uri === "string" && uri.startsWith("ui://")
      return isOurs && RESOURCE_NOT_FOUND.has(Number(at(wrapped, "error", "code"))) ? "no such UI" : undefined
    }
    default:
      return undefined
  }
}

/** What the rewrites must have done, seen from all frames that the client got in answer to its requests. */
export const missingRewrites = (frames: ReadonlyArray<Rewritten>): ReadonlyArray<string> => {
  const start = frames.find(({ method }) => method === "initialize" || method === "server/discover")
  if (start !== undefined && at(start.direct, "result", "capabilities", "tools") === undefined) return []
  const problems: Array<string> = []
  const capabilities = at(start?.wrapped, "result", "capabilities")
  if (start !== undefined) {
    if (at(capabilities, "tools", "listChanged") === undefined) problems.push("tools.listChanged is not announced")
    if (at(capabilities, "resources") === undefined) problems.push("resources are not announced")
    if (at(capabilities, "extensions", UI_EXTENSION) === undefined) problems.push("the UI extension is not announced")
  }
  const uris = new Set<unknown>()
  for (const { direct, wrapped } of frames.filter(({ method }) => method === "tools/list")) {
    const tools = listAt(wrapped, "result", "tools")
    const count = listAt(direct, "result", "tools").length
    for (const [index, tool] of listAt(direct, "result", "tools").entries()) {
      if (bringsUi(tool)) continue
      const meta = at(tools[index], "_meta")
      const uri = at(meta, "ui", "resourceUri")
      if (typeof uri !== "string" || at(meta, "ui/resourceUri") !== uri) {
        problems.push(`the tool ${String(at(tool, "name"))} got no UI`)
      }
      uris.add(uri)
    }
    const own = tools.slice(count).map((tool) => at(tool, "name"))
    if (at(direct, "result", "tools") !== undefined && isLastPage(direct) && own.join() !== OWN_TOOLS.join()) {
      problems.push(`the wrapper's tools are ${own.join(", ") || "missing"}`)
    }
  }
  const lists = frames.filter(({ method, wrapped }) => method === "resources/list" && isLastPage(wrapped))
  for (const { direct, wrapped } of lists) {
    const listed = listAt(wrapped, "result", "resources").slice(listAt(direct, "result", "resources").length)
    const own = new Set(listed.map((resource) => at(resource, "uri")))
    for (const uri of uris) if (!own.has(uri)) problems.push(`${String(uri)} is not listed`)
    for (const uri of own) if (!uris.has(uri)) problems.push(`${String(uri)} belongs to no tool`)
  }
  return problems
}
