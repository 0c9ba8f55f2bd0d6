/**
 * The shapes of the messages between page and host (MCP Apps specification 2026-01-26). Nothing from a host or a server
 * is trusted: a member is `unknown` unless the code that reads it checks it.
 */

import type { UiExtras } from "../../domain/tools/UiExtras.ts"

/** A JSON object of unknown members. */
export type JsonObject = Record<string, unknown>

/** The tool of this page, from the document's data: the members of MCP's `Tool` that a page needs. */
export interface ToolData {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Any JSON value: servers send `true`, `{}` and worse. */
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  /** The same for all tools of a server. */
  readonly family?: string
}

/** A result of `tools/call` as it came, unknown members included. Content items may have unknown types. */
export interface CallToolResultLike {
  readonly content?: ReadonlyArray<unknown>
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
  readonly [member: string]: unknown
}

/** `hostContext` of `ui/initialize` and `ui/notifications/host-context-changed`: a host may leave out any member. */
export interface HostContext {
  readonly toolInfo?: { readonly id?: string | number; readonly tool?: unknown }
  readonly theme?: "light" | "dark"
  readonly styles?: {
    readonly variables?: Readonly<Record<string, string | undefined>>
    readonly css?: { readonly fonts?: string }
  }
  readonly displayMode?: string
  readonly availableDisplayModes?: ReadonlyArray<string>
  /** CSS pixels. `width`/`height` are exact, `maxWidth`/`maxHeight` are limits. */
  readonly containerDimensions?: {
    readonly width?: number
    readonly maxWidth?: number
    readonly height?: number
    readonly maxHeight?: number
  }
  /** BCP 47. */
  readonly locale?: string
  /** IANA name. */
  readonly timeZone?: string
  readonly userAgent?: string
  readonly platform?: "web" | "desktop" | "mobile"
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean }
  /** CSS pixels. */
  readonly safeAreaInsets?: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
  readonly [member: string]: unknown
}

/** Why the built-in UI stands in for a generated one. */
export interface FallbackData {
  readonly code: string
  readonly message: string
  readonly transient: boolean
}

/** What the linker puts into `<script type="application/json" id="mcp-gen-ui-data">`. */
export interface PageData {
  readonly tool: ToolData
  readonly view: "builtin" | "generated"
  readonly uiType: "rich" | "minimal"
  readonly fallback: FallbackData | null
  readonly level: 0 | 1 | 2 | 3
  /** Of the UI, for comparison only. */
  readonly version: string
  readonly theme: "system" | "light" | "dark"
  readonly limits: {
    /** UTF-8 bytes of a result that are drawn before "Show all" is asked for. */
    readonly maxOutputDisplayBytes: number
  }
  /** A person wrote the view into a file: its code may do what a model's code may not. */
  readonly byHand?: boolean
  readonly displayModes?: ReadonlyArray<string>
  /** What the page can do beyond its tool; it has the wide runtime. */
  readonly extras?: UiExtras
  /** Tools that the view may call without a press: of the tools that it names, those that only read. */
  readonly readOnlyTools?: ReadonlyArray<string>
  /** Names of the wrapper's own tools that the page may call. */
  readonly wrapperTools?: {
    /** Proves to the wrapper which tool the page is for. */
    readonly token?: string
    /** Is in each of the wrapper's answers, and proves them. */
    readonly proof?: string
    /** Keeps what a person has chosen on screen: `{toolName, token, items, noun?}`. */
    readonly select?: string
    /** Knows whether there is a newer version of this UI, and brings it: `{toolName, token, version, …}`. */
    readonly current?: string
    /** Whether it wants to know what the page finds wrong on its screen, and whether somebody has touched it. */
    readonly reports?: boolean
    /** Whether it keeps what the page shows, and how a person leaves it. */
    readonly keeps?: boolean
    /** The UI stays as it is: ask only where there is something to tell. */
    readonly isStill?: boolean
  }
}
