import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { ToolCatalog, ToolChanges } from "../../domain/tools/ToolCatalog.ts"
import type { WrapperTool } from "../../domain/session/WrapperTool.ts"

/** The server did not give its list of tools. */
export class ToolsUnavailable extends Schema.TaggedError<ToolsUnavailable>()("ToolsUnavailable", {
  detail: Schema.String
}) {
  override get message(): string {
    return `the server did not list its tools: ${this.detail}`
  }
}

/**
 * What the server's list of tools says, read by requests of our own (requirements W2, W11). It owns those requests and
 * their ids; the session hands it the answers. It does not decide whether a host gets UIs.
 */
export class ServerTools extends Context.Service<
  ServerTools,
  {
    /** As of the last reading; empty before the first. */
    readonly catalog: () => ToolCatalog
    /** The wrapper's tools, under names that do not clash with the catalog. */
    readonly wrapperTools: () => ReadonlyArray<WrapperTool>
    /** Reads the list in the background, the first time it is called; `envelope` is the modern era's `_meta`. */
    readonly start: (envelope: Readonly<Record<string, unknown>> | undefined) => void
    /** Nothing is to be waited for: the list was read, could not be read, or nobody asked for it. */
    readonly isSettled: () => boolean
    /** Waits until it is settled, but not for ever. */
    readonly whenSettled: Effect.Effect<void>
    /** Reads the whole list again, now. */
    readonly refresh: Effect.Effect<ToolChanges, ToolsUnavailable>
    /**
     * The server says that its list changed: reads it again soon, once for several such messages. Until that is done
     * the list is not settled.
     */
    readonly onListChanged: () => void
    /**
     * Called when a reading found changes after hosts may have seen the list as it was `before`. `isKnown`: the server
     * itself has told the host that its tools changed.
     */
    readonly onChange: (listener: (changes: ToolChanges, before: ToolCatalog, isKnown: boolean) => void) => void
    /** Takes a notification on a subscription of ours (modern era); `false` if it is not ours. */
    readonly onNotification: (frame: Uint8Array) => boolean
    /**
     * The answer to our request for the first page of the list, while it is under way: a host that asks the same in the
     * meantime need not wait for a second one. `undefined` if there is none.
     */
    readonly firstPage: () => Effect.Effect<Uint8Array, ToolsUnavailable> | undefined
    /** A host got the server's list. */
    readonly onListed: () => void
    /** The server is gone. */
    readonly onLost: () => void
    /**
     * The server was started again: what it lists is read anew, unless it died of just that, and its changes are listened
     * to again.
     */
    readonly onRestored: () => void
  }
>()("mcp-gen-ui/services/ServerTools") {}
