import { Context } from "effect"
import type { Effect } from "effect"

/**
 * Tells the host what has changed about UIs and the lists that they stand in: all of it in the legacy era, what it
 * listens to in the modern one. It hears of changes of tools and UIs by itself, and sees to it that nothing is kept of
 * tools that are gone (requirement W12).
 */
export class UiChanges extends Context.Service<
  UiChanges,
  {
    /** The resource at this URI is another one now. */
    readonly announce: (uri: string) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/UiChanges") {}
