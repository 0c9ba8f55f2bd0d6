import { isObject } from "../isObject.ts"
import type { UiExtras } from "./UiExtras.ts"

/**
 * A tool as an upstream server describes it, MCP specification 2025-11-25 and 2026-07-28, "Tools".
 *
 * `definition` is the whole object as it came, unknown members included; the other members are the same
 * facts, checked, for code that needs them. A schema is any JSON value: servers send `true`, `{}` and worse.
 *
 * @example
 * import type { Tool } from "mcp-gen-ui"
 *
 * const nameOf = ({ name, title }: Tool) => title ?? name
 */
export interface Tool {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema: unknown
  readonly annotations: unknown
  /**
   * The server brought its own UI (`_meta.ui.resourceUri` or the flat `_meta["ui/resourceUri"]`), which is never replaced.
   * `_meta.ui` may also say only who may call the tool.
   */
  readonly hasOwnUi: boolean
  /** Where its own UI is, if it says so. */
  readonly ownUiUri: string | undefined
  readonly definition: Readonly<Record<string, unknown>>
  /** Names of the tools that this tool's page may call, its own included; empty if unknown. */
  readonly callable: ReadonlyArray<string>
  /** Of these, the names of those that only read (`annotations.readOnlyHint`). */
  readonly readOnly: ReadonlyArray<string>
  /** Signatures of related tools that the page may want to call, such as `close_issue(id, reason?)`. */
  readonly related: ReadonlyArray<string>
  /** What its neighbours or the configuration add to its page. A document of it is linked with the wide runtime. */
  readonly extras?: UiExtras
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Of `_meta.ui`; what is no object is not understood, and left alone. */
const hasUri = (ui: unknown): boolean => (isObject(ui) ? (ui.resourceUri ?? undefined) !== undefined : ui != null)

/**
 * Reads a tool from one element of a `tools/list` result; `undefined` if it has no usable name.
 *
 * @example
 * import { toolFromDefinition } from "mcp-gen-ui"
 *
 * const tool = toolFromDefinition({ name: "list_stock", inputSchema: { type: "object" } })
 */
export const toolFromDefinition = (definition: unknown): Tool | undefined => {
  if (!isObject(definition) || typeof definition.name !== "string" || definition.name === "") return undefined
  const meta = isObject(definition._meta) ? definition._meta : undefined
  const annotations = isObject(definition.annotations) ? definition.annotations : undefined
  const ui = isObject(meta?.ui) ? meta.ui : undefined
  return {
    name: definition.name,
    title: text(definition.title) ?? text(annotations?.title),
    description: text(definition.description),
    inputSchema: definition.inputSchema,
    outputSchema: definition.outputSchema,
    annotations: definition.annotations,
    hasOwnUi: meta !== undefined && (hasUri(meta.ui) || "ui/resourceUri" in meta),
    ownUiUri: text(ui?.resourceUri) ?? text(meta?.["ui/resourceUri"]),
    definition,
    callable: [definition.name],
    readOnly: [],
    related: []
  }
}
