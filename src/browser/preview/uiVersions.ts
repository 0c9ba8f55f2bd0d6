import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import { isObject } from "../../domain/isObject.ts"
import { linkDocument } from "./linkDocument.ts"
import type { ViewDocument } from "./ViewFrame.ts"

/** An accepted UI of a tool, as the wrapper's history tells it. */
export interface UiVersion {
  readonly number: number
  readonly isCurrent: boolean
  /** The version that it was made from. */
  readonly parent: number | null
  /** `generated`, `refined`, `regenerated`, `variant`, `redrafted`, `imported`. */
  readonly origin: string
  readonly feedback: string | null
  /** ISO 8601. */
  readonly createdAt: string | null
  readonly model: string | null
  readonly uiType: string
}

/** The wrapper's tools for versions, under the names that they have in this session. */
export interface VersionTools {
  readonly history: string
  readonly revert: string
}

export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const timeOf = (value: unknown): string | null => {
  const time = typeof value === "string" || typeof value === "number" ? new Date(value) : undefined
  return time === undefined || Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/**
 * Finds the tools by how their names end: the wrapper may have another prefix, and a server may have tools with the
 * same names.
 */
export const versionToolsIn = (tools: ReadonlyArray<Tool>): VersionTools | undefined => {
  const names = new Set(tools.map(({ name }) => name))
  const prefixes = [...names].flatMap((name) => (name.endsWith("history") ? [name.slice(0, -"history".length)] : []))
  const prefix = prefixes.findLast((prefix) => names.has(`${prefix}revert`) && names.has(`${prefix}refine`))
  return prefix === undefined ? undefined : { history: `${prefix}history`, revert: `${prefix}revert` }
}

const versionOf = (value: unknown): ReadonlyArray<UiVersion> => {
  if (!isObject(value) || typeof value["number"] !== "number") return []
  return [
    {
      number: value["number"],
      isCurrent: value["current"] === true,
      parent: typeof value["parent"] === "number" ? value["parent"] : null,
      origin: textOrNull(value["origin"]) ?? "generated",
      feedback: textOrNull(value["feedback"]),
      createdAt: timeOf(value["createdAt"]),
      model: textOrNull(value["model"]),
      uiType: textOrNull(value["uiType"]) ?? "rich"
    }
  ]
}

const told = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ") || "the wrapper did not say why"

/** Calls a tool. Rejects with the tool's own words when it reports an error. */
const answerOf = async (
  call: CallTool,
  name: string,
  args: Readonly<Record<string, unknown>>
): Promise<Readonly<Record<string, unknown>>> => {
  const result = await call(name, args)
  if (result.isError === true) throw new Error(told(result))
  return isObject(result.structuredContent) ? result.structuredContent : {}
}

/** The versions of a tool's UI, the newest first. */
export const readVersions = async (
  call: CallTool,
  { history }: VersionTools,
  toolName: string
): Promise<ReadonlyArray<UiVersion>> => {
  const { versions } = await answerOf(call, history, { toolName })
  return Array.isArray(versions) ? versions.flatMap(versionOf).toSorted((a, b) => b.number - a.number) : []
}

export const readVersion = async (
  call: CallTool,
  { history }: VersionTools,
  tool: Tool,
  version: UiVersion
): Promise<ViewDocument> => {
  const { source } = await answerOf(call, history, { toolName: tool.name, version: version.number })
  if (typeof source !== "string" && source !== null)
    throw new Error(`version ${version.number} came without its source`)
  return linkDocument(tool, source, version.uiType === "minimal" ? "minimal" : "rich")
}

export const revertTo = async (
  call: CallTool,
  { revert }: VersionTools,
  toolName: string,
  version: number
): Promise<void> => {
  await answerOf(call, revert, { toolName, version })
}

const ORIGINS: Readonly<Record<string, string>> = {
  generated: "Written for the tool as it is",
  regenerated: "Written anew",
  imported: "Made by hand",
  refined: "Changed",
  variant: "Variant, to choose among",
  redrafted: "Second draft"
}

/** What was asked for in a version; else how the version was made. */
export const titleOf = ({ feedback, origin }: UiVersion): string => feedback ?? ORIGINS[origin] ?? origin

/** When, by whom and from what, for a person. */
export const factsOf = ({ createdAt, model, parent, uiType }: UiVersion): string =>
  [
    createdAt === null ? null : new Date(createdAt).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" }),
    model,
    uiType === "minimal" ? "built-in" : null,
    parent === null ? null : `from ${parent}`
  ]
    .filter((fact) => fact !== null)
    .join(" · ")
