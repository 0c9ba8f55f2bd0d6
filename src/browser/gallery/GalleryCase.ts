import type { CallToolResult, Progress } from "@modelcontextprotocol/client"
import type { FallbackReason } from "../../domain/tools/UiEntry.ts"

/** What `mcp-gen-ui/parts` exports. Cases know nothing else of the page. */
export type Parts = typeof import("../parts/index.ts") & typeof import("../pageParts/index.ts")

type Render = Parameters<Parts["show"]>[0]
/** What the render function of `show` gets beside the data. */
export type Context = Parameters<Render>[1]

export type Arguments = Readonly<Record<string, unknown>>

/** A tool as a server would list it. */
export interface GalleryTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly annotations?: Readonly<Record<string, unknown>>
}

/** What the host sends once the view is there, in this order. */
export type HostStep =
  | { readonly partial: Arguments }
  | { readonly input: Arguments }
  | { readonly result: CallToolResult }
  | { readonly cancelled: string }

/** How the host answers a call of the page: with a result, with an error, or with progress only. */
export type Answer =
  | { readonly result: CallToolResult }
  | { readonly error: string }
  | { readonly progress: ReadonlyArray<Progress> }

/** One picture of the gallery: a document, and how its host behaves. */
export interface GalleryCase {
  /** For the deep link, unique: `table-long`. */
  readonly id: string
  readonly title: string
  readonly about?: string
  /** The part that it shows, by its exported name. */
  readonly part?: Exclude<keyof Parts, "installStyles">
  /** What a generated page would give to `show`. Without it, the page is the built-in view. */
  readonly draw?: (parts: Parts, data: never, context: Context) => unknown
  /** For `show`. Default `none`. */
  readonly form?: "open" | "collapsed" | "none"
  readonly tool?: GalleryTool
  /** Default: an input and an empty result. */
  readonly host?: ReadonlyArray<HostStep>
  /** Arguments of a call that the page makes by itself, after everything from the host. */
  readonly call?: Arguments
  /** The text on a button that the page then presses by itself. */
  readonly press?: string
  /** Default: the last result of `host`. */
  readonly answer?: Answer
  readonly fallback?: FallbackReason
  readonly fullscreen?: boolean
}

export interface GalleryArea {
  /** For the deep link. Every id in the area begins with it. */
  readonly id: string
  readonly title: string
  readonly cases: ReadonlyArray<GalleryCase>
}
