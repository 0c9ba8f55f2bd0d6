import { Context } from "effect"
import type { Effect } from "effect"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import type { Era } from "../../domain/session/HostProfile.ts"
import type { RequestFailed } from "../../domain/wire/RequestFailed.ts"

/** An object of a result, as it is printed. */
export type Json = Readonly<Record<string, unknown>>

/** A page that has proved which tool it is for; `undefined` if the token is of no page of this process for this tool. */
export type PageCheck = (
  toolName: string,
  token: string
) =>
  | {
      /** What our answer carries, so that the page knows that it is ours. */
      readonly proof: string
      /** It was read in this session, and not in another one of this process. */
      readonly isOfSession: boolean
    }
  | undefined

/** The `ui://` resources of the tools that a session serves UIs for, as the protocol words them (requirement U1). */
export class UiResources extends Context.Service<
  UiResources,
  {
    /** What we add to `resources/list`. */
    readonly list: () => ReadonlyArray<Json>
    /** The tool whose UI has this URI. */
    readonly toolAt: (uri: string) => Tool | undefined
    /**
     * Makes sure that there is a UI, as far as the delivery waits for one, and answers how to print its `resources/read`
     * result: a document is large, so it is linked only when the host is ready to take it.
     */
    readonly read: (uri: string, tool: Tool, delivery: Delivery) => Effect.Effect<Effect.Effect<Json>>
    /** Knows the pages that were read. */
    readonly pageAt: PageCheck
    readonly missing: (uri: string, era: Era) => RequestFailed
    /** Whether there once was a UI at this URI, of a tool that the server has no longer (requirement W12). */
    readonly isRetired: (uri: string) => boolean
    readonly retire: (uri: string) => void
  }
>()("mcp-gen-ui/services/UiResources") {}
