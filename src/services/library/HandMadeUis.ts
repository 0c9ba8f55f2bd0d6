import { Context } from "effect"
import type { Effect, Option } from "effect"

export interface HandMadeUi {
  /** A fragment or a whole document, as a model would write it. */
  readonly source: string
  /** Changes with the source. */
  readonly hash: string
}

/** UIs made by hand, which go before generated ones (configuration `generation.uiDirectory`). */
export class HandMadeUis extends Context.Service<
  HandMadeUis,
  {
    /** Looks each time: a file that was changed counts at once. One that can not be read is reported, and counts as absent. */
    readonly find: (toolName: string) => Effect.Effect<Option.Option<HandMadeUi>>
  }
>()("mcp-gen-ui/services/HandMadeUis") {}
