import { Context } from "effect"
import type { Effect } from "effect"
import type { Inspection, InspectionContext, Problem } from "../../domain/inspection/Inspection.ts"

export type { Inspection, InspectionContext, Problem }

/** Decides whether an answer of a model may reach a person's screen, by parsing it, and mends what can be mended. */
export class HtmlInspector extends Context.Service<
  HtmlInspector,
  {
    readonly inspect: (answer: string, context: InspectionContext) => Effect.Effect<Inspection>
    /** Looks at the first part of an answer that is still streaming; a reason to stop, or `null`. */
    readonly inspectPartial: (answer: string, context: InspectionContext) => Effect.Effect<Problem | null>
  }
>()("mcp-gen-ui/services/HtmlInspector") {}
