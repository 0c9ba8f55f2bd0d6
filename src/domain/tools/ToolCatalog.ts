import { canonicalJson } from "../CanonicalJson.ts"
import { type LearnedResults, NOTHING_LEARNED } from "./LearnedResults.ts"
import { isForModels, relateTools } from "./RelatedTools.ts"
import { type Tool, toolFromDefinition } from "./Tool.ts"
import { makeToolExtras, type ToolHintsByName } from "./toolExtras.ts"
import { makeUiUris } from "./UiUri.ts"

export type { ToolHintsByName } from "./toolExtras.ts"

/** What a refresh found: names of tools. */
export interface ToolChanges {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
}

/** The tools of one server at one time, and the URIs of the UIs that we serve for them. */
export interface ToolCatalog {
  /** In the server's order; the first of each name. Each knows which tools its page may call. */
  readonly tools: ReadonlyArray<Tool>
  readonly toolNamed: (name: string) => Tool | undefined
  /** Whether we serve a UI for the tool: the configuration allows it, a model may call it, and it brings none of its own. */
  readonly isServed: (tool: Tool) => boolean
  /** The URI of a tool that we serve a UI for. */
  readonly uriOf: (toolName: string) => string | undefined
  readonly toolAt: (uri: string) => Tool | undefined
}

/** The tools know what their neighbours add to their pages: found when asked for, with what was seen by then. */
export const makeToolCatalog = (
  definitions: ReadonlyArray<unknown>,
  isEnabled: (toolName: string) => boolean,
  hints: ToolHintsByName = {},
  learned: (toolName: string) => LearnedResults = () => NOTHING_LEARNED
): ToolCatalog => {
  const first = new Map<string, Tool>()
  for (const definition of definitions) {
    const tool = toolFromDefinition(definition)
    if (tool !== undefined && !first.has(tool.name)) first.set(tool.name, tool)
  }
  const tools = relateTools([...first.values()])
  const extrasOf = makeToolExtras(tools, hints, learned)
  for (const tool of tools) Object.defineProperty(tool, "extras", { enumerable: true, get: () => extrasOf(tool) })
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const isServed = (tool: Tool): boolean => !tool.hasOwnUi && isForModels(tool) && isEnabled(tool.name)
  const others = tools.flatMap((tool) => tool.ownUiUri ?? [])
  const uris = makeUiUris(
    tools.filter(isServed).map((tool) => tool.name),
    others
  )
  return {
    tools,
    toolNamed: (name) => named.get(name),
    isServed,
    uriOf: uris.uriOf,
    toolAt: (uri) => {
      const name = uris.toolAt(uri)
      return name === undefined ? undefined : named.get(name)
    }
  }
}

export const emptyCatalog: ToolCatalog = makeToolCatalog([], () => false)

export const compareCatalogs = (before: ToolCatalog, after: ToolCatalog): ToolChanges => {
  const print = (tool: Tool | undefined) => canonicalJson(tool?.definition)
  const isChanged = (tool: Tool) => print(before.toolNamed(tool.name)) !== print(tool)
  const added: Array<string> = []
  const changed: Array<string> = []
  const unchanged: Array<string> = []
  for (const tool of after.tools) {
    const names = before.toolNamed(tool.name) === undefined ? added : isChanged(tool) ? changed : unchanged
    names.push(tool.name)
  }
  const removed = before.tools.map((tool) => tool.name).filter((name) => after.toolNamed(name) === undefined)
  return { added, removed, changed, unchanged }
}
