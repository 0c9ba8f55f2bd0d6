import { Context, Schema } from "effect"
import type { Effect, Option } from "effect"
import type { LinkedUi } from "../../domain/documents/DocumentTemplate.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { FallbackReason } from "../../domain/tools/UiEntry.ts"
import type { UiEntry, UiType } from "../../domain/tools/UiEntry.ts"
import type { UiVersion } from "../../domain/library/UiVersions.ts"
import type { Wishes } from "../../domain/library/Wishes.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import type { PrintedJson } from "../../domain/wire/PrintedJson.ts"

export interface UiDocument {
  /** Links the whole self-contained document. Left to the reader: documents are large, and readers may be many. */
  readonly html: Effect.Effect<string>
  /** The document as an answer carries it; printed once for all who read it. */
  readonly printed: Effect.Effect<PrintedJson>
  readonly entry: UiEntry
  readonly cached: boolean
}

export interface ReadOptions {
  /** Named in the document; no part of what it is kept under. */
  readonly pageTools?: PageTools | undefined
  /** `blocking` unless set. With `live` nothing is waited for, and nothing generated before somebody opens the UI. */
  readonly delivery?: Delivery | undefined
}

/** What a page that is on screen hears of its UI. */
export interface UiNews {
  /** Of the document that a read would get. */
  readonly version: string
  /** `changed`: the page shows an older one; `generating`: a newer one is on its way. */
  readonly state: "current" | "generating" | "changed"
  /** Why there is nothing better, in one sentence. */
  readonly note?: string
  /** When to ask again, at the earliest. */
  readonly retryAfterMs?: number
  /** The newer UI, ready to be set into the page; only with `changed`. */
  readonly document?: LinkedUi
}

export interface UiOverview {
  readonly entry: UiEntry | undefined
  /** Whether the UI that a read would get is being generated. */
  readonly isGenerating: boolean
  readonly versions: ReadonlyArray<UiVersion>
  /** The number of the one that is served. */
  readonly current: number | null
}

/** There is no version of such a number, or none any more. */
export class VersionUnknown extends Schema.TaggedError<VersionUnknown>()("VersionUnknown", {
  toolName: Schema.String,
  version: Schema.Finite,
  known: Schema.Array(Schema.Finite)
}) {
  override get message(): string {
    const there = this.known.length === 0 ? "it has none yet" : `there are: ${this.known.join(", ")}`
    return `the UI of "${this.toolName}" has no version ${this.version}; ${there}`
  }
}

/** A change that was asked for could not be made; what was there stays (requirement R5). */
export class UiUnchanged extends Schema.TaggedError<UiUnchanged>()("UiUnchanged", {
  toolName: Schema.String,
  reason: FallbackReason
}) {
  override get message(): string {
    return `the UI of "${this.toolName}" was not changed: ${this.reason.message}`
  }
}

/**
 * The UI of every tool for one session: from the cache, else generated, else the built-in UI; with its refinements. It
 * owns that policy; how many are generated at a time is `Generations`' affair, how one is made `UiGenerator`'s, where
 * it is kept `UiCache`'s.
 */
export class UiLibrary extends Context.Service<
  UiLibrary,
  {
    /** Always answers: at worst with the built-in UI and its reason. */
    readonly read: (tool: Tool, options?: ReadOptions) => Effect.Effect<UiDocument>
    /**
     * For the page that shows `version`: whether there is a newer UI, and with it. That somebody has it open starts the
     * generation of one that is missing, or due again; it goes on in the library's care.
     *
     * `failed` is the version of a document that threw in its first second on that page. If it is the current one, that is
     * noted, once, and it gives way to the last good one before it: its own wishes are set aside, those that wait stay. Any
     * other one is ignored.
     */
    readonly current: (tool: Tool, version: string, failed?: string) => Effect.Effect<UiNews>
    /** The accepted UIs of this session, oldest first, and the number of the one that is served. */
    readonly versions: (
      tool: Tool
    ) => Effect.Effect<{ readonly versions: ReadonlyArray<UiVersion>; readonly current: number | null }>
    /** Makes an earlier version the one that is served, with the history that it had. */
    readonly revert: (tool: Tool, version: number) => Effect.Effect<UiVersion, VersionUnknown | UiUnchanged>
    /** Takes an edited source for the UI, if it passes the inspection that generated ones have to pass. */
    readonly adopt: (tool: Tool, source: string) => Effect.Effect<UiVersion, UiUnchanged>
    /** Called when the UI that is served has changed without a reader waiting for it. */
    readonly onChange: (listener: (tool: Tool) => void) => void
    /** What is there now; generates nothing. */
    readonly peek: (tool: Tool) => Effect.Effect<Option.Option<UiEntry>>
    /** What a list says of one of many tools, found out at once. */
    readonly overview: (tool: Tool) => Effect.Effect<UiOverview>
    /**
     * Requirement R1: adds feedback to the history and makes the UI anew from the one that is there. When that fails for good,
     * the wish is set aside; when it is cancelled, it is forgotten; else it waits for the next change.
     */
    readonly refine: (tool: Tool, feedback: string) => Effect.Effect<UiEntry, UiUnchanged>
    /**
     * Makes the UI anew from nothing, with the history or without any wish. A `uiType` holds for the session; `auto` leaves it
     * to the configuration and the model again. Wishes and type are as before when it fails for good or is cancelled.
     */
    readonly regenerate: (
      tool: Tool,
      options: { readonly clearRefinements: boolean; readonly uiType: UiType | "auto" | undefined }
    ) => Effect.Effect<UiEntry, UiUnchanged>
    /** Drops what this session knows of a tool that the server no longer has, and its UIs (requirement W12). */
    readonly forget: (tool: Tool) => Effect.Effect<void>
    readonly wishes: (tool: Tool) => Effect.Effect<Wishes>
  }
>()("mcp-gen-ui/services/UiLibrary") {}
