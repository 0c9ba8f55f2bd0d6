import { Context } from "effect"
import type { Effect } from "effect"
import type { FrameHead } from "../../domain/wire/Frame.ts"
import type { RequestFailed } from "../../domain/wire/RequestFailed.ts"
import type { ProgressWish } from "./HostReplies.ts"

type Request = Extract<FrameHead, { kind: "request" }>

/** Who answers a request. */
export type Route =
  /** The server; `rewrite` changes its answer, once its tools are known. */
  | { readonly kind: "server"; readonly rewrite?: (answer: Uint8Array) => Uint8Array }
  /** We do: `HostReplies.answer` takes it. */
  | {
      readonly kind: "own"
      readonly work: Effect.Effect<Effect.Effect<unknown>, RequestFailed>
      readonly wish?: ProgressWish | undefined
    }
  /** The server has already been asked the same by us: this is its answer, changed, for this host. */
  | { readonly kind: "shared"; readonly answer: Effect.Effect<Uint8Array> }
  /** That depends on the server's tools: to be decided when they are known. */
  | { readonly kind: "undecided"; readonly decide: () => Route }

/**
 * What becomes of the requests of a host that renders UIs: those for our resources and for the wrapper's tools are
 * answered here, others get what is ours added to their answers (docs/architecture.md has the table). It sends nothing
 * by itself.
 */
export class UiRoutes extends Context.Service<
  UiRoutes,
  {
    /** `undefined`: requests with this method are the server's alone. */
    /**
     * Whether a page of ours made this call, which its own document proves. Some hosts open a session for their pages that
     * does not announce what the other one did: the server does not hear what pages ask us.
     */
    readonly isOfPage: (method: string, frame: Uint8Array) => boolean
    readonly routeOf: (method: string) => ((request: Request, frame: Uint8Array) => Route) | undefined
  }
>()("mcp-gen-ui/services/UiRoutes") {}
