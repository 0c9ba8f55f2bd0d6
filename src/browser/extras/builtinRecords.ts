import { isObject } from "../../domain/isObject.ts"
import { sessionOrNone } from "../parts/host.ts"
import { h } from "../parts/dom.ts"
import { disclosure } from "../parts/layout.ts"
import { json } from "../parts/media.ts"
import { collectTitles } from "../parts/resultContext.ts"
import type { ShownCall } from "../runtime/extraHooks.ts"
import { listedRows } from "./recordCalls.ts"
import { records } from "./records.ts"

/** The result of a list in the built-in UI, where other tools do something with its records. */
export const builtinRecords = (call: ShownCall): HTMLElement | undefined => {
  const session = sessionOrNone()
  if (!isObject(session?.extras?.records) || listedRows(call.result) === undefined) return undefined
  const labels = Object.fromEntries(collectTitles(session.tool.outputSchema))
  const raw = disclosure("Raw JSON", () => json(call.result, { maxBytes: session.maxOutputDisplayBytes }))
  return h("div", { class: "mg-stack" }, records(call, { labels }), raw)
}
