import { Context } from "effect"
import type { Effect } from "effect"
import type { UiType } from "../../domain/tools/UiEntry.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { GenerationJob } from "../generation/Generations.ts"

export interface UiJob extends GenerationJob {
  /** Stands for the tool as it is now: UIs of the same tool can stand in for each other. */
  readonly toolHash: string
}

/** What is asked for when the UI of a tool is, and the key that it is kept under (requirement C1); for one session. */
export class UiJobs extends Context.Service<
  UiJobs,
  {
    /** `currentSource` is what the UI is to be made from; `null` is from nothing. */
    readonly of: (tool: Tool, history: ReadonlyArray<string>, currentSource: string | null) => Effect.Effect<UiJob>
    /** Goes before the configuration; `auto` leaves it to that and the model again. Answers what was forced before. */
    readonly forceType: (toolName: string, uiType: UiType | "auto") => UiType | "auto"
    readonly forget: (toolName: string) => void
  }
>()("mcp-gen-ui/services/UiJobs") {}
