import { Context } from "effect"
import type { Effect } from "effect"
import type { ToolCatalog, ToolChanges } from "../../domain/tools/ToolCatalog.ts"
import type { WrapperToolKind } from "../../domain/session/WrapperTool.ts"
import type { PageCheck } from "./UiResources.ts"
import type { ToolsUnavailable } from "./ServerTools.ts"

/** A `CallToolResult` (MCP 2025-11-25, "Tools") as we write it ourselves. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** What a session offers to the wrapper's tools. */
export interface ToolDirectory {
  readonly catalog: ToolCatalog
  /** Knows the session's pages by their tokens. */
  readonly pageAt: PageCheck
  readonly refresh: Effect.Effect<ToolChanges, ToolsUnavailable>
  /** Tells the host that the resource changed. */
  readonly announce: (uri: string) => Effect.Effect<void>
}

/** Answers calls of the wrapper's own tools. Bad arguments and unknown tools are results with `isError`. */
export class WrapperTools extends Context.Service<
  WrapperTools,
  {
    readonly call: (kind: WrapperToolKind, args: unknown, directory: ToolDirectory) => Effect.Effect<ToolResult>
    /** Drops what is remembered of a tool that the server no longer has (requirement W12). */
    readonly forget: (toolName: string) => void
  }
>()("mcp-gen-ui/services/WrapperTools") {}
