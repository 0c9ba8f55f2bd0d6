import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/client"
import { isObject } from "../../domain/isObject.ts"
import { linkDocument } from "./linkDocument.ts"
import type { ViewDocument } from "./ViewFrame.ts"

/** An accepted UI of a tool, as the wrapper's history tells it. */
export interface UiVersion {
  readonly number: number
  readonly isCurrent: boolean
  /** The version that it was made from. */
  readonly parent: number | null
  /** `generated`, `refined`, `regenerated`, `reset`, `variant`, `redrafted`, `repaired`, `imported`, `written`, `library`. */
  readonly origin: string
  readonly feedback: string | null
  /** ISO 8601. */
  readonly createdAt: string | null
  readonly model: string | null
  readonly uiType: string
}

/** How far a call is; `signal` ends it. */
export interface CallWatch {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: Progress) => void
}

export type Answer = Readonly<Record<string, unknown>>
export type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  watch?: CallWatch
) => Promise<CallToolResult>

/**
 * How the names of the wrapper's tools begin in this session. Found by how they end: the wrapper may have another prefix, and
 * a server may have tools with the same names. `undefined`: there is no wrapper, or one that keeps no versions.
 */
export const wrapperPrefix = (tools: ReadonlyArray<Tool>): string | undefined => {
  const names = new Set(tools.map(({ name }) => name))
  const prefixes = [...names].flatMap((name) => (name.endsWith("history") ? [name.slice(0, -"history".length)] : []))
  return prefixes.findLast((prefix) => names.has(`${prefix}revert`) && names.has(`${prefix}refine`))
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

const timeOf = (value: unknown): string | null => {
  const time = typeof value === "string" || typeof value === "number" ? new Date(value) : undefined
  return time === undefined || Number.isNaN(time.getTime()) ? null : time.toISOString()
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

/** The wrapper's tools for the UI of one tool. Each rejects with the wrapper's own words when it reports an error. */
export class UiWorkshop {
  readonly tool: Tool
  readonly #prefix: string
  readonly #call: CallTool

  constructor(tool: Tool, prefix: string, call: CallTool) {
    this.tool = tool
    this.#prefix = prefix
    this.#call = call
  }

  /** The versions, the newest first. */
  async versions(): Promise<ReadonlyArray<UiVersion>> {
    const { versions } = await this.#ask("history")
    return Array.isArray(versions) ? versions.flatMap(versionOf).toSorted((a, b) => b.number - a.number) : []
  }

  /** `null` for the built-in UI. */
  async source({ number }: UiVersion): Promise<string | null> {
    const { source } = await this.#ask("history", { version: number })
    if (typeof source !== "string" && source !== null) throw new Error(`version ${number} came without its source`)
    return source
  }

  async document(version: UiVersion): Promise<ViewDocument> {
    return linkDocument(this.tool, await this.source(version), version.uiType === "minimal" ? "minimal" : "rich")
  }

  revert(version: number): Promise<Answer> {
    return this.#ask("revert", { version })
  }

  refine(feedback: string, watch: CallWatch): Promise<Answer> {
    return this.#ask("refine", { feedback }, watch)
  }

  regenerate(options: Readonly<Record<string, unknown>>, watch: CallWatch): Promise<Answer> {
    return this.#ask("regenerate", options, watch)
  }

  /** How the UI that is served came about. */
  inspect(): Promise<Answer> {
    return this.#ask("inspect")
  }

  async prompt(): Promise<string | null> {
    return textOrNull((await this.#ask("studio"))["prompt"])
  }

  /** Has a source inspected, and served as a new version. */
  save(source: string): Promise<Answer> {
    return this.#ask("studio", { source })
  }

  async #ask(name: string, args: Readonly<Record<string, unknown>> = {}, watch: CallWatch = {}): Promise<Answer> {
    const result = await this.#call(this.#prefix + name, { toolName: this.tool.name, ...args }, watch)
    if (result.isError === true) throw new Error(told(result))
    return isObject(result.structuredContent) ? result.structuredContent : {}
  }
}

const ORIGINS: Readonly<Record<string, string>> = {
  generated: "Written for the tool as it is",
  regenerated: "Written anew",
  reset: "Back to the built-in view",
  imported: "Made by hand",
  refined: "Changed",
  variant: "Variant, to choose among",
  redrafted: "Second draft",
  repaired: "Repaired",
  written: "Written by the assistant",
  library: "From the library"
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
