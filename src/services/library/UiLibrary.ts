import { Context } from "effect"
import type { Effect } from "effect"
import type { LinkedUi } from "../../domain/documents/DocumentTemplate.ts"
import type { Refinements } from "../../domain/library/Refinements.ts"
import type { UiVersion } from "../../domain/library/UiVersions.ts"
import type { PageFault } from "../../domain/tools/PageFault.ts"
import type { PageReport } from "../../domain/tools/PageReport.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import type { UiExtras } from "../../domain/tools/UiExtras.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import type { PrintedJson } from "../../domain/wire/PrintedJson.ts"

/**
 * The UI that a reader gets.
 *
 * @example
 * import { Effect } from "effect"
 * import type { UiDocument } from "mcp-gen-ui"
 *
 * const described = ({ cached, entry, html }: UiDocument) =>
 *   Effect.map(html, (page) => `${entry.toolName}, level ${entry.level}, ${page.length} characters, cached: ${cached}`)
 */
export interface UiDocument {
  /** Links the whole document on each call: documents are large, and there may be many readers. */
  readonly html: Effect.Effect<string>
  /** The document as a JSON string; printed once for all readers. */
  readonly printed: Effect.Effect<PrintedJson>
  readonly entry: UiEntry
  readonly cached: boolean
  /** Origins whose pages it may show in frames; the host has to allow them, too. */
  readonly frames?: ReadonlyArray<string>
}

export interface ReadOptions {
  /** Named in the document; they do not change its key. */
  readonly pageTools?: PageTools | undefined
  /** What the reader needs beside those of the tool; as `pageTools`. */
  readonly extras?: UiExtras | undefined
  /** `blocking` unless set. `live` waits for nothing, and generates nothing until somebody opens the UI. */
  readonly delivery?: Delivery | undefined
}

/** What a page on screen tells of itself, when it asks for news. */
export interface PageState {
  /** The version of a document that failed there, and how. */
  readonly failed?: string | undefined
  readonly fault?: PageFault | undefined
  /** Somebody has pressed, typed or scrolled there. */
  readonly isTouched?: boolean | undefined
  /** What the page found when it looked at itself. Only a page that has drawn a result tells. */
  readonly report?: PageReport | undefined
  /** The variant that the person wants to see. */
  readonly pick?: number | undefined
  /** The person keeps what is served, and is done with choosing. */
  readonly isChosen?: boolean | undefined
}

/** What a page on screen hears about its UI. */
export interface UiNews {
  /** Of the document that a read would get. */
  readonly version: string
  /** `changed`: the page shows an older UI; `generating`: a newer one is being made. */
  readonly state: "current" | "generating" | "changed"
  /** One sentence: why there is nothing better. */
  readonly note?: string
  /** Ask again no earlier than this. */
  readonly retryAfterMs?: number
  /** The newer UI, ready for the page; only with `changed`. */
  readonly document?: LinkedUi
  /** Not if somebody has touched the page meanwhile; only with `changed`. */
  readonly ifUntouched?: true
  /** What the person may choose among; missing when there is no choice. */
  readonly variants?: VariantChoice
}

/** Variants by the numbers of their versions, and the one that is served. */
interface VariantChoice {
  readonly versions: ReadonlyArray<number>
  readonly current: number | null
}

export interface UiOverview {
  /** What there is now. */
  readonly entry: UiEntry | undefined
  /** Whether the UI that a read would get is being generated. */
  readonly isGenerating: boolean
  /** The accepted UIs of this session, oldest first. */
  readonly versions: ReadonlyArray<UiVersion>
  /** The number of the version that is served. */
  readonly current: number | null
  /** The numbers of variants that a person is to choose among. */
  readonly choice: ReadonlyArray<number>
  readonly refinements: Refinements
}

/**
 * Serves the UI of every tool for one session: from the cache, else generated, else the built-in UI. `UiEdits` changes
 * them. It owns that policy; how many are generated at a time is `Generations`' affair, where they are kept `UiCache`'s.
 *
 * @example
 * import { Effect } from "effect"
 * import { type Tool, UiLibrary } from "mcp-gen-ui"
 *
 * const pageOf = (tool: Tool) =>
 *   Effect.gen(function* () {
 *     const library = yield* UiLibrary
 *     const { html } = yield* library.read(tool)
 *     return yield* html
 *   })
 */
export class UiLibrary extends Context.Service<
  UiLibrary,
  {
    /** Never fails: at worst it returns the built-in UI with the reason. */
    readonly read: (tool: Tool, options?: ReadOptions) => Effect.Effect<UiDocument>
    /**
     * Whether there is a newer UI than `version`, which a page shows, and that UI. Since somebody has the page open,
     * this starts a generation that is missing or due again; it goes on without the caller.
     * If the version that `failed` is the current one, it gives way, once, to the last good one before it: the
     * refinements that it alone applied are rejected, pending ones stay. If there is none, the built-in UI is served.
     * One repair is asked for. A `report` begins the second draft, once.
     */
    readonly news: (tool: Tool, version: string, page?: PageState) => Effect.Effect<UiNews>
    /** What is known of a UI. Generates nothing, and is quick enough to ask for every tool. */
    readonly overview: (tool: Tool) => Effect.Effect<UiOverview>
    /** What the model is told when it writes the UI that is asked for now; `null` if the prompt files are broken. */
    readonly prompt: (tool: Tool) => Effect.Effect<string | null>
    /** What the model of a host is told, so that it writes the UI and calls `writeTool`; `null` as for `prompt`. */
    readonly brief: (
      tool: Tool,
      asked: { readonly feedback: string; readonly writeTool: string }
    ) => Effect.Effect<string | null>
    /** Called when the served UI has changed and no reader waits for it. */
    readonly onChange: (listener: (tool: Tool) => void) => void
    /** Drops everything about a tool that the server no longer has, and its UIs. */
    readonly forget: (tool: Tool) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/UiLibrary") {}
