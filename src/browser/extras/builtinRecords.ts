import { sessionOrNone } from "../parts/host.ts"
import { disclosure } from "../parts/layout.ts"
import { json } from "../parts/media.ts"
import { collectTitles } from "../parts/resultContext.ts"
import type { ShownCall } from "../runtime/extraHooks.ts"
import { joinedRecords } from "./records.ts"

/** The result of a list in the built-in UI, where other tools do something with its records. */
export const builtinRecords = (call: ShownCall): HTMLElement | undefined => {
  const session = sessionOrNone()
  const labels = Object.fromEntries(collectTitles(session?.tool.outputSchema))
  const maxBytes = session?.maxOutputDisplayBytes ?? 0
  return joinedRecords(
    call,
    { labels },
    disclosure("Raw JSON", () => json(call.result, { maxBytes }))
  )
}
