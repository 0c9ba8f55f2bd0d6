import type { DashboardPage } from "../tools/Dashboards.ts"
import { dashboardTool } from "./dashboardTool.ts"
import { modelTools } from "./definitions/modelTools.ts"
import { pageTools } from "./definitions/pageTools.ts"
import { shortPageTool, shortTools, type UiWriter, type WrapperListing } from "./shortTools.ts"

/**
 * The tools that the wrapper adds to the server's (requirements section 6); `select` and `current` are for its UIs, not
 * for the model; `studio` is for the page of `mcp-gen-ui preview`, and no other host is offered it.
 */
export type WrapperToolKind =
  | "refine"
  | "write"
  | "list"
  | "inspect"
  | "regenerate"
  | "history"
  | "revert"
  | "refresh_tools"
  | "selection"
  | "select"
  | "current"
  | "studio"

/** Set by the studio for the wrapper that it starts. */
export const STUDIO_VARIABLE = "MCP_GEN_UI_STUDIO"

export interface WrapperTool {
  readonly kind: WrapperToolKind | "dashboard"
  readonly name: string
  /** Whether it stands in `tools/list`; it works in any case. */
  readonly isListed: boolean
  /** As it stands in `tools/list`. */
  readonly definition: Readonly<Record<string, unknown>>
  /** Of a dashboard: every call gets this. */
  readonly answer?: Readonly<Record<string, unknown>>
}

/** Hosts hide a tool from the model, or from pages (MCP Apps 2026-01-26, "Tool visibility"). */
const onlyForUis = { ui: { visibility: ["app"] } } as const

const onlyForModels = { ui: { visibility: ["model"] } } as const

const definitions: Readonly<Record<WrapperToolKind, Readonly<Record<string, unknown>>>> = {
  ...modelTools,
  ...pageTools
}

const KINDS = [
  "refine",
  "write",
  "list",
  "inspect",
  "regenerate",
  "history",
  "revert",
  "refresh_tools",
  "selection",
  "select",
  "current",
  "studio"
] as const satisfies ReadonlyArray<WrapperToolKind>

/** Whether UIs call the tool, and not the model. */
export const isForPages = (kind: WrapperTool["kind"]): kind is "select" | "current" =>
  kind === "select" || kind === "current"

/** Which of the tools for UIs has this name, with any prefix. */
export const pageToolKind = (name: string): WrapperToolKind | undefined =>
  KINDS.find((kind) => isForPages(kind) && name.endsWith(kind))

/** The prefix for this attempt: `_ui_`, `_ui2_`, `_ui3_`; the last separator stays at the end. */
const prefixAt = (prefix: string, attempt: number): string =>
  attempt === 1 ? prefix : prefix.replace(/([_-]?)$/, `${attempt}$1`)

const DASHBOARD = "dashboard_"

export interface WrapperToolSet {
  /** Such as `_ui_`. */
  readonly prefix: string
  readonly isTaken: (name: string) => boolean
  readonly dashboards?: ReadonlyArray<DashboardPage>
  /** The studio gets one tool more, and the list of all. */
  readonly isStudio?: boolean | undefined
  /** `few` unless set. */
  readonly listing?: WrapperListing | undefined
  /** `model` unless set. */
  readonly writer?: UiWriter | undefined
}

/** The host's model gets a brief from `refine`, which is text: it has no structure to promise. */
const inFull = (kind: WrapperToolKind, writer: UiWriter): Readonly<Record<string, unknown>> => {
  if (kind !== "refine" || writer !== "host") return definitions[kind]
  const { outputSchema: _, ...refine } = definitions[kind]
  return refine
}

const toolOf = (kind: WrapperToolKind, prefix: string, listing: WrapperListing, writer: UiWriter): WrapperTool => {
  const name = `${prefix}${kind}`
  const isOfPages = isForPages(kind)
  const short = isOfPages ? shortPageTool : shortTools(prefix, writer)[kind]
  const isListed = isOfPages || listing === "all" || (listing === "few" && short !== undefined)
  const definition = listing === "all" ? inFull(kind, writer) : (short ?? definitions[kind])
  return { kind, name, isListed, definition: { name, ...definition, _meta: isOfPages ? onlyForUis : onlyForModels } }
}

/**
 * The wrapper's tools under a prefix, and one for each dashboard. If a name clashes with a tool of the server, the server's
 * wins, and the next prefix (`_ui2_`, `_ui3_` …) is tried.
 */
export const wrapperTools = ({
  dashboards = [],
  isStudio = false,
  isTaken,
  listing = "few",
  prefix,
  writer = "model"
}: WrapperToolSet): ReadonlyArray<WrapperTool> => {
  const kinds = KINDS.filter((kind) => isStudio || kind !== "studio")
  for (let attempt = 1; ; attempt += 1) {
    const tried = prefixAt(prefix, attempt)
    const tools = [
      ...kinds.map((kind) => toolOf(kind, tried, isStudio ? "all" : listing, writer)),
      ...dashboards.map((page) => dashboardTool(`${tried}${DASHBOARD}${page.name}`, page))
    ]
    if (!tools.some(({ name }) => isTaken(name))) return tools
  }
}

/** Whether this may be the name of a wrapper's tool, under any of the tried prefixes. */
export const mayBeWrapperTool = (prefix: string, name: string): boolean =>
  name.startsWith(prefix.replace(/[_-]$/, "")) &&
  (name.includes(DASHBOARD) || KINDS.some((kind) => name.endsWith(kind)))
