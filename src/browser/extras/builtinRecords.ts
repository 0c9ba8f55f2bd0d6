import type { ResultViewOptions } from "../../../types/parts.d.ts"
import type { ResultShape } from "../../domain/results/ResultShape.ts"
import { sessionOrNone } from "../parts/host.ts"
import { disclosure } from "../parts/layout.ts"
import { json } from "../parts/media.ts"
import { collectTitles } from "../parts/resultContext.ts"
import { shapeView } from "../parts/resultView.ts"
import type { CallToolResultLike } from "../runtime/types.ts"
import { joinedRecords } from "./records.ts"

/** A result in the built-in UI: a list with what other tools do with its records, or as all results are drawn. */
export const builtinRecords = (
  shape: ResultShape,
  result: CallToolResultLike,
  options: ResultViewOptions
): HTMLElement => {
  const session = sessionOrNone()
  const labels = Object.fromEntries(collectTitles(session?.tool.outputSchema))
  const raw = disclosure("Raw JSON", () => json(result, { maxBytes: session?.maxOutputDisplayBytes ?? 0 }))
  return joinedRecords({ result, args: options.args ?? {} }, { labels }, raw) ?? shapeView(shape, result, options)
}
